"""The version of the verification layer. It changes whenever a result could change, so that answers become pending."""

LAYER_VERSION = "1.8.1"
