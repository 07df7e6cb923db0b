"""Settings of the processes that tests start and kill: the kinds of the tests, short times, a queue of their own.

Only the rooms that jobs need are there: a process starts in a third of the time.
"""

import os

from lexreview.settings import *  # noqa: F403
from lexreview.settings import INSTALLED_APPS as EVERYTHING
from lexreview.settings import VAR_DIR

NEEDED = {"lexreview.ledger", "lexreview.accounts", "lexreview.jobs"}

INSTALLED_APPS = [name for name in EVERYTHING if not name.startswith("lexreview.") or name in NEEDED]
INSTALLED_APPS += ["tests.jobs.apps.RehearsalsConfig"]
ROOT_URLCONF = "tests.jobs.urls"
JOB_LEASE_SECONDS = 1
JOB_TURN_SECONDS = 0.3
CELERY_TASK_DEFAULT_QUEUE = os.environ.get("REHEARSAL_QUEUE", "rehearsals")
# `serve` asks for it; no page of these processes has a style sheet.
STATIC_ROOT = VAR_DIR / "static"
STATIC_ROOT.mkdir(exist_ok=True)
(STATIC_ROOT / "staticfiles.json").write_text('{"paths": {}, "version": "1.1", "hash": ""}')
