from django.apps import AppConfig


class LawConfig(AppConfig):
    name = "lexreview.law"
    label = "law"
    default_auto_field = "django.db.models.BigAutoField"
