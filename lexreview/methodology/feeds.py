"""The published entries of a decision log as an Atom feed, for members of the benchmark."""

from datetime import UTC, datetime, time
from typing import Any

from django.contrib.syndication.views import Feed
from django.http import HttpRequest
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import linebreaks
from django.utils.translation import gettext as _

from lexreview.methodology.models import Decision

MOST_ENTRIES = 100


class DecisionFeed(Feed):  # type: ignore[type-arg]
    """Newest entry first. Whoever serves it has checked that the person is a member."""

    feed_type = Atom1Feed

    def __init__(self, slug: str) -> None:
        self.slug = slug

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> str:
        return self.slug

    def title(self, slug: str) -> str:
        return _("Decisions: %(title)s") % {"title": slug}

    def link(self, slug: str) -> str:
        return f"{reverse('methodology:decisions')}?benchmark={slug}"

    def feed_guid(self, slug: str) -> str:
        return f"tag:lexreview,2026:{slug}:decisions"

    def items(self, slug: str) -> list[Decision]:
        return list(Decision.objects.of_benchmark(slug).published().with_list_data().newest_first()[:MOST_ENTRIES])

    def item_title(self, item: Decision) -> str:
        return f"{item.number}. {item.question}"

    def item_description(self, item: Decision) -> str:
        """As HTML, for that is what a feed's summary is taken for."""
        said = [item.decision, item.reason]
        if item.supersedes:
            said.append(_("Supersedes decision %(number)s.") % {"number": item.supersedes.number})
        for later in item.superseded_by.all():
            if later.is_published:
                said.append(_("Superseded by decision %(number)s.") % {"number": later.number})
        return linebreaks("\n\n".join(said), autoescape=True)

    def item_link(self, item: Decision) -> str:
        return reverse("methodology:decision", args=[item.benchmark_slug, item.number])

    def item_guid(self, item: Decision) -> str:
        return f"{self.feed_guid(item.benchmark_slug)}:{item.number}"

    def item_pubdate(self, item: Decision) -> datetime:
        return datetime.combine(item.decided_on, time(), tzinfo=UTC)

    def item_updateddate(self, item: Decision) -> datetime:
        """Of an entry that another one superseded, that one's day: readers take it as changed and read it again."""
        return max(map(self.item_pubdate, [item, *(each for each in item.superseded_by.all() if each.is_published)]))

    def item_author_name(self, item: Decision) -> str:
        return (item.author.get_full_name() or item.author.username) if item.author else ""
