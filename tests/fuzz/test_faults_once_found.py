"""The shortest inputs that once broke a reader, one for each kind of fault."""

import json

import pytest

from lexreview.law.parsed import UnreadableSource
from tests.fuzz import seeds, targets


def changed(parser: str, *path: str | int, value: object) -> bytes:
    """The invented seed of a parser with another value at one place."""
    record = json.loads(seeds.invented(parser))
    place = record
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return json.dumps(record).encode()


@pytest.mark.parametrize(
    ("parser", "content"),
    [
        ("eli_meta", changed("eli_meta", "references", "Akty zmienione", value=["DU/2024"])),
        ("eli_meta", changed("eli_meta", "references", "Akty zmienione", value=5)),
        ("eli_meta", changed("eli_meta", "references", value=[5])),
        ("eli_references", b'{"Akty": [7]}'),
        ("eli_references", b'{"": null}'),
        ("eli_struct", changed("eli_struct", 0, "children", value=True)),
        ("units_json", changed("units_json", 0, "text", value=[])),
        ("units_json", changed("units_json", 0, "is_repealed", value="no")),
        ("normattiva", changed("normattiva", "data", "atto", "annoProvvedimento", value="DU/4")),
        ("normattiva", changed("normattiva", "data", "atto", "meseProvvedimento", value=[1])),
        ("saos", changed("saos", "data", "courtCases", value=[{"x": 1}])),
        ("saos", changed("saos", "data", "courtCases", value="I C 1/20")),
        ("saos", changed("saos", "data", "referencedRegulations", value=1)),
        ("saos", changed("saos", "data", "referencedRegulations", value=["x"])),
        ("saos", changed("saos", "data", "source", value=["x"])),
        ("saos", changed("saos", "data", "division", "court", value=["x"])),
        ("entscheidsuche", b'{"hits":1}'),
        ("entscheidsuche", changed("entscheidsuche", "hits", "hits", 0, "_source", "attachment", value="x")),
        ("entscheidsuche", changed("entscheidsuche", "hits", "hits", 0, "_source", "hierarchy", value=True)),
        ("sentenzeweb", b'{"response": []}'),
        ("bundle_ruling", b"[]:"),
    ],
)
def test_a_field_of_another_kind_is_refused_with_a_reason(parser: str, content: bytes) -> None:
    with pytest.raises(UnreadableSource, match=r"\w+ \w+"):
        targets.FILES[parser](content)


@pytest.mark.parametrize("documents", [[5], ["x"], [None], [{}]])
def test_what_is_no_ruling_among_rulings_is_passed_over(documents: list[object]) -> None:
    content = changed("sentenzeweb", "response", "docs", value=documents)

    assert targets.FILES["sentenzeweb"](content) == []
