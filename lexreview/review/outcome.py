"""What a card comes to as it stands: its label, its points, and what stands between it and approval."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.urls import reverse
from django.utils.translation import gettext as _

from lexreview.core.methods.reference_card.approval import MissingKind, missing_for_approval
from lexreview.core.methods.reference_card.facts import CardFacts, KeyFacts
from lexreview.core.methods.reference_card.label import Label, LabelReason
from lexreview.core.methods.reference_card.scoring import APercent, a6_points, a_percent
from lexreview.core.methods.reference_card.specification import Specification
from lexreview.questions.key_facts import key_facts_of
from lexreview.review.card_rows import points_text
from lexreview.review.facts import facts_of, specification_of
from lexreview.review.models import LABEL_LABELS, Card, FindingState
from lexreview.review.obstacles import Obstacle, in_one_line, obstacles_of
from lexreview.review.parts import CardParts
from lexreview.review.rulings import missing_rulings
from lexreview.review.words import RULE_WORDS
from lexreview.translating import translated, written

LABEL_CSS = {Label.HALLUCINATED: "f", Label.CORRECTLY_GROUNDED: "ok"}


@dataclass(frozen=True)
class Outcome:
    """Computed from the rows of the card when first asked for."""

    card: Card
    parts: CardParts

    @cached_property
    def facts(self) -> CardFacts:
        return facts_of(self.card, self.parts)

    @property
    def specification(self) -> Specification:
        return specification_of(self.card)

    @cached_property
    def key(self) -> KeyFacts:
        return key_facts_of(self.card.key_version)

    @property
    def css(self) -> str:
        return LABEL_CSS.get(Label(self.card.label), "o") if self.card.label else "o"

    @property
    def label(self) -> str:
        return str(LABEL_LABELS[Label(self.card.label)]) if self.card.label else _("no label")

    @property
    def rule(self) -> str:
        """The rule that gave the label; "" without one."""
        return str(RULE_WORDS[LabelReason(self.card.label_rule)]) if self.card.label_rule else ""

    @property
    def no_hallucination_points(self) -> str:
        """The points that follow from the findings; "–" where there is nothing to score."""
        return points_text(a6_points(self.facts)) or "–"

    @cached_property
    def a_percent(self) -> APercent:
        return a_percent(self.specification, key=self.key, card=self.facts)

    @property
    def a_words(self) -> str:
        percent = self.a_percent
        if percent.value is None:
            return _("A n/a: %(reason)s") % {"reason": translated(percent.reason)}
        points = written(percent.points - percent.penalties)
        return _("A %(percent)s %% (%(points)s of %(available)s)") % {
            "percent": round(percent.value * 100),
            "points": points,
            "available": written(percent.available),
        }

    @property
    def findings_counted(self) -> int:
        return sum(finding.state == FindingState.ACCEPTED for finding in self.parts.findings)

    @cached_property
    def obstacles(self) -> list[Obstacle]:
        """What stands between the card and its approval, in the order of the page."""
        missing = missing_for_approval(self.specification, key=self.key, card=self.facts)
        return obstacles_of(
            (*missing, *missing_rulings(self.card)),
            findings=self.parts.findings,
            citations=[citation.number for citation in self.parts.citations],
            card_url=reverse("review:card", args=[self.card.pk]),
        )

    @cached_property
    def blocking(self) -> list[Obstacle]:
        return [each for each in self.obstacles if each.blocking]

    @cached_property
    def unchecked(self) -> Sequence[Obstacle]:
        """Unchecked citations: allowed, but to be confirmed once."""
        return [each for each in self.obstacles if each.kind == MissingKind.CITATION_UNCHECKED]

    @property
    def blocked_because(self) -> str:
        return in_one_line(self.blocking)
