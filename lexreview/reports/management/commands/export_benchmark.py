from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from lexreview.core.words import counted
from lexreview.questions.models import Benchmark
from lexreview.reports.bundle.files import write_files
from lexreview.reports.bundle.writing import CannotExport, export_files


class Command(BaseCommand):
    help = "Writes a benchmark as a bundle, undisclosed questions included: it is the firm's own copy."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("path", type=Path, help="a new .zip, or a folder that is new or empty")

    def handle(self, *args: Any, slug: str, path: Path, **options: Any) -> None:
        benchmark = Benchmark.objects.filter(slug=slug).first()
        if benchmark is None:
            raise CommandError(f"There is no benchmark {slug}.")
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise CommandError(f"{path} exists; give a new .zip or an empty folder.")
        try:
            files = export_files(benchmark=benchmark, by=None, now=timezone.now())
            write_files(files, path)
        except CannotExport as refusal:
            raise CommandError(str(refusal)) from refusal
        except OSError as error:
            raise CommandError(f"{path} cannot be written: {error.strerror}.") from error
        self.stdout.write(f"{slug}: {counted(len(files), 'file')} written to {path}.")
