"""A small benchmark of an invented state, with law, checked citations and pre-filled cards, made by the real actions.

Verifications are rows: what the citation layer finds in a text is tested in its own room.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID

import yaml
from django.conf import settings

from lexreview.accounts.models import User
from lexreview.answers.actions import AnswerDraft, save_condition, save_run, save_system, store_answer
from lexreview.answers.models import Answer
from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.core.workflow import AnswerState, CitationState
from lexreview.law.models import Act, Edition, Unit
from lexreview.methodology.actions import load_specification
from lexreview.methodology.models import Specification
from lexreview.questions.actions import (
    BenchmarkDraft,
    KeyDraft,
    QuestionDraft,
    approve_key,
    save_benchmark,
    save_question,
    save_question_set,
    write_key,
)
from lexreview.questions.models import Benchmark, KeyVersion, Question
from lexreview.review.actions import (
    accept_finding,
    accept_proposals,
    assign_card,
    decide_citation,
    decide_score,
    open_cards,
    prefill_card,
)
from lexreview.review.actions.planning import PlanDraft, save_review_plan
from lexreview.review.models import Card, FindingState
from lexreview.verification.models import Citation, Verification
from tests.factories import LONG_AGO
from tests.remembering import remembered

SLUG = "kestria-01"
LEGAL_STATE_ON = date(2026, 10, 1)
COLLECTED_AT = datetime(2026, 10, 12, 9, 30, tzinfo=UTC)
VERIFIED_AT = datetime(2026, 10, 18, 8, 0, tzinfo=UTC)
SPECIFICATION = Path(settings.BASE_DIR) / "fixtures/demo/bundle/specification/reference-card-1.0.1.yaml"
OFFICIAL = "https://law.kestria.example/act/2011/9/2026-09-01/en"

ANSWER = """\
Yes, with one condition. The fee for a written request is due **within fourteen days** of service (Art. 17 § 1 CPA: \
“the fee is payable within fourteen days of service of the demand”), and a request filed without it is returned.

The court must first call on the party to pay (Art. 21^1 § 2 CPA), and the time limit runs anew from that call, as \
Art. 94 § 6 CPA expressly provides. Small claims are exempt under Art. 3 FA (OJ 2024, 118).

The Supreme Court took the same view in II Civ 44/24, so a request paid late but before the return order should be \
heard (Art. 22 CPA).

