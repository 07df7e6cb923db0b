from __future__ import annotations

import re

import pytest

from lexreview.core.citations import (
    ActEntry,
    BadProfile,
    BadUnitKey,
    Citation,
    JurisdictionProfile,
    extract,
    known_acts,
    parse_unit_key,
    unit_key,
)
from lexreview.core.citations.act_data import REGISTRIES, registry_of
from tests.core.citations.profiles import ACTS, KESTRIA


def test_unit_key_orders_levels_and_skips_empty_ones() -> None:
    assert unit_key(lit="a", art="24", ust="5bis", par=None) == "art=24/ust=5bis/lit=a"
    assert unit_key({"par": "1", "art": "117^1"}) == "art=117^1/par=1"
    assert unit_key() is None


def test_unit_key_refuses_unknown_levels() -> None:
    with pytest.raises(BadUnitKey, match="chapter"):
        unit_key(chapter="1")


@pytest.mark.parametrize("key", ["art", "art=", "lit=a/art=1", "art=1/art=2", "kap=1", "art=1//lit=a"])
def test_bad_unit_keys_are_refused(key: str) -> None:
    with pytest.raises(BadUnitKey):
        parse_unit_key(key)


def test_unit_key_and_its_parts_are_inverse() -> None:
    levels = {"dis": "1", "art": "21^1", "par": "2", "pkt": "3"}
    assert parse_unit_key(unit_key(levels)) == levels
    assert parse_unit_key(None) == {}


def test_unit_of_act_identifiers_and_rulings_is_none() -> None:
    assert Citation(kind="act", start=0, end=1, raw="x", art="5").unit is None
    assert Citation(kind="ruling", start=0, end=1, raw="x", art="5").unit is None


def test_unit_of_an_italian_norm_uses_the_common_levels() -> None:
    norm = Citation(kind="norm", start=0, end=1, raw="x", article="612-bis", comma="2", letter="a", num="1")
    assert norm.unit == "art=612bis/ust=2/pkt=1/lit=a"


def test_case_form_leaves_unset_fields_out() -> None:
    case = extract("art. 5 § 1 k.c.", jurisdiction="pl", lang="pl")[0].to_case()
    assert case["kind"] == "provision"
    assert (case["act"], case["art"], case["par"], case["unit"]) == ("KC", "5", "1", "art=5/par=1")
    assert "lit" not in case
    assert "candidates" not in case


def test_case_form_of_italian_rulings_repeats_the_text() -> None:
    case = extract("Cass. n. 12/2020", jurisdiction="it", lang="it")[0].to_case()
    assert case["text"] == case["raw"] == "Cass. n. 12/2020"
    assert case["ecli_candidates"] == ["ECLI:IT:CASS:2020:12CIV", "ECLI:IT:CASS:2020:12PEN"]


def test_run_time_act_takes_the_place_of_the_registry_entry_with_its_number() -> None:
    corpus = ActEntry(
        id="eli/cc/2022/491",
        jurisdiction="CH",
        abbreviations={"de": ("DSG",)},
        numbers={"sr": "235.1"},
    )
    text = "Art. 6 DSG; art. 7 des Datenschutzgesetzes; SR 235.1"

    found = extract(text, jurisdiction="ch", lang="de", acts=(corpus,))

    assert [citation.act for citation in found] == ["eli/cc/2022/491"] * 3


def test_run_time_act_adds_a_title_that_no_registry_knows() -> None:
    odra = ActEntry(
        id="DU/2023/1963",
        jurisdiction="PL",
        titles={"pl": ("ustawa z dnia 13 lipca 2023 r. o rewitalizacji rzeki Odry",)},
        numbers={"journal": "DU/2023/1963"},
    )
    found = extract("art. 15 ust. 2 ustawy o rewitalizacji rzeki Odry", jurisdiction="pl", lang="pl", acts=(odra,))
    assert [(citation.act, citation.unit) for citation in found] == [("DU/2023/1963", "art=15/ust=2")]


def test_ambiguous_abbreviation_lists_the_acts_it_fits() -> None:
    found = extract("Zob. art. 5 p.b.", jurisdiction="pl", lang="pl")[0]
    assert found.act is None
    assert found.candidates == ("PRBANK", "PRBUD")


