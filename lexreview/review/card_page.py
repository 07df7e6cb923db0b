"""Everything that the card page shows, gathered once in a fixed number of queries."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from lexreview.accounts.models import User
from lexreview.answers.answer_html import AnswerHtml, answer_html, answer_source_html
from lexreview.answers.injection_notice import Notice, injection_highlights, injection_notice
from lexreview.answers.trace_line import TraceStep, masked_trace, trace_steps
from lexreview.core.methods.reference_card.approval import MissingKind
from lexreview.core.methods.reference_card.facts import Origin
from lexreview.core.methods.reference_card.specification import Specification
from lexreview.core.workflow import AnswerState, CardState
from lexreview.methodology.words import class_name
from lexreview.questions.key_facts import key_facts_of
from lexreview.review.actions.findings import draft_of_finding
from lexreview.review.background import Background
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
)
from lexreview.review.claims import occurrence_at
from lexreview.review.elsewhere import Elsewhere, judged_elsewhere
from lexreview.review.facts import specification_of
from lexreview.review.finding_form import FindingFormLines, finding_form, values_of_draft
from lexreview.review.model_part import Dropped, ModelPart, model_part
from lexreview.review.models import (
    OFFICIAL_SOURCE_LABELS,
    ORIGIN_LABELS,
    PROPOSED_BY_CODE,
    PROPOSED_BY_MODEL,
    SCOPE_LABELS,
    ApprovedAs,
    Card,
    CardRevision,
    Finding,
    Score,
)
from lexreview.review.outcome import Outcome
from lexreview.review.parts import CardParts
from lexreview.review.queue import Counts, counts_around
from lexreview.review.refused import NOTHING_REFUSED, Refused
from lexreview.review.standing import Standing
from lexreview.review.sure import can_be_confirmed_in_bulk
from lexreview.review.verdicts import draft_of_citation
from lexreview.verification.models import Citation
from lexreview.verification.source_pane import SourcePane, source_pane

ORIGINS_IN_SHORT = {
    Origin.MEMORY: gettext_lazy("memory"),
    Origin.SOURCE_READ: gettext_lazy("read"),
    Origin.SECONDARY_SOURCE: gettext_lazy("secondary"),
    Origin.UNDETERMINED: gettext_lazy("unclear"),
}


class CardPage:
    """One card as one person sees it. `selected`: the number of the citation to show; None chooses the first to do.
    `in_text_order`: the citations as they stand in the answer, and not those first that need a person most.
    `parts`: the rows of the card, where they are read already.

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
        refused: Refused = NOTHING_REFUSED,
        parts: CardParts | None = None,
    ) -> None:
        self.card = card
        self.parts = parts or CardParts(card)
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
        self.standing = Standing(card, user)
        self.outcome = Outcome(card, self.parts)
        self.background = Background(card, self.standing)

    @property
    def editable(self) -> bool:
        return self.standing.editable

    @cached_property
    def counts(self) -> Counts:
        return counts_around(self.card, user=self.user)

    @cached_property
    def findings(self) -> list[FindingRow]:
        rows = finding_rows(self.parts.findings, self.specification)
        return [replace(row, by=self._proposer(row.finding), dropped=self._dropped_of(row.finding)) for row in rows]

    @cached_property
    def approved_as(self) -> str:
        """Of an approved card whether it is as it was proposed; "" where nothing was. One query."""
        if self.card.state != CardState.APPROVED:
            return ""
        newest = CardRevision.objects.filter(card=self.card, number=self.card.revision)
        found = newest.values_list("approved_as", flat=True).first()
        return str(ApprovedAs(found).label) if found else ""

    def _proposer(self, finding: Finding) -> str:
        if finding.proposed_by == PROPOSED_BY_CODE:
            return _("code")
        return self.model_name if finding.proposed_by == PROPOSED_BY_MODEL else ""

    def _dropped_of(self, finding: Finding) -> Dropped | None:
        return self.model.note_on(finding) if self.model else None

    @cached_property
    def model(self) -> ModelPart | None:
        """A model's opinion of the card; its name only for whoever may know the systems under test."""
        return model_part(self.card, self.parts, named=self.standing.system_shown)

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

    @cached_property
    def identical(self) -> list[CitationRow]:
        """The citations that may be confirmed in bulk."""
        rows = self.citations_in_text_order
        return [row for row in rows if can_be_confirmed_in_bulk(row.citation, self.parts)]

    @property
    def selected_number(self) -> str:
        return str(self.selected.number) if self.selected else ""

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
            decisions=self.background.decisions_of_benchmark,
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
        if self.refused.target != f"criterion-{row.code}":
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
        """How many proposals the person can accept at once."""
        return sum(row.open and row.sure for row in self.criteria) if self.editable else 0

    @cached_property
    def approvable_with_proposals(self) -> list[CriterionRow]:
        """The undecided criteria, where their sure proposals are all that the approval waits for; else none."""
        undecided = [row for row in self.criteria if row.open]
        is_all = all(each.kind == MissingKind.POINTS for each in self.outcome.blocking)
        return undecided if is_all and self.editable and all(row.sure for row in undecided) else []

    @property
    def unsure_proposals(self) -> int:
        """How many the person has to decide one by one."""
        return sum(row.open and bool(row.proposed) and not row.sure for row in self.criteria) if self.editable else 0

    @property
    def changed(self) -> str:
        return ", ".join(row.code for row in self.criteria if row.changed)

    @cached_property
    def error_classes(self) -> list[tuple[str, str, str]]:
        """(code, name, description) of the specification's error classes."""
        return [
            (each.code, class_name(each.name).words, local(each.description))
            for each in self.specification.error_classes
        ]

    @cached_property
    def boundary_cases(self) -> list[str]:
        """Examples of the specification's text, as it lists them."""
        return boundary_cases(self.specification)

    @property
    def trace(self) -> list[TraceStep]:
        trace = self.card.answer.trace
        return trace_steps(trace if self.standing.system_shown else masked_trace(trace))

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
    def finding_rows(self) -> list[tuple[FindingRow, FindingFormLines | None]]:
        """The findings, each that can still be changed with its form."""
        return [(row, self._finding_form(row) if row.alive and self.editable else None) for row in self.findings]

    @property
    def new_finding(self) -> FindingFormLines:
        """An empty finding, its source filled in from the chosen citation."""
        if self.selected is None:
            return self._form("new-finding", {"occurrence": 1})
        citation = self.selected.citation
        draft = draft_of_citation(citation, card=self.card, error_class="", today=timezone.localdate())
        return self._form("new-finding", values_of_draft(draft))

    def _finding_form(self, row: FindingRow) -> FindingFormLines:
        finding = row.finding
        occurrence = occurrence_at(self.card.answer.text, finding.claim, finding.claim_start)
        return self._form(row.target, values_of_draft(draft_of_finding(finding), occurrence))

    def _form(self, target: str, values: dict[str, Any]) -> FindingFormLines:
        classes = tuple((code, f"{code} · {name}") for code, name, _description in self.error_classes)
        return finding_form(target, values, classes=classes, refused=self.refused)

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
