"""Reviewers at work over real HTTP: one alone, then n people against gunicorn with two workers, then eight writers.

The one alone lists the queue, saves, and approves cards, each with the next one opened: figures to set beside those of
comparable tools. "list" is a whole page, as a browser gets it that comes from elsewhere or has no script; "list, next
page" and "list, other filter" are what the page's script asks for when a person turns the page or sets a filter. The
other tools are single-page applications, whose script asks for a list as rows alone: "list, next page" is the same
operation, "list" does more and is set beside it too.
Each of the others takes cards, opens them and decides criteria, with a pause between as short as a
quick person's; the writers save as fast as they can. All of them send what the page's script sends: the version that
the page shows, a key for each form, and at an approval whether the next card is kept ready, which the script fetches
while the person still reads. "approve and next" is that step as a browser has it; "approve and next, none kept" has the
next card in the reply, as for a person who approves before it could be fetched. The first save of a card begins its
review and brings the whole card back; it is counted apart from the saves after it.
Afterwards every save that was acknowledged must stand in the ledger once and in the card: none lost, none doubled.
Needs DATABASE_URL of an empty PostgreSQL database, or of one that it filled (SQLite works, on a file of its own).
Writes var/bench/load-<database>.json. Run it from the project's folder:
`DATABASE_URL=postgresql://… .venv/bin/python benchmarks/measure_load.py --people 8 --seconds 60`; at full length it is
`--people 25 --seconds 600 --whole 10000`.
"""

import argparse
import os
import re
import secrets
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from statistics import quantiles
from typing import Any

import httpx

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lexreview.settings")

import django  # noqa: E402

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection, connections  # noqa: E402
from django.db.models import Count  # noqa: E402

from benchmarks.cards_at_scale import build, decide_all, people, whole_cards  # noqa: E402
from benchmarks.results import figure, write_figures  # noqa: E402
from benchmarks.serving import served  # noqa: E402
from lexreview.ledger.models import Event  # noqa: E402
from lexreview.review.changed_parts import PAGE_VERSION  # noqa: E402
from lexreview.review.kept_pages import CARD_STAMP, KEPT_CARD, NEXT_CARD  # noqa: E402
from lexreview.review.models import Card  # noqa: E402

CRITERIA = ("A-R", "A1", "A2", "A3", "B1", "B2")
PAUSE = 0.3
"""Seconds between decisions of one who never stops to read."""
LIST, ROWS, FILTERED = "list", "list, next page", "list, other filter"
HTMX = {"HX-Request": "true"}
MEASURED_ELSEWHERE = "measured elsewhere, figures of the issue"
"""doccano 1.8.4 and Label Studio 1.23.2, both on one 2-core machine, SQLite, 10,000 items; not measured here."""
ELSEWHERE: dict[str, dict[str, tuple[float, float]]] = {
    "doccano 1.8.4": {LIST: (76, 93), "save": (14, 18), "approve and next": (135, 278)},
    "Label Studio 1.23.2": {LIST: (139, 163), "save": (116, 361), "approve and next": (524, 741)},
}
"""p50 and p95 in ms; their "save and next" stands beside our approval with the next card."""
WRITERS_ELSEWHERE = {"doccano 1.8.4": 25.0, "Label Studio 1.23.2": 4.0}
"""Saves per second of 8 writers."""
KEPT, NONE_KEPT, FETCHING = "approve and next", "approve and next, none kept", "the next card, ahead"
BEGINNING = "save that begins a review"
THEIRS = {NONE_KEPT: KEPT, ROWS: LIST, FILTERED: LIST}
TIMES_FASTER = {LIST: 3.0, ROWS: 3.0, FILTERED: 3.0, KEPT: 3.0, NONE_KEPT: 3.0, "save": None}
"""How many times faster than the faster of the two ours has to be; `THEIRS` says beside which of their figures."""


