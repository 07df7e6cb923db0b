from django.apps import AppConfig
from django.db.models.signals import post_migrate


class AnswersConfig(AppConfig):
    name = "lexreview.answers"
    label = "answers"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from lexreview.answers.collect_job import register_job
        from lexreview.answers.text_index import index_answers

        register_job()
        post_migrate.connect(index_answers, sender=self)
