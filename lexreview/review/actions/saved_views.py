from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from lexreview.accounts.models import User
from lexreview.ledger.actions import record_event
from lexreview.review.models import SavedView

MOST_VIEWS = 50


class TooManyViews(Exception):
    """A person keeps a handful of views, not hundreds."""

    def __init__(self) -> None:
        super().__init__(_("You keep %(n)s views already. Delete one first.") % {"n": MOST_VIEWS})


@transaction.atomic
def save_view(*, name: str, query: str, by: User, now: datetime) -> SavedView:
    """Keep the filters under the name; a view of that name gets the new filters. Raises TooManyViews."""
    view = SavedView.objects.kept_by(by).filter(name=name).first()
    if view is not None and view.query == query:
        return view
    if view is None and SavedView.objects.kept_by(by).count() >= MOST_VIEWS:
        raise TooManyViews
    before = {"query": view.query} if view else None
    view = view or SavedView(person=by, name=name)
    view.query = query
    view.save()
    record_event(
        by=by, verb="save_view", object_type="view", object_id=f"{by.username}/{name}", before=before,
        after={"query": query}, now=now,
    )  # fmt: skip
    return view


@transaction.atomic
def delete_view(*, name: str, by: User, now: datetime) -> None:
    """Forget a view of the person's own. One that is not there is no error."""
    view = SavedView.objects.kept_by(by).filter(name=name).first()
    if view is None:
        return
    view.delete()
    record_event(
        by=by, verb="delete_view", object_type="view", object_id=f"{by.username}/{name}",
        before={"query": view.query}, now=now,
    )  # fmt: skip
