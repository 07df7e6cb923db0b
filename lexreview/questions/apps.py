from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class QuestionsConfig(AppConfig):
    name = "lexreview.questions"
    label = "questions"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        autodiscover_modules("page_sections")
