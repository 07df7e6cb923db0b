"""A text that a column cannot hold is refused by the schema of its file, with its place, before any row is written.

PostgreSQL answers an overlong value with an error that names no file; SQLite stores it. So every column of bounded
length that a bundle fills is held against the schema of the record that fills it.
"""

import json
import re
from functools import cache
from importlib import resources
from typing import Any

import pytest
from django.db.models import CharField, Model

from lexreview.accounts.models import User
from lexreview.answers.models import Answer, Condition, System
from lexreview.judging.models import Judge, Panel, PanelOverride, PanelResult, Verdict
from lexreview.law.models import Act, ActName, Amendment, Edition, Ruling, SourceCoverage
from lexreview.methodology.models import Decision
from lexreview.questions.models import Benchmark, KeyVersion, Question, QuestionSet
from lexreview.review.models import Card, CardCitation, Finding, Score
from lexreview.verification.models import Citation, SupportCheck, Verification

# (schema, place in the record, column). `[]` is any item, `{}` any value, `{key}` any name of a mapping.
COLUMNS: list[tuple[str, str, type[Model], str]] = [
    ("benchmark", "slug", Benchmark, "slug"),
    ("benchmark", "language", Benchmark, "language"),
    ("benchmark", "jurisdiction", Benchmark, "jurisdiction"),
    ("benchmark", "method", Benchmark, "method"),
    ("benchmark", "sets[].code", QuestionSet, "code"),
    ("benchmark", "conditions[].code", Condition, "code"),
    *(
        ("benchmark", f"systems[].{name}", System, name)
        for name in ("code", "name", "provider", "family", "model_identifier")
    ),
    *(
        ("benchmark", f"judges[].{name}", Judge, name)
        for name in ("code", "name", "provider", "family", "model_identifier", "variant", "instructions_version")
    ),
    *(("benchmark", f"panels[].{name}", Panel, name) for name in ("code", "name", "strategy")),
    *(
        ("question", name, Question, name)
        for name in ("code", "type", "language", "area", "task_type", "asked", "disclosure")
    ),
    ("key", "state", KeyVersion, "state"),
    ("key", "calibration", KeyVersion, "calibration"),
    *(("answer", name, Answer, name) for name in ("identifier", "sha256", "state", "block_reason", "served_model")),
    ("decision", "state", Decision, "state"),
    ("decision", "specification", Decision, "specification_version"),
    ("verdict", "specification", Verdict, "specification_version"),
    ("verdict", "raw_sha256", Verdict, "raw_sha256"),
    *(
        ("verdict", f"asked.{name}", Verdict, name)
        for name in ("request_sha256", "prompt_version", "prompt_sha256", "served_model", "failure")
    ),
    *(("panel_result", name, PanelResult, name) for name in ("item", "address", "state", "value", "consensus")),
    ("panel_result", "specification", PanelResult, "specification_version"),
    ("panel_result", "votes[].judge", Judge, "code"),
    ("panel_result", "votes[].request_sha256", Verdict, "request_sha256"),
    ("panel_result", "overrides[].value", PanelOverride, "value"),
    ("panel_result", "overrides[].by", User, "username"),
    *(
        ("support", f"opinions[].{name}", SupportCheck, name)
        for name in (
            "request_sha256",
            "support",
            "said",
            "reason",
            "provider",
            "model",
            "served_model",
            "prompt_version",
            "prompt_sha256",
        )
    ),
    *(("card", name, Card, name) for name in ("state", "official_source", "label", "label_rule")),
    ("card", "scores[].criterion", Score, "criterion"),
    ("card", "scores[].proposed_by", Score, "proposed_by"),
    ("card", "citations[].state", CardCitation, "state"),
    *(
        ("card", f"findings[].{name}", Finding, name)
        for name in ("error_class", "checked_address", "checked_edition", "origin", "scope", "state", "proposed_by")
    ),
    ("card", "verification.layer_version", Verification, "layer_version"),
    *(
        ("card", f"citations[].layer.{place}", Citation, name)
        for place, name in (
            ("kind", "kind"), ("act_name", "act_name"), ("unit", "unit_key"), ("result", "result"),
            ("reason", "reason"), ("source_url", "source_url"), ("source_sha256", "source_sha256"),
            ("certainty", "certainty"), ("proposed_class", "proposed_class"),
        )
    ),
    *(("law.act", name, Act, name) for name in ("eli", "jurisdiction", "journal")),
    ("law.act", "source", Act, "source_url"),
    ("law.act", "names[].kind", ActName, "kind"),
    ("law.act", "names[].language", ActName, "language"),
    ("law.act", "amendments[].act", Amendment, "amending_eli"),
    ("law.act", "amendments[].kind", Amendment, "kind"),
    ("law.act", "amendments[].source", Amendment, "source_url"),
    ("law.act", "editions[].amended_by[].act", Amendment, "amending_eli"),
    ("law.act", "editions[].amended_by[].source", Amendment, "source_url"),
    ("law.act", "editions[].sha256", Edition, "sha256"),
    ("law.ruling", "sha256", Ruling, "sha256"),
    *((schema, place, User, "username") for schema, place in (
        ("key", "approved_by"), ("decision", "author"), ("card", "assigned_to"), ("card", "approved_by"),
        ("card", "scores[].decided_by"), ("card", "citations[].decided_by"), ("card", "findings[].decided_by"),
        ("card", "revisions[].approved_by"),
    )),
    ("law.act", "editions[].language", Edition, "language"),
    ("law.act", "editions[].standing", Edition, "standing"),
    ("law.act", "editions[].extent", Edition, "extent"),
    ("law.act", "editions[].identifier", Edition, "identifier"),
    ("law.act", "editions[].source", Edition, "source_url"),
    *(("law.ruling", name, Ruling, name) for name in ("court", "docket", "ecli", "form", "language")),
    ("law.ruling", "source", Ruling, "source_url"),
    ("law.coverage", "coverage[].source", SourceCoverage, "source"),
    ("law.coverage", "coverage[].court", SourceCoverage, "court"),
]  # fmt: skip

