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
        (json.dumps({**LINE, "text": None}), "line 1: text: a text was expected"),
        (json.dumps({**LINE, "legal_state_date": "1 October"}), "legal_state_date: a date such as"),
    ],
)
def test_a_bad_line_is_named(monkeypatch: pytest.MonkeyPatch, line: str, expected: str) -> None:
    with pytest.raises(CommandError, match=expected):
        run(monkeypatch, "verify_citations", [line])


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