In practice: attach the receipt and name the demand's file number.
"""


@dataclass(frozen=True, kw_only=True)
class Checked:
    """What the citation layer says of the first place of `raw` in an answer."""

    raw: str
    result: CheckResult = CheckResult.CONFIRMED
    unit: str = ""
    fields: dict[str, Any] = field(default_factory=dict)


CITATIONS = (
    Checked(
        raw="Art. 17 § 1 CPA",
        result=CheckResult.WORDING_DIFFERS,
        unit="art=17/par=1",
        fields={
            "proposed_class": "W",
            "reason": "older_edition",
            "explanation": "The quotation has “fourteen” where the wording in force on 1 October 2026 has “seven”.",
            "quotation": "the fee is payable within fourteen days of service of the demand",
            "source_text": "The fee is payable within seven days of service of the demand.",
            "diff": [
                ["same", "The fee is payable within"],
                ["answer", "fourteen"],
                ["source", "seven"],
                ["same", "days of service of the demand."],
            ],
        },
    ),
    Checked(raw="Art. 21^1 § 2 CPA", unit="art=21^1/par=2"),
    Checked(
        raw="Art. 94 § 6 CPA",
        result=CheckResult.NOT_FOUND,
        unit="art=94/par=6",
        fields={"explanation": "Article 94 has five paragraphs.", "reason": "no_such_unit", "proposed_class": "F"},
    ),
    Checked(raw="Art. 3 FA", unit="art=3"),
    Checked(raw="OJ 2024, 118"),
    Checked(
        raw="II Civ 44/24",
        result=CheckResult.UNDETERMINED,
        fields={"kind": "ruling", "explanation": "Two courts use this docket number.", "reason": "court_unclear"},
    ),
    Checked(
        raw="Art. 22 CPA",
        unit="art=22",
        fields={"quotation": "Late fees.", "quotation_match": "exact", "source_text": "Late fees."},
    ),
)

TRACE = [
    {"order": 1, "kind": "search", "query": "fee written reasons time limit", "at": "2026-10-12T09:29:01Z"},
    {
        "order": 2,
        "kind": "open",
        "address": OFFICIAL,
        "title": "Civil Procedure Act",
        "official": True,
        "at": "2026-10-12T09:29:05Z",
    },
    {
        "order": 3,
        "kind": "open",
        "address": "https://blog.example/fees",
        "title": "Fees explained",
        "official": False,
        "at": "2026-10-12T09:29:11Z",
    },
]


@cache
def specification_content() -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load(SPECIFICATION.read_text())
    return content


def make_specification() -> Specification:
    return load_specification(content=specification_content(), by=None, now=LONG_AGO)


@remembered
def make_benchmark(slug: str = SLUG) -> Benchmark:
    draft = BenchmarkDraft(
        slug=slug,
        titles={"en": "Fees and time limits in Kestria", "pl": "Opłaty i terminy w Kestrii"},
        summaries={},
        limitations=[],
        language="en",
        jurisdiction="QK",
        legal_state_on=LEGAL_STATE_ON,
        method="reference-card",
        canary=UUID("8f1d1f0a-6c1b-4a8e-9d0b-0c6a1f6f2b11"),
        specification=make_specification(),
    )
    return show_every_prefill(save_benchmark(draft=draft, by=None, now=LONG_AGO))


def show_every_prefill(benchmark: Benchmark) -> Benchmark:
    """No card is drawn to come without pre-fill or to come back: that is tested on its own."""
    plan = PlanDraft(blind_share=Decimal(0), repeat_share=Decimal(0))
    save_review_plan(benchmark=benchmark, draft=plan, by=None, now=LONG_AGO)
    return benchmark


def make_question(benchmark: Benchmark, code: str = "P04", *, trap: bool = True) -> Question:
    pilot = save_question_set(
        benchmark=benchmark, code="pilot", titles={"en": "Pilot"}, position=1, by=None, now=LONG_AGO
    )
    draft = QuestionDraft(
        code=code,
        set=pilot,
        type="closed",
        language="en",
        area="civil procedure",
        task_type="time limit",
        original_text="demand for the fee served 14 Sept, paid on the 25th, thats inside the fourteen days?",
        benchmark_text="The demand was served on 14 September 2026 and paid on the 25th. Was the payment in time?",
        asked="benchmark",
        expected={"answer": "no", "condition": None},
        trap={"premise": "Article 17 § 1 gives fourteen days.", "direction": "outdated"} if trap else None,
        disclosure="undisclosed",
    )
    question = save_question(benchmark=benchmark, draft=draft, by=None, now=LONG_AGO)
    if not question.key_versions.exists():
        _make_key(question)
    return question


def _make_key(question: Question) -> None:
    draft = KeyDraft(
        dated=date(2026, 10, 3),
        core_answer="No. The fee is payable within seven days; the time ended on 21 September 2026.",
        rubric=[
            {"code": "R1", "text": "The time limit is seven days since 1 September 2026.", "points": 1},
            {"code": "R2", "text": "The new wording applies to this demand.", "points": 1},
            {"code": "R3", "text": "No call to pay is issued to a party with an advocate.", "points": 1},
            {"code": "R4", "text": "Only restoration of the time limit helps.", "points": 1},
        ],
        penalties=[{"code": "K1", "text": "Says that fourteen days apply."}],
        bases=[
            {
                "code": "B1",
                "citation": "Art. 17 § 1 CPA",
                "kind": "provision",
                "act": "eli/qk/act/2011/9",
                "unit": "art=17/par=1",
                "source": OFFICIAL,
                "edition": "2026-09-01",
                "quotation": "The fee is payable within seven days of service of the demand.",
            },
            {
                "code": "B2",
                "citation": "Art. 22 CPA",
                "kind": "provision",
                "act": "eli/qk/act/2011/9",
                "unit": "art=22",
                "source": OFFICIAL,
                "edition": "2026-09-01",
                "quotation": "A fee paid late does not remove the effects of its lapse.",
            },
        ],
        calibration="categorical",
    )
    key = write_key(question=question, number=1, draft=draft, by=None, now=LONG_AGO)
    approve_key(key=key, on=date(2026, 10, 5), by=None, now=LONG_AGO)


def make_answer(
    question: Question,
    *,
    text: str = ANSWER,
    system: str = "argon-4",
    condition: str = "W0",
    state: AnswerState = AnswerState.ANSWERED,
    repetition: int = 1,
) -> Answer:
    benchmark = question.benchmark
    tools = condition != "W0"
    title = "web search" if tools else "no tools"
    system_row = save_system(
        benchmark=benchmark,
        code=system,
        fields={
            "name": system.title(),
            "provider": "Noble",
            "family": "argon",
            "model_identifier": system,
            "settings": {},
            "position": 1,
        },
        by=None,
        now=LONG_AGO,
    )
    condition_row = save_condition(
        benchmark=benchmark,
        code=condition,
        fields={
            "titles": {"en": title},
            "tools": tools,
            "preambles": {},
            "position": 1,
        },
        by=None,
        now=LONG_AGO,
    )
    run = save_run(
        system=system_row,
        condition=condition_row,
        repetition=repetition,
        started_on=date(2026, 10, 12),
        note="",
        by=None,
        now=LONG_AGO,
    )
    draft = AnswerDraft(
        text=text if state == AnswerState.ANSWERED else "",
        state=state,
        answered_at=COLLECTED_AT,
        served_model=f"{system}-2026-09",
        block_reason="content policy" if state == AnswerState.PROVIDER_BLOCK else "",
        trace=TRACE if tools else [],
    )
    return store_answer(question=question, run=run, draft=draft, by=None, now=COLLECTED_AT)


def make_act() -> Act:
    act, created = Act.objects.get_or_create(
        eli="eli/qk/act/2011/9",
        defaults={
            "jurisdiction": "QK",
            "titles": {"en": "Civil Procedure Act"},
            "adopted_on": date(2011, 3, 1),
            "in_force_on": date(2012, 1, 1),
            "source_url": "https://law.kestria.example/act/2011/9",
        },
    )
    if created:
        _make_editions(act)
    return act


def _make_editions(act: Act) -> None:
    periods = [
        (date(2019, 1, 1), date(2023, 6, 30), "twenty-one"),
        (date(2023, 7, 1), date(2026, 8, 31), "fourteen"),
        (date(2026, 9, 1), None, "seven"),
    ]
    for valid_from, valid_to, days in periods:
        edition = Edition.objects.create(
            act=act,
            language="en",
            valid_from=valid_from,
            valid_to=valid_to,
            standing=Edition.Standing.CONSOLIDATED,
            source_url=f"https://law.kestria.example/act/2011/9/{valid_from}/en",
            sha256=hashlib.sha256(f"{act.eli} {valid_from}".encode()).hexdigest(),
        )
        article = Unit.objects.create(
            edition=edition,
            position=1,
            last_position=3,
            key="art=17",
            level="art",
            number="Art. 17",
            heading="Fee for a written request",
        )
        texts = [f"The fee is payable within {days} days of service of the demand.", "An unpaid request is returned."]
        for position, text in enumerate(texts, start=2):
            Unit.objects.create(
                edition=edition,
                parent=article,
                position=position,
                last_position=position,
                key=f"art=17/par={position - 1}",
                level="par",
                number=f"§ {position - 1}",
                text=text,
            )
        Unit.objects.create(
            edition=edition, position=4, last_position=4, key="art=22", level="art", number="Art. 22", text="Late fees."
        )


def make_verification(answer: Answer, citations: Sequence[Checked] = CITATIONS) -> Verification:
    act = make_act()
    editions = list(act.editions.in_time_order())
    verification = Verification.objects.create(
        answer=answer, layer_version="1.0.0", legal_state_on=LEGAL_STATE_ON, verified_at=VERIFIED_AT
    )
    for number, each in enumerate(sorted(citations, key=lambda one: answer.text.index(one.raw)), start=1):
        start = answer.text.index(each.raw)
        provision = each.raw.startswith("Art.")
        values: dict[str, Any] = {
            "kind": "provision" if provision else "act",
            "act_name": each.raw.split()[-1] if provision else "",
            "act": act if "CPA" in each.raw else None,
            "edition": editions[-1] if "CPA" in each.raw and each.result != CheckResult.NOT_FOUND else None,
            "other_edition": editions[-2] if each.result == CheckResult.WORDING_DIFFERS else None,
            "source_url": OFFICIAL if "CPA" in each.raw else "",
        }
        Citation.objects.create(
            verification=verification,
            number=number,
            start=start,
            end=start + len(each.raw),
            raw=each.raw,
            unit_key=each.unit,
            result=each.result,
            **(values | each.fields),
        )
    return verification


@remembered
def make_card(
    benchmark: Benchmark | None = None,
    *,
    code: str = "P04",
    text: str = ANSWER,
    citations: Sequence[Checked] = CITATIONS,
    assigned_to: User | None = None,
    **answer_options: Any,
) -> Card:
    """A pre-filled card; `answer_options` are those of `make_answer`."""
    benchmark = benchmark or Benchmark.objects.filter(slug=SLUG).first() or make_benchmark()
    answer = make_answer(make_question(benchmark, code), text=text, **answer_options)
    make_verification(answer, citations if answer.state == AnswerState.ANSWERED else ())
    open_cards(benchmark=benchmark, by=None, now=VERIFIED_AT)
    card = prefill_card(card=Card.objects.get(answer=answer), by=None, now=VERIFIED_AT)
    if assigned_to is not None:
        card = assign_card(card=card, to=assigned_to, by=assigned_to, now=VERIFIED_AT)
    return card


def long_answer(citations: int = 60, characters: int = 200_000) -> tuple[str, list[Checked]]:
    """A text of that length that cites articles of the invented act, and what the layer found of each."""
    filler = "The period runs from the day after receipt, and the tenant may rely on it. "
    paragraphs = []
    for number in range(citations):
        paragraphs.append(f"See Art. {number + 100} FA. " + filler * (characters // citations // len(filler)) + "\n")
    text = "\n".join(paragraphs)
    return text, [Checked(raw=f"Art. {number + 100} FA", unit="art=5") for number in range(citations)]


@remembered
def fill_card(card: Card, *, by: User, now: datetime) -> Card:
    """Decide everything but the approval: take over proposals, give open criteria 0 points, settle every citation."""
    card = accept_proposals(card=card, version=card.version, by=by, now=now)
    for score in card.scores.filter(decided=None, not_applicable=False).exclude(criterion="A6").order_by("pk"):
        card = decide_score(
            card=card,
            criterion=score.criterion,
            points=Decimal(0),
            evidence="Read beside the key.",
            version=card.version,
            by=by,
            now=now,
        )
    for finding in card.findings.filter(state=FindingState.PROPOSED).order_by("number"):
        card = accept_finding(card=card, number=finding.number, version=card.version, by=by, now=now)
    for citation in card.citations.in_text_order().with_result():
        state = CitationState.ERROR if citation.findings.exists() else CitationState.CONFIRMED
        card = decide_citation(card=card, number=citation.number, state=state, version=card.version, by=by, now=now)
    return card


@remembered
def make_many_cards(count: int, *, system: str = "argon-4") -> list[Card]:
    """`count` cards of as many questions, by copying the rows of one: in queue order, without citations."""
    first = make_card(code="Q0000", citations=(), system=system)
    answer, key, question = first.answer, first.key_version, first.answer.question
    shared = {"benchmark": question.benchmark, "set": question.set}
    fields = {name: getattr(question, name) for name in ("type", "language", "asked", "benchmark_text", "expected")}
    questions = Question.objects.bulk_create(
        [Question(code=f"Q{number:04}", **shared, **fields) for number in range(1, count)]
    )
    keys = KeyVersion.objects.bulk_create(
        [KeyVersion(**_copied(key, question=each, pk=None, id=None)) for each in questions]
    )
    answers = Answer.objects.bulk_create(
        [
            Answer(**_copied(answer, question=each, pk=None, id=None, identifier=f"{each.code}_{system}_W0_r1"))
            for each in questions
        ]
    )
    cards = Card.objects.bulk_create(
        [
            Card(answer=one, specification=first.specification, key_version=two, state=first.state)
            for one, two in zip(answers, keys, strict=True)
        ]
    )
    return [first, *cards]


def again(row: Any, **other: Any) -> Any:
    """A new row like `row`, not stored, with `other` in place of some fields."""
    new = type(row)()
    for column in row._meta.concrete_fields:
        if not column.primary_key:
            setattr(new, column.attname, getattr(row, column.attname))
    for name, value in other.items():
        setattr(new, name, value)
    return new


def _copied(row: Any, **other: Any) -> dict[str, Any]:
    """The stored fields of a row with `other` in place of some; `pk` in `other` means a new row."""
    other.pop("pk", None)
    return {**{field.name: getattr(row, field.name) for field in row._meta.concrete_fields}, **other}
