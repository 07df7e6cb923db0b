import time
from argparse import ArgumentParser
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils import timezone

from lexreview.core.words import counted
from lexreview.ledger.copies import CopyFailed, make_copy, next_night

KEEP = 14


class Command(BaseCommand):
    help = "Copies the whole database while the site runs, proves the ledger of the copy, and keeps the newest ones."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--to", type=Path, help="folder of the copies (default: backups in LEXREVIEW_VAR)")
        parser.add_argument("--keep", type=int, default=KEEP, help=f"of how many days a copy stays (default: {KEEP})")
        parser.add_argument("--nightly", metavar="HH:MM", help="stay, and make a copy at this time (UTC) of every day")

    def handle(self, *args: Any, **options: Any) -> None:
        folder = options["to"] or Path(settings.VAR_DIR) / "backups"
        if options["keep"] < 1:
            raise CommandError("--keep: at least 1")
        if options["nightly"] is None:
            self.copy(folder, options["keep"])
            return
        try:
            at = datetime.strptime(options["nightly"], "%H:%M").time()
        except ValueError as error:
            raise CommandError("--nightly: a time like 02:30") from error
        while True:
            time.sleep((next_night(timezone.now(), at) - timezone.now()).total_seconds())
            try:
                self.copy(folder, options["keep"])
            except CommandError as failure:
                self.stderr.write(f"{timezone.now():%Y-%m-%d %H:%M} {failure}")
            connection.close()

    def copy(self, folder: Path, keep: int) -> None:
        try:
            copy = make_copy(folder=folder, keep=keep, now=timezone.now())
        except (CopyFailed, OSError) as failure:
            raise CommandError(f"No copy was made: {failure}") from failure
        size = copy.path.stat().st_size / 1_000_000
        self.stdout.write(f"{copy.path} ({size:.1f} MB).")
        self.stdout.write(f"Its ledger holds: {counted(copy.events, 'event')}, newest hash {copy.newest_hash or '–'}.")
