"""Damaged files: every reader gives units or says what it expected, and takes no time over it."""

import random
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lexreview.law.parsed import UnreadableSource, place
from lexreview.law.polish.amending import AmendedAct, read_orders
from lexreview.law.polish.entry import read_entries
from lexreview.law.polish.unit_lists import read_unit_list
from lexreview.law.sources.akn import parse_akn
from lexreview.law.sources.eli_pl import parse_eli_html, parse_eli_meta, parse_eli_struct
from lexreview.law.sources.eurlex import parse_eurlex
from lexreview.law.sources.fedlex import parse_fedlex
from lexreview.law.sources.markdown_ch import parse_markdown_ch
from lexreview.law.sources.normattiva import parse_normattiva_json
from lexreview.law.sources.plain import read_law_bundle
from lexreview.law.sources.plain_text import parse_plain_text
from tests.law.files import article, fedlex, paragraph
from tests.law.invented_polish import Family
from tests.law.test_eli_pl import PAGE, meta_json
from tests.law.test_eurlex import JOURNAL, MODERN, OLD
from tests.law.test_markdown_ch import FRONT
from tests.law.test_plain import RULING, TEXT, act_yaml

AMENDED = AmendedAct(frozenset({"DU/2019/100"}), None, "")
AKN = fedlex(article("1", paragraph("1", "Text."))).replace(b"fedlex.data.admin.ch", b"law.example")
NORMATTIVA = b"""{"data": {"atto": {"titolo": "LEGGE", "articoloHtml": "<h2 class='article-num-akn'>Art. 1</h2>
<div class='art-comma-div-akn'>1-bis. Una cosa: a) bella; b) ((COMMA ABROGATO))</div>", "annoProvvedimento": "1990",
"meseProvvedimento": "8", "giornoProvvedimento": "7", "articoloDataInizioVigenza": "20200915"}}}"""


def bundle(content: bytes) -> object:
    folder = "rulings" if content.startswith(b"jurisdiction") else "acts"
    text = {} if folder == "rulings" else {"acts/WA/2020.en.md": TEXT}
    return read_law_bundle({f"{folder}/a.yaml": content, **text})


CASES: dict[str, tuple[Callable[[bytes], object], list[bytes]]] = {
    "fedlex": (parse_fedlex, [fedlex(article("1", paragraph("1", "Text.")) + article("2a", "<paragraph/>"))]),
    "akn": (parse_akn, [AKN]),
    "markdown": (parse_markdown_ch, [(FRONT + "## A\n\n**Art. 1** Art. 1 Zweck\n\n1 Für:a. x;b. y.\n").encode()]),
    "eurlex": (parse_eurlex, [MODERN.encode(), OLD.encode(), JOURNAL.encode()]),
    "polish text": (parse_eli_html, [PAGE.encode(), Family(1).consolidated_html(Family(1).consolidated[0][1])]),
    "polish metadata": (parse_eli_meta, [meta_json()]),
    "polish tree": (parse_eli_struct, [b'{"id": "part_1", "children": [{"id": "arti_1"}]}']),
    "amending act": (
        lambda content: read_orders(content, amended=AMENDED, in_force_on=None, force_note=""),
        [Family(2).amending_html(act) for act in Family(2).amending],
    ),
    "normattiva": (parse_normattiva_json, [NORMATTIVA.replace(b"\n", b" ")]),
    "plain": (lambda content: parse_plain_text(content, file="x"), [TEXT]),
    "bundle": (bundle, [act_yaml(), RULING]),
}


def damaged(content: bytes, seed: int) -> bytes:
    """The content with a few cuts, doublings, swaps and foreign bytes."""
    chance = random.Random(seed)
    data = bytearray(content)
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(data) + 1)
        kind = chance.randrange(6)
        if kind == 0:
            del data[at:]
        elif kind == 1:
            del data[at : at + chance.randint(1, 40)]
        elif kind == 2:
            data[at:at] = data[at : at + chance.randint(1, 60)]
        elif kind == 3:
            data[at:at] = chance.randbytes(chance.randint(1, 8))
        elif kind == 4:
            data[at:at] = chance.choice([b"<", b">", b"&", b"]]>", b"\x00", b"<p>", b"</div>", b"{", b'"', b"\xc2"])
        else:
            other = chance.randrange(len(data) + 1)
            data[at : at + 20], data[other : other + 20] = data[other : other + 20], data[at : at + 20]
        if not data:
            break
    return bytes(data)


@pytest.mark.parametrize("name", sorted(CASES))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32))
def test_damaged_files_are_read_or_refused(name: str, seed: int) -> None:
    read, contents = CASES[name]

    try:
        result = read(damaged(contents[seed % len(contents)], seed))
    except UnreadableSource:
        return
    for edition in getattr(result, "editions", ()):
        place(edition.units)


@pytest.mark.parametrize("name", sorted(CASES))
def test_what_is_not_damaged_is_read(name: str) -> None:
    read, contents = CASES[name]

    for content in contents[:1]:
        assert read(content) is not None


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(alphabet="art. §ustpklizd123¹²ab,-–iowz \n„”", max_size=200))
def test_any_text_gives_a_list_of_units_or_none(text: str) -> None:
    targets, end = read_unit_list(text)
    read_entries(text)

    assert 0 <= end <= len(text)
    assert all(target for target in targets)


@pytest.mark.parametrize("piece", ["art. 1, ", "w art. ", "„", "art. 1 wchodzi w życie ", "§ 1 i ", "(Dz. U. "])
def test_repeated_fragments_take_linear_time(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    page = f"<div class='unit unit_arti' data-id='arti_1'><h3>Art. 1.</h3><div><div>W ustawie {text}</div></div></div>"

    read_unit_list(text)
    read_entries(text)
    read_orders(page.encode(), amended=AMENDED, in_force_on=None, force_note="")


def test_deep_nesting_is_refused_not_followed() -> None:
    deep = b"<div>" * 3000 + b"x" + b"</div>" * 3000

    for read in (parse_eurlex, parse_eli_html):
        with pytest.raises(UnreadableSource):
            read(deep)
    with pytest.raises(UnreadableSource):
        parse_fedlex(fedlex("<level>" * 3000 + "</level>" * 3000))
    with pytest.raises(UnreadableSource):
        parse_eli_meta(b"[" * 100_000)
