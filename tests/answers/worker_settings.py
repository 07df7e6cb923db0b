"""Settings of the workers that tests of collecting start and kill: everything is there, times are short."""

import os

from lexreview.settings import *  # noqa: F403

JOB_LEASE_SECONDS = 2
JOB_TURN_SECONDS = float(os.environ.get("TEST_TURN_SECONDS", "0.5"))
CELERY_TASK_DEFAULT_QUEUE = os.environ.get("REHEARSAL_QUEUE", "collecting")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
if seconds := os.environ.get("TEST_SQLITE_TIMEOUT"):
    DATABASES["default"]["OPTIONS"]["timeout"] = float(seconds)  # noqa: F405
