"""The first view of a card in Chromium with an empty cache, over real HTTP: when it can be worked with, what was sent.

"Interactive" is the latest of three moments, counted from the start of the navigation: the page's scripts have run, its
content has been painted, and the last task that held the page for longer than 50 ms has ended. What was sent is counted
on the wire: heads and bodies as they came, compressed, of the page and of all that it asks for until it rests.
`--slow` adds the way of a distant reader: 40 ms to and fro, 10 Mbit/s.
On a SQLite database of its own, or on DATABASE_URL where that is set (an empty one, or one filled by this script or
`measure_load.py`). Needs Chromium. Writes var/bench/first-view-<database>.json.
Run it from the project's folder: `.venv/bin/python benchmarks/measure_first_view.py`.
"""

import argparse
import os
import shutil
import sys
from pathlib import Path
from statistics import median
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

from django.db import connection, connections
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.cards_at_scale import build, people, whole_cards
from benchmarks.results import figure, write_figures
from benchmarks.serving import served

PORT = 8121
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")
SLOW_WAY = {"offline": False, "latency": 40, "downloadThroughput": 10e6 / 8, "uploadThroughput": 10e6 / 8}
AT_MOST_MS, AT_MOST_KB = 1000, 150
# Tasks are noted from the first moment on; a page's own observer would begin after its scripts.
NOTE_LONG_TASKS = """
window.longTasks = [];
const note = task => window.longTasks.push(task.startTime + task.duration);
new PerformanceObserver(list => list.getEntries().forEach(note)).observe({type: "longtask", buffered: true});
"""
MOMENTS = """() => {
  const page = performance.getEntriesByType("navigation")[0];
  const painted = performance.getEntriesByName("first-contentful-paint")[0];
  return {scripts: page.domContentLoadedEventEnd, painted: painted ? painted.startTime : 0,
          held: Math.max(0, ...window.longTasks), first_byte: page.responseStart};
}"""


def main() -> None:
    asked = _arguments()
    chromium = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if chromium is None:
        raise SystemExit("Chromium is needed: none is installed and CHROMIUM names none.")
    build(asked.cards, whole=asked.cards)
    people()
    cards = [card.pk for card in whole_cards(asked.n + 1)]
    connections.close_all()
    with served(PORT), sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-dev-shm-usage"])
        signed_in = _sign_in(browser)
        views = [_first_view(browser, signed_in, card, slow=asked.slow) for card in cards]
        browser.close()
    figures = _figures(views[1:])
    print(write_figures(f"first-view-{connection.vendor}", figures, cards=asked.cards, slow=asked.slow))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cards", type=int, default=200)
    parser.add_argument("-n", type=int, default=20, help="views per figure, after one that is not counted")
    parser.add_argument("--slow", action="store_true", help="over a way of 40 ms and 10 Mbit/s")
    return parser.parse_args()


def _sign_in(browser: Browser) -> Any:
    """What the browser keeps of a person who has signed in: cookies, no files."""
    context = browser.new_context(base_url=f"http://127.0.0.1:{PORT}")
    page = context.new_page()
    page.goto("/account/login/")
    page.fill("input[name=login]", "reviewer00")
    page.fill("input[name=password]", "measured")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    kept = context.storage_state()
    context.close()
    if not any(cookie["name"] == "sessionid" for cookie in kept["cookies"]):
        raise SystemExit("reviewer00 could not sign in")
    return kept


def _first_view(browser: Browser, signed_in: Any, card: int, *, slow: bool) -> dict[str, float]:
    context = browser.new_context(base_url=f"http://127.0.0.1:{PORT}", storage_state=signed_in)
    context.add_init_script(NOTE_LONG_TASKS)
    page = context.new_page()
    sent = _count_bytes(page, slow=slow)
    reply = page.goto(f"/review/cards/{card}/", wait_until="networkidle")
    if reply is None or reply.status != 200:
        raise SystemExit(f"card {card} was refused: {reply and reply.status}")
    moments: dict[str, float] = page.evaluate(MOMENTS)
    context.close()
    return {**moments, "bytes": sum(sent.values()), "page": sent.get(reply.url, 0), "requests": len(sent)}


def _count_bytes(page: Page, *, slow: bool) -> dict[str, float]:
    """Bytes on the wire by address, filled while the page loads."""
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    if slow:
        wire.send("Network.emulateNetworkConditions", SLOW_WAY)
    names: dict[str, str] = {}
    sent: dict[str, float] = {}
    wire.on("Network.requestWillBeSent", lambda said: names.update({said["requestId"]: said["request"]["url"]}))
    wire.on(
        "Network.loadingFinished",
        lambda said: sent.update({names[said["requestId"]]: said["encodedDataLength"]}),
    )
    return sent


def _figures(views: list[dict[str, float]]) -> list[dict[str, Any]]:
    n = len(views)
    interactive = sorted(max(view["scripts"], view["painted"], view["held"]) for view in views)
    late = interactive[min(n - 1, round(0.95 * n))]
    most = max(view["bytes"] for view in views) / 1000
    return [
        figure("first view of a card, first byte: p50 ms", median(view["first_byte"] for view in views), n=n),
        figure("first view of a card, painted: p50 ms", median(view["painted"] for view in views), n=n),
        figure("first view of a card, interactive: p50 ms", median(interactive), n=n),
        figure(
            "first view of a card, interactive: p95 ms", late, n=n, target=f"≤ {AT_MOST_MS}", met=late <= AT_MOST_MS
        ),
        figure("first view of a card, the page alone: kB", max(view["page"] for view in views) / 1000, n=n),
        figure("first view of a card, requests", max(view["requests"] for view in views), n=n),
        figure("first view of a card, all: kB", most, n=n, target=f"≤ {AT_MOST_KB}", met=most <= AT_MOST_KB),
    ]


if __name__ == "__main__":
    main()
