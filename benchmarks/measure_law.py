"""How fast law is imported and looked up: one large act, all dated editions at hand, and a unit among a million.

Works in a database of its own (`DATABASE_URL` chooses PostgreSQL; a scratch SQLite file otherwise) and writes
`var/bench/law.json`. `--units N` sets the size of the look-up, `--skip-lookup` leaves it out.
"""

import argparse
import json
import os
import random
import statistics
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
_scratch = tempfile.TemporaryDirectory(prefix="lexreview-bench-")
os.environ.setdefault("DATABASE_URL", f"sqlite:///{_scratch.name}/law.sqlite3")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lexreview.settings")

import django  # noqa: E402

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402

from benchmarks.results import bench_folder, circumstances, figure, shared_folder  # noqa: E402
from lexreview.law.actions import import_acts  # noqa: E402
from lexreview.law.models import Act, Edition, Unit  # noqa: E402
from lexreview.law.on_date import unit_on  # noqa: E402
from lexreview.law.parsed import UnreadableSource, sha256_of  # noqa: E402
from lexreview.law.sources.fedlex import parse_fedlex  # noqa: E402
from lexreview.law.sources.markdown_ch import parse_markdown_ch  # noqa: E402

UNITS_PER_EDITION = 2000
EDITIONS_PER_ACT = 10
LOOKUPS = 2000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--units", type=int, default=1_000_000)
    parser.add_argument("--skip-lookup", action="store_true")
    parser.add_argument("--skip-imports", action="store_true")
    options = parser.parse_args()
    call_command("migrate", verbosity=0)
    figures: list[dict[str, Any]] = []
    shared = shared_folder()
    if shared is None:
        print("the folder of real legal texts is not there (LEXREVIEW_SHARED); imports are not measured")
    elif not options.skip_imports:
        figures += _imports(shared / "data")
    if not options.skip_lookup:
        figures += _lookups(options.units)
    result = {"circumstances": circumstances(), "database": connection.vendor, "figures": figures}
    (bench_folder() / "law.json").write_text(json.dumps(result, indent=1) + "\n")


def _imports(data: Path) -> list[dict[str, Any]]:
    content = (data / "fedlex-xml" / "cc-24-233_245_233-20260701-de.xml").read_bytes()
    started, busy = time.perf_counter(), time.process_time()
    report = import_acts(parsed=[parse_fedlex(content)], by=None, now=datetime.now(UTC))
    seconds, cpu_seconds = round(time.perf_counter() - started, 2), round(time.process_time() - busy, 2)
    figures = [
        figure(
            "import of the Swiss Civil Code, processor s", cpu_seconds, target="≤ 2", n=report.units_added,
            met=cpu_seconds <= 2, wall_seconds=seconds,
        )
    ]  # fmt: skip
    started, busy, count, refused = time.perf_counter(), time.process_time(), 0, 0
    units = 0
    for text in _german_editions(data / "fedlex-editions-md"):
        try:
            units += import_acts(parsed=[parse_markdown_ch(text)], by=None, now=datetime.now(UTC)).units_added
            count += 1
        except UnreadableSource:
            refused += 1
    seconds = round(time.perf_counter() - started, 2)
    cpu_seconds = round(time.process_time() - busy, 2)
    figures.append(
        figure(
            f"import of {count} dated editions, processor s", cpu_seconds, target="≤ 60", n=units,
            met=cpu_seconds <= 60, wall_seconds=seconds, refused=refused,
        )
    )  # fmt: skip
    return figures


def _german_editions(folder: Path) -> Iterator[bytes]:
    """Every German edition with text: loose files, then those in archives."""
    for path in sorted(folder.glob("*/*.de.md")):
        yield path.read_bytes()
    for archive in sorted(folder.glob("*.tar.xz")):
        with tarfile.open(archive) as members:
            for member in sorted(members, key=lambda each: each.name):
                file = members.extractfile(member) if member.name.endswith(".de.md") else None
                if file is not None:
                    yield file.read()


