import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexreview.law.parsed import UnreadableSource, full_text, walk
from lexreview.law.sources.plain import MAX_ERRORS, BundleFaults, read_law_bundle
from lexreview.law.sources.plain_text import parse_plain_text, write_plain_text

TEXT = b"""# Wells Act

Made in the name of the Republic.

## Chapter 1. General

### Art. 1. Scope
This Act governs wells.[^1]

### Art. 2. Duties
\xc2\xa7 1. An owner keeps a well:
1) clean,
2) open:
a) by day,
b) by night;

for everybody.
\xc2\xa7 2. The duty
ends with the sale.

### Art. 2^1. Old wells
(repealed)

### Art. 3\xe2\x80\x935. (repealed)

## Transitional provisions

### Art. 1. Pending cases
Old law applies.

[^1]: In this wording since 2020.
"""


def test_units_of_the_markup() -> None:
    edition = parse_plain_text(TEXT, file="a.md")
    found = {unit.key: unit for unit in walk(edition.units)}

    assert edition.title == "Wells Act"
    assert found["@preamble"].text == "Made in the name of the Republic."
    assert (found["art=1"].heading, found["art=1"].text, found["art=1"].notes) == (
        "Scope", "This Act governs wells.", ["In this wording since 2020."]
    )  # fmt: skip
    assert found["art=2/par=1/pkt=2/lit=b"].text == "by night;"
    assert found["art=2/par=1"].closing == "for everybody."
    assert found["art=2/par=2"].text == "The duty ends with the sale."
    assert found["art=2^1"].is_repealed
    assert (found["art=3"].range_end, found["art=3"].is_repealed) == ("5", True)
    assert found["dis=1/art=1"].text == "Old law applies."
    assert full_text(found["art=2/par=1"]).endswith("b) by night;\nfor everybody.")


def test_writing_gives_the_same_units_and_the_same_bytes_again() -> None:
    edition = parse_plain_text(TEXT, file="a.md")

    written = write_plain_text(edition.title, edition.units)
    again = parse_plain_text(written, file="b.md")

    assert [(u.key, u.text, u.closing, u.notes) for u in walk(again.units)] == [
        (u.key, u.text, u.closing, u.notes) for u in walk(edition.units)
    ]
    assert write_plain_text(again.title, again.units) == written


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"\xff", "UTF-8"),
        (b"", "no unit found"),
        (b"### Art. 1. A\ntext\n### Art. 1. B\ntext", "line 3: unit art=1 stands already in line 1"),
        (b"### Art. 1. A\ntext[^x]", r"\[\^x\] has no text"),
        (b"### Art. 1. A\ntext\n[^x]: note", r"line 3: the note \[\^x\] is not marked"),
        (b"### Art. 1. A\n1) one,\n\nclosing words.\n2) two.", "closing words of art=1"),
    ],
)
def test_faults_of_a_text_name_file_and_line(text: bytes, message: str) -> None:
    with pytest.raises(UnreadableSource, match=message):
        parse_plain_text(text, file="a.md")


def act_yaml(**changes: str) -> bytes:
    fields = {
        "eli": "eli/xx/act/1", "jurisdiction": "XX", "adopted_on": "2019-01-01", "in_force_on": "2020-01-01",
        "titles": "{en: Wells Act}", "source": "https://law.example/1",
        "editions": "[{language: en, valid_from: 2020-01-01, valid_to: null, file: WA/2020.en.md}]",
    } | changes  # fmt: skip
    return "\n".join(f"{name}: {value}" for name, value in fields.items()).encode()


RULING = b"""jurisdiction: XX
court: Court of Wells
docket: I W 1/20
decided_on: 2020-05-05
ecli: null
language: en
title: A well
theses: [A well is a well.]
text: Long.
source: https://courts.example/1
translations:
  pl: {title: Studnia, theses: [Studnia to studnia.], text: Dluga.}
"""


def test_a_bundle_gives_acts_rulings_and_the_way_to_cite() -> None:
    bundle = read_law_bundle(
        {
            "acts/WA.yaml": act_yaml(abbreviations="{en: [WA]}", journal="'OJ 2019, 1'"),
            "acts/WA/2020.en.md": TEXT,
            "rulings/a.yaml": RULING,
            "jurisdiction.yaml": b"code: XX\nlanguages: [en]\n",
        }
    )

    assert [act.eli for act in bundle.acts] == ["eli/xx/act/1"]
    assert {(name.kind, name.value) for name in bundle.acts[0].names} == {
        ("abbreviation", "WA"),
        ("number", "OJ 2019, 1"),
    }
    assert [(ruling.language, ruling.title) for ruling in bundle.rulings] == [("en", "A well"), ("pl", "Studnia")]
    assert bundle.jurisdiction == {"code": "XX", "languages": ["en"]}


def test_all_faults_of_a_bundle_are_listed_at_once() -> None:
    files = {
        "acts/A.yaml": act_yaml(jurisdiction="'!'", surprise="1"),
        "acts/B.yaml": b"eli: *anchor",
        "acts/C.yaml": act_yaml(eli="eli/xx/act/3"),
        "acts/D.yaml": act_yaml(
            eli="eli/xx/act/4",
            editions="[{language: en, valid_from: 2020-01-01, valid_to: 2019-01-01, file: D/a.md}]",
        ),
        "acts/D/a.md": b"no heading",
        "acts/lost.txt": b"",
        "rulings/a.yaml": RULING.replace(b"docket: I W 1/20\n", b""),
        "jurisdiction.yaml": b"code: 5",
    }

    with pytest.raises(BundleFaults) as caught:
        read_law_bundle(files)

    text = "\n".join(caught.value.faults)
    for part in (
        "law/acts/A.yaml: jurisdiction", "surprise", "law/acts/B.yaml", "WA/2020.en.md is not in the bundle",
        "before it begins", "law/acts/D/a.md: no unit found", "law/acts/lost.txt", "'docket' is a required property",
        "law/jurisdiction.yaml: code",
    ):  # fmt: skip
        assert part in text


def test_no_more_than_fifty_faults_are_shown() -> None:
    faults = BundleFaults([f"fault {number}" for number in range(70)])

    assert str(faults).count("fault") == MAX_ERRORS
    assert str(faults).endswith("and 20 more")


def test_a_file_outside_the_folder_is_not_named() -> None:
    act = act_yaml(editions="[{language: en, valid_from: 2020-01-01, file: ../../secret.md}]")

    with pytest.raises(BundleFaults, match="editions"):
        read_law_bundle({"acts/A.yaml": act})


@given(st.binary(max_size=300))
def test_any_bytes_give_units_or_a_refusal(content: bytes) -> None:
    try:
        parse_plain_text(content, file="x.md")
    except UnreadableSource:
        return
