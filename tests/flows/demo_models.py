"""The whole way with models at work, against the server of the tests: `make demo-models`.

Collect, verify, check support, pre-fill, judge, approve, publish, report. It has a folder with a database of its own,
var/demo-models, which is made anew. What the models say is recorded or made by rule (`tests/providers/demo_replies`).
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from tests.providers.demo_replies import DemoReplies
from tests.providers.server import ModelServer

ROOT = Path(__file__).resolve().parent.parent.parent
DEMO = ROOT / "fixtures" / "demo"
SLUG = "kestria-01"
SUPPORT, PREFILL = "local:warden-1", "local:scribe-1"
PRICES = {
    "argon-4-2026-08-20": ("3", "15"),
    "borealis-3.2": ("2.5", "10"),
    "cedar-mini-2026-07": ("0.3", "1.2"),
    "dune-2-base-2025-11": ("0.8", "4"),
    "warden-1": ("0.5", "2"),
    "scribe-1": ("3", "15"),
    "lynx-6": ("2", "8"),
    "meridian-x": ("1", "5"),
    "heron-2": ("5", "25"),
}
JUDGES = ["lynx-6", "meridian-x", "heron-2"]
Say = Callable[[str], None]


class NotAsPlanned(Exception):
    """A step did not do what the demonstration is there to show."""


def bundle_to_collect() -> dict[str, bytes]:
    """The demonstration's bundle without answers and verdicts; its systems are called at `local`."""
    from lexreview.reports.bundle.files import read_files

    whole = read_files(DEMO / "bundle")
    files = {name: content for name, content in whole.items() if not name.startswith(("answers/", "verdicts/"))}
    for name in files:
        if name.startswith("decisions/"):
            record = yaml.safe_load(files[name])
            record["touches"]["cards"] = []
            files[name] = yaml.safe_dump(record, allow_unicode=True, sort_keys=False).encode()
    head = yaml.safe_load(files["benchmark.yaml"])
    head["runs"] = []
    head["judges"] = []
    for system in head["systems"]:
        system["settings"] = {"endpoint": "local", "max_tokens": 1500}
    files["benchmark.yaml"] = yaml.safe_dump(head, allow_unicode=True, sort_keys=False).encode()
    return files


@contextmanager
def demo_server() -> Iterator[ModelServer]:
    from lexreview.reports.bundle.files import read_files

    server = ModelServer().start()
    server.counts_letters = True
    server.reply = DemoReplies(read_files(DEMO / "bundle"))
    try:
        yield server
    finally:
        server.stop()