@dataclass
class Account:
    """What one person did: milliseconds by kind of request, saves acknowledged (card, version), what went wrong.

    `busy`: milliseconds of processor time that the web server's processes spent on one of a kind, the database's not.
    """

    spent: dict[str, list[float]] = field(default_factory=dict)
    saved: list[tuple[int, int]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    busy: dict[str, float] = field(default_factory=dict)


class Person:
    """A signed-in browser."""

    def __init__(self, name: str, base: str, *, pause: float = PAUSE) -> None:
        self.account = Account()
        self.pause = pause
        self.client = httpx.Client(base_url=base, timeout=30)
        page = self.client.get("/account/login/").text
        form = {"login": name, "password": "measured", "csrfmiddlewaretoken": _token(page)}
        self.client.post("/account/login/", data=form)
        if "sessionid" not in self.client.cookies:
            raise SystemExit(f"{name} could not sign in")

    def ask(
        self,
        kind: str,
        method: str,
        address: str,
        data: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> httpx.Response | None:
        form = {**(data or {}), "csrfmiddlewaretoken": self.client.cookies.get("csrftoken", "")}
        begin = time.perf_counter()
        try:
            reply = self.client.request(method, address, data=form if method == "POST" else None, headers=headers)
        except httpx.HTTPError as problem:
            self.account.errors.append(f"{kind}: {type(problem).__name__}")
            return None
        self.account.spent.setdefault(kind, []).append((time.perf_counter() - begin) * 1000)
        if reply.status_code >= 400:
            self.account.errors.append(f"{kind}: {reply.status_code}")
            return None
        return reply

    def save(self, card: int, version: int, criterion: str, kind: str = "save") -> int | None:
        """Decide one criterion; the version that the server says, None where it refused."""
        form = {
            **_sent(version),
            "points": "0",
            "evidence": f"Read {time.time():.3f}.",
            "reason": "As read.",
        }
        reply = self.ask(kind, "POST", f"/review/cards/{card}/criteria/{criterion}/", form, _shown(version))
        if reply is None:
            return None
        found = re.search(r"· v(\d+)", reply.text)
        if found is None or int(found[1]) == version:
            self.account.errors.append("save: not acknowledged")
            return None
        self.account.saved.append((card, int(found[1])))
        return int(found[1])

    def work(self, until: float) -> None:
        """Take the next card, look at it, decide six criteria, park it, and so on."""
        while time.monotonic() < until:
            reply = self.ask("next card", "POST", "/review/next/")
            where = re.search(r"/cards/(\d+)/", reply.headers.get("Location", "")) if reply is not None else None
            if where is None:
                self.account.errors.append("next card: none")
                return
            card = int(where[1])
            page = self.ask("card page", "GET", f"/review/cards/{card}/")
            shown = re.search(r'name="version" value="(\d+)"', page.text) if page is not None else None
            version = int(shown[1]) if shown else None
            for criterion in CRITERIA:
                if version is None or time.monotonic() > until:
                    break
                version = self.save(card, version, criterion)
                time.sleep(self.pause)
            self.ask("queue", "GET", "/review/?pile=unassigned")
            if version is not None:
                self.ask("park", "POST", f"/review/cards/{card}/park/", {"version": version, "reason": "Measured."})

    def read_lists(self, count: int) -> None:
        for _turn in range(count):
            self.ask(LIST, "GET", "/review/?pile=all")

    def turn_pages(self, count: int) -> None:
        """From page to page of the same list, as the page's script asks for them."""
        page = self.ask("first page", "GET", "/review/?pile=all")
        for _turn in range(count):
            found = re.search(r'id="page-after" href="([^"]+)"', page.text) if page is not None else None
            if found is None:
                self.account.errors.append(f"{ROWS}: no next page")
                return
            page = self.ask(ROWS, "GET", "/review/" + unescape(found[1]), headers={**HTMX, "HX-Target": "cards"})

    def choose_lists(self, count: int) -> None:
        """Another order each time, as the form of the filters asks when one of its fields changes."""
        for turn in range(count):
            address = f"/review/?pile=all&sort={('last_question', 'question')[turn % 2]}&state=prefilled"
            self.ask(FILTERED, "GET", address, headers={**HTMX, "HX-Target": "queue"})

    def approve(self, cards: list[int], kind: str) -> None:
        """Approve each card and show the next one: one step of a person, of that kind."""
        versions = dict(Card.objects.filter(pk__in=cards).values_list("pk", "version"))
        for card in cards:
            kept = self._kept(card) if kind == KEPT else {KEPT_CARD: "0"}
            form = {**_sent(versions[card]), "confirm_unchecked": "on"}
            headers = {**_shown(versions[card]), **kept}
            reply = self.ask(kind, "POST", f"/review/cards/{card}/approve/", form, headers)
            where = reply.headers.get(NEXT_CARD, "") if reply is not None else ""
            if reply is None or "/cards/" not in where or f"/cards/{card}/" in where:
                self.account.errors.append(f"{kind}: no next card")
            elif bool(reply.content) is (kind == KEPT):
                self.account.errors.append(f"{kind}: with another reply than a browser expects")

    def _kept(self, card: int) -> dict[str, str]:
        """What the browser says of the next card, which it fetches while this one is read."""
        reply = self.ask(FETCHING, "GET", f"/review/cards/{card}/following/")
        if reply is None or KEPT_CARD not in reply.headers:
            return {KEPT_CARD: "0"}
        return {name: reply.headers[name] for name in (KEPT_CARD, CARD_STAMP)}

    def save_one_by_one(self, cards: list[int], criterion: str, kind: str) -> None:
        versions = dict(Card.objects.filter(pk__in=cards).values_list("pk", "version"))
        for card in cards:
            self.save(card, versions[card], criterion, kind)

    def write(self, cards: list[int], until: float) -> None:
        """Save on the same few cards without a pause."""
        versions = dict(Card.objects.filter(pk__in=cards).values_list("pk", "version"))
        turn = 0
        while time.monotonic() < until:
            card = cards[turn % len(cards)]
            saved = self.save(card, versions[card], CRITERIA[turn // len(cards) % len(CRITERIA)])
            if saved is None:
                return
            versions[card] = saved
            turn += 1
        connections.close_all()


def _sent(version: int) -> dict[str, Any]:
    """The hidden fields of every form of a card."""
    return {"version": version, "form_key": secrets.token_urlsafe(12), "selected": 1}


def _shown(version: int) -> dict[str, str]:
    return {**HTMX, PAGE_VERSION: str(version)}


def _token(page: str) -> str:
    found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    if found is None:
        raise SystemExit("the sign-in page has no form")
    return found[1]


def main() -> None:
    asked = _arguments()
    call_command("migrate", verbosity=0)
    build(asked.cards, whole=asked.whole)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    names = [person.username for person in people(asked.people)][: asked.people]
    last_event = Event.objects.newest_first().values_list("number", flat=True).first() or 0
    with served(asked.port) as server:
        base = f"http://127.0.0.1:{asked.port}"
        alone = _alone(base, asked, server.pid)
        at_work = _together([Person(name, base, pause=asked.pause) for name in names], "work", asked.seconds)
        writers = [Person(name, base) for name in names[:8]]
        cards = [card.pk for card in whole_cards(8 * len(writers))]
        shares = {id(each): cards[place :: len(writers)] for place, each in enumerate(writers)}
        writing = _together(writers, "write", asked.write_seconds, shares)
    figures = [
        *_beside(alone),
        *_times(at_work, asked),
        *_writes(writing, asked),
        *_lost([alone, *at_work, *writing], last_event),
    ]
    about = {
        "people": asked.people,
        "seconds": asked.seconds,
        "pause": asked.pause,
        "cards": asked.cards,
        "elsewhere": {MEASURED_ELSEWHERE: ELSEWHERE, "8 writers, saves per second": WRITERS_ELSEWHERE},
    }
    print(write_figures(f"load-{connection.vendor}", figures, **about))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=8)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--pause", type=float, default=PAUSE, help="seconds between two decisions of a person")
    parser.add_argument("--write-seconds", type=int, default=15)
    parser.add_argument("--cards", type=int, default=10_000)
    parser.add_argument(
        "--whole", type=int, default=2_000, help="so many have all their rows; a person takes 20 a minute"
    )
    parser.add_argument("-n", type=int, default=100, help="lists, approvals and saves of the one alone")
    parser.add_argument("--port", type=int, default=8119)
    return parser.parse_args()


def _together(
    persons: list[Person], what: str, seconds: int, shares: dict[int, list[int]] | None = None
) -> list[Account]:
    until = time.monotonic() + seconds
    threads = [
        threading.Thread(target=getattr(each, what), args=[*([shares[id(each)]] if shares else []), until])
        for each in persons
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return [person.account for person in persons]


def _busy_seconds(pid: int) -> float:
    """Processor time of a process and its children so far; Linux only, 0 elsewhere."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        fields = [Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split() for each in [str(pid), *children]]
    except OSError:
        return 0
    return sum(int(each[11]) + int(each[12]) for each in fields) / os.sysconf("SC_CLK_TCK")


def _alone(base: str, asked: argparse.Namespace, server: int) -> Account:
    """One person, one request after the other, nobody else at work."""
    reviewer, *_others, lead = people()
    cards = list(whole_cards(3 * asked.n + 1))
    to_approve, to_save = cards[: 2 * asked.n + 1], [card.pk for card in cards[2 * asked.n + 1 :]]
    decide_all(to_approve, reviewer)
    decided = [card.pk for card in to_approve]
    listing, person = Person(lead.username, base), Person(reviewer.username, base)
    account = person.account
    steps: dict[str, Callable[[], None]] = {
        LIST: lambda: listing.read_lists(asked.n),
        ROWS: lambda: listing.turn_pages(asked.n),
        FILTERED: lambda: listing.choose_lists(asked.n),
        BEGINNING: lambda: person.save_one_by_one(to_save, "A1", BEGINNING),
        "save": lambda: person.save_one_by_one(to_save, "A-R", "save"),
        NONE_KEPT: lambda: person.approve(decided[: asked.n], NONE_KEPT),
        KEPT: lambda: person.approve(decided[asked.n : 2 * asked.n], KEPT),
    }
    for name, step in steps.items():
        begin = _busy_seconds(server)
        step()
        account.busy[name] = (_busy_seconds(server) - begin) / asked.n * 1000
    account.spent |= {name: listing.account.spent.get(name, []) for name in (LIST, ROWS, FILTERED)}
    account.errors += listing.account.errors
    return account


def _beside(alone: Account) -> list[dict[str, Any]]:
    """Our figures with the ratio to those of comparable tools: theirs divided by ours."""
    errors = Counter(alone.errors)
    found = [figure("errors of the one alone", sum(errors.values()), target="0", met=not errors, kinds=dict(errors))]
    for name, times in TIMES_FASTER.items():
        print(f"{name}: {alone.busy.get(name, 0):.1f} ms of the web server's processor time")
        spent = alone.spent.get(name, [])
        cuts = quantiles(spent, n=20) if len(spent) > 1 else []
        for place, (quantile, cut) in enumerate((("p50", 9), ("p95", 18)) if cuts else ()):
            ratios = {tool: theirs[THEIRS.get(name, name)][place] / cuts[cut] for tool, theirs in ELSEWHERE.items()}
            shown = ", ".join(f"{tool} {ratio:.2f}" for tool, ratio in ratios.items())
            print(f"theirs ({MEASURED_ELSEWHERE}) / ours: {shown}")
            found.append(
                figure(
                    f"{name}, one person: {quantile} ms",
                    cuts[cut],
                    target=f"{times:g} times faster than the faster of the two" if times else "",
                    n=len(spent),
                    met=min(ratios.values()) >= times if times else None,
                    ratio={MEASURED_ELSEWHERE: ratios},
                    server_processor_ms=alone.busy.get(name),
                )
            )
    return found


def _times(accounts: list[Account], asked: argparse.Namespace) -> list[dict[str, Any]]:
    kinds = sorted({kind for account in accounts for kind in account.spent})
    spent = {kind: [ms for account in accounts for ms in account.spent.get(kind, [])] for kind in kinds}
    everything = [ms for times in spent.values() for ms in times]
    errors = Counter(error for account in accounts for error in account.errors)
    found = [figure("errors", sum(errors.values()), target="0", met=not errors, n=len(everything), kinds=dict(errors))]
    for kind, times in [*spent.items(), ("all requests", everything)]:
        if len(times) > 1:
            p95 = quantiles(times, n=20)[18]
            found.append(figure(f"{kind}: p95 ms", p95, target="≤ 250", n=len(times), met=p95 <= 250))
    return found


def _writes(accounts: list[Account], asked: argparse.Namespace) -> list[dict[str, Any]]:
    saves = sum(len(account.saved) for account in accounts)
    errors = Counter(error for account in accounts for error in account.errors)
    rate = saves / asked.write_seconds
    return [
        figure(
            "saves per second, 8 writers",
            rate,
            target="≥ 60",
            n=saves,
            met=rate >= 60,
            ratio={MEASURED_ELSEWHERE: {tool: rate / theirs for tool, theirs in WRITERS_ELSEWHERE.items()}},
        ),
        figure("errors of the writers", sum(errors.values()), target="0", met=not errors, kinds=dict(errors)),
    ]


def _lost(accounts: list[Account], last_event: int) -> list[dict[str, Any]]:
    """Every acknowledged save against the ledger and the rows."""
    acknowledged = Counter(each for account in accounts for each in account.saved)
    events = Event.objects.filter(number__gt=last_event, verb="decide_score")
    names = {card.ledger_id: card.pk for card in Card.objects.select_related("answer__question__benchmark").filter(
        pk__in={card for card, _version in acknowledged}
    )}  # fmt: skip
    recorded = Counter(
        (names[name], version) for name, version in events.values_list("object_id", "after__version") if name in names
    )
    lost = sum((acknowledged - recorded).values())
    doubled = sum(count - 1 for count in recorded.values() if count > 1)
    per_card = Event.objects.filter(object_type="card", number__gt=last_event).values("object_id")
    newest = dict(per_card.annotate(n=Count("pk")).values_list("object_id", "n"))
    call_command("verify_ledger")
    return [
        figure("saves acknowledged and not in the ledger", lost, target="0", n=len(acknowledged), met=lost == 0),
        figure("saves recorded twice", doubled, target="0", n=len(recorded), met=doubled == 0),
        figure("cards changed", len(newest)),
    ]


if __name__ == "__main__":
    main()
