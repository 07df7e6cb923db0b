"""Whether a job that calls models may begin unasked: not above COLLECT_CONFIRM_USD, and not where nobody knows."""

from django.conf import settings
from django.utils.translation import gettext as _

from lexreview.providers.pricing import Cost


class NotConfirmed(ValueError):
    """The job may cost more than the set amount, or nobody knows how much, and was not confirmed."""


def needs_confirmation(cost: Cost) -> bool:
    """Whether it may cost more than may be spent unasked, or nobody knows how much."""
    return cost.usd is None or cost.is_lower_bound or cost.usd > settings.COLLECT_CONFIRM_USD


def check_confirmed(cost: Cost, *, confirmed: bool) -> None:
    """Raises NotConfirmed with the amount, fit for the user."""
    if confirmed or not needs_confirmation(cost):
        return
    if cost.usd is None:
        raise NotConfirmed(
            _("Nobody knows what this run costs: there is no price for it. Add prices, or confirm the run.")
        )
    mark = "≥ " if cost.is_lower_bound else ""
    words = _("The run may cost %(cost)s USD, more than may be spent unasked (%(limit)s USD). Confirm the run.")
    raise NotConfirmed(words % {"cost": f"{mark}{cost.usd:.2f}", "limit": settings.COLLECT_CONFIRM_USD})
