"""An invented harbour law of an invented state, made by the law room's own actions, and answers about it."""

from dataclasses import dataclass
from datetime import UTC, date, datetime

from lexreview.answers.models import Answer
from lexreview.core.workflow import AnswerState
from lexreview.law.actions import import_acts, import_coverage, import_jurisdiction, import_rulings
from lexreview.law.models import Act
from lexreview.law.parsed import Coverage, ParsedAct, ParsedEdition, ParsedName, ParsedRuling, sha256_of
from lexreview.law.sources.plain_text import parse_plain_text
from lexreview.questions.models import Benchmark
from tests.remembering import remembered
from tests.review.factories import make_answer as make_kestrian_answer
from tests.review.factories import make_benchmark as make_kestrian_benchmark
from tests.review.factories import make_question

NOW = datetime(2026, 10, 18, 12, 0, tzinfo=UTC)
ON = date(2026, 10, 1)
STATE = "QK"
HARBOUR = "eli/qk/act/2015/3"

HARBOUR_TEXT = """\
# Harbour Act

### Art. 1. Scope
This Act governs the harbours of the Republic.

### Art. 2. Dues
§ 1. The harbour due is {due} crowns for each day of stay.
§ 2. No due is charged:
1) for a stay below one hour;
2) for a vessel in distress{distress}.

### Art. 3. Pilotage
{pilotage}

### Art. 4. Berths
§ 1. The harbour master assigns the berth within two hours of the request.
§ 2. A berth that was assigned is kept free for six hours after the time announced.
{later}"""
REPORTING = """
### Art. 5. Reporting
A skipper reports the arrival to the harbour master within {hours} hours.
"""
HARBOUR_PL = """\
# Ustawa o portach

### Art. 1. Zakres
Ustawa reguluje porty Republiki.

### Art. 2. Opłaty
§ 1. Opłata portowa wynosi 75 koron za każdy dzień postoju.
§ 2. Opłaty nie pobiera się:
1) za postój krótszy niż godzina;
2) od statku w niebezpieczeństwie.

### Art. 4. Miejsca postoju
§ 1. Kapitan portu wyznacza miejsce postoju w ciągu dwóch godzin od wniosku.
§ 2. Wyznaczone miejsce pozostaje wolne przez sześć godzin po zapowiedzianej porze.

### Art. 5. Zgłoszenie
Szyper zgłasza przybycie kapitanowi portu w ciągu sześciu godzin.
"""
PROFILE = {
    "code": STATE,
    "names": {"en": ["Republic of Kestria"], "pl": ["Republika Kestrii"]},
    "languages": ["en", "pl"],
    "journals": ["OJ {year}, {position}", "OJ {year}, item {position}"],
    "journal_id": "OJ/{year}/{position}",
    "courts": [
        {"court": "Supreme Court", "names": {"en": ["Supreme Court"]}, "dockets": ["{roman} Civ {number}/{year}"]},
        {"court": "Maritime Court", "names": {"en": ["Maritime Court"]}, "dockets": ["{roman} Mar {number}/{year}"]},
    ],
    "bracket_level": "par",
    "foreign": ["charter party", "contract"],
}


def edition(text: str, *, start: date, end: date | None, language: str = "en", **fields: str) -> ParsedEdition:
    content = text.encode()
    return ParsedEdition(
        act="",
        language=language,
        valid_from=start,
        valid_to=end,
        units=parse_plain_text(content, file="harbour.md").units,
        sha256=sha256_of(content),
        source_url=f"https://law.kestria.example/{start}/{language}",
        **fields,
    )


def harbour_act() -> ParsedAct:
    old = {"distress": "", "pilotage": "A vessel longer than fifty metres takes a pilot on board.", "later": ""}
    middle = {"distress": "", "pilotage": "(repealed)", "later": ""}
    new = {
        "distress": " or under arrest",
        "pilotage": "(repealed)",
        "later": REPORTING.format(hours="six"),
    }
    future = {**new, "later": REPORTING.format(hours="twelve") + "\n### Art. 6. Lights\nBerths are lit at night.\n"}
    return ParsedAct(
        eli=HARBOUR,
        jurisdiction=STATE,
        titles={"en": "Harbour Act", "pl": "Ustawa o portach"},
        names=(
            ParsedName("abbreviation", "HA", "en"),
            ParsedName("abbreviation", "UPt", "pl"),
            ParsedName("number", "OJ/2015/3"),
        ),
        adopted_on=date(2015, 2, 3),
        in_force_on=date(2015, 6, 1),
        source_url="https://law.kestria.example/act/2015/3",
        editions=(
            edition(HARBOUR_TEXT.format(due=40, **old), start=date(2019, 1, 1), end=date(2023, 6, 30)),
            edition(HARBOUR_TEXT.format(due=60, **middle), start=date(2023, 7, 1), end=date(2026, 8, 31)),
            edition(HARBOUR_TEXT.format(due=75, **new), start=date(2026, 9, 1), end=date(2026, 12, 31)),
            edition(HARBOUR_TEXT.format(due=75, **future), start=date(2027, 1, 1), end=None),
            edition(HARBOUR_PL, start=date(2026, 9, 1), end=date(2026, 12, 31), language="pl"),
        ),
    )


