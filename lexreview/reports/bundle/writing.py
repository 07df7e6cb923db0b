"""Exporting a benchmark: the same rows always give the same bytes."""

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any

import yaml
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from lexreview.accounts.models import User
from lexreview.answers.models import Answer, Run
from lexreview.judging.models import Panel, Verdict
from lexreview.law.models import Act, Jurisdiction, Ruling, SourceCoverage
from lexreview.law.sources.plain_writing import law_files
from lexreview.ledger.actions import record_event
from lexreview.methodology.models import Decision, Specification
from lexreview.methodology.specification_text import in_reading_order
from lexreview.questions.models import Benchmark, KeyVersion, Question
from lexreview.questions.rules import check_can_operate
from lexreview.reports.bundle.panel_results import records_of_panel
from lexreview.reports.bundle.support import checked_for_support, support_records
from lexreview.review.models import Card, is_rehearsal
from lexreview.review.snapshot import records_of
from lexreview.verification.models import Citation

FORMAT = "lexreview-bundle/1"
RUN_ORDER = ("system__position", "system__code", "condition__position", "condition__code", "repetition")
Record = dict[str, Any]


class CannotExport(Exception):
    """The benchmark is not exported; the message says why, and what to do instead."""


class _Dumper(yaml.CSafeDumper):
    """Block style, fields in the order given, long texts as blocks, no aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _represent_text(dumper: yaml.CSafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text and not any(line != line.rstrip() for line in text.split("\n")) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _represent_text)


@transaction.atomic
def export_files(*, benchmark: Benchmark, by: User | None, now: datetime) -> dict[str, bytes]:
    """All files of the benchmark's bundle by path. Who exported, and when, is an event of the ledger.

    Raises CannotExport for a rehearsal: a bundle would bring its cards back as a benchmark like any other.
    """
    check_can_operate(by, benchmark.slug)
    if is_rehearsal(benchmark):
        raise CannotExport(
            _("%(slug)s is a rehearsal. It is not exported; prepare_rehearsal makes it again from its folder.")
            % {"slug": benchmark.slug}
        )
    files = {"benchmark.yaml": _yaml(_benchmark(benchmark))}
    for row in Specification.objects.named(benchmark.specification.name).in_version_order():
        files[f"specification/{row.name}-{row.version}.yaml"] = _yaml(in_reading_order(row.content))
    questions = benchmark.questions.select_related("set", "mirror").by_code()
    for question in questions:
        files[f"questions/{question.code}.yaml"] = _yaml(_question(question))
    keys = KeyVersion.objects.filter(question__benchmark=benchmark)
    for key in keys.select_related("question", "approved_by", "decision").in_order():
        files[f"keys/{key.question.code}.v{key.number}.yaml"] = _yaml(_key(key))
    for answer in Answer.objects.of_benchmark(benchmark).with_run().in_order():
        files[f"answers/{answer.identifier}.md"] = answer.text.encode()
        files[f"answers/{answer.identifier}.json"] = _json(_answer(answer))
    decisions = Decision.objects.of_benchmark(benchmark.slug).select_related("author", "supersedes")
    for decision in decisions.in_order():
        files[f"decisions/{decision.number:03d}.yaml"] = _yaml(_decision(decision))
    for judge in benchmark.judges.order_by("position", "code"):
        verdicts = judge.verdicts.select_related("answer", "key_version").in_order()
        if lines := [_line(_verdict(verdict)) for verdict in verdicts]:
            files[f"verdicts/{judge.code}.jsonl"] = b"".join(lines)
    for panel in Panel.objects.of_benchmark(benchmark).with_judges().in_order():
        if lines := [_line(record) for record in records_of_panel(panel)]:
            files[f"panels/{panel.code}.jsonl"] = b"".join(lines)
    for card, record in records_of(Card.objects.of_benchmark(benchmark).in_queue_order()):
        files[f"cards/{card.identifier}.yaml"] = _yaml(record)
    for identifier, records in support_records(benchmark):
        files[f"support/{identifier}.jsonl"] = b"".join(_line(record) for record in records)
    files |= {f"law/{path}": content for path, content in _law(benchmark).items()}
    record_event(
        by=by,
        verb="export_benchmark",
        object_type="benchmark",
        object_id=benchmark.slug,
        after={"files": len(files)},
        now=now,
    )
    return files


def _law(benchmark: Benchmark) -> dict[str, bytes]:
    """The law of the benchmark's state, and whatever else its cards and models' opinions refer to."""
    checked = Citation.objects.filter(verification__in=checked_for_support(benchmark))
    cards = Card.objects.of_benchmark(benchmark)
    cited = Act.objects.filter(Q(pk__in=cards.values("citations__checked__act")) | Q(pk__in=checked.values("act")))
    rulings = Ruling.objects.filter(
        Q(pk__in=cards.values("citations__checked__ruling")) | Q(pk__in=checked.values("ruling"))
    )
    jurisdiction = benchmark.jurisdiction
    return law_files(
        acts=(Act.objects.of_jurisdiction(jurisdiction) | cited).distinct().in_reading_order(),
        rulings=(Ruling.objects.filter(jurisdiction=jurisdiction) | rulings).distinct().in_date_order(),
        jurisdiction=Jurisdiction.objects.filter(code=jurisdiction).first(),
        coverage=SourceCoverage.objects.filter(jurisdiction=jurisdiction).order_by(
            "source", "court", "covered_from", "covered_to", "pk"
        ),
    )


def _benchmark(benchmark: Benchmark) -> Record:
    runs = Run.objects.filter(benchmark=benchmark).select_related("system", "condition")
    return {
        "format": FORMAT,
        "slug": benchmark.slug,
        "title": benchmark.titles,
        "jurisdiction": benchmark.jurisdiction,
        "legal_state_date": benchmark.legal_state_on.isoformat(),
        "method": benchmark.method,
        "canary": str(benchmark.canary),
        "language": benchmark.language,
        "specification": {"name": benchmark.specification.name, "version": benchmark.specification.version},
        "summary": benchmark.summaries,
        "limitations": benchmark.limitations,
        "sets": [{"code": row.code, "title": row.titles} for row in benchmark.sets.order_by("position", "code")],
        "conditions": [
            {"code": row.code, "title": row.titles, "tools": row.tools, "preamble": row.preambles}
            for row in benchmark.conditions.order_by("position", "code")
        ],
        "systems": [
            {**_fields(row, "code", "name", "provider", "family", "model_identifier", "settings")}
            for row in benchmark.systems.order_by("position", "code")
        ],
        "runs": [
            {
                "system": run.system.code,
                "condition": run.condition.code,
                "repetition": run.repetition,
                "started_on": run.started_on.isoformat(),
                "note": run.note,
                **({"sets": run.sets} if run.sets else {}),
            }
            for run in runs.order_by(*RUN_ORDER)
        ],
        "judges": [
            {
                **_fields(row, "code", "name", "provider", "family", "model_identifier"),
                **_fields(row, "variant", "search", "instructions_version"),
                **({"settings": row.settings} if row.settings else {}),
            }
            for row in benchmark.judges.order_by("position", "code")
        ],
        **({"panels": panels} if (panels := _panels(benchmark)) else {}),
    }


def _panels(benchmark: Benchmark) -> list[Record]:
    return [
        {
            **_fields(row, "code", "name", "strategy"),
            "judges": [judge.code for judge in row.judges.values()],
            "items": row.items,
        }
        for row in Panel.objects.of_benchmark(benchmark).with_judges().in_order()
    ]


def _question(row: Question) -> Record:
    return {
        "code": row.code,
        "set": row.set.code,
        **_fields(row, "type", "language", "area", "task_type"),
        "original_text": row.original_text or None,
        "benchmark_text": row.benchmark_text or None,
        **_fields(row, "asked", "expected", "trap"),
        "mirror": row.mirror.code if row.mirror else None,
        "disclosure": row.disclosure,
    }


def _key(row: KeyVersion) -> Record:
    return {
        "question": row.question.code,
        "version": row.number,
        "state": row.state,
        "approved_by": row.approved_by.username if row.approved_by else None,
        "approved_on": row.approved_on.isoformat() if row.approved_on else None,
        "dated": row.dated.isoformat(),
        "reason": row.reason or None,
        "departure": row.departure,
        "decision": row.decision.number if row.decision else None,
        **_fields(row, "core_answer", "rubric", "penalties", "bases", "calibration"),
        "condition": row.condition or None,
        "disputed": row.disputed,
        "verification": row.verification_note,
    }


def _answer(row: Answer) -> Record:
    return {
        "identifier": row.identifier,
        "question": row.question.code,
        "system": row.run.system.code,
        "condition": row.run.condition.code,
        "repetition": row.run.repetition,
        "answered_at": row.answered_at.isoformat(),
        **_fields(row, "served_model", "settings", "state"),
        "block_reason": row.block_reason or None,
        "usage": row.usage,
        "cost_usd": None if row.cost_usd is None else format(row.cost_usd.normalize(), "f"),
        **_fields(row, "cost_is_lower_bound", "sha256", "trace"),
    }


def _decision(row: Decision) -> Record:
    return {
        "number": row.number,
        "decided_on": row.decided_on.isoformat(),
        **_fields(row, "state", "question", "decision", "reason", "touches"),
        "specification": row.specification_version or None,
        "rules_changed": row.rules_changed,
        "supersedes": row.supersedes.number if row.supersedes else None,
        "author": row.author.username if row.author else None,
    }


def _verdict(row: Verdict) -> Record:
    return {
        "answer": row.answer.identifier,
        "hallucinated": row.hallucinated,
        "specification": row.specification_version,
        "judged_at": row.judged_at.isoformat(),
        **_fields(row, "criteria", "findings", "citations_checked"),
        "raw_sha256": row.raw_sha256 or None,
        **({"asked": _asked(row)} if row.address else {}),
    }


def _asked(row: Verdict) -> Record:
    """About the request of a verdict that a job asked for; one made elsewhere has none."""
    return {
        "key": row.key_version.number if row.key_version else None,
        **_fields(row, "request_sha256", "prompt_version", "prompt_sha256", "served_model", "repeat", "attempt"),
        **_fields(row, "dropped", "flags", "failure"),
    }


def _fields(row: Any, *names: str) -> Record:
    return {name: getattr(row, name) for name in names}


def _yaml(record: Any) -> bytes:
    """Nested data keeps the order of a sorted key where the database may have changed it (JSON columns)."""
    text: str = yaml.dump(_sorted_below(record), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)
    return text.encode()


def _json(record: Any) -> bytes:
    return (json.dumps(_sorted_below(record), ensure_ascii=False, indent=1) + "\n").encode()


def _line(record: Any) -> bytes:
    return (json.dumps(_sorted_below(record), ensure_ascii=False) + "\n").encode()


def _sorted_below(record: Record) -> Record:
    """The top fields in the order given, everything below sorted: PostgreSQL's jsonb keeps no order."""
    return {name: _sorted(value) for name, value in record.items()}


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _sorted(value[name]) for name in sorted(value)}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [_sorted(each) for each in value]
    return value
