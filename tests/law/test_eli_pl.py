# ruff: noqa: E501
import json
from datetime import date

import pytest

from lexreview.law.parsed import ParsedUnit, UnreadableSource, full_text, walk
from lexreview.law.sources.eli_pl import (
    act_of_meta,
    edition_without_text,
    parse_eli_html,
    parse_eli_meta,
    parse_eli_struct,
    read_label,
)

NOTE = "<a class='gloss-link'><sup>1)</sup><span class='tooltip-text'>Dodany przez art. 1 ustawy.</span></a>"
PAGE = f"""<!DOCTYPE html><html lang="pl"><body><h1><span class="head-type">Ustawa</span></h1>
<section id="part_1"><div class="block">
<div class="unit unit_chpt" id="chpt_1"><h3>Rozdział 1</h3><div class="unit-inner">
<div class="unit unit_arti" id="chpt_1-arti_117_1" data-id="arti_117_1"><h3 CLASS="x"><B>Art.&nbsp;117<SUP>1</SUP>.</B>{NOTE}</h3><div class="unit-inner">
 <div class="unit unit_para" data-id="para_1"><h3>§&nbsp;1.</h3><div class="unit-inner"><div data-template="xText">Kto kopie:</div>
  <div class="unit unit_pint" data-id="pint_1"><h3>1)</h3><div class="unit-inner"><div data-template="xText">studnię,</div></div></div>
  <div class="unit unit_pint" data-id="pint_2"><h3>2)</h3><div class="unit-inner"><div data-template="xText">dół</div></div></div>
  <ul data-template="xEnum"><li><div>-</div><div>podlega karze.</div></li></ul></div></div>
 <div class="unit unit_para" data-id="para_2"><h3>§&nbsp;2.</h3><div class="unit-inner"><div data-template="xText">(uchylony)</div></div></div>
</div></div>
<div class="unit unit_arti" id="chpt_1-arti_118" data-id="arti_118"><h3>Art.&nbsp;118.</h3><div class="unit-inner"><div data-template="xText">W ustawie o dołach art. 9 otrzymuje brzmienie:</div>
 <DIV CLASS="cite-box"><DIV class="qmark-opn">„&nbsp;</DIV><DIV class="cite-body"><div class="unit unit_arti" data-id="arti_9"><h3>Art. 9.</h3><div class="unit-inner"><div data-template="xText">Dół jest dołem.</div></div></div></DIV><DIV class="qmark-cls">&nbsp;”</DIV><DIV class="trailer">&nbsp;.</DIV></DIV></div></div>
</div></div></div><div class="gloss-section"></div></section>
<section id="part_2"><h2>Załącznik nr 1</h2><div class="block"><table><tr><td>1.</td><td>Studnia</td></tr></table></div></section>
</body></html>"""


def meta_json(**changes: object) -> bytes:
    record = {
        "ELI": "DU/2020/10", "title": "Ustawa z dnia 3 lutego 2020 r. o studniach", "type": "Ustawa", "displayAddress": "Dz.U. 2020 poz. 10",
        "address": "WDU20200000010", "textHTML": True, "announcementDate": "2020-02-03", "promulgation": "2020-02-10", "entryIntoForce": "2020-03-01",
        "references": {"Akty zmieniające": [{"id": "DU/2021/5", "date": "2021-02-01"}], "Orzeczenie TK": [{"id": "DU/2022/7"}],
                       "Inf. o tekście jednolitym": [{"id": "DU/2023/1"}]},
    } | changes  # fmt: skip
    return json.dumps(record).encode()


def units(page: str) -> dict[str, ParsedUnit]:
    return {unit.key: unit for unit in walk(parse_eli_html(page.encode()).units)}


def test_units_raised_numbers_notes_and_closing_words() -> None:
    found = units(PAGE)

    assert found["art=117^1"].number == "Art. 117¹."
    assert found["art=117^1"].notes == ["Dodany przez art. 1 ustawy."]
    assert found["art=117^1/par=1/pkt=2"].text == "dół"
    assert found["art=117^1/par=1"].closing == "- podlega karze."
    assert found["art=117^1/par=2"].is_repealed


