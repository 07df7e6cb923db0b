"""Three questions on Polish law, and answers to them: some right, most wrong on purpose. Legal state: 1 August 2024."""

from pathlib import Path

from tests.flows.bundles import Asked, Bundle, Given
from tests.flows.official_text import polish_words

KC, ODRA, TREATY, FUND, CARE = "DU/1964/93", "DU/2023/1963", "DU/2024/1976", "DU/2024/1984", "DU/2024/1977"
PAGES = "https://api.sejm.gov.pl/eli/acts/"
ON = "2024-08-01"
_KC_UNIT = "book_PIERWSZA-part_OGÓLNA-titl_VI-arti_117"


def polish_bundle(data: Path) -> Bundle:
    code, odra = data / "pl/recorded-eli/du_2024_1061.excerpt.html", data / "pl/sample-ustawa-odra-2023-1963.html"
    consumer, effect = (polish_words(code, f"{_KC_UNIT}-para_{number}") for number in ("2_1", "2"))
    limits = polish_words(odra, "chpt_1-arti_3-pass_2").split("w ust. 1 ")[1]
    return Bundle(
        slug="pl-01",
        jurisdiction="PL",
        language="pl",
        legal_state_on=ON,
        title="Przedawnienie i Odra",
        questions=_questions(consumer, limits),
        answers=_answers(consumer, effect.split(". ")[0], limits),
    )


def _base(citation: str, act: str, unit: str, quotation: str) -> tuple[str, str, str, str, str]:
    return citation, act, unit, f"{PAGES}{act}/text.html", quotation


def _questions(consumer: str, limits: str) -> list[Asked]:
    return [
        Asked(
            code="P01",
            language="pl",
            text="Czy można jeszcze żądać zapłaty przedawnionego długu od konsumenta?",
            expected={"answer": "no", "condition": None},
            core="Nie, po upływie terminu przedawnienia nie można żądać zapłaty od konsumenta.",
            rubric=["Zakaz dochodzenia wobec konsumenta", "Wyjątek ze względów słuszności"],
            penalties=["Wymaga podniesienia zarzutu przez konsumenta."],
            bases=[
                _base("art. 117 § 2^1 k.c.", KC, "art=117/par=2^1", consumer),
                _base("art. 117^1 § 1 k.c.", KC, "art=117^1/par=1", "względy słuszności"),
            ],
            trap={"premise": "Konsument musi podnieść zarzut.", "direction": "nieaktualne"},
        ),
        Asked(
            code="P02",
            language="pl",
            text="Czy dotację celową na inwestycje dla Odry można połączyć ze środkami Unii?",
            expected={"answer": "no", "condition": None},
            core="Nie w zakresie, w jakim środki zapewniono z Unii Europejskiej.",
            rubric=["Wyłączenie w zakresie środków z Unii"],
            bases=[_base("art. 3 ust. 2 ustawy o rewitalizacji rzeki Odry", ODRA, "art=3/ust=2", limits)],
        ),
        Asked(
            code="P03",
            language="pl",
            text="Czy Polska mogła już 1 sierpnia 2024 r. wypowiedzieć ustawą porozumienie o Intersputniku?",
            expected={"answer": "no", "condition": None},
            core="Nie, ustawa weszła w życie dopiero 15 stycznia 2025 r.",
            rubric=["Ustawa weszła w życie 15 stycznia 2025 r."],
            bases=[_base("art. 2 ustawy", TREATY, "art=2", "po upływie 14 dni od dnia ogłoszenia")],
        ),
    ]


def _answers(consumer: str, effect: str, limits: str) -> list[Given]:
    given = Given
    return [
        given(question="P01", system="alpha", text=(
            f"Nie. Art. 117 § 2¹ k.c. stanowi: „{consumer}” Sąd może wyjątkowo postąpić inaczej (art. 117¹ § 1 k.c.).\n"
        )),
        given(question="P01", system="beta", text=(
            "Tak, jeżeli konsument nie podniesie zarzutu. Zgodnie z art. 117 § 2 k.c. "
            f"„{effect.replace('chyba że zrzeka się', 'o ile wcześniej nie zrzekł się')}”. "
            "Zrzeczenie się opisuje art. 117 § 3 k.c., a przerwanie biegu art. 117 § 6 k.c. Terminy podaje art. 118 "
            "k.c. Tak też orzekł Sąd Najwyższy w uchwale z dnia 4 lipca 2023 r., III CZP 912/22.\n"
        )),
        given(
            question="P01",
            system="beta",
            condition="W1",
            state="provider_block",
            block_reason="legal advice",
            cost=None,
        ),
        given(question="P02", system="alpha", text=(
            "Nie w tym zakresie. Art. 3 ust. 2 ustawy z dnia 13 lipca 2023 r. o rewitalizacji rzeki Odry "
            f"(Dz. U. z 2023 r. poz. 1963) brzmi: „{limits}”\n"
        )),
        given(question="P02", system="beta", text=(
            "Tak. Art. 3 ust. 3 ustawy o rewitalizacji rzeki Odry (Dz. U. z 2023 r. poz. 1936) pozwala na łączenie, "
            "co potwierdza art. 13 pkt 17 lit. g tej ustawy. Szczegóły reguluje art. 4 ustawy o funduszach rzecznych.\n"
        )),
        given(question="P03", system="alpha", text=(
            "Tak. Zgodę wyraża art. 1 ustawy z dnia 5 grudnia 2024 r. o wypowiedzeniu Porozumienia o zdolności "
            "prawnej, przywilejach i immunitetach Międzynarodowej Organizacji Łączności Kosmicznej „Intersputnik”, "
            "sporządzonego w Berlinie dnia 20 września 1976 r. (Dz. U. z 2024 r. poz. 1976). Koszty pokrywa się według "
            "§ 1 rozporządzenia Rady Ministrów z dnia 30 grudnia 2024 r. (Dz. U. z 2024 r. poz. 1984).\n"
        )),
        given(question="P03", system="beta", state="empty"),
        given(question="P03", system="beta", condition="W1", trace=[_OPENED], text=(
            "Nie, ustawa weszła w życie dopiero w 2025 r. Nie pomoże też art. 117 § 9 k.c., bo takiego przepisu nie "
            "ma; zob. za to art. 117 § 1 k.c.\n"
        )),
    ]  # fmt: skip


_OPENED = {
    "order": 1,
    "kind": "open",
    "address": "https://api.sejm.gov.pl/eli/acts/DU/2024/1976/text.html",
    "title": "Dz. U. 2024 poz. 1976",
    "official": True,
}
