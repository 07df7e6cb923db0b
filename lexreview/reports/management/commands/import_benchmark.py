from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from lexreview.accounts.models import User
from lexreview.core.words import counted
from lexreview.reports.bundle.files import UnsafeBundle
from lexreview.reports.bundle.loading import import_bundle, read_bundle
from lexreview.reports.bundle.records import FaultyBundle


class Command(BaseCommand):
    help = "Imports a benchmark from a bundle: a folder or .zip. All of it, or nothing and a list of what is wrong."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", type=Path, help="folder or .zip; docs/bundle.md describes the format")
        parser.add_argument("--check", action="store_true", help="only read and check; the database stays as it is")
        parser.add_argument("--by", metavar="USERNAME", help="the operator and lead in whose name the import is done")

    def handle(self, *args: Any, path: Path, check: bool, by: str | None, **options: Any) -> None:
        person = self._person(by)
        try:
            bundle = read_bundle(path)
            if check:
                self.stdout.write(f"{bundle.benchmark['slug']}: the bundle holds together.")
                return
            summary = import_bundle(bundle=bundle, by=person, now=timezone.now())
        except (UnsafeBundle, FaultyBundle) as error:
            raise CommandError(str(error)) from error
        counts = ", ".join(counted(number, name.removesuffix("s")) for name, number in summary.counts.items())
        change = counted(summary.events, "event") if summary.events else "nothing changed"
        self.stdout.write(f"{summary.slug}: {counts}; {change}.")

    def _person(self, username: str | None) -> User | None:
        if username is None:
            return None
        try:
            return User.objects.get(username=username, is_active=True)
        except User.DoesNotExist:
            raise CommandError(f"There is no active account {username}.") from None