def test_quoted_wordings_of_other_acts_are_text_not_units() -> None:
    found = units(PAGE)

    assert "art=9" not in found
    assert full_text(found["art=118"]) == "W ustawie o dołach art. 9 otrzymuje brzmienie:\n„Art. 9. Dół jest dołem.”."


def test_annexes_keep_their_tables_as_rows() -> None:
    assert units(PAGE)["@annex/1"].text == "1. | Studnia"


def test_an_announcement_gives_only_its_annex() -> None:
    page = (
        "<html><body><h1><span class='head-type'>Obwieszczenie</span></h1><section id='part_1'><h2>Obwieszczenie</h2>"
        "<div class='unit unit_arti' data-id='arti_5'><h3>Art. 5.</h3><div class='unit-inner'><div>Przepis przejściowy.</div></div></div></section>"
        "<section id='part_2'><h2>Załącznik do obwieszczenia</h2><div class='unit unit_arti' data-id='arti_1' data-bookmark='_002_z1_a1'>"
        "<h3>Art. 1.</h3><div class='unit-inner'><div>Tekst.</div></div></div></section></body></html>"
    )

    assert set(units(page)) == {"art=1"}


def test_metadata_give_act_names_and_amendments() -> None:
    references = json.dumps(
        {"Akty zmieniające": [{"act": {"ELI": "DU/2021/5", "promulgation": "2021-01-10"}, "date": "2021-02-01"}]}
    )
    act = act_of_meta(parse_eli_meta(meta_json()), references=references.encode())

    assert {"Dz.U. 2020 poz. 10", "WDU20200000010", "DU/2023/1", "o studniach", "Ustawa o studniach"} <= {
        n.value for n in act.names
    }
    assert [(a.kind, a.amending_eli, a.promulgated_on, a.effective_on) for a in act.amendments] == [
        ("amendment", "DU/2021/5", date(2021, 1, 10), date(2021, 2, 1)), ("tribunal", "DU/2022/7", None, None)
    ]  # fmt: skip


def test_a_consolidated_text_begins_on_its_state_date_and_belongs_to_the_base_act() -> None:
    meta = parse_eli_meta(
        meta_json(
            ELI="DU/2023/1",
            legalStatusDate="2022-12-15",
            textHTML=False,
            references={"Tekst jednolity dla aktu": [{"id": "DU/2020/10"}]},
        )
    )
    edition = edition_without_text(meta)

    assert (edition.act, edition.identifier, edition.valid_from, edition.standing, edition.extent) == (
        "DU/2020/10", "DU/2023/1", date(2022, 12, 15), "consolidated", "no_text"
    )  # fmt: skip


def test_the_unit_tree_gives_keys_without_text() -> None:
    tree = {
        "id": "part_1",
        "children": [
            {"id": "chpt_1-arti_22_1a", "title": "Art. 22(1)a", "children": [{"id": "chpt_1-arti_22_1a-pass_1"}]}
        ],
    }
    edition = parse_eli_struct(json.dumps(tree).encode())

    assert [unit.key for unit in walk(edition.units)] == ["@part_1", "art=22^1a", "art=22^1a/ust=1"]
    assert edition.extent == "structure"


@pytest.mark.parametrize(
    ("label", "number"),
    [
        ("Art. 117¹.", ("117^1", "")),
        ("§ 2¹.", ("2^1", "")),
        ("18a)", ("18a", "")),
        ("a)", ("a", "")),
        ("Art. 22–25.", ("22", "25")),
        ("Art. 22¹a.", ("22^1a", "")),
    ],
)
def test_labels(label: str, number: tuple[str, str]) -> None:
    assert read_label(label) == number


@pytest.mark.parametrize(
    "content", [b"", b"<html>Przerwa techniczna</html>", b"[]", b"{}", meta_json(promulgation="wkrótce")]
)
def test_metadata_of_another_kind_are_refused(content: bytes) -> None:
    with pytest.raises(UnreadableSource):
        parse_eli_meta(content)


@pytest.mark.parametrize("content", [b"", b"<html><body>nic</body></html>"])
def test_a_page_without_units_is_refused(content: bytes) -> None:
    with pytest.raises(UnreadableSource):
        parse_eli_html(content)