def test_act_is_kept_as_the_text_names_it() -> None:
    found = extract("Art. 12 of the Harbour Dues Act", jurisdiction="QK", lang="en", acts=ACTS, profile=KESTRIA)[0]
    assert found.act is None
    assert found.act_name == "Harbour Dues Act"


def test_former_wording_is_marked_with_its_last_day() -> None:
    found = extract("art. 118 k.c. w brzmieniu obowiązującym do dnia 8 lipca 2018 r.", jurisdiction="pl", lang="pl")[0]
    assert found.former_wording
    assert found.wording_until == "2018-07-08"


def test_flattened_superscript_keeps_the_literal_reading() -> None:
    found = extract("art. 4171 k.c.", jurisdiction="pl", lang="pl")[0]
    assert (found.art, found.art_alt) == ("417^1", "4171")


@pytest.mark.parametrize(
    ("text", "lang", "kinds"),
    [
        ("Zob. art. 5 k.c.", "pl", [("provision", "KC")]),
        ("Siehe Art. 8 ZGB.", "de-CH", [("provision", "CH:ZGB")]),
        ("Voir l'art. 8 CC.", "fr", [("provision", "CH:ZGB")]),
        ("Vedi l'art. 41 cpv. 1 CO e DTF 138 III 107.", "it", [("provision", "CH:OR"), ("ruling", None)]),
        ("Vedi l'art. 2043 c.c. e Cass. n. 12/2020.", "it", [("norm", "CC"), ("ruling", None)]),
        ("See Article 17 GDPR.", "en", [("provision", "EU:32016R0679")]),
    ],
)
def test_grammar_is_chosen_by_language_and_content(text: str, lang: str, kinds: list[tuple[str, str | None]]) -> None:
    found = extract(text, jurisdiction="auto", lang=lang)
    assert [(citation.kind, citation.act) for citation in found] == kinds


def test_italian_text_with_plain_marks_of_both_laws_gives_both() -> None:
    text = (
        "Per il diritto svizzero vale l'art. 41 cpv. 1 CO (DTF 138 III 107, RS 220). "
        "In Italia decidono l'art. 2043 c.c., l'art. 1, comma 2, d.lgs. n. 28/2010 e Cass. civ. n. 44/2020."
    )
    found = extract(text, jurisdiction="auto", lang="it")
    acts = [citation.act for citation in found if citation.kind in ("provision", "norm")]
    assert acts == ["CH:OR", "CC", "DLGS"]


@pytest.mark.parametrize(
    ("text", "unit", "act"),
    [
        ("Zgodnie z art. 5 § 1 k.c. nie jest to możliwe.", "art=5/par=1", "KC"),
        ("Nach Art. 8 Abs. 1 ZGB ist das nicht möglich.", "art=8/ust=1", "CH:ZGB"),
        ("Selon l'art. 8 al. 1 CC, la preuve est due par le demandeur.", "art=8/ust=1", "CH:ZGB"),
        ("Secondo l'art. 8 cpv. 1 CO della legge svizzera.", "art=8/ust=1", "CH:OR"),
        ("The right to erasure follows from Article 17(1) GDPR.", "art=17/ust=1", "EU:32016R0679"),
    ],
)
def test_language_is_guessed_where_none_is_given(text: str, unit: str, act: str) -> None:
    found = extract(text, jurisdiction="auto", lang="")
    assert [(citation.unit, citation.act) for citation in found] == [(unit, act)]


def test_known_acts_are_the_built_in_registries() -> None:
    assert {act.id for act in known_acts("PL")} >= {"KC", "KPC", "KK"}
    assert known_acts("QK") == ()


