from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from lexreview.accounts.models import User
from lexreview.accounts.rules import NotAllowed
from lexreview.core.words import counted
from lexreview.questions.models import Benchmark
from lexreview.reports.actions import CannotPublish, NoteMissing, publish
from lexreview.reports.files import report_files


class Command(BaseCommand):
    help = "Publishes a benchmark: what readers see is frozen as it is now, and the report is made of it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("benchmark", help="slug of the benchmark")
        parser.add_argument("--by", metavar="USERNAME", required=True, help="the lead in whose name it is published")
        parser.add_argument("--note", default="", help="what changed since the publication before")
        parser.add_argument("--no-report", action="store_true", help="leave the making of the report for later")

    def handle(self, *args: Any, benchmark: str, by: str, note: str, no_report: bool, **options: Any) -> None:
        row = Benchmark.objects.filter(slug=benchmark).first()
        person = User.objects.filter(username=by, is_active=True).first()
        if row is None or person is None:
            raise CommandError(f"There is no {'benchmark ' + benchmark if row is None else 'active account ' + by}.")
        now = timezone.now()
        try:
            publication = publish(benchmark=row, note=note, by=person, now=now)
        except NoteMissing as error:
            raise CommandError(f"{error} Give it by --note.") from error
        except (CannotPublish, NotAllowed) as error:
            raise CommandError(str(error)) from error
        if publication.published_at != now:
            self.stdout.write(f"Nothing changed since publication {publication.number}.")
        if not no_report:
            report_files(publication)
        self.stdout.write(
            f"{publication}: {publication.approved} of {counted(publication.answers, 'card')},"
            f" sha256 {publication.sha256}."
        )
