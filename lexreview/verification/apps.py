from django.apps import AppConfig


class VerificationConfig(AppConfig):
    name = "lexreview.verification"
    label = "verification"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from lexreview.verification import job, support_job

        job.register_job()
        support_job.register_job()
