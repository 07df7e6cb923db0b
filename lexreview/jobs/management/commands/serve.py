from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.core.wsgi import get_wsgi_application
from django.db import connections
from gunicorn.app.base import BaseApplication

from lexreview.jobs.worker import start_worker_thread, stop_worker_thread


class Server(BaseApplication):
    def __init__(self, options: dict[str, Any]) -> None:
        self._options = options
        super().__init__()

    def load_config(self) -> None:
        for name, value in self._options.items():
            self.cfg.set(name, value)

    def load(self) -> Callable[..., Any]:
        return get_wsgi_application()


def start_worker(process: Any) -> None:
    start_worker_thread()


def stop_worker(server: Any, process: Any) -> None:
    stop_worker_thread()


class Command(BaseCommand):
    help = "Serve the site from one process with threads; without BROKER_URL its in-process worker does the jobs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--threads", type=int, default=8)

    def handle(self, *args: Any, host: str, port: int, threads: int, **options: Any) -> None:
        connections.close_all()
        choices: dict[str, Any] = {
            "bind": f"{host}:{port}",
            "workers": 1,
            "worker_class": "gthread",
            "threads": threads,
            "proc_name": "lexreview",
            "graceful_timeout": 20,
            "timeout": 120,
            "loglevel": "warning",
            "control_socket_disable": True,
        }
        if settings.EMBEDDED_WORKER:
            choices |= {"post_worker_init": start_worker, "worker_exit": stop_worker}
        self.stdout.write(f"Serving on http://{host}:{port}/ (Ctrl-C stops)")
        Server(choices).run()