class Demonstration:
    """The steps, in order; `say` prints. Call them with the server's address in the setting of the provider local."""

    def __init__(self, *, folder: Path, say: Say, systems: Sequence[str] = (), sets: Sequence[str] = ()) -> None:
        self.folder, self.say, self.systems, self.sets = folder, say, list(systems), list(sets)

    def run(self) -> None:
        for step in (
            self.set_up, self.collect, self.collect_again, self.verify, self.check_support, self.prefill, self.judge,
            self.approve, self.report, self.prove, self.costs,
        ):  # fmt: skip
            started = time.monotonic()
            self.say(f"== {step.__name__.replace('_', ' ')}")
            step()
            self.say(f"   {time.monotonic() - started:.1f} s")

    def set_up(self) -> None:
        from django.core.management import call_command
        from django.utils import timezone

        from lexreview.providers.actions import add_price
        from lexreview.questions.models import Benchmark
        from lexreview.reports.bundle.files import write_files
        from lexreview.reports.demonstration import demo_accounts, told
        from lexreview.review.actions.planning import PlanDraft, save_review_plan

        now = timezone.now()
        self.accounts = told(demo_accounts(benchmark_slug=SLUG, renew=False, now=now))
        with tempfile.TemporaryDirectory(dir=self.folder) as place:
            write_files(bundle_to_collect(), Path(place) / "bundle")
            call_command("import_benchmark", str(Path(place) / "bundle"))
        self.benchmark = Benchmark.objects.get(slug=SLUG)
        shown = PlanDraft(blind_share=Decimal(0), repeat_share=Decimal(0))
        save_review_plan(benchmark=self.benchmark, draft=shown, by=None, now=now)
        for model, (read, written) in PRICES.items():
            add_price(
                provider="local", model=model, valid_from=date(2026, 1, 1), prices={"input": read, "output": written},
                source="invented for the demonstration", by=None, now=now,
            )  # fmt: skip

    def collect(self) -> None:
        """Every cell without tools: the server of the tests has no web search to offer at this address."""
        every = [each.code for each in self.benchmark.systems.order_by("position", "pk")]
        self._collect(repetitions=1, systems=self.systems or every)

    def collect_again(self) -> None:
        """A second repetition of one system: its usage is on record now, so the dry run must name the bill."""
        expected, billed = self._collect(repetitions=2, systems=["argon-4"])
        if expected != billed:
            raise NotAsPlanned(f"on recorded usage {expected} USD were expected and {billed} USD billed")

    def _collect(self, *, repetitions: int, systems: list[str]) -> tuple[Decimal | None, Decimal]:
        from lexreview.answers.collecting import make_plan

        options = {"systems": systems, "conditions": ["W0"], "repetitions": repetitions, "sets": self.sets}
        expected = make_plan(benchmark=self.benchmark, **options).cost.usd
        return expected, self._paid("collect", expected, **options)

    def verify(self) -> None:
        self._job("verify")

    def check_support(self) -> None:
        from lexreview.verification.support_planning import make_support_plan

        plan = make_support_plan(benchmark=self.benchmark, model=SUPPORT)
        self._paid("check_support", plan.cost.usd, model=SUPPORT)

    def prefill(self) -> None:
        """By code, then by a model."""
        from lexreview.review.model_prefill_job import ModelPrefillPlan

        self._job("prefill")
        plan = ModelPrefillPlan(benchmark=self.benchmark, name=PREFILL)
        self._paid("prefill", plan.cost.usd, model=PREFILL)

    def judge(self) -> None:
        """Two judges; then a panel of them and a third, who is asked only where the two differ."""
        from django.utils import timezone

        from lexreview.core.methods.criteria.panel import Strategy
        from lexreview.judging.actions import save_judge, save_panel
        from lexreview.judging.models import HALLUCINATED, PanelResult, Variant, Verdict
        from lexreview.judging.planning import make_plan
        from lexreview.judging.prompts import versions

        stamp: dict[str, Any] = {"by": None, "now": timezone.now()}
        judges = [
            save_judge(
                benchmark=self.benchmark, code=code, **stamp,
                fields={
                    "name": code.title(), "provider": "invented", "family": code.split("-")[0],
                    "model_identifier": code, "variant": Variant.WITH_REPORT, "search": False,
                    "instructions_version": versions()[-1], "settings": {"endpoint": "local", "max_tokens": 1500},
                    "position": position,
                },
            )
            for position, code in enumerate(JUDGES)
        ]  # fmt: skip
        seats = dict(zip(("judge_a", "judge_b", "judge_c"), judges, strict=True))
        fields: dict[str, Any] = {
            "name": "Two, and a third where they differ",
            "strategy": Strategy.ADAPTIVE,
            "position": 0,
        }
        fields |= {**seats, "items": [HALLUCINATED]}
        panel = save_panel(benchmark=self.benchmark, code="panel", fields=fields, **stamp)
        for chosen in ({"judges": JUDGES[:2]}, {"panel": "panel"}):
            plan = make_plan(benchmark=self.benchmark, **chosen)  # type: ignore[arg-type]
            self._paid("judge", plan.cost.usd, **chosen)
        results = PanelResult.objects.filter(panel=panel)
        settled = sum(each.is_settled for each in results)
        third = Verdict.objects.filter(judge=judges[2]).count()
        self.say(f"panel: {settled} of {len(results)} settled, {third} by the third judge")

    def approve(self) -> None:
        """The demonstration's lawyer decides the cards of the recorded answers, through the actions of the browser."""
        from django.utils import timezone

        from lexreview.accounts.models import User
        from lexreview.core.workflow import CardState
        from lexreview.reports.demonstration import DemoReview
        from lexreview.review.models import Card

        records: Mapping[str, Any] = yaml.safe_load((DEMO / "review.yaml").read_text(encoding="utf-8"))
        people = {user.username: user for user in User.objects.filter(username__in=["reviewer", "lead"])}
        answers = {path.stem: path.read_text(encoding="utf-8") for path in (DEMO / "bundle/answers").glob("*.md")}
        for card in Card.objects.of_benchmark(self.benchmark).first_round().with_answer():
            record = records.get(card.answer.identifier)
            if record and card.answer.text == answers[card.answer.identifier]:
                DemoReview(card=card, record=record, by=people[record["reviewer"]], now=timezone.now()).run()
        approved = Card.objects.of_benchmark(self.benchmark).filter(state=CardState.APPROVED).count()
        self.say(f"{approved} cards approved")
        if not approved:
            raise NotAsPlanned("no card was approved")

    def report(self) -> None:
        from django.utils import timezone

        from lexreview.accounts.models import User
        from lexreview.reports.actions import publish
        from lexreview.reports.files import report_files

        lead = User.objects.get(username="lead")
        publication = publish(
            benchmark=self.benchmark, note="Demonstration with models at work.", by=lead, now=timezone.now()
        )
        for name, content in report_files(publication).items():
            (self.folder / name).write_bytes(content)
            self.say(str(self.folder / name))

    def prove(self) -> None:
        from django.core.management import call_command

        call_command("verify_ledger")

    def costs(self) -> None:
        from lexreview.reports.study_costs import study_costs

        found = study_costs(self.benchmark)
        for role, amount in found.by_role:
            self.say(f"spent on {role}: {amount} USD")
        self.say(f"spent in all: {found.total_usd} USD")

    def _job(self, kind: str) -> None:
        from django.utils import timezone

        from lexreview.accounts.models import User
        from lexreview.jobs.actions import start_job
        from lexreview.jobs.terminal import run_job_inline

        operator = User.objects.get(username="operator")
        params = {"benchmark": SLUG}
        job = run_job_inline(start_job(kind=kind, benchmark_slug=SLUG, params=params, by=operator, now=timezone.now()))
        if job.failed or job.left:
            raise NotAsPlanned(f"{kind}: {job.failed} failed, {job.left} left: {job.error}")

    def _paid(self, command: str, expected: Decimal | None, **options: Any) -> Decimal:
        """Run the command that calls models, first dry; what its job was billed, beside what was expected."""
        from django.core.management import call_command

        from lexreview.jobs.models import Job
        from lexreview.providers.budgets import spent_by

        call_command(command, benchmark=SLUG, dry_run=True, **options)
        call_command(command, benchmark=SLUG, yes=True, **options)
        billed = spent_by(Job.objects.newest_first()[0]).usd
        self.say(f"expected {expected} USD, billed {billed} USD")
        return billed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--systems", nargs="+", default=[], metavar="CODE")
    parser.add_argument("--sets", nargs="+", default=[], metavar="CODE")
    chosen = parser.parse_args()
    folder = Path(os.environ.get("LEXREVIEW_VAR") or ROOT / "var") / "demo-models"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "lexreview.settings", "LEXREVIEW_VAR": str(folder), "BROKER_URL": "",
        "DATABASE_URL": f"sqlite:///{folder}/lexreview.sqlite3", "PROVIDER_LIMITS": "", "LOCAL_API_KEY": "",
        "PROVIDER_TRIES": "2",
    }  # fmt: skip
    import django
    from django.conf import settings
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    started = time.monotonic()
    print("The models of this demonstration are none: their replies are recorded or made by rule, over real HTTP.")
    with demo_server() as server:
        settings.PROVIDERS["local"]["base_url"] = f"{server.address}/v1"
        say = partial(print, flush=True)
        demonstration = Demonstration(folder=folder, say=say, systems=chosen.systems, sets=chosen.sets)
        demonstration.run()
        print(f"{len(server.seen)} calls were answered.")
    print(f"Done in {time.monotonic() - started:.0f} s.")
    print(demonstration.accounts)
    shown = folder.relative_to(ROOT) if folder.is_relative_to(ROOT) else folder
    print(f"To look at it: LEXREVIEW_VAR={shown} .venv/bin/python manage.py serve")
    return 0


if __name__ == "__main__":
    sys.exit(main())
