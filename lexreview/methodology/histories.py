"""The histories of decisions and specifications."""

from collections.abc import Callable

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lexreview.accounts.models import User
from lexreview.ledger.histories import add_history
from lexreview.ledger.models import Event
from lexreview.ledger.timeline import History
from lexreview.ledger.values import add_values
from lexreview.methodology.decision_pages import EVENT_WORDS, events_of
from lexreview.methodology.models import Decision, Specification
from lexreview.methodology.naming import touched_cards

VERBS = {**EVENT_WORDS, "load_specification": gettext_lazy("added the version")}


def decision_history(person: User, name: str) -> History | None:
    """`name` is `slug/number`."""
    slug, _sign, number = name.partition("/")
    if not number.isdecimal() or len(number) > 9:
        return None
    decision = Decision.objects.visible_to(person).filter(benchmark_slug=slug, number=int(number)).first()
    if decision is None:
        return None
    return History(
        title=_("Decision %(number)s") % {"number": decision.number},
        back_url=reverse("methodology:decision", args=[slug, decision.number]),
        about=[("decision", f"{slug}#{decision.number}", "")],
        verbs=VERBS,
        hides=_hidden_from(person, decision),
    )


def _hidden_from(person: User, decision: Decision) -> Callable[[str], bool]:
    """The cards it touches, or touched once, while the name of one would tell the person a masked system."""
    named = {card for event in events_of(decision) for card in _cards_in(event)}
    if all(card.identifier for card in touched_cards(person, decision.benchmark_slug, sorted(named))):
        return lambda name: False
    return lambda name: name.startswith("touches")


def _cards_in(event: Event) -> list[str]:
    return [card for side in (event.before, event.after) for card in (side or {}).get("touches", {}).get("cards", [])]


def specification_history(person: User, name: str) -> History | None:
    """All versions of a specification; `name` is its name."""
    versions = list(Specification.objects.visible_to(person).named(name).defer("content").in_version_order())
    if not versions:
        return None
    return History(
        title=name,
        back_url=reverse("methodology:specification", args=[name, versions[-1].version]),
        about=[("specification", str(each), each.version) for each in versions],
        verbs=VERBS,
    )


add_history("decision", decision_history, of=["decision"])
add_history("specification", specification_history, of=["specification"])
add_values("decision", Decision)