def _lookups(units: int) -> list[dict[str, Any]]:
    acts = _fill(units)
    chance = random.Random(1)
    took, busy = [], time.process_time()
    for _ in range(LOOKUPS):
        act, number = chance.choice(acts), chance.randint(1, UNITS_PER_EDITION // 4)
        key = f"art={number}" if chance.random() < 0.3 else f"art={number}/ust={chance.randint(1, 3)}"
        on = date(2000, 1, 1) + timedelta(days=chance.randrange(EDITIONS_PER_ACT * 365))
        started = time.perf_counter()
        answer = unit_on(act=act, unit=key, on=on, lang="de")
        took.append(1000 * (time.perf_counter() - started))
        if answer.outcome != "found":
            raise RuntimeError(f"{act} {key} on {on}: {answer.outcome} {answer.reason}")
    cpu = 1000 * (time.process_time() - busy) / LOOKUPS
    median, slow = statistics.median(took), statistics.quantiles(took, n=100)[98]
    return [
        figure("unit look-up, median ms", round(median, 2), target="≤ 2", n=Unit.objects.count(), met=median <= 2),
        figure("unit look-up, mean processor ms", round(cpu, 2), n=LOOKUPS),
        figure("unit look-up, 99th percentile ms", round(slow, 2), n=LOOKUPS),
    ]


def _fill(units: int) -> list[Act]:
    """Acts with ten editions each, an article with three paragraphs four units. All copy the first edition."""
    acts, model = [], None
    for number in range(max(1, units // (UNITS_PER_EDITION * EDITIONS_PER_ACT))):
        act = Act.objects.create(eli=f"eli/bench/{number}", jurisdiction="XX", in_force_on=date(1990, 1, 1))
        acts.append(act)
        for order in range(EDITIONS_PER_ACT):
            begins = date(2000, 1, 1) + timedelta(days=365 * order)
            ends = None if order == EDITIONS_PER_ACT - 1 else begins + timedelta(days=364)
            edition = Edition.objects.create(
                act=act, language="de", valid_from=begins, valid_to=ends, standing="official",
                sha256=sha256_of(f"{number} {order}".encode()),
            )  # fmt: skip
            if model is None:
                model = edition
                _fill_first(edition)
            else:
                _copy(model, edition)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return acts


def _fill_first(edition: Edition) -> None:
    articles = [
        Unit(
            edition=edition, position=4 * index, last_position=4 * index + 3, key=f"art={index + 1}", level="art",
            number=f"Art. {index + 1}", heading="Überschrift",
        )
        for index in range(UNITS_PER_EDITION // 4)
    ]  # fmt: skip
    Unit.objects.bulk_create(articles)
    Unit.objects.bulk_create(
        Unit(
            edition=edition, parent=article, position=article.position + place, last_position=article.position + place,
            key=f"{article.key}/ust={place}", level="ust", number=str(place), text=f"Text {article.key} {place}. " * 10,
        )
        for article in articles
        for place in (1, 2, 3)
    )  # fmt: skip


def _copy(model: Edition, edition: Edition) -> None:
    """The units of one edition for another one, inside the database: articles first, then what hangs on them."""
    plain = "position, last_position, key, range_end, level, eid, number, heading, text, closing, notes, is_repealed"
    own = ", ".join(f"u.{name}" for name in plain.split(", "))
    parent = (
        "(SELECT n.id FROM law_unit n JOIN law_unit o ON o.position = n.position"
        " WHERE n.edition_id = %s AND o.id = u.parent_id)"
    )
    head = f"INSERT INTO law_unit (edition_id, parent_id, {plain}) SELECT %s, "
    with connection.cursor() as cursor:
        cursor.execute(
            f"{head} NULL, {own} FROM law_unit u WHERE u.edition_id = %s AND u.parent_id IS NULL",
            [edition.pk, model.pk],
        )
        cursor.execute(
            f"{head} {parent}, {own} FROM law_unit u WHERE u.edition_id = %s AND u.parent_id IS NOT NULL",
            [edition.pk, edition.pk, model.pk],
        )


if __name__ == "__main__":
    main()
