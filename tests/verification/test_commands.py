import io
import json
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

LINE = {
    "id": "x-1",
    "lang": "en",
    "jurisdiction": "QK",
    "legal_state_date": "2026-10-01",
    "text": "Art. 2 § 1 HA: “The harbour due is 60 crowns for each day of stay.” See Art. 99 HA and II Civ 99/12.",
}


def run(monkeypatch: pytest.MonkeyPatch, name: str, lines: list[Any], **options: str) -> list[dict[str, Any]]:
    written = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    monkeypatch.setattr("sys.stdin", io.StringIO(written))
    out = io.StringIO()
    call_command(name, stdout=out, **options)
    return [json.loads(line) for line in out.getvalue().splitlines()]


@pytest.mark.usefixtures("law")
def test_verify_citations_writes_the_fields_and_results_of_the_labelled_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    (line,) = run(monkeypatch, "verify_citations", [LINE, ""])

    first, second, third = line["citations"]
    assert line["id"] == "x-1"
    assert LINE["text"][first["start"] : first["end"]] == first["raw"] == "Art. 2 § 1 HA"
    assert (first["act"], first["unit"], first["result"]) == ("eli/qk/act/2015/3", "art=2/par=1", "wording_differs")
    assert (first["class"], first["edition"], first["other_edition"]) == ("W", "2026-09-01", "2023-07-01")
    assert first["source"]["text"].startswith("The harbour due is 75")
    assert ["answer", "60"] in first["diff"]
    assert (second["result"], second["class"]) == ("not_found", "F")
    assert (third["result"], third["unit"]) == ("undetermined", None)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("{", "line 1: not JSON"),
        ("[]", "line 1: an object was expected"),
        (json.dumps({**LINE, "text": None}), "line 1: text: a text was expected, not null"),
        (json.dumps({"id": "x"}), "line 1: lang is missing"),
        (json.dumps({**LINE, "text": "Art. 1 \ud800"}), "line 1: text: half a character"),
        (json.dumps({**LINE, "jurisdiction": "XX"}), "x-1: jurisdiction: 'XX' is none of auto, ch, eu, it, pl"),
        (
            json.dumps({**LINE, "jurisdiction": "CH", "legal_state_date": "1 October"}),
            "legal_state_date: a date such as",
        ),
        (
            json.dumps({**LINE, "jurisdiction": "CH", "legal_state_date": "2024-W01-1"}),
            "legal_state_date: a date such as",
        ),
    ],
)
def test_a_bad_line_is_named(monkeypatch: pytest.MonkeyPatch, line: str, expected: str) -> None:
    with pytest.raises(CommandError, match=expected):
        run(monkeypatch, "verify_citations", [line])


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["extract_citations", "verify_citations"])
def test_bytes_of_another_encoding_are_refused_and_make_no_act(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    record = {**LINE, "lang": "de", "jurisdiction": "CH", "text": "Art. 17 BGÖ"}
    latin = "\n" + json.dumps(record, ensure_ascii=False)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(latin.encode("latin-1")), encoding="ascii"))

    with pytest.raises(CommandError, match="line 2: not UTF-8"):
        call_command(name, stdout=io.StringIO(), **({"jurisdiction": "auto"} if name == "extract_citations" else {}))


def test_a_mark_in_front_and_a_number_as_id_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    (line,) = run(monkeypatch, "extract_citations", ['\ufeff{"id": 7, "text": "Art. 8 Abs. 1 ZGB"}'], jurisdiction="ch")

    assert (line["id"], [each["art"] for each in line["citations"]]) == (7, ["8"])


def test_an_unknown_jurisdiction_of_a_line_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CommandError, match="a: jurisdiction: 'XX' is none of"):
        run(monkeypatch, "extract_citations", [{"id": "a", "jurisdiction": "XX", "text": "BGÖ"}], jurisdiction="auto")


def test_extract_citations_needs_no_law(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Art. 6 ust. 1 RODO i art. 118 k.c."

    (line,) = run(monkeypatch, "extract_citations", [{"id": "a", "lang": "pl", "text": text}], jurisdiction="pl")

    assert [text[each["start"] : each["end"]] for each in line["citations"]] == ["Art. 6 ust. 1 RODO", "art. 118 k.c."]
    assert [each["art"] for each in line["citations"]] == ["6", "118"]


def test_auto_takes_the_jurisdiction_of_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [
        {"id": "ch", "lang": "de", "jurisdiction": "CH", "text": "Art. 8 Abs. 1 ZGB"},
        {"id": "pl", "lang": "pl", "jurisdiction": "PL", "text": "art. 118 k.c."},
    ]

    swiss, polish = run(monkeypatch, "extract_citations", lines, jurisdiction="auto")

    assert (swiss["citations"][0]["art"], polish["citations"][0]["art"]) == ("8", "118")
