from django.apps import AppConfig


class JudgingConfig(AppConfig):
    name = "lexreview.judging"
    label = "judging"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from lexreview.judging.judge_job import register_job

        register_job()
