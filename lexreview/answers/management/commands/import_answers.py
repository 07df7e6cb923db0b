from argparse import ArgumentParser, ArgumentTypeError
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from lexreview.answers.actions import import_answers
from lexreview.answers.importing import CannotImport, read_answers
from lexreview.answers.matching import match_answers
from lexreview.answers.models import Condition, System
from lexreview.core.words import counted
from lexreview.questions.models import Benchmark


def time(text: str) -> datetime:
    try:
        value = datetime.fromisoformat(text)
    except ValueError as error:
        raise ArgumentTypeError(f"{text!r} is no date and time like 2026-10-12T09:30:00Z") from error
    return value if value.tzinfo else value.replace(tzinfo=UTC)


class Command(BaseCommand):
    help = (
        "Imports answers made elsewhere: a folder of Markdown or JSON files (P01.md, P01_r2.json), a CSV table, or a "
        "log of Inspect. All or none; every fault is named with its file, line and field."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path)
        parser.add_argument("--benchmark", required=True)
        parser.add_argument("--system", required=True)
        parser.add_argument("--condition", required=True)
        parser.add_argument("--repetition", type=int, default=1, help="where the files give none")
        parser.add_argument("--answered-at", type=time, metavar="TIME", help="where the files give none")
        parser.add_argument("--dry-run", action="store_true", help="print what would be imported, and store nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        benchmark = Benchmark.objects.filter(slug=options["benchmark"]).first()
        if benchmark is None:
            raise CommandError(f"There is no benchmark {options['benchmark']}.")
        system = System.objects.select_related("benchmark").filter(benchmark=benchmark, code=options["system"]).first()
        condition = Condition.objects.filter(benchmark=benchmark, code=options["condition"]).first()
        if system is None or condition is None:
            what, code = ("condition", options["condition"]) if system else ("system", options["system"])
            raise CommandError(f"{benchmark.slug} has no {what} {code}.")
        try:
            found = read_answers(options["path"])
            matched = match_answers(
                benchmark, found, repetition=options["repetition"], answered_at=options["answered_at"]
            )
            if options["dry_run"]:
                for each in matched:
                    self.stdout.write(f"{each.found.file}: {each.question.code}, run {each.found.repetition}")
                self.stdout.write(f"{counted(len(matched), 'answer')} can be imported.")
                return
            stored = import_answers(system=system, condition=condition, matched=matched, by=None, now=timezone.now())
        except CannotImport as error:
            raise CommandError("\n".join(str(fault) for fault in error.faults)) from error
        self.stdout.write(f"{counted(len(stored), 'answer')} imported.")
