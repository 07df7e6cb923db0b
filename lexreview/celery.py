"""The Celery application: tasks of all rooms, broker chosen by `BROKER_URL`."""

import os
from typing import Any

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lexreview.settings")

app = Celery("lexreview")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@app.on_after_configure.connect  # type: ignore[untyped-decorator]
def use_folder_without_broker(sender: Celery, **kwargs: Any) -> None:
    """Without BROKER_URL, messages are files of one folder; workers there are not steered from outside."""
    from django.conf import settings

    if settings.EMBEDDED_WORKER:
        sender.conf.update(
            broker_transport="lexreview.jobs.folder_queue:Transport",
            broker_transport_options={"folder": str(settings.CELERY_BROKER_FOLDER / "queue")},
            worker_enable_remote_control=False,
        )
