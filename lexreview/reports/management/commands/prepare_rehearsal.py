from datetime import datetime
from pathlib import Path
from typing import Any

import yaml
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils import timezone

from lexreview.accounts.actions import grant_role
from lexreview.accounts.models import User
from lexreview.accounts.rules import NotAllowed
from lexreview.answers.models import Answer
from lexreview.core.words import counted
from lexreview.core.workflow import Role
from lexreview.law.models import Act
from lexreview.questions.models import Benchmark
from lexreview.reports.bundle.files import UnsafeBundle
from lexreview.reports.bundle.loading import import_bundle, read_bundle
from lexreview.reports.bundle.records import FaultyBundle
from lexreview.review.actions.rehearsing import RehearsalRefused, give_rehearsal, prepare_rehearsal
from lexreview.review.rehearsal_set import FaultyRehearsal, SetRecord, read_set
from lexreview.verification.actions import verify_answer

FOLDER = settings.BASE_DIR / "fixtures" / "rehearsal"
LAW = settings.BASE_DIR / "fixtures" / "demo" / "bundle" / "law"
"""The law on which the ten cards that come with lexreview stand: that of the demonstration."""


class Command(BaseCommand):
    help = "Prepares a rehearsal: cards whose pre-fill has planted errors, for reviewers to practise on."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "path", type=Path, nargs="?", default=FOLDER,
            help="a folder with bundle/ and rehearsal.yaml; without one, the ten cards that come with lexreview",
        )  # fmt: skip
        parser.add_argument("--lead", metavar="USERNAME", help="becomes lead of it and gives out the cards")
        parser.add_argument(
            "--give", metavar="USERNAME", nargs="+", default=[], help="become reviewers of it and get the cards"
        )

    def handle(self, *args: Any, path: Path, lead: str | None, give: list[str], **options: Any) -> None:
        if give and not lead:
            raise CommandError("--give takes --lead: somebody has to give the cards and to see what became of them.")
        giver, people = _person(lead) if lead else None, [_person(name) for name in give]
        now = timezone.now()
        try:
            record = read_set((path / "rehearsal.yaml").read_text(encoding="utf-8"))
            if path == FOLDER:
                self._bring_law()
            with transaction.atomic():
                benchmark = self._prepare(path, record, giver, now)
                for person in people:
                    self._give(benchmark, person, giver, now)
        except OSError as error:
            raise CommandError(f"{error.filename} cannot be read: {error.strerror}.") from error
        except (UnsafeBundle, FaultyBundle, FaultyRehearsal, RehearsalRefused, NotAllowed) as error:
            raise CommandError(str(error)) from error

    def _bring_law(self) -> None:
        elis = [yaml.safe_load(file.read_text(encoding="utf-8"))["eli"] for file in sorted(LAW.glob("acts/*.yaml"))]
        if Act.objects.filter(eli__in=elis).count() < len(elis):
            call_command("law", "import", str(LAW), stdout=self.stdout)

    def _prepare(self, path: Path, record: SetRecord, lead: User | None, now: datetime) -> Benchmark:
        bundle = read_bundle(path / "bundle")
        slug = import_bundle(bundle=bundle, by=None, now=now).slug
        benchmark = Benchmark.objects.get(slug=slug)
        for answer in Answer.objects.of_benchmark(benchmark).scored().with_run().in_order():
            verify_answer(answer=answer, by=None, now=now)
        rehearsal = prepare_rehearsal(benchmark=benchmark, record=record, by=None, now=now)
        if lead is not None:
            grant_role(user=lead, benchmark_slug=slug, role=Role.LEAD, by=None, now=now)
        self.stdout.write(f"{slug}: {counted(rehearsal.items.count(), 'card')}, set {rehearsal.sha256[:12]}.")
        return benchmark

    def _give(self, benchmark: Benchmark, person: User, lead: User | None, now: datetime) -> None:
        grant_role(user=person, benchmark_slug=benchmark.slug, role=Role.REVIEWER, by=None, now=now)
        if lead is not None:
            cards = give_rehearsal(rehearsal=benchmark.rehearsal, to=person, by=lead, now=now)
            self.stdout.write(f"{person.username}: {counted(len(cards), 'card')}.")


def _person(username: str) -> User:
    try:
        return User.objects.get(username=username, is_active=True)
    except User.DoesNotExist:
        raise CommandError(f"There is no active account {username}.") from None
