"""The application over real HTTP, as it is run: `serve` with two processes on the loopback address."""

import os
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
    # With a broker, which is never asked for anything here, the jobs' worker is not in a process that serves.
    environment = {"BROKER_URL": "redis://127.0.0.1:6379/7", **os.environ}
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, env=environment)
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
