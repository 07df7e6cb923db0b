from django.apps import AppConfig


class ProvidersConfig(AppConfig):
    name = "lexreview.providers"
    label = "providers"
    default_auto_field = "django.db.models.BigAutoField"