NOT_FROM_A_FIELD = {
    (Verdict, "address"): "computed from the other fields",
    (Card, "queue_code"): "repeats the question's code",
    (Card, "queue_shuffle"): "begins the answer's SHA-256",
    (Decision, "benchmark_slug"): "the benchmark's slug",
    (SupportCheck, "content_sha256"): "computed from place, day and wording",
    (Citation, "quotation_match"): "computed by the layer",
    (Citation, "other_unit_key"): "computed by the layer",
    (Verification, "corpus_fingerprint"): "computed by the layer",
    (ActName, "folded"): "computed, cut to its length",
    (Ruling, "docket_folded"): "computed from the docket",
    (Ruling, "source"): "written by the importer",
    (Ruling, "jurisdiction"): "bounded by its pattern",
    (SourceCoverage, "jurisdiction"): "bounded by its pattern",
}
FOLDERS = {"law": "lexreview.law"}


@cache
def schema_named(name: str) -> dict[str, Any]:
    package, _sign, file = name.rpartition(".")
    folder = resources.files(FOLDERS[package] if package else "lexreview.reports.bundle")
    schema: dict[str, Any] = json.loads(folder.joinpath(f"schemas/{file}.schema.json").read_text("utf-8"))
    return schema


def at(schema: dict[str, Any], node: dict[str, Any], place: str) -> list[dict[str, Any]]:
    """Every part of the schema that speaks of the place: alternatives and references are followed."""
    if "$ref" in node:
        return at(schema, schema["$defs"][node["$ref"].rpartition("/")[2]], place)
    if "anyOf" in node:
        return [found for each in node["anyOf"] if each.get("type") != "null" for found in at(schema, each, place)]
    if not place:
        return [node]
    head, _sign, rest = place.partition(".")
    name, items, _ = head.partition("[]")
    inner = node["properties"][name]
    if not items:
        return at(schema, inner, rest)
    return [found for each in at(schema, inner, "") for found in at(schema, each["items"], rest)]


def longest(node: dict[str, Any]) -> float:
    """The length of the longest text that the part of a schema lets through."""
    if "enum" in node:
        return max(len(each) for each in node["enum"] if each is not None)
    if "const" in node:
        return len(node["const"])
    bounds = [node["maxLength"]] if "maxLength" in node else []
    if "pattern" in node:
        bounds.append(re._parser.parse(node["pattern"]).getwidth()[1])  # type: ignore[attr-defined]
    return min(bounds, default=float("inf"))


@pytest.mark.parametrize(
    ("schema", "place", "model", "column"), COLUMNS, ids=lambda value: getattr(value, "__name__", value)
)
def test_schema_refuses_what_the_column_cannot_hold(schema: str, place: str, model: type[Model], column: str) -> None:
    whole = schema_named(schema)
    room = model._meta.get_field(column).max_length  # type: ignore[union-attr]

    parts = at(whole, whole, place)

    assert parts
    assert [longest(part) for part in parts if longest(part) > room] == []


def test_every_column_of_bounded_length_is_tried_above() -> None:
    tried = {(model, column) for _schema, _place, model, column in COLUMNS} | set(NOT_FROM_A_FIELD)
    models = {model for model, _column in tried} - {User}
    bounded = {
        (model, field.name)
        for model in models
        for field in model._meta.concrete_fields
        if isinstance(field, CharField) and field.max_length
    }

    assert bounded - tried == set()
    assert {pair for pair in NOT_FROM_A_FIELD if pair not in bounded} == set()
