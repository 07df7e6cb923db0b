from django.apps import AppConfig


class MethodologyConfig(AppConfig):
    name = "lexreview.methodology"
    label = "methodology"
    default_auto_field = "django.db.models.BigAutoField"
