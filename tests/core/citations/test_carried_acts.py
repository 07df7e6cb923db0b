"""Units that stand without their act or their article: what the text around them says they are of."""

from __future__ import annotations

import pytest

from lexreview.core.citations import ActEntry, extract


def units_of(text: str, *, jurisdiction: str, lang: str, acts: tuple[ActEntry, ...] = ()) -> list[tuple[str, str]]:
    cited = extract(text, jurisdiction=jurisdiction, lang=lang, acts=acts)
    return [(each.act or "-", each.unit or "") for each in cited if each.kind == "provision"]


@pytest.mark.parametrize(
    ("jurisdiction", "lang", "text"),
    [
        ("ch", "de", "Art. 17 Abs. 1 DSG: Einwilligung (lit. a), Vertrag (lit. b), öffentliches Interesse (lit. c)."),
        ("ch", "fr", "Art. 17 al. 1 LPD : consentement (let. a), contrat (let. b), intérêt public (let. c)."),
        ("ch", "it", "Art. 17 cpv. 1 LPD: consenso (lett. a), contratto (lett. b), interesse pubblico (lett. c)."),
        ("pl", "pl", "Art. 6 ust. 1 RODO: zgoda (lit. a), umowa (lit. b), obowiązek prawny (lit. c)."),
        ("eu", "en", "Article 6(1) GDPR lists consent (point (a)), contract (point (b)) and a duty (point (c))."),
        ("ch", "de", "- Einwilligung: Art. 17 Abs. 1 lit. a DSG\n- Vertrag: lit. b\n- Interesse: lit. c"),
    ],
)
def test_a_contract_that_a_list_of_the_law_names_hides_no_letter(jurisdiction: str, lang: str, text: str) -> None:
    letters = [unit[-5:] for _, unit in units_of(text, jurisdiction=jurisdiction, lang=lang)]

    assert letters[-3:] == ["lit=a", "lit=b", "lit=c"]


@pytest.mark.parametrize(
    ("jurisdiction", "lang", "text"),
    [
        ("ch", "de", "Nach Art. 9 Abs. 1 DSG ist das zulässig; die Vereinbarung (Ziff. 4) sagt nichts."),
        ("ch", "de", "Art. 9 Abs. 1 DSG gilt. Der Mietvertrag (Art. 5 und 6) geht vor."),
        ("pl", "pl", "Art. 118 k.c. ma zastosowanie. Umowa (§ 7 ust. 2) milczy."),
        ("ch", "it", "Vale l'art. 9 cpv. 1 LPD. Il disciplinare di gara (art. 5) tace."),
    ],
)
def test_units_of_a_contract_are_no_law(jurisdiction: str, lang: str, text: str) -> None:
    assert len(units_of(text, jurisdiction=jurisdiction, lang=lang)) == 1


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("de", "Stand: DSG 2024. Der Vertrag mit dem Auftragsbearbeiter richtet sich nach Art. 9 Abs. 1."),
        ("de", "## DSG\n\n- Vertrag mit dem Auftragsbearbeiter: Art. 9 Abs. 1"),
        ("fr", "Tous les articles sont ceux de la LPD. Le contrat est réglé à l'art. 9 al. 1."),
        ("it", "Gli articoli sono della LPD. Il contratto è disciplinato dall'art. 9 cpv. 1."),
    ],
)
def test_an_act_named_once_by_its_abbreviation_is_that_of_the_bare_articles(lang: str, text: str) -> None:
    assert units_of(text, jurisdiction="ch", lang=lang) == [("CH:DSG", "art=9/ust=1")]


@pytest.mark.parametrize(
    ("jurisdiction", "lang", "text"),
    [
        ("ch", "it", "Domanda sulla LTras (RS 152.99), stato 2023. Vale l'art. 10 cpv. 4 LTras. Esecuzione: art. 21."),
        ("ch", "de", "Frage zum BGÖ (SR 152.99). Es gilt Art. 10 Abs. 4 BGÖ. Vollzug: Art. 21."),
        ("pl", "pl", "Kodeks cywilny (dalej: „ustawa cywilna”; Dz.U. z 1999 r. poz. 77777). Zob. art. 21."),
    ],
)
def test_a_wrong_number_beside_a_name_is_no_second_act(jurisdiction: str, lang: str, text: str) -> None:
    (act, unit) = units_of(text, jurisdiction=jurisdiction, lang=lang)[-1]

    assert unit == "art=21"
    assert act in {"CH:BGÖ", "CH:BGO", "KC"}


