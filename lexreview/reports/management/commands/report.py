from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from lexreview.questions.models import Benchmark
from lexreview.reports.files import HTML_NAME, PDF_NAME, report_files
from lexreview.reports.models import Publication
from lexreview.reports.render import CannotRender


class Command(BaseCommand):
    help = "Writes the report of a benchmark's newest publication; it is rendered once and kept."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("benchmark", help="slug of the benchmark")
        parser.add_argument("--pdf", type=Path, metavar="PATH", help="where to write the PDF")
        parser.add_argument("--html", type=Path, metavar="PATH", help="where to write the HTML")

    def handle(self, *args: Any, benchmark: str, pdf: Path | None, html: Path | None, **options: Any) -> None:
        wanted = {name: path for name, path in ((PDF_NAME, pdf), (HTML_NAME, html)) if path is not None}
        if not wanted:
            raise CommandError("Give --pdf PATH, --html PATH, or both.")
        publication = Publication.objects.of_benchmark(benchmark).standing().newest_first().first()
        if publication is None:
            if not Benchmark.objects.filter(slug=benchmark).exists():
                raise CommandError(f"There is no benchmark {benchmark}.")
            raise CommandError(f"{benchmark} has no publication; manage.py publish makes one.")
        try:
            files = report_files(publication)
        except CannotRender as error:
            raise CommandError(f"The report could not be made: {error}") from error
        for name, path in wanted.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(files[name])
            self.stdout.write(f"{publication}: {path}, {len(files[name])} bytes.")
