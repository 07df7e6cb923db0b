"""What the card page shows of a model's opinion: beside each criterion, and of the findings those that are not laid."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lexreview.core.methods.reference_card.opinion import Why
from lexreview.core.stats.intervals import Proportion
from lexreview.review.automation_bias import changes_of
from lexreview.review.facts import specification_of
from lexreview.review.models import PROPOSED_BY_MODEL, Card, Finding, ModelProposal, Score
from lexreview.review.parts import CardParts
from lexreview.review.sure import ALIVE
from lexreview.review.withholding import is_model_withheld, may_see_model_findings, may_see_model_on, points_of_model
from lexreview.translating import written

WHY_WORDS: Mapping[Why, str | Promise] = {
    Why.NOT_IN_ANSWER: gettext_lazy("quotation not found in the answer"),
    Why.NOT_IN_SOURCE: gettext_lazy("quotation not found in the source"),
    Why.UNKNOWN_SOURCE: gettext_lazy("quotation from a source that was not given"),
    Why.UNKNOWN_CRITERION: gettext_lazy("no criterion of this specification"),
    Why.NOT_APPLICABLE: gettext_lazy("the criterion does not apply to this question"),
    Why.OUT_OF_RANGE: gettext_lazy("points that the criterion does not have"),
    Why.UNKNOWN_ELEMENT: gettext_lazy("elements that the key does not have"),
    Why.ELEMENTS_DIFFER: gettext_lazy("the elements named do not add up to the points"),
    Why.UNKNOWN_CLASS: gettext_lazy("no error class of this specification"),
    Why.UNKNOWN_ORIGIN: gettext_lazy("no origin of this specification"),
    Why.UNKNOWN_SCOPE: gettext_lazy("no scope of this specification"),
    Why.CLAIM_NOT_IN_ANSWER: gettext_lazy("the claim was not found in the answer"),
    Why.NAMED_TWICE: gettext_lazy("named more than once"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """Words that were dropped, and why. `source`: the title of the text they were said to stand in."""

    text: str
    why: str
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelLine:
    """The model's opinion of one criterion.

    `is_laid`: it is the proposal of the card. `agrees`: it says what is proposed or decided; never so of a criterion
    that follows from the findings. `was_hidden`: it was kept back until a person had decided. `why`: dropped whole for
    this reason. `changed`: how often people decided other than this model proposed; None where too few did.
    """

    points: str
    reason: str
    quotes: Sequence[str]
    dropped: Sequence[Dropped]
    why: str = ""
    is_laid: bool = False
    agrees: bool = False
    was_hidden: bool = False
    changed: Proportion | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFinding:
    """A finding of the model that is not on the card. `why`: dropped whole; else it stands beside what is there.

    `was_hidden`: kept back until everything was decided; `is_known`: the card has a finding on these words.
    """

    error_class: str
    claim: str
    reason: str
    source_says: str
    dropped: Dropped | None
    why: str = ""
    was_hidden: bool = False
    is_known: bool = False


class ModelPart:
    """A model's opinion as the card may show it now. `named`: whether the reader may learn which model it was.

    One query, for the changes; the opinion is loaded with the card.
    """

    def __init__(self, card: Card, proposal: ModelProposal, parts: CardParts, *, named: bool) -> None:
        self.card, self.parts, self.named = card, parts, named
        self.proposal = proposal
        self.content: Mapping[str, Any] = proposal.content

    @property
    def name(self) -> str:
        return self.proposal.served_model if self.named else _("a model")

    @property
    def asked(self) -> str:
        """Which model in which words was asked; "" for whoever may not learn it."""
        if not self.named:
            return ""
        return _("%(asked)s, served by %(served)s, prompt %(version)s") % {
            "asked": self.proposal.asked_model,
            "served": self.proposal.served_model,
            "version": f"{self.proposal.prompt_version} ({self.proposal.prompt_sha256[:12]})",
        }

    @cached_property
    def _changes(self) -> Mapping[str, Proportion]:
        return changes_of(self.proposal, self.card.benchmark)

    @cached_property
    def lines(self) -> dict[str, ModelLine]:
        """By criterion, as far as it may be seen. Of several on one criterion the one that holds, else the first."""
        found: dict[str, ModelLine] = {}
        for record in self.content["criteria"]:
            code = record["criterion"]
            score = self.parts.score(code)
            if may_see_model_on(self.card, score) and (code not in found or record["why"] is None):
                found[code] = self._line(record, score)
        return found

    @property
    def left_out(self) -> int:
        return len(self.findings) + len(self.strangers)

    @property
    def strangers(self) -> list[Dropped]:
        """Opinions on what is no criterion of the card."""
        if not may_see_model_findings(self.card, all_decided=self._all_decided):
            return []
        known = {score.criterion for score in self.parts.scores}
        return [
            Dropped(text=f"{record['criterion']}: {_points(record)}", why=_words(record["why"]))
            for record in self.content["criteria"]
            if record["criterion"] not in known
        ]

    def _line(self, record: Mapping[str, Any], score: Score | None) -> ModelLine:
        points = Decimal(record["points"])
        laid = score is not None and score.proposed_by == PROPOSED_BY_MODEL and score.proposed == points
        hidden = points_of_model(self.card.withheld, record["criterion"]) is not None
        by_rule = record["criterion"] == specification_of(self.card).no_hallucination_criterion.code
        return ModelLine(
            points=_points(record),
            reason=record["reason"],
            quotes=[quote["text"] for quote in record["quotes"]],
            dropped=[self._dropped(each) for each in record["dropped"]],
            why=_words(record["why"]) if record["why"] else "",
            is_laid=laid and record["why"] is None,
            agrees=not by_rule and score is not None and score.points == points,
            was_hidden=hidden,
            changed=self._changes.get(record["criterion"]) if laid else None,
        )

    @property
    def _all_decided(self) -> bool:
        hidden: Mapping[str, Any] = self.card.withheld.get("model", {}).get("scores", {})
        decided = {score.criterion for score in self.parts.scores if score.decided is not None}
        return hidden.keys() <= decided

    @cached_property
    def _laid(self) -> dict[tuple[int, int, str], Finding]:
        rows = [row for row in self.parts.findings if row.proposed_by == PROPOSED_BY_MODEL]
        return {(row.claim_start, row.claim_end, row.error_class): row for row in rows}

    @cached_property
    def findings(self) -> list[ModelFinding]:
        """Those that are not on the card, as far as they may be seen."""
        if not may_see_model_findings(self.card, all_decided=self._all_decided):
            return []
        return [self._finding(record) for record in self.content["findings"] if _place(record) not in self._laid]

    def note_on(self, finding: Finding) -> Dropped | None:
        """What was dropped of the evidence of a finding that the model proposed."""
        place = finding.claim_start, finding.claim_end, finding.error_class
        if finding.proposed_by != PROPOSED_BY_MODEL:
            return None
        records = [record for record in self.content["findings"] if _place(record) == place and record["dropped"]]
        return self._dropped(records[0]["dropped"]) if records else None

    def _finding(self, record: Mapping[str, Any]) -> ModelFinding:
        alive = [row for row in self.parts.findings if row.state in ALIVE]
        return ModelFinding(
            error_class=record["error_class"],
            claim=record["claim"],
            reason=record["reason"],
            source_says=record["source_says"],
            dropped=self._dropped(record["dropped"]) if record["dropped"] else None,
            why=_words(record["why"]) if record["why"] else "",
            was_hidden=is_model_withheld(self.card),
            is_known=any(row.claim_start < record["end"] and record["start"] < row.claim_end for row in alive),
        )

    def _dropped(self, record: Mapping[str, Any]) -> Dropped:
        name = record["quote"]["source"]
        source: Mapping[str, str] = self.content["sources"].get(name, {})
        title = " ".join(part for part in (source.get("unit"), source.get("title")) if part)
        return Dropped(text=record["quote"]["text"], why=_words(record["why"]), source=title or name)


def model_part(card: Card, parts: CardParts, *, named: bool) -> ModelPart | None:
    """None for a card on which no model's opinion is laid: then nothing is asked of the database."""
    proposal = card.model_proposal if card.model_proposal_id else None
    return ModelPart(card, proposal, parts, named=named) if proposal is not None else None


def _place(record: Mapping[str, Any]) -> tuple[int, int, str]:
    return record["start"], record["end"], record["error_class"]


def _points(record: Mapping[str, Any]) -> str:
    return written(record["points"][:12])


def _words(why: str) -> str:
    return str(WHY_WORDS[Why(why)])
