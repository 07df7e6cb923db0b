"""Four questions on Swiss law in three languages, and answers to them: some right, most wrong on purpose."""

from pathlib import Path

from tests.flows.bundles import Asked, Bundle, Given
from tests.flows.official_text import swiss_words

DSG, ZGB, BV = "eli/cc/2022/491", "eli/cc/24/233_245_233", "eli/cc/1999/404"
PAGES = "https://www.fedlex.admin.ch/"
NOW, THEN = "2026-09-01", "2024-10-01"
OFFICIAL_PAGE = "https://www.fedlex.admin.ch/eli/cc/2022/491"


class Words:
    """Real wordings of the acts, by the ids of the official files."""

    def __init__(self, data: Path) -> None:
        self._folder = data / "fedlex-xml"

    def dsg(self, eid: str, language: str = "de") -> str:
        return swiss_words(self._folder / f"cc-2022-491-20250707-{language}.xml", eid)

    def bv(self, eid: str) -> str:
        return swiss_words(self._folder / "cc-1999-404-20240303-de.xml", eid)

    def zgb(self, eid: str) -> str:
        return swiss_words(self._folder / "cc-24-233_245_233-20260701-de.xml", eid)


def swiss_bundle(data: Path, *, slug: str = "ch-01", legal_state_on: str = NOW) -> Bundle:
    words = Words(data)
    return Bundle(
        slug=slug,
        jurisdiction="CH",
        language="de",
        legal_state_on=legal_state_on,
        title="Datenschutz in vier Fragen",
        questions=_questions(words),
        answers=_answers(words),
    )


def _questions(words: Words) -> list[Asked]:
    return [
        Asked(
            code="C01",
            language="de",
            text="Darf der EDÖB unsere Meldung über den Hackerangriff einfach weitergeben?",
            expected={"answer": "depends", "condition": "Der Verantwortliche ist einverstanden."},
            condition="Der Verantwortliche ist einverstanden.",
            core="Nur mit Einverständnis des Verantwortlichen, und nur an das Bundesamt für Cybersicherheit.",
            rubric=["Einverständnis des Verantwortlichen", "nur zur Analyse des Vorfalls"],
            penalties=["Sagt, der EDÖB gebe Meldungen nie weiter."],
            bases=[
                _base("Art. 24 Abs. 5bis DSG", DSG, "art=24/ust=5bis", words.dsg("art_24/para_5_bis")),
                _base("Art. 24 Abs. 1 DSG", DSG, "art=24/ust=1", words.dsg("art_24/para_1")),
            ],
            trap={"premise": "Der EDÖB gibt Meldungen ohne Weiteres weiter.", "direction": "falsch"},
        ),
        Asked(
            code="C02",
            language="fr",
            type="calculation",
            text="Quelle est l'amende maximale pour de faux renseignements donnés au PFPDT pendant une enquête ?",
            expected={"value": "250000.00", "unit": "CHF", "tolerance": "0.00"},
            core="250 000 francs au plus.",
            rubric=["250 000 francs"],
            bases=[_base("art. 60 al. 2 LPD", DSG, "art=60/ust=2", words.dsg("art_60/para_2", "fr"))],
        ),
        Asked(
            code="C03",
            language="it",
            type="verification",
            text="Un collega dice che nel contratto si può rinunciare in anticipo al diritto d'accesso. È vero?",
            expected={"claim_holds": False},
            core="No, la rinuncia preventiva non è possibile.",
            rubric=["La rinuncia preventiva è esclusa."],
            bases=[_base("art. 25 cpv. 5 LPD", DSG, "art=25/ust=5", words.dsg("art_25/para_5", "it"))],
        ),
        Asked(
            code="C04",
            language="de",
            text="Steht der Schutz vor Missbrauch persönlicher Daten auch in der Verfassung?",
            expected={"answer": "yes", "condition": None},
            core="Ja, in Art. 13 Abs. 2 BV.",
            rubric=["Art. 13 Abs. 2 BV genannt"],
            bases=[_base("Art. 13 Abs. 2 BV", BV, "art=13/ust=2", words.bv("art_13/para_2"))],
        ),
    ]


def _base(citation: str, act: str, unit: str, quotation: str) -> tuple[str, str, str, str, str]:
    return citation, act, unit, PAGES + act, quotation


def _answers(words: Words) -> list[Given]:
    given = Given
    notice, sharing = words.dsg("art_24/para_1"), words.dsg("art_24/para_5_bis").split(". ")[0]
    old = f"{words.dsg('art_24/para_5/lbl_c')} {words.dsg('art_24/para_6')}"
    false_answers = words.dsg("art_60/para_2", "fr").split("al. 3, ")[1]
    opened = {"order": 1, "kind": "open", "address": OFFICIAL_PAGE, "title": "DSG", "official": True}
    blog = {"order": 1, "kind": "open", "address": "https://blog.example/dsg", "title": "Blog", "official": False}
    return [
        given(question="C01", system="alpha", text=(
            "Nur wenn Sie zustimmen. Seit dem 1. April 2025 regelt das Art. 24 Abs. 5bis DSG: "
            f"«{sharing}.»\n\n"
            "Die Meldepflicht selbst steht in Art. 24 Abs. 1 des Datenschutzgesetzes (DSG, SR 235.1).\n"
        )),
        given(question="C01", system="beta", text=(
            "Nein. Das Gesetz kennt keine Weitergabe; nach der Information der betroffenen Person folgt sofort das "
            f"Verwertungsverbot. Art. 24 DSG lautet: «{old}»\n"
        )),
        given(question="C01", system="beta", condition="W1", trace=[opened], text=(
            "Ja, mit Einverständnis. Melden müssen Sie in jedem Fall. Art. 24 Abs. 1 DSG sagt: "
            f"«{notice.replace('so rasch als möglich', 'innert zweiundsiebzig Stunden')}»\n"
        )),
        given(question="C02", system="alpha", text=(
            f"L'amende est de 250 000 francs au plus. Selon l'art. 60, al. 2, LPD (RS 235.1), « {false_answers} »\n\n"
            "Dans les cas de l'art. 60, al. 1, LPD, la poursuite a lieu d'office.\n"
        )),
        given(question="C02", system="beta", text=(
            "Le maximum est de 500 000 francs selon l'art. 60, al. 7, LPD. La loi fédérale sur la protection des "
            "données (LPD, RS 235.99) a doublé le montant.\n"
        )),
        given(
            question="C02",
            system="beta",
            condition="W1",
            state="provider_block",
            block_reason="content policy",
            cost=None,
        ),
        given(question="C03", system="alpha", text=(
            f"No. L'art. 25 cpv. 5 LPD dice: «{words.dsg('art_25/para_5', 'it')}» "
            "L'informazione è di regola gratuita (art. 25 cpv. 6 LPD).\n"
        )),
        given(question="C03", system="beta", state="empty"),
        given(question="C04", system="alpha", cost="0.030000", text=(
            f"Ja. Art. 13 Abs. 2 BV lautet: «{words.bv('art_13/para_2')}» Zivilrechtlich schützt zudem Art. 28 Abs. 1 "
            "ZGB die Persönlichkeit. Das Bundesgericht hat das in BGE 146 I 11 bestätigt.\n"
        )),
        given(question="C04", system="beta", condition="W1", trace=[blog], text=(
            "Ja. Im Privatrecht gilt Art. 28 Abs. 9 ZGB, und Einzelheiten regelt Art. 4 des Bundesgesetzes über die "
            "Datenhoheit (SR 235.77).\n"
        )),
    ]  # fmt: skip
