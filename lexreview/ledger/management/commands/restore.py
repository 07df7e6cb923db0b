from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from lexreview.core.words import counted
from lexreview.ledger.copies import CopyFailed, NotEmpty, restore_copy


class Command(BaseCommand):
    help = "Puts a copy that `backup` made back in place of the database. Stop the site and the workers first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("copy", type=Path, help="the file")
        parser.add_argument(
            "--replace", action="store_true", help="also where the database holds something; that is copied first"
        )
        parser.add_argument("--to", type=Path, help="folder of that copy (default: backups in LEXREVIEW_VAR)")

    def handle(self, *args: Any, **options: Any) -> None:
        folder = options["to"] or Path(settings.VAR_DIR) / "backups"
        try:
            copy, before = restore_copy(
                path=options["copy"], folder=folder, replace=options["replace"], now=timezone.now()
            )  # fmt: skip
        except NotEmpty as refusal:
            raise CommandError(f"Nothing was changed: {refusal}. Say --replace if that is meant.") from refusal
        except (CopyFailed, OSError) as failure:
            raise CommandError(f"Nothing was changed: {failure}") from failure
        if before is not None:
            self.stdout.write(f"What was there before: {before.path}")
        self.stdout.write(f"Restored {copy.path.name}: {counted(copy.events, 'event')}.")
        call_command("verify_ledger", stdout=self.stdout)
