"""The histories of publications, and of the prices behind the costs of a benchmark."""

from collections.abc import Sequence

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lexreview.accounts.models import User
from lexreview.ledger.histories import Part, Parts, add_history, add_parts
from lexreview.ledger.timeline import History
from lexreview.providers.models import Price
from lexreview.providers.rules import can_see_calls
from lexreview.reports.models import Publication
from lexreview.reports.study_costs import priced_providers

VERBS = {
    "publish": gettext_lazy("published the benchmark"),
    "store_file": gettext_lazy("stored a file of the report"),
    "withdraw_publication": gettext_lazy("withdrew the publication"),
    "add_price": gettext_lazy("added a price"),
}


def publication_history(person: User, name: str) -> History | None:
    """`name` is `slug/number`."""
    slug, _sign, number = name.partition("/")
    if not number.isdecimal() or len(number) > 9:
        return None
    visible = Publication.objects.visible_to(person).of_benchmark(slug)
    publication = visible.filter(number=int(number)).first()
    if publication is None:
        return None
    return History(
        title=_("Publication %(number)s") % {"number": publication.number},
        back_url=reverse("reports:overview", args=[slug]),
        about=[("publication", f"{slug}#{publication.number}", "")],
        verbs=VERBS,
    )


def price_history(person: User, name: str) -> History | None:
    """`name` is `slug/provider`. Prices are those of all benchmarks, shown to whoever sees costs in this one."""
    slug, _sign, provider = name.partition("/")
    models = Price.objects.of(provider).order_by("model").values_list("model", flat=True).distinct()
    if not models or not can_see_calls(person, slug):
        return None
    return History(
        title=_("Prices of %(provider)s") % {"provider": provider},
        back_url=reverse("reports:costs", args=[slug]),
        about=[("price", f"{provider}/{model}", model) for model in models],
        verbs=VERBS,
    )


def price_parts(person: User, slug: str) -> Sequence[Parts]:
    """The prices of every provider that the benchmark called."""
    if not can_see_calls(person, slug):
        return []
    return [Parts(_("Prices"), [Part(each, "price", f"{slug}/{each}") for each in priced_providers(slug)])]


def publication_parts(person: User, slug: str) -> Sequence[Parts]:
    rows = Publication.objects.visible_to(person).of_benchmark(slug).order_by("number")
    return [Parts(_("Publications"), [Part(str(each.number), "publication", each.history_name) for each in rows])]


add_history("publication", publication_history, of=["publication"])
add_history("price", price_history, of=["price"])
add_parts("benchmark", publication_parts, position=30)
add_parts("benchmark", price_parts, position=40)
