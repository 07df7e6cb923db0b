from django.apps import AppConfig


class ProvidersConfig(AppConfig):
    name = "lexreview.providers"
    label = "providers"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from lexreview.providers.obstacles import register_obstacles

        register_obstacles()
