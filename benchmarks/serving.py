"""The application over real HTTP, as it is run: gunicorn with two workers on the loopback address."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from benchmarks.results import ROOT


@contextmanager
def served(port: int) -> Iterator["subprocess.Popen[bytes]"]:
    """Its process, once it answers; ended afterwards."""
    static = [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"]
    subprocess.run(static, cwd=ROOT, check=True)
    command = [sys.executable, "-m", "gunicorn", "lexreview.wsgi", "--workers", "2", "--threads", "4"]
    server = subprocess.Popen([*command, "--bind", f"127.0.0.1:{port}", "--log-level", "warning"], cwd=ROOT)
    try:
        _wait(f"http://127.0.0.1:{port}/account/login/")
        yield server
    finally:
        server.terminate()
        server.wait(20)


def _wait(address: str) -> None:
    for _try in range(100):
        try:
            httpx.get(address, timeout=5)
            return
        except httpx.HTTPError:
            time.sleep(0.3)
    raise SystemExit("gunicorn did not answer")