def test_unknown_code_reads_with_a_plain_profile() -> None:
    found = extract("See Art. 5 § 2 FZA.", jurisdiction="ZZ", lang="en")
    assert [(citation.act, citation.unit) for citation in found] == [("ZZ:FZA", "art=5/par=2")]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ({"code": ""}, "code"),
        ({"code": "QK", "colour": "red"}, "colour"),
        ({"code": "QK", "journals": "OJ"}, "journals"),
        ({"code": "QK", "journals": ["OJ {year}"]}, "position"),
        ({"code": "QK", "journals": ["OJ {page} {position}"]}, "page"),
        ({"code": "QK", "units": {"en": {"chapter": ["ch."]}}}, "chapter"),
        ({"code": "QK", "courts": [{"names": {}}]}, r"courts\[0\]\.court"),
        ({"code": "QK", "courts": [{"court": "X", "dockets": ["{roman} Civ"]}]}, "number"),
        ({"code": "QK", "bracket_level": "line"}, "bracket_level"),
    ],
)
def test_bad_profile_names_the_field(source: dict[str, object], message: str) -> None:
    with pytest.raises(BadProfile, match=message):
        JurisdictionProfile.from_mapping(source)


@pytest.mark.parametrize("name", REGISTRIES)
def test_registry_rows_are_complete_and_unique(name: str) -> None:
    entries = registry_of(name)
    assert len({entry.id for entry in entries}) == len(entries)
    for entry in entries:
        assert entry.abbreviations or entry.titles
        assert entry.verified in ("", "act", "number", "text", "act+text", "number+text")


@pytest.mark.parametrize("name", ["pl", "ch", "eu"])
def test_every_unshared_abbreviation_of_a_registry_is_recognised(name: str) -> None:
    languages = {"pl": ("pl",), "ch": ("de", "fr", "it"), "eu": ("en", "pl", "de", "fr", "it")}[name]
    for lang in languages:
        owners: dict[str, set[str]] = {}
        for registry in {name, "eu"}:
            for entry in registry_of(registry):
                for form in (*entry.abbreviations.get(lang, ()), *entry.abbreviations.get("", ())):
                    owners.setdefault(form.replace(".", "").replace(" ", "").lower(), set()).add(entry.id)
        for entry in registry_of(name):
            for form in entry.abbreviations.get(lang, ()):
                if len(owners[form.replace(".", "").replace(" ", "").lower()]) == 1:
                    found = extract(f"Art. 3 {form}", jurisdiction=name, lang=lang)
                    assert [citation.act for citation in found] == [entry.id], (lang, form)


def test_a_bracket_that_opened_in_front_is_no_part_of_the_span() -> None:
    found = extract("Vale (art. 25 cpv. 2 lett. c LPD; cfr. lett. d) anche qui.", jurisdiction="ch", lang="it")

    assert [one.raw for one in found] == ["art. 25 cpv. 2 lett. c LPD", "lett. d"]


def test_a_citation_takes_no_unknown_field() -> None:
    with pytest.raises(TypeError, match="unknown field 'articel'"):
        Citation(kind="norm", start=0, end=1, raw="x", articel="5")  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("jurisdiction", "lang", "text"),
    [
        ("ch", "de", "Art. 6 DSGVO (EU 2016/697) gilt."),
        ("ch", "de", "Art. 6 DSGVO ((EU) Nr. 2016/697) gilt."),
        ("ch", "de", "Art. 6 DSGVO (VO 2016/697), lit. b) gilt nicht."),
        ("ch", "fr", "L'art. 6 RGPD (UE n° 2016/697) s'applique."),
        ("ch", "fr", "L'art. 6 RGPD (UE) 2016/697 s'applique."),
        ("ch", "it", "L'art. 6 RGPD (UE n. 2016/697) si applica."),
        ("pl", "pl", "Stosuje się art. 6 RODO (UE nr 2016/697)."),
        ("pl", "pl", "Stosuje się art. 6 RODO (2016/697)."),
        ("eu", "en", "Article 6 GDPR (EU 2016/697) applies."),
        ("eu", "en", "Article 6 GDPR (EU/2016/697) applies."),
    ],
)
def test_number_behind_the_name_of_an_act_is_kept_where_it_is_another_ones(
    jurisdiction: str, lang: str, text: str
) -> None:
    first = extract(text, jurisdiction=jurisdiction, lang=lang)[0]

    assert (first.act, first.celex) == ("EU:32016R0679", "32016R0697")
    assert re.search(r"\(.*2016/697\)?$", first.raw)
