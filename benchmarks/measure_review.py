"""What the review pages cost the server with many cards: card page, save of one decision, queue, filters, search.

`--cards` 10000, 100000 or 1000000. On a SQLite database of its own, or on DATABASE_URL where that is set: an empty
database, or one that this script filled (it is filled once and used again). Measured is the time of a request in this
process, middleware and templates included, network not. Writes var/bench/review-<database>-<cards>.json.
Run it from the project's folder: `.venv/bin/python benchmarks/measure_review.py --cards 10000`.
"""

import argparse
import gc
import os
import random
import sys
import time
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from statistics import quantiles
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
if "DATABASE_URL" in os.environ:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lexreview.settings")
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
else:
    import benchmarks.scratch  # noqa: F401

from django.conf import settings
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchmarks.cards_at_scale import build, people, whole_cards
from benchmarks.results import Stopwatch, figure, write_figures
from lexreview.accounts.models import User
from lexreview.review.changed_parts import PAGE_VERSION
from lexreview.review.models import Card
from tests.review.factories import long_answer, make_card

HTMX = {"HX-Request": "true"}
Ask = Callable[[], HttpResponse]
LISTS = {
    "queue, unassigned": {"pile": "unassigned"},
    "queue, all": {"pile": "all"},
    "queue, all, last page": {"pile": "all", "before": "last"},
    "queue, mine": {"pile": "mine"},
    "queue, approved, newest first": {"pile": "approved", "sort": "newest"},
    "queue, filter question": {"pile": "all", "question": "Q00042"},
    "queue, filter label": {"pile": "all", "label": "hallucinated"},
    "queue, filter system and state": {"pile": "all", "system": "s3", "state": "parked"},
    "queue, filter that fits nothing": {"pile": "all", "state": "second_review"},
    "queue, words of one answer": {"pile": "all", "text": "File Q00007-7."},
    "queue, words of every answer": {"pile": "all", "text": "fourteen days"},
}


def main() -> None:
    asked = _arguments()
    settings.ALLOWED_HOSTS = ["*"]
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}
    with Stopwatch() as building:
        build(asked.cards, whole=asked.whole)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    print(f"{connection.vendor}: {Card.objects.count()} cards, {building.wall:.0f} s to build", flush=True)
    reviewer, *_others, lead = people()
    mine, leads = Client(), Client()
    mine.force_login(reviewer)
    leads.force_login(lead)
    cards = [card.pk for card in whole_cards(asked.n * 3)]
    random.Random(2).shuffle(cards)
    figures = _page("card page, 9 citations", _opening(mine, cards), asked.n, p50=40, p95=100, queries=15)
    long = [_long_card(reviewer).pk]
    figures += _page("card page, 200 kB and 60 citations", _opening(mine, long), asked.n, p95=300, queries=15)
    figures += _page("save that begins a review", _saving(mine, cards, "1"), asked.n, p95=50, queries=20)
    figures += _page("save of one decision", _saving(mine, cards, "2"), asked.n, p50=20, p95=50, queries=10)
    figures += _page("another citation", _choosing(mine, cards), asked.n, p95=50, queries=15)
    limit = 100 if asked.cards <= 100_000 else 200
    for name, query in LISTS.items():
        figures += _page(name, lambda query=query: leads.get("/review/", query), asked.n, p95=limit, queries=8)
    name = f"review-{connection.vendor}-{asked.cards}"
    print(write_figures(name, figures, cards=asked.cards, whole=asked.whole))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cards", type=int, default=10_000)
    parser.add_argument("--whole", type=int, default=2_000, help="so many cards have citations, scores and findings")
    parser.add_argument("-n", type=int, default=60, help="requests per figure")
    return parser.parse_args()


def _long_card(reviewer: User) -> Card:
    text, citations = long_answer()
    found = Card.objects.filter(queue_code="P99").first()
    return found or make_card(code="P99", text=text, citations=citations, assigned_to=reviewer)


def _opening(client: Client, cards: list[int]) -> Ask:
    turn = cycle(cards)
    return lambda: client.get(f"/review/cards/{next(turn)}/")


def _saving(client: Client, cards: list[int], points: str) -> Ask:
    """Points for A-R with a line of evidence, each time on the next card, as the page's script sends them. The first
    save of a card begins its review and brings back the whole page; those after it bring what they changed."""
    turn, versions = iter(cards), dict(Card.objects.filter(pk__in=cards).values_list("pk", "version"))

    def ask() -> HttpResponse:
        pk = next(turn)
        form = {"version": versions[pk], "selected": 1, "form_key": f"{pk}-{points}", "points": points,
                "evidence": "Half of the core.", "reason": "Half only."}  # fmt: skip
        return client.post(f"/review/cards/{pk}/criteria/A-R/", form, headers=_shown(versions[pk]))

    return ask


def _choosing(client: Client, cards: list[int]) -> Ask:
    turn, versions = iter(cards), dict(Card.objects.filter(pk__in=cards).values_list("pk", "version"))

    def ask() -> HttpResponse:
        pk = next(turn)
        return client.get(f"/review/cards/{pk}/?citation=4", headers=_shown(versions[pk]))

    return ask


def _shown(version: int) -> dict[str, str]:
    return {**HTMX, PAGE_VERSION: str(version)}


def _page(name: str, ask: Ask, n: int, *, p95: float, queries: int, p50: float | None = None) -> list[dict[str, Any]]:
    for _warm in range(3):
        _checked(ask(), name)
    # As `serve` does, whose collector does not look through what was loaded before it answers.
    gc.freeze()
    with CaptureQueriesContext(connection) as captured:
        _checked(ask(), name)
    count = sum(not each["sql"].startswith(("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")) for each in captured)
    spent, busy = [], []
    for _turn in range(n):
        begin, worked = time.perf_counter(), time.process_time()
        reply = ask()
        spent.append((time.perf_counter() - begin) * 1000)
        busy.append((time.process_time() - worked) * 1000)
        _checked(reply, name)
    cuts, busy_cuts = quantiles(spent, n=20), quantiles(busy, n=20)
    print(f"{name}: processor time p50 {busy_cuts[9]:.1f} ms, p95 {busy_cuts[18]:.1f} ms")
    found = [figure(f"{name}: queries", count, target=f"≤ {queries}", met=count <= queries)]
    if p50 is not None:
        found.append(figure(f"{name}: p50 ms", cuts[9], target=f"≤ {p50}", n=n, met=cuts[9] <= p50, busy=busy_cuts[9]))
    found.append(figure(f"{name}: p95 ms", cuts[18], target=f"≤ {p95}", n=n, met=cuts[18] <= p95, busy=busy_cuts[18]))
    return found


def _checked(reply: HttpResponse, name: str) -> None:
    if reply.status_code != 200:
        raise SystemExit(f"{name}: answered {reply.status_code}")


if __name__ == "__main__":
    main()
