import os
import sys

from django.apps import AppConfig
from django.conf import settings


class JobsConfig(AppConfig):
    name = "lexreview.jobs"
    label = "jobs"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from celery import current_app

        from lexreview.jobs.sweeping import Sweeper

        current_app.steps["worker"].add(Sweeper)
        if settings.EMBEDDED_WORKER and _is_development_server():
            from lexreview.jobs.worker import start_worker_thread

            start_worker_thread()


def _is_development_server() -> bool:
    """`manage.py runserver`: the process that serves, not the one that watches the files for it."""
    if sys.argv[1:2] != ["runserver"]:
        return False
    return os.environ.get("RUN_MAIN") == "true" or "--noreload" in sys.argv