def test_of_two_acts_named_by_abbreviation_none_is_taken() -> None:
    text = "DSG und BGÖ sind zu trennen.\n\nMassgebend ist Art. 9 Abs. 1."

    assert units_of(text, jurisdiction="ch", lang="de") == [("-", "art=9/ust=1")]


def test_of_several_acts_the_same_article_again_is_of_the_act_just_cited() -> None:
    text = "Art. 33 Abs. 1 DSGVO verlangt es. Nach Art. 24 Abs. 1 DSG auch, Inhalt nach Art. 24 Abs. 2; s. Art. 8."

    assert units_of(text, jurisdiction="ch", lang="de")[2:] == [("CH:DSG", "art=24/ust=2"), ("-", "art=8")]


def test_articles_in_front_of_the_only_act_of_their_paragraph_are_of_it() -> None:
    text = "- Information (Art. 24 Abs. 5)\n- Sicherheit: Art. 8 DSG"

    assert units_of(text, jurisdiction="ch", lang="de")[0] == ("CH:DSG", "art=24/ust=5")


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("de", "Massgebend ist Art. 24 Abs. 1 DSG.\n\n- Inhalt: Abs. 2\n- Auftragsbearbeiter: Abs. 3"),
        ("it", "> «…» (art. 24 cpv. 1 LPD)\n\n- contenuto: cpv. 2;\n- responsabile: cpv. 3."),
    ],
)
def test_the_list_behind_a_paragraph_goes_on_with_its_provision(lang: str, text: str) -> None:
    found = units_of(text, jurisdiction="ch", lang=lang)

    assert found == [("CH:DSG", f"art=24/ust={number}") for number in (1, 2, 3)]


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("de", "2. Nur nach Art. 24 Abs. 5 DSG lit. a–c.\n3. Weiterleitung."),
        ("de", "2. Nur nach Art. 24 Abs. 5 DSG lit. a, b und c.\n3. Weiterleitung."),
        ("fr", "2. Selon l'art. 24 al. 5 LPD, let. a à c.\n3. Transmission."),
    ],
)
def test_the_number_of_the_next_item_belongs_to_no_letter(lang: str, text: str) -> None:
    assert [unit[-5:] for _, unit in units_of(text, jurisdiction="ch", lang=lang)][-3:] == ["lit=a", "lit=b", "lit=c"]


def test_to_regulate_is_no_specification() -> None:
    text = "L'avvio (art. 28 cpv. 1 LBCR) e la facoltà di disciplinare i dettagli (art. 28 cpv. 4)."

    assert units_of(text, jurisdiction="ch", lang="it")[1] == ("CH:BankG", "art=28/ust=4")


@pytest.mark.parametrize("text", ["art. 15, § 1, RGPD", "article 15, § 1er, du RGPD", "art. 15 § 1 RGPD"])
def test_the_section_sign_of_an_act_of_the_union_is_its_paragraph_under_any_id(text: str) -> None:
    stored = ActEntry(
        id="CELEX 32016R0679",
        jurisdiction="eu",
        abbreviations={"fr": ("RGPD",)},
        numbers={"celex": "32016R0679"},
    )

    assert units_of(text, jurisdiction="eu", lang="fr", acts=(stored,)) == [("CELEX 32016R0679", "art=15/ust=1")]


@pytest.mark.parametrize(
    ("jurisdiction", "lang", "text"),
    [
        (
            "pl",
            "pl",
            "Ustawa – Kodeks cywilny (dalej: „ustawa cywilna”). Zob. art. 118 ustawy cywilnej.",
        ),
        (
            "pl",
            "pl",
            "Ustawa – Kodeks cywilny (dalej: „ustawa cywilna”). W ustawie cywilnej (art. 118).",
        ),
        (
            "eu",
            "en",
            "Regulation (EU) 2016/679 (hereinafter “the Data Regulation”); Article 118 of the Data Regulation.",
        ),
        (
            "ch",
            "fr",
            "Loi sur la protection des données (ci-après : loi sur les données), art. 118 de la loi sur les données.",
        ),
    ],
)
def test_a_name_of_several_words_that_the_text_gives_is_read_in_any_case(
    jurisdiction: str, lang: str, text: str
) -> None:
    (act, unit) = units_of(text, jurisdiction=jurisdiction, lang=lang)[-1]

    assert unit == "art=118"
    assert act in {"KC", "EU:32016R0679", "CH:DSG"}


def test_a_name_of_several_words_for_a_contract_names_no_act() -> None:
    text = "Zgodnie z k.c. zawarto umowę (dalej: „umowa ramowa”). Zob. art. 5 umowy ramowej."

    assert units_of(text, jurisdiction="pl", lang="pl") == []
