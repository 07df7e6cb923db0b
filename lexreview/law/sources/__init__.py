"""Sources of law: one module each, for reading what a source publishes and for asking it."""
