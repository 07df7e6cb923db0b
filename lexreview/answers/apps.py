from django.apps import AppConfig


class AnswersConfig(AppConfig):
    name = "lexreview.answers"
    label = "answers"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from lexreview.answers.collect_job import register_job

        register_job()
