"""What stands between a card and its approval, said with the place on the page where it can be put right."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from lexreview.core.methods.reference_card.approval import Missing, MissingKind
from lexreview.review.models import Finding, FindingState
from lexreview.translating import translated

PROPOSED = "finding_proposed"


class Obstacle(NamedTuple):
    """`anchor` is a link on the page; `blocking` is False for what only has to be confirmed once."""

    message: str
    anchor: str
    blocking: bool
    kind: str


def obstacles_of(
    missing: Sequence[Missing], *, findings: Sequence[Finding], citations: Sequence[int], card_url: str
) -> list[Obstacle]:
    """`findings`: all of the card in order; `citations`: their numbers in text order."""
    counted = [finding.number for finding in findings if finding.state == FindingState.ACCEPTED]
    found = []
    for each in missing:
        match each.kind:
            case MissingKind.FLAGGED_CITATION_NOT_OPENED | MissingKind.CITATION_UNCHECKED:
                anchor = f"{card_url}?citation={citations[each.position or 0]}"
            case MissingKind.RULING:
                anchor = "#rulings"
            case MissingKind.FINDING_EVIDENCE:
                anchor = f"#finding-row-{counted[each.position or 0]}"
            case _:
                anchor = f"#criterion-{each.target}"
        found.append(Obstacle(translated(each.message), anchor, each.blocking, each.kind))
    proposed = [finding.number for finding in findings if finding.state == FindingState.PROPOSED]
    return found + [_proposed(number) for number in proposed]


def _proposed(number: int) -> Obstacle:
    message = _("Finding %(number)s is proposed and neither accepted nor rejected.") % {"number": number}
    return Obstacle(message, f"#finding-row-{number}", True, PROPOSED)


def in_one_line(obstacles: Sequence[Obstacle]) -> str:
    """How many of each kind, in the order of the page."""
    counts = Counter(each.kind for each in obstacles)
    return " · ".join(_counted(kind, number) for kind, number in counts.items())


def _counted(kind: str, number: int) -> str:
    match kind:
        case MissingKind.FLAGGED_CITATION_NOT_OPENED:
            text = ngettext(
                "%(number)s flagged citation not opened yet", "%(number)s flagged citations not opened yet", number
            )
        case MissingKind.POINTS:
            text = ngettext("%(number)s criterion without points", "%(number)s criteria without points", number)
        case MissingKind.EVIDENCE:
            text = ngettext("%(number)s criterion without evidence", "%(number)s criteria without evidence", number)
        case MissingKind.REASON:
            text = ngettext("%(number)s change without a reason", "%(number)s changes without a reason", number)
        case MissingKind.FINDING_EVIDENCE:
            text = ngettext("%(number)s finding without evidence", "%(number)s findings without evidence", number)
        case MissingKind.RULING:
            text = ngettext("%(number)s decision not published", "%(number)s decisions not published", number)
        case _ if kind == PROPOSED:
            text = ngettext("%(number)s proposed finding undecided", "%(number)s proposed findings undecided", number)
        case _:
            text = ngettext("%(number)s thing to put right", "%(number)s things to put right", number)
    return text % {"number": number}