def small_act(abbreviation: str, number: str, text: str, **fields: object) -> ParsedAct:
    """An act with one edition from 2020 on, unless `start`, `end`, `extent` or `language` say otherwise."""
    start, end = fields.pop("start", date(2020, 1, 1)), fields.pop("end", None)
    extent, language = fields.pop("extent", "whole"), fields.pop("language", "en")
    return ParsedAct(
        eli=f"eli/qk/act/{number}",
        jurisdiction=STATE,
        titles={"en": text.splitlines()[0].removeprefix("# ")},
        names=(
            ParsedName("abbreviation", abbreviation, "en"),
            ParsedName("number", "OJ/" + number),
        ),
        in_force_on=date(2010, 1, 1),
        editions=(edition(text, start=start, end=end, extent=extent, language=language),),
        **fields,
    )


def make_law() -> Act:
    """The whole invented corpus; returns the Harbour Act."""
    pilots = "# Pilots Act\n\n### Art. 1. Licence\nA pilot holds a licence of the harbour office.\n"
    ferries = "# Ferries Act\n\n### Art. 7. Timetable\nA ferry keeps its timetable.\n"
    lights = "# Lighthouses Act\n\n### Art. 1. Lights\nThe state keeps the lighthouses lit.\n"
    import_acts(
        parsed=[
            harbour_act(),
            small_act("PiA", "2016/8", pilots),
            small_act("FeA", "2017/21", ferries, extent="excerpt"),
            small_act("LiA", "2018/5", lights, end=date(2024, 12, 31)),
        ],
        by=None,
        now=NOW,
    )
    import_rulings(parsed=[*rulings()], by=None, now=NOW)
    import_coverage(
        rows=[
            Coverage(
                source="bundle",
                jurisdiction=STATE,
                court="Supreme Court",
                covered_from=date(2020, 1, 1),
                covered_to=date(2026, 9, 30),
                is_complete=True,
            )
        ],
        by=None,
        now=NOW,
    )
    import_jurisdiction(profile=PROFILE, by=None, now=NOW)
    return Act.objects.get(eli=HARBOUR)


def rulings() -> list[ParsedRuling]:
    thesis = "A berth that was assigned may be refused to a vessel that arrives a day late."
    return [
        ruling("Supreme Court", "II Civ 14/24", date(2024, 5, 6), thesis),
        ruling("Supreme Court", "II Civ 30/25", date(2025, 2, 11), "Dues run from the hour of arrival."),
        ruling("Maritime Court", "I Mar 5/24", date(2024, 3, 1), "The master answers for the berth."),
        ruling("Supreme Court", "I Mar 5/24", date(2025, 3, 1), "The appeal is dismissed."),
    ]


def ruling(court: str, docket: str, day: date, thesis: str) -> ParsedRuling:
    return ParsedRuling(
        jurisdiction=STATE,
        court=court,
        docket=docket,
        decided_on=day,
        language="en",
        sha256=sha256_of(f"{court} {docket} {day}".encode()),
        theses=(thesis,),
        source="bundle",
        source_url="https://courts.kestria.example/ruling",
    )


@dataclass(frozen=True)
class Case:
    """A benchmark with one answer, for the pages and actions."""

    benchmark: Benchmark
    answer: Answer


@remembered
def make_case(text: str, *, state: AnswerState = AnswerState.ANSWERED, system: str = "argon-4") -> Case:
    benchmark = Benchmark.objects.filter(slug="kestria-01").first() or make_kestrian_benchmark()
    answer = make_kestrian_answer(make_question(benchmark), text=text, state=state, system=system)
    return Case(benchmark, answer)
