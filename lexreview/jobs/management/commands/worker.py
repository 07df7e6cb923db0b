from typing import Any

from celery import current_app
from django.core.management.base import BaseCommand, CommandParser


class Command(BaseCommand):
    help = "A worker in a process of its own, one item at a time. Several may run; stop it with Ctrl-C or SIGTERM."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--loglevel", default="WARNING")

    def handle(self, *args: Any, loglevel: str, **options: Any) -> None:
        worker = current_app.Worker(
            pool="solo", concurrency=1, loglevel=loglevel, without_mingle=True, without_gossip=True
        )
        worker.start()
        raise SystemExit(worker.exitcode)
