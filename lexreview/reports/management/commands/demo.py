import sys
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import yaml
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from tqdm import tqdm

from lexreview.accounts.models import User
from lexreview.core.workflow import CardState
from lexreview.jobs.actions import NothingToDo, start_job
from lexreview.jobs.states import JobState
from lexreview.jobs.terminal import run_job_inline
from lexreview.questions.models import Benchmark
from lexreview.reports.actions import publish
from lexreview.reports.demonstration import DemoReview, demo_accounts, told
from lexreview.reports.files import report_files
from lexreview.review.actions.planning import PlanDraft, save_review_plan
from lexreview.review.models import Card

SLUG = "kestria-01"
FOLDER = settings.BASE_DIR / "fixtures" / "demo"
NOTE = "First publication of the demonstration."


class Command(BaseCommand):
    help = "The demonstration: imports, checks every citation, pre-fills and reviews cards, publishes, serves."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--new-passwords", action="store_true", help="give the demo accounts new passwords")
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *args: Any, new_passwords: bool, host: str, port: int, **options: Any) -> None:
        started = time.monotonic()
        passwords = demo_accounts(benchmark_slug=SLUG, renew=new_passwords, now=timezone.now())
        call_command("import_benchmark", str(FOLDER / "bundle"), stdout=self.stdout)
        benchmark = Benchmark.objects.get(slug=SLUG)
        # The demo shows pre-filled cards at work, so none is drawn to come without.
        shown = PlanDraft(blind_share=Decimal(0), repeat_share=Decimal(0))
        save_review_plan(benchmark=benchmark, draft=shown, by=None, now=timezone.now())
        self.work("verify")
        self.work("prefill")
        self.review(benchmark)
        self.report(benchmark)
        self.stdout.write(f"Done in {time.monotonic() - started:.0f} s.\n")
        self.accounts(passwords, f"http://{host}:{port}")
        if settings.DEMO_SERVE:
            sys.stdout.flush()
            call_command("serve", host=host, port=port)

    def work(self, kind: str) -> None:
        """One job of the task queue, done by the in-process worker, with a bar."""
        operator = User.objects.get(username="operator")
        try:
            job = start_job(kind=kind, benchmark_slug=SLUG, params={"benchmark": SLUG}, by=operator, now=timezone.now())
        except NothingToDo:
            self.stdout.write(f"{kind}: nothing to do.")
            return
        job = run_job_inline(job)
        if job.failed or job.state != JobState.SUCCEEDED:
            raise CommandError(f"{kind}: {job.failed} of {job.total} failed; the job's page says why.")

    def review(self, benchmark: Benchmark) -> None:
        """The demo's lawyer approves the cards that review.yaml decides; the others stay in the queue."""
        records = yaml.safe_load((FOLDER / "review.yaml").read_text(encoding="utf-8"))
        people = {user.username: user for user in User.objects.filter(username__in=["reviewer", "lead"])}
        cards = {
            card.answer.identifier: card
            for card in Card.objects.of_benchmark(benchmark).first_round().with_answer()
            if card.state != CardState.APPROVED
        }
        todo = [(cards[name], record) for name, record in records.items() if name in cards]
        for card, record in tqdm(todo, desc="Review cards", unit="", disable=not todo):
            DemoReview(card=card, record=record, by=people[record["reviewer"]], now=timezone.now()).run()

    def report(self, benchmark: Benchmark) -> None:
        lead = User.objects.get(username="lead")
        publication = publish(benchmark=benchmark, note=NOTE, by=lead, now=timezone.now())
        folder = Path(settings.VAR_DIR) / "demo"
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in report_files(publication).items():
            path = folder / name
            if not path.exists() or path.read_bytes() != content:
                path.write_bytes(content)
            inside = path.is_relative_to(settings.BASE_DIR)
            self.stdout.write(str(path.relative_to(settings.BASE_DIR) if inside else path))

    def accounts(self, passwords: dict[str, str | None], address: str) -> None:
        self.stdout.write(told(passwords))
        if settings.DEMO_SERVE:
            self.stdout.write(f"Readers   {address}/\nMembers   {address}/account/login/\n")
        else:
            self.stdout.write("Nothing is served (DEMO_SERVE=0); `make demo` serves it.\n")
