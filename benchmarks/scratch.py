"""A database of a measurement's own in `var/bench`, so that nobody's data is touched: import this before Django."""

import atexit
import os
import tempfile

from benchmarks.results import bench_folder

_folder = tempfile.TemporaryDirectory(prefix="scratch-", dir=bench_folder())
atexit.register(_folder.cleanup)
os.environ["DATABASE_URL"] = f"sqlite:///{_folder.name}/law.sqlite3"
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lexreview.settings")

import django  # noqa: E402

django.setup()

from django.core.management import call_command  # noqa: E402

call_command("migrate", verbosity=0)
