"""Everything that the card page shows, gathered once in a fixed number of queries."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import Count, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from lexreview.accounts.models import User
from lexreview.accounts.rules import roles_of
from lexreview.answers.answer_html import AnswerHtml, answer_html, answer_source_html
from lexreview.answers.injection_notice import Notice, injection_highlights, injection_notice
from lexreview.answers.masking import sees_every_system
from lexreview.core.methods.reference_card.approval import MissingKind, missing_for_approval
from lexreview.core.methods.reference_card.facts import CardFacts, Origin
from lexreview.core.methods.reference_card.label import Label, LabelReason
from lexreview.core.methods.reference_card.scoring import APercent, a6_points, a_percent, shown_points
from lexreview.core.methods.reference_card.specification import Specification
from lexreview.core.workflow import CARD_TRANSITIONS, AnswerState, CardState, CardVerb, Role, allowed_verbs
from lexreview.ledger.models import Event
from lexreview.methodology.models import Decision
from lexreview.questions.key_facts import key_facts_of
from lexreview.review.actions import FindingDraft
from lexreview.review.actions.findings import draft_of_finding
from lexreview.review.actions.prefilling import PROPOSED_BY_CODE
from lexreview.review.card_rows import (
    CitationRow,
    CriterionRow,
    FindingRow,
    boundary_cases,
    citation_rows,
    criterion_rows,
    finding_rows,
    highlights_of,
    local,
    points_text,
)
from lexreview.review.claims import occurrence_at
from lexreview.review.elsewhere import Elsewhere, judged_elsewhere
from lexreview.review.facts import facts_of, specification_of
from lexreview.review.forms import FindingForm
from lexreview.review.model_part import Dropped, ModelPart, model_part
from lexreview.review.models import (
    LABEL_LABELS,
    OFFICIAL_SOURCE_LABELS,
    ORIGIN_LABELS,
    PROPOSED_BY_MODEL,
    SCOPE_LABELS,
    Card,
    Finding,
    FindingState,
    RecheckMark,
    RulingRequest,
    Score,
)
from lexreview.review.obstacles import Obstacle, in_one_line, obstacles_of
from lexreview.review.parts import CardParts
from lexreview.review.queue import OPEN_STATES, place_of
from lexreview.review.rules import can_review_card, can_take, is_lapsed
from lexreview.review.rulings import missing_rulings
from lexreview.review.sure import can_be_confirmed_in_bulk
from lexreview.review.trace_line import TraceStep, trace_steps
from lexreview.review.undoing import change_to_undo
from lexreview.review.verdicts import draft_of_citation
from lexreview.review.words import RULE_WORDS, words_of_event
from lexreview.verification.models import Citation
from lexreview.verification.source_pane import SourcePane, source_pane

HISTORY = 60
ORIGINS_IN_SHORT = {
    Origin.MEMORY: gettext_lazy("memory"),
    Origin.SOURCE_READ: gettext_lazy("read"),
    Origin.SECONDARY_SOURCE: gettext_lazy("secondary"),
    Origin.UNDETERMINED: gettext_lazy("unclear"),
}
LABEL_CSS = {Label.HALLUCINATED: "f", Label.CORRECTLY_GROUNDED: "ok"}


class HistoryLine(NamedTuple):
    event: Event
    words: str


class Progress(NamedTuple):
    done: int
    total: int


@dataclass(frozen=True)
class Refused:
    """A form that was not accepted: where it stands on the page, what was entered, and why not."""

    target: str
    entered: dict[str, Any]
    errors: tuple[str, ...]


class CardPage:
    """One card as one person sees it. `selected`: the number of the citation to show; None chooses the first to do.
    `in_text_order`: the citations as they stand in the answer, and not those first that need a person most.

    Attributes are computed when first asked for, so a fragment pays only for what it prints.
    """

    def __init__(
        self,
        card: Card,
        *,
        user: User,
        selected: int | None = None,
        raw: bool = False,
        in_text_order: bool = False,
        refused: Refused | None = None,
    ) -> None:
        self.card = card
        self.parts = CardParts(card)
        self.in_text_order = in_text_order
        self.user = user
        self.raw = raw
        self.refused = refused
        self._selected = selected
        self.question = card.answer.question
        self.benchmark = self.question.benchmark
        self.key = card.key_version
        self.key.question = self.question
        self.specification: Specification = specification_of(card)

    @cached_property
    def roles(self) -> set[str]:
        return roles_of(self.user, self.benchmark.slug)

    @cached_property
    def may_review(self) -> bool:
        return can_review_card(self.user, self.card)

    @cached_property
    def editable(self) -> bool:
        return self.may_review and self.card.state in OPEN_STATES

    @cached_property
    def verbs(self) -> set[str]:
        """What the person may do with the card as a whole: names of CardVerb; saving begins the review."""
        if not self.may_review:
            return set()
        verbs = {
            verb.value for verb in allowed_verbs(CARD_TRANSITIONS, state=CardState(self.card.state), roles=self.roles)
        }
        if CardVerb.START_REVIEW in verbs:
            verbs |= {CardVerb.APPROVE, CardVerb.ASK_RULING}
        return verbs

    @property
    def can_take(self) -> bool:
        """Whether the card is free and the person may take it."""
        if self.card.assigned_to_id is None:
            return self.editable
        now = timezone.now()
        lapsed = is_lapsed(self.card, now) and self.card.state in OPEN_STATES
        return lapsed and not self.may_review and can_take(self.user, self.card, now)

    @property
    def why_read_only(self) -> str:
        if self.editable:
            return ""
        if Role.REVIEWER not in self.roles and Role.LEAD not in self.roles:
            return _("You may read this card. Reviewers and leads of the benchmark decide it.")
        if not self.may_review:
            return _("This card is assigned to %(person)s.") % {"person": self.card.assigned_to}
        return ""

    @property
    def system_shown(self) -> bool:
        """The system's name stays hidden while the card is open, so that it cannot colour the judgement."""
        return self.card.state == CardState.APPROVED or sees_every_system(self.roles, self.benchmark)

    @cached_property
    def place(self) -> tuple[int, int]:
        return place_of(self.card)

    @cached_property
    def progress(self) -> Progress:
        """The person's cards of the benchmark; of a person who has none, the cards of the question."""
        counts = {"all": Count("pk"), "done": Count("pk", filter=Q(state=CardState.APPROVED))}
        mine = Card.objects.of_benchmark(self.benchmark).filter(assigned_to=self.user).aggregate(**counts)
        if not mine["all"]:
            mine = Card.objects.filter(queue_question=self.question).aggregate(**counts)
        return Progress(mine["done"], mine["all"])

    @cached_property
    def facts(self) -> CardFacts:
        return facts_of(self.card, self.parts)

    @cached_property
    def findings(self) -> list[FindingRow]:
        rows = finding_rows(self.parts.findings, self.specification)
        return [replace(row, by=self._proposer(row.finding), dropped=self._dropped_of(row.finding)) for row in rows]

    def _proposer(self, finding: Finding) -> str:
        if finding.proposed_by == PROPOSED_BY_CODE:
            return _("code")
        return self.model_name if finding.proposed_by == PROPOSED_BY_MODEL else ""

    def _dropped_of(self, finding: Finding) -> Dropped | None:
        return self.model.note_on(finding) if self.model else None

    @cached_property
    def model(self) -> ModelPart | None:
        """A model's opinion of the card; its name only for whoever may know the systems under test."""
        return model_part(self.card, self.parts, named=self.system_shown)

    @property
    def model_name(self) -> str:
        return self.model.name if self.model else _("a model")

    @cached_property
    def citations_in_text_order(self) -> list[CitationRow]:
        return citation_rows(self.parts.citations, self.findings, benchmark=self.benchmark)

    @cached_property
    def citations(self) -> list[CitationRow]:
        """Flagged first, then content checks, then exact ones; or as they stand in the text."""
        if self.in_text_order:
            return self.citations_in_text_order
        return sorted(self.citations_in_text_order, key=lambda row: row.order)

    @cached_property
    def selected(self) -> CitationRow | None:
        by_number = {row.number: row for row in self.citations}
        if self._selected in by_number:
            return by_number[self._selected]
        by_need = sorted(self.citations, key=lambda row: row.order)
        return next((row for row in by_need if not row.settled), next(iter(by_need), None))

    @cached_property
    def source(self) -> SourcePane | None:
        """The official text for the chosen citation; None where the citation layer did not look at it."""
        if self.selected is None or self.selected.citation.checked is None:
            return None
        checked = self._checked(self.selected.citation.checked)
        lang = (get_language() or "en").split("-")[0]
        return source_pane(checked, edition_pk=None, lang=lang, with_advice=not self.card.is_without_proposals)

    def _checked(self, checked: Citation) -> Citation:
        """The layer's result with its sources; of the verification that the card shows nothing has to be read again."""
        verification = self.card.verification
        if verification is None or checked.verification_id != verification.pk:
            return Citation.objects.with_sources().get(pk=checked.pk)
        verification.answer = self.card.answer
        checked.verification = verification
        return checked

    @cached_property
    def elsewhere(self) -> Sequence[Elsewhere]:
        """How the provision of the chosen citation was judged on other cards."""
        if self.selected is None:
            return []
        return judged_elsewhere(self.selected.citation.checked, card=self.card, user=self.user)

    @property
    def identical(self) -> list[CitationRow]:
        """The citations that may be confirmed in bulk."""
        rows = self.citations_in_text_order
        return [row for row in rows if can_be_confirmed_in_bulk(row.citation, self.parts)]

    @cached_property
    def last_change(self) -> Event | None:
        return change_to_undo(self.events) if self.editable else None

    @property
    def can_undo(self) -> bool:
        return self.last_change is not None and self.last_change.actor == self.user.get_username()

    @property
    def last_change_words(self) -> str:
        return words_of_event(self.last_change) if self.last_change else ""

    @property
    def selected_number(self) -> str:
        return str(self.selected.number) if self.selected else ""

    @property
    def refused_target(self) -> str:
        return self.refused.target if self.refused else ""

    @property
    def refused_reason(self) -> str:
        return str(self.refused.entered.get("reason", "")) if self.refused else ""

    @property
    def refused_quote(self) -> str:
        return str(self.refused.entered.get("quote", "")) if self.refused else ""

    @property
    def refused_note(self) -> str:
        return str(self.refused.entered.get("note", "")) if self.refused else ""

    @property
    def citations_to_do(self) -> int:
        return sum(not row.settled for row in self.citations)

    @property
    def citations_checked(self) -> int:
        return len(self.citations) - self.citations_to_do

    @cached_property
    def criteria(self) -> list[CriterionRow]:
        scores = {score.criterion: score for score in self.parts.scores}
        rows = criterion_rows(
            self.specification,
            key=key_facts_of(self.key),
            key_version=self.key,
            scores=scores,
            decisions=self._decisions_of_benchmark,
        )
        return [self._with_refused(self._with_model(row, scores.get(row.code))) for row in rows]

    def _with_model(self, row: CriterionRow, score: Score | None) -> CriterionRow:
        if self.model is None or score is None:
            return row
        by_model = score.proposed_by == PROPOSED_BY_MODEL
        carried_over = bool(self.card.revision_reason)
        by = self.model.name if by_model else _("code") if score.proposed is not None and not carried_over else ""
        return replace(row, by=by, model=self.model.lines.get(row.code))

    def _with_refused(self, row: CriterionRow) -> CriterionRow:
        if self.refused is None or self.refused.target != f"criterion-{row.code}":
            return row
        return replace(row, entered=self.refused.entered, errors=self.refused.errors)

    @property
    def blocks(self) -> list[tuple[str, list[CriterionRow]]]:
        """The criteria that apply, by block; each block stands alone and they are never averaged."""
        blocks: dict[str, list[CriterionRow]] = {}
        for criterion, row in zip(self.specification.criteria, self.criteria, strict=True):
            if not row.not_applicable:
                blocks.setdefault(criterion.block, []).append(row)
        return list(blocks.items())

    @property
    def not_applicable(self) -> list[CriterionRow]:
        return [row for row in self.criteria if row.not_applicable]

    @property
    def proposals_left(self) -> int:
        return sum(row.open and bool(row.proposed) for row in self.criteria)

    @property
    def no_hallucination_points(self) -> str:
        """The points that follow from the findings; "–" where there is nothing to score."""
        return points_text(a6_points(self.facts)) or "–"

    @property
    def changed(self) -> str:
        return ", ".join(row.code for row in self.criteria if row.changed)

    @property
    def error_classes(self) -> list[tuple[str, str, str]]:
        """(code, name, description) of the specification's error classes."""
        return [(each.code, local(each.name), local(each.description)) for each in self.specification.error_classes]

    @property
    def boundary_cases(self) -> list[str]:
        """Examples of the specification's text, as it lists them."""
        return boundary_cases(self.specification)

    @property
    def trace(self) -> list[TraceStep]:
        return trace_steps(self.card.answer.trace)

    @property
    def origins(self) -> list[tuple[str, str]]:
        return [(origin.value, str(ORIGIN_LABELS[origin])) for origin in self.specification.origins]

    @property
    def origins_in_short(self) -> list[tuple[str, str, str]]:
        """(value, short word, name) for a narrow row of buttons."""
        return [(value, str(ORIGINS_IN_SHORT[Origin(value)]), name) for value, name in self.origins]

    @property
    def scopes(self) -> list[tuple[str, str]]:
        return [(scope.value, str(SCOPE_LABELS[scope])) for scope in self.specification.scopes]

    @property
    def official_sources(self) -> list[tuple[str, str]]:
        return [(source.value, str(words)) for source, words in OFFICIAL_SOURCE_LABELS.items()]

    @property
    def finding_rows(self) -> list[tuple[FindingRow, FindingForm | None]]:
        """The findings, each that can still be changed with its form."""
        return [(row, self._finding_form(row) if row.alive and self.editable else None) for row in self.findings]

    @property
    def new_finding(self) -> FindingForm:
        """An empty finding, its source filled in from the chosen citation."""
        if self.selected is None:
            return self._form("new-finding", {})
        citation = self.selected.citation
        draft = draft_of_citation(citation, card=self.card, error_class="", today=timezone.localdate())
        return self._form("new-finding", _initial(draft))

    def _finding_form(self, row: FindingRow) -> FindingForm:
        initial = _initial(draft_of_finding(row.finding))
        finding = row.finding
        initial["occurrence"] = occurrence_at(self.card.answer.text, finding.claim, finding.claim_start)
        return self._form(row.target, initial)

    def _form(self, target: str, initial: dict[str, Any]) -> FindingForm:
        """A finding's form with ids of its own; after a refusal it holds what was entered."""
        refused = self.refused if self.refused is not None and self.refused.target == target else None
        classes = [(code, f"{code} · {name}") for code, name, _description in self.error_classes]
        return FindingForm(
            refused.entered if refused else None, initial=initial, classes=classes, auto_id=f"{target}-%s"
        )

    @property
    def label_css(self) -> str:
        return LABEL_CSS.get(Label(self.card.label), "o") if self.card.label else "o"

    @property
    def label_words(self) -> str:
        return str(LABEL_LABELS[Label(self.card.label)]) if self.card.label else _("no label")

    @property
    def label_rule(self) -> str:
        return str(RULE_WORDS[LabelReason(self.card.label_rule)]) if self.card.label_rule else ""

    @cached_property
    def a_percent(self) -> APercent:
        return a_percent(self.specification, key=key_facts_of(self.key), card=self.facts)

    @property
    def a_words(self) -> str:
        percent = self.a_percent
        if percent.value is None:
            return _("A n/a: %(reason)s") % {"reason": percent.reason}
        points = shown_points(percent.points - percent.penalties)
        return _("A %(percent)s %% (%(points)s of %(available)s)") % {
            "percent": round(percent.value * 100),
            "points": points,
            "available": shown_points(percent.available),
        }

    @property
    def findings_counted(self) -> int:
        return sum(row.finding.state == FindingState.ACCEPTED for row in self.findings)

    @cached_property
    def obstacles(self) -> list[Obstacle]:
        """What stands between the card and its approval, in the order of the page."""
        missing = missing_for_approval(self.specification, key=key_facts_of(self.key), card=self.facts)
        missing = (*missing, *missing_rulings(self.card))
        return obstacles_of(
            missing,
            findings=[row.finding for row in self.findings],
            citations=[row.number for row in self.citations_in_text_order],
            card_url=reverse("review:card", args=[self.card.pk]),
        )

    @property
    def blocking(self) -> list[Obstacle]:
        return [each for each in self.obstacles if each.blocking]

    @property
    def unchecked(self) -> int:
        """Unchecked citations: allowed, but to be confirmed once."""
        return len(self.unchecked_citations)

    @property
    def unchecked_citations(self) -> list[Obstacle]:
        return [each for each in self.obstacles if each.kind == MissingKind.CITATION_UNCHECKED]

    @property
    def blocked_because(self) -> str:
        return in_one_line(self.blocking)

    @cached_property
    def _decisions_of_benchmark(self) -> list[Decision]:
        return list(Decision.objects.of_benchmark(self.benchmark.slug).published().in_order())

    @property
    def decisions(self) -> Sequence[Decision]:
        """Those that govern the card or its question."""
        published, identifier = self._decisions_of_benchmark, self.card.answer.identifier
        return [each for each in published if each.governs(question=self.question.code, card=identifier)]

    @property
    def published_decisions(self) -> Sequence[Decision]:
        return list(Decision.objects.of_benchmark(self.benchmark.slug).published().newest_first())

    @property
    def why_again(self) -> str:
        """Why a card that was approved is to be done again; "" for others."""
        return self.card.revision_reason if self.card.revision and self.editable else ""

    @cached_property
    def recheck_marks(self) -> list[RecheckMark]:
        """Decisions because of which a lead wants the card looked at again, and has not sent it back."""
        if not self.editable or not any(event.verb == "mark_for_recheck" for event in self.events):
            return []
        return list(RecheckMark.objects.standing().filter(card=self.card).select_related("decision").in_order())

    @cached_property
    def rulings(self) -> list[RulingRequest]:
        """What was asked on the card and is answered; no query where nothing was asked."""
        if not self.card.ruling_question:
            return []
        answered = self.card.ruling_requests.exclude(decision=None)
        return list(answered.select_related("decision").in_order())

    @cached_property
    def events(self) -> list[Event]:
        return list(Event.objects.about("card", self.card.ledger_id).newest_first()[:HISTORY])

    @property
    def history(self) -> list[HistoryLine]:
        return [HistoryLine(event, words_of_event(event)) for event in self.events]

    @property
    def saved(self) -> Event | None:
        """The last event that moved the card's version: what "saved" on the page stands for."""
        return next((event for event in self.events if (event.after or {}).get("version") == self.card.version), None)

    @cached_property
    def answer(self) -> AnswerHtml:
        render = answer_source_html if self.raw else answer_html
        text = self.card.answer.text
        marks = highlights_of(self.citations, self.findings, selected=self.selected)
        return render(text, [*marks, *injection_highlights(text)])

    @cached_property
    def injections(self) -> Notice | None:
        return injection_notice(self.card.answer)

    @property
    def unplaced_injections(self) -> set[int]:
        return self.answer.unplaced_of("injection")

    @property
    def is_answered(self) -> bool:
        return self.card.answer.state == AnswerState.ANSWERED


def _initial(draft: FindingDraft) -> dict[str, Any]:
    values = asdict(draft)
    values["finding_class"] = values.pop("error_class")
    return values
