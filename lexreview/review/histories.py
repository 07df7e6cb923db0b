"""The histories of a card, as far as blinding lets the person see it, and of a check of quality."""

from collections.abc import Callable

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lexreview.accounts.models import User
from lexreview.accounts.rules import roles_of
from lexreview.answers.masking import is_unmasked_for
from lexreview.core.workflow import CardState, Role
from lexreview.ledger.histories import add_history, leave_without_history
from lexreview.ledger.timeline import History
from lexreview.ledger.values import add_values, add_words
from lexreview.review.actions.quality import ledger_id_of
from lexreview.review.models import (
    LABEL_LABELS,
    OFFICIAL_SOURCE_LABELS,
    Card,
    CardCitation,
    Finding,
    QualityCheck,
    Score,
)
from lexreview.review.rules import can_plan_reviews
from lexreview.review.words import EVENT_WORDS, words_of_event

PROPOSED = ("proposed", "proposed_evidence", "proposed_by")
NAMING_SYSTEMS = (
    "reviews", "taken_from", "adjudicated", "seats_removed", "answer", "prefill_model", "served_model",
)  # fmt: skip
VERBS = {
    **EVENT_WORDS,
    "draw_check": gettext_lazy("drew the card for a check"),
    "check_card": gettext_lazy("checked the card"),
}
OF_THE_ANSWER = frozenset({"claim", "raw", "findings.claim", "citations.raw"})
HOW_DRAWN = ("blind", "withheld", "to_repeat", "seed")


def card_history(person: User, name: str) -> History | None:
    """`name` is the primary key of the card; a card that is kept from the person has no history for them."""
    if not name.isdecimal() or len(name) > 18:
        return None
    card = Card.objects.visible_to(person).with_answer().filter(pk=int(name)).first()
    if card is None:
        return None
    return History(
        title=_("Card of %(code)s") % {"code": card.answer.question.code},
        back_url=reverse("review:card", args=[card.pk]),
        about=[("card", card.ledger_id, "")],
        say=words_of_event,
        language=card.answer.question.language,
        texts=OF_THE_ANSWER,
        hides=_hidden_from(person, card),
    )


def _hidden_from(person: User, card: Card) -> Callable[[str], bool]:
    """Values that a reviewer does not learn: how the card was drawn, proposals that were withheld from it, and
    names of answers while they would tell the system.
    """
    if Role.LEAD in roles_of(person, card.benchmark.slug):
        return lambda name: False
    kept_back = set(HOW_DRAWN)
    if not is_unmasked_for(person, card.answer):
        kept_back.update(NAMING_SYSTEMS)
    if card.withheld and card.state != CardState.APPROVED:
        kept_back |= {*PROPOSED, "findings"}
    return lambda name: bool(kept_back.intersection(name.split(".")))


def check_history(person: User, name: str) -> History | None:
    """`name` is the primary key of the check. For leads: a reviewer need not know that a card is in the sample."""
    if not name.isdecimal() or len(name) > 18:
        return None
    visible = QualityCheck.objects.visible_to(person)
    check = visible.select_related("card__answer__question__benchmark").filter(pk=int(name)).first()
    if check is None or not can_plan_reviews(person, check.card.benchmark):
        return None
    return History(
        title=_("Check of a card of %(code)s") % {"code": check.card.queue_code},
        back_url=reverse("rounds:check", args=[check.pk]),
        about=[("quality_check", ledger_id_of(check), "")],
        verbs=VERBS,
    )


add_history("card", card_history, of=["card"])
add_history("quality_check", check_history, of=["quality_check"])
leave_without_history("view", because="a saved view is its owner's own matter and changes no card")
# Of names that several models have, the last one holds: what stands by itself is of the card.
add_values("card", Finding)
add_values("card", CardCitation, also={"citation_state": "state"})
add_values("card", Score)
add_values("card", Card)
for _group, _model in (("citations", CardCitation), ("findings", Finding), ("scores", Score)):
    add_values("card", _model, group=_group)
add_words("card", "label", LABEL_LABELS)
add_words("card", "official_source", OFFICIAL_SOURCE_LABELS)
add_values("quality_check", QualityCheck)
