from django.apps import AppConfig


class ReportsConfig(AppConfig):
    name = "lexreview.reports"
    label = "reports"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from lexreview.reports.report_job import register_report

        register_report()
