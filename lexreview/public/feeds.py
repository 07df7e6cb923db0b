from datetime import UTC, datetime, time
from typing import Any

from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponse
from django.utils.dateparse import parse_date
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import linebreaks
from django.utils.translation import gettext as _

from lexreview.public.reading import Shown, published
from lexreview.public.templatetags.public_pages import address_in
from lexreview.reports.models import PageKind

Entry = dict[str, Any]


class DecisionFeed(Feed):  # type: ignore[type-arg]
    """The decision log of a publication, newest entry first."""

    feed_type = Atom1Feed

    def __init__(self, shown: Shown) -> None:
        self.shown = shown

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Shown:
        return self.shown

    def title(self, shown: Shown) -> str:
        return _("Decisions: %(title)s") % {"title": shown.publication.title}

    def subtitle(self, shown: Shown) -> str:
        return shown.canary

    def link(self, shown: Shown) -> str:
        return address_in(shown, "decisions")

    def feed_guid(self, shown: Shown) -> str:
        return f"urn:uuid:{shown.publication.canary}"

    def items(self, shown: Shown) -> list[Entry]:
        return list(reversed(shown.content(PageKind.DECISIONS)["decisions"]))

    def item_title(self, item: Entry) -> str:
        return f"{item['number']}. {item['question']}"

    def item_description(self, item: Entry) -> str:
        """As HTML, for that is what a feed's summary is taken for."""
        said = [item["decision"], item["reason"]]
        if item["supersedes"]:
            said.append(_("Supersedes decision %(number)s.") % {"number": item["supersedes"]})
        if item["superseded_by"]:
            said.append(_("Superseded by decision %(number)s.") % {"number": item["superseded_by"]})
        return linebreaks("\n\n".join(said), autoescape=True)

    def item_link(self, item: Entry) -> str:
        return f"{address_in(self.shown, 'decisions')}#decision-{item['number']}"

    def item_guid(self, item: Entry) -> str:
        return f"urn:uuid:{self.shown.publication.canary}:decision:{item['number']}"

    def item_pubdate(self, item: Entry) -> datetime:
        return _midnight(item)

    def item_updateddate(self, item: Entry) -> datetime:
        """Of an entry that another one superseded, that one's day: readers take it as changed and read it again."""
        entries = self.items(self.shown) if item["superseded_by"] else []
        return max(map(_midnight, [item, *(each for each in entries if each["number"] == item["superseded_by"])]))

    def item_author_name(self, item: Entry) -> str:
        return str(item["author"])


@published
def decision_feed(request: HttpRequest, shown: Shown) -> HttpResponse:
    return DecisionFeed(shown)(request)


def _midnight(item: Entry) -> datetime:
    day = parse_date(item["decided_on"])
    if day is None:
        raise ValueError(f"decision {item['number']} has no date")
    return datetime.combine(day, time(), tzinfo=UTC)
