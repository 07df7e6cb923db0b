"""A small benchmark whose figures can be worked out by hand, with a hidden question, an open card and drafts beside it.

| answer | core | finding | label | cost |
| --- | --- | --- | --- | --- |
| P01 argon-4 W0 | 2 | – | correctly grounded | 0.10 |
| P02 argon-4 W0 | 2 | W, core, memory | hallucinated | 0.20 |
| P01 borealis W0 | 1 | – | no hallucination | unknown |
| P02 borealis W1 | – | – | open, not approved | 0.40 |
| P11 argon-4 W0 | 2 | – | approved, but the question is undisclosed | 9.00 |
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal

from django.db.models import Q

from lexreview.accounts.models import User
from lexreview.answers.models import Answer, System
from lexreview.core.methods.reference_card.facts import CheckResult, Origin, Scope
from lexreview.core.workflow import CitationState, Role
from lexreview.judging.actions import VerdictDraft, save_judge, store_verdicts
from lexreview.methodology.actions import DecisionDraft, publish_decision, write_decision
from lexreview.methodology.models import Decision
from lexreview.questions.models import Benchmark, Disclosure, Question
from lexreview.review.actions import (
    FindingDraft,
    add_finding,
    approve_card,
    decide_score,
    revise_card,
)
from lexreview.review.models import Card, FindingState
from tests.factories import LONG_AGO, make_user
from tests.remembering import remembered
from tests.review.factories import SLUG, Checked, make_benchmark, make_card

READ = "Read beside the key."
NOW = datetime(2026, 10, 20, 9, 0, tzinfo=UTC)
HIDDEN_TEXT = "tenant of the Zirkonhalle took the place for three years by e-mail only, void or what?"
HIDDEN_WORD = "Zirkonhalle"
OPEN_WORD = "unapprovedevidenceword"
DRAFT_WORD = "draftdecisionword"
HIDDEN_DECISION_WORD = "hiddendecisionword"
ADDRESS = "lena.private@office.example"

TRUE_TEXT = "No. The fee is due **within seven days** (Art. 17 § 1 CPA), and paying late changes nothing (Art. 22 CPA)."
FALSE_TEXT = "Yes. Article 17 gives fourteen days (Art. 17 § 1 CPA), so the payment was in time (Art. 22 CPA)."
FALSE_CLAIM = "Article 17 gives fourteen days"
HOSTILE_TEXT = (
    "No (Art. 17 § 1 CPA), (Art. 22 CPA). <script>alert('owned')</script> "
    "<img src=https://evil.example/pixel.png onerror=alert(1)> [click](javascript:alert(2)) "
    "![picture](file:///etc/passwd) <style>@import url(https://evil.example/x.css)</style>\n\n"
    "# Heading one\n\n###### Heading six\n\n"
    "<link rel=attachment href=file:///etc/hostname> U+2011: a‑b, emoji 🙂, Han 法律, Arabic قانون\n"
)
CONFIRMED = (
    Checked(raw="Art. 17 § 1 CPA", unit="art=17/par=1"),
    Checked(raw="Art. 22 CPA", unit="art=22"),
)
OLD_WORDING = (
    Checked(
        raw="Art. 17 § 1 CPA",
        result=CheckResult.NOT_IN_FORCE,
        unit="art=17/par=1",
        fields={"explanation": "The wording in force says seven."},
    ),
    Checked(raw="Art. 22 CPA", unit="art=22"),
)


@dataclass(frozen=True)
class Scene:
    benchmark: Benchmark
    lead: User
    reviewer: User

    def card(self, identifier: str) -> Card:
        return Card.objects.with_answer().get(answer__identifier=identifier)


@remembered
def make_scene(slug: str = SLUG) -> Scene:
    """Everything in the table above, two judges' worth of verdicts by one judge, and four decisions."""
    benchmark = make_benchmark(slug)
    lead = make_user("lena", roles=(Role.LEAD,), benchmark=slug)
    User.objects.filter(pk=lead.pk).update(first_name="Lena", last_name="Marsh", email=ADDRESS)
    lead.refresh_from_db()
    reviewer = make_user("rita", roles=(Role.REVIEWER,), benchmark=slug)
    scene = Scene(benchmark, lead, reviewer)
    approved(scene, "P01", "argon-4", cost="0.10")
    wrong = decided(scene, "P02", "argon-4", text=FALSE_TEXT, citations=OLD_WORDING, cost="0.20")
    approve(with_finding(wrong, by=reviewer), by=reviewer)
    approved(scene, "P01", "borealis", core=1)
    opened = decided(scene, "P02", "borealis", condition="W1", cost="0.40")
    note_on_open_card(opened, by=reviewer)
    approved(scene, "P11", "argon-4", cost="9.00", disclosed=False)
    System.objects.filter(benchmark=benchmark, code="borealis").update(family="borealis", name="Borealis", position=2)
    add_verdicts(benchmark)
    add_decisions(scene)
    return scene


def approved(scene: Scene, code: str, system: str, **options: object) -> Card:
    return approve(decided(scene, code, system, **options), by=scene.reviewer)  # type: ignore[arg-type]


