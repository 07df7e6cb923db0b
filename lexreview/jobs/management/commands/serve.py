import gc
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.wsgi import get_wsgi_application
from django.db import connection, connections
from django.db.migrations.executor import MigrationExecutor
from gunicorn.app.base import BaseApplication

from lexreview.core.words import counted
from lexreview.jobs.worker import start_worker_thread, stop_worker_thread
from lexreview.warming import warm_up

MANIFEST = "staticfiles.json"
"""What collecting the static files writes last."""
LAST_PORT = 65_535
KEEP_ALIVE = 75
"""Seconds. Longer than a reviewer reads between two acts, or a proxy waits before it uses a connection again: one that
closes while a request is on its way loses that request."""


class Server(BaseApplication):
    def __init__(self, options: dict[str, Any]) -> None:
        self._options = options
        super().__init__()

    def load_config(self) -> None:
        for name, value in self._options.items():
            self.cfg.set(name, value)

    def load(self) -> Callable[..., Any]:
        """In the parent of the workers, so that it is done once for all of them and again for none.

        What is loaded by then stays until the end: the collector need not look through it again and again, and the
        workers share its memory.
        """
        application = get_wsgi_application()
        warm_up()
        gc.collect()
        gc.freeze()
        return application


def start_worker(process: Any) -> None:
    start_worker_thread()


def stop_worker(server: Any, process: Any) -> None:
    stop_worker_thread()


def _check_migrated() -> None:
    """A site whose tables are missing would start, and answer with errors."""
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if missing:
        first, _backwards = missing[0]
        raise CommandError(
            f"The database lacks {counted(len(missing), 'migration')}, {first} first. Run: manage.py migrate"
        )


def _check_free(host: str, port: int) -> None:
    """The server itself would try for five seconds, and name neither the option nor the remedy."""
    if not 0 <= port <= LAST_PORT:
        raise CommandError(f"--port {port}: expected a number up to {LAST_PORT}.")
    try:
        family, kind, protocol, _name, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind(address)
    except OSError as error:
        raise CommandError(
            f"Cannot serve on {host}:{port}: {error.strerror}. Choose another by --port, or stop what uses this one."
        ) from error


class Command(BaseCommand):
    help = "Serve the site; without BROKER_URL from one process, whose worker on a thread does the jobs too."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--workers", type=int, help="processes; without BROKER_URL 1, with it 2 unless said")
        parser.add_argument("--threads", type=int, help="of each process; 8 of one, 4 of each of several unless said")

    def handle(
        self, *args: Any, host: str, port: int, workers: int | None, threads: int | None, **options: Any
    ) -> None:
        workers = workers or (1 if settings.EMBEDDED_WORKER else 2)
        if settings.EMBEDDED_WORKER and workers > 1:
            raise CommandError("Without BROKER_URL one process serves and does the jobs: set it, or --workers 1.")
        collected = Path(settings.STATIC_ROOT) / MANIFEST
        if not settings.DEBUG and not collected.exists():
            raise CommandError(f"{collected} is missing. Run: manage.py collectstatic --no-input")
        _check_migrated()
        _check_free(host, port)
        connections.close_all()
        choices: dict[str, Any] = {
            "bind": f"{host}:{port}",
            "workers": workers,
            "preload_app": True,
            "worker_class": "gthread",
            "threads": threads or (8 if workers == 1 else 4),
            "keepalive": KEEP_ALIVE,
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