@remembered
def decided(
    scene: Scene,
    code: str,
    system: str,
    *,
    condition: str = "W0",
    core: int = 2,
    text: str = TRUE_TEXT,
    citations: tuple[Checked, ...] = CONFIRMED,
    cost: str | None = None,
    disclosed: bool = True,
    repetition: int = 1,
) -> Card:
    """A card with every criterion and citation decided: A1 4, A2 2, A3 1, P 0, B1 2, B2 1, and the core as given.

    The rows are set at once; that people get there by single actions is what the tests of the review are about.
    """
    card = make_card(
        scene.benchmark,
        code=code,
        text=text,
        citations=citations,
        system=system,
        condition=condition,
        repetition=repetition,
    )
    disclose(card.answer.question, disclosed=disclosed)
    Answer.objects.filter(pk=card.answer_id).update(cost_usd=None if cost is None else Decimal(cost))
    points = {"A-R": core, "A1": 4, "A2": 2, "A3": 1, "P": 0, "B1": 2, "B2": 1}
    decision = {"decided_by": scene.reviewer, "decided_at": NOW}
    for criterion, number in points.items():
        card.scores.filter(criterion=criterion).update(decided=number, evidence=READ, reason=READ, **decision)
    flagged = ~Q(checked__result=CheckResult.CONFIRMED)
    card.citations.filter(flagged).update(state=CitationState.ERROR, opened_at=NOW, **decision)
    card.citations.exclude(flagged).update(state=CitationState.CONFIRMED, opened_at=NOW, **decision)
    card.findings.update(state=FindingState.REJECTED, reason="Said otherwise.", **decision)
    return Card.objects.with_answer().get(pk=card.pk)


def disclose(question: Question, *, disclosed: bool) -> None:
    """The texts of a frozen question cannot be set by an action, and a factory makes the answer in the same breath."""
    fields: dict[str, object] = {"disclosure": Disclosure.PUBLISHED if disclosed else Disclosure.UNDISCLOSED}
    if not disclosed:
        fields |= {"original_text": HIDDEN_TEXT, "benchmark_text": HIDDEN_TEXT}
    Question.objects.filter(pk=question.pk).update(**fields)


def with_finding(card: Card, *, by: User) -> Card:
    start = card.answer.text.index(FALSE_CLAIM)
    citation = card.citations.in_text_order().first()
    draft = FindingDraft(
        error_class="W",
        claim=FALSE_CLAIM,
        claim_start=start,
        claim_end=start + len(FALSE_CLAIM),
        source_says="The fee is payable within seven days.",
        checked_source="Civil Procedure Act, Art. 17 § 1",
        checked_address="https://law.kestria.example/act/2011/9/2026-09-01/en",
        checked_edition="2026-09-01",
        checked_on=date(2026, 10, 19),
        origin=Origin.MEMORY,
        scope=Scope.CORE,
        citation_number=citation.number if citation else None,
    )
    return add_finding(card=card, draft=draft, version=card.version, by=by, now=NOW)


def note_on_open_card(card: Card, *, by: User) -> None:
    decide_score(
        card=card, criterion="B1", points=Decimal(1), evidence=OPEN_WORD, reason=OPEN_WORD,
        version=card.version, by=by, now=NOW,
    )  # fmt: skip


@remembered
def approve(card: Card, *, by: User) -> Card:
    return approve_card(card=card, version=card.version, confirm_unchecked=True, by=by, now=NOW)


def change_and_approve_again(card: Card, *, core: int, by: User) -> Card:
    """A second revision of an approved card with another core."""
    card = revise_card(card=card, reason="Read again.", version=card.version, by=by, now=NOW)
    card = decide_score(
        card=card, criterion="A-R", points=Decimal(core), evidence="Read again.", reason="Read again.",
        version=card.version, by=by, now=NOW,
    )  # fmt: skip
    return approve(card, by=by)


def add_verdicts(benchmark: Benchmark) -> None:
    """One judge of the argon family: yes, yes, no on the counted answers, yes on the open and on the hidden one."""
    said = {
        "P01_argon-4_W0_r1": True,
        "P02_argon-4_W0_r1": True,
        "P01_borealis_W0_r1": False,
        "P02_borealis_W1_r1": True,
        "P11_argon-4_W0_r1": True,
    }
    add_judge(benchmark, "lynx-5", said)


def add_judge(benchmark: Benchmark, code: str, said: Mapping[str, bool]) -> None:
    """A judge of the argon family with its verdicts on these answers, as far as there are such."""
    judge = save_judge(
        benchmark=benchmark,
        code=code,
        fields={
            "name": code.replace("-", " ").capitalize(),
            "provider": "Sable",
            "family": "argon",
            "model_identifier": code,
            "variant": "plain",
            "search": True,
            "instructions_version": "1",
            "position": 1,
        },
        by=None,
        now=LONG_AGO,
    )
    answers = {answer.identifier: answer for answer in Answer.objects.of_benchmark(benchmark)}
    drafts = [
        VerdictDraft(
            answer=answers[identifier], specification_version="1.0.1", judged_at=LONG_AGO, hallucinated=hallucinated
        )
        for identifier, hallucinated in said.items()
        if identifier in answers
    ]
    store_verdicts(judge=judge, drafts=drafts, by=None, now=LONG_AGO)


def add_decisions(scene: Scene) -> None:
    add_decision(scene, "How is the core read?", questions=["P01"])
    add_decision(scene, f"What of the {HIDDEN_DECISION_WORD}?", questions=["P11"])
    add_decision(scene, f"Is this {DRAFT_WORD} right?", questions=["P01"], published=False)


def add_decision(scene: Scene, question: str, *, questions: list[str], published: bool = True) -> Decision:
    touches = {"criteria": ["A-R"], "questions": questions, "key_versions": [], "cards": []}
    draft = DecisionDraft(
        decided_on=date(2026, 10, 14), question=question, decision="As it stands.", reason="It is so.", touches=touches
    )
    decision = write_decision(benchmark_slug=scene.benchmark.slug, draft=draft, by=scene.lead, now=NOW)
    return publish_decision(decision=decision, by=scene.lead, now=NOW) if published else decision
