"""The same pieces and changes as `fuzz_hypothesis.py`, drawn by a plain seeded generator: many more inputs a second.

A fault is cut down by leaving out what it does not need, kept in `var/bench/fuzz-faults/`, and ends the run with
status 1. `--seconds N`, `--inputs N`, `--seed N`, `--only TEXT`.
"""

import argparse
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.fuzz_record import SLOW_SECONDS, FuzzRecord, TooSlow, signature_of
from benchmarks.results import shared_folder
from tests.fuzz import seeds, strategies, targets
from tests.fuzz.editing import LINEAR, edited, restructured

BATCH = 500
GIVEN_UP_SECONDS = 20
_MOST_CUTS = 400


def main() -> int:
    options = _options()
    signal.signal(signal.SIGPROF, give_up)
    record, rng = FuzzRecord("mutation"), random.Random(options.seed)
    until = time.monotonic() + options.seconds
    names = [name for name in (*targets.TEXTS, *targets.FILES) if options.only in name]
    try:
        while names and time.monotonic() < until and sum(record.inputs.values()) < options.inputs:
            for name in names:
                _batch(record, name, rng, until=until)
    finally:
        total = record.save()
    return record.report(f"seed {options.seed}, {total} inputs in all")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--inputs", type=int, default=10**9)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--only", default="")
    return parser.parse_args()


def _batch(record: FuzzRecord, name: str, rng: random.Random, *, until: float) -> None:
    shared = shared_folder()
    is_text = name in targets.TEXTS
    run: Callable[[Any], object] = targets.TEXTS[name] if is_text else lambda content: targets.run_file(name, content)
    for _ in range(BATCH):
        if time.monotonic() > until:
            return
        content: Any = _text(name, rng, shared) if is_text else _file(name, rng, shared)
        error, seconds = attempt(run, content)
        record.count(name, seconds)
        if error is not None and record.fault(name, content, error):
            _cut_down(record, name, run, content, error)


def attempt(run: Callable[[Any], object], content: Any) -> tuple[BaseException | None, float]:
    """What the target raised, None where all was well, and the processor seconds."""
    before = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, GIVEN_UP_SECONDS)
    try:
        run(content)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
        return error, time.process_time() - before
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    seconds = time.process_time() - before
    return (TooSlow(f"{seconds:.1f} s") if seconds > SLOW_SECONDS else None), seconds


def _text(name: str, rng: random.Random, shared: Path | None) -> str:
    fragments = strategies.fragments_of(name)
    chance = rng.random()
    if chance < 0.45:
        return "".join(rng.choices(fragments, k=rng.randint(0, strategies.MOST_PIECES)))
    if chance < 0.9:
        return edited(rng.choice(strategies.cases_of(name, shared)), _edits(rng, fragments))
    ranges = ((0, 0x250), (0, 0xD800), (0xE000, 0x11000), (0x1D400, 0x1F600))
    return "".join(chr(rng.randrange(*rng.choice(ranges))) for _ in range(rng.randint(0, 60)))


def _file(name: str, rng: random.Random, shared: Path | None) -> bytes:
    known = rng.choice(seeds.seeds_of(name, shared))
    if strategies.has_tree(name) and rng.random() < 0.6:
        changes = [(rng.randrange(2**16), rng.randrange(2**16), rng.randrange(2**16)) for _ in range(rng.randint(1, 4))]
        return restructured(known, changes)
    return edited(known, _edits(rng, strategies.tokens_of(name)))


def _edits(rng: random.Random, fragments: tuple[Any, ...]) -> list[tuple[str, int, int, Any]]:
    count = rng.randint(1, strategies.MOST_EDITS)
    return [(rng.choice(LINEAR), rng.randrange(2**16), rng.randint(0, 40), rng.choice(fragments)) for _ in range(count)]


def _cut_down(record: FuzzRecord, name: str, run: Callable[[Any], object], content: Any, error: BaseException) -> None:
    """Leave out ever smaller stretches as long as the same fault remains."""
    wanted, size, cuts = signature_of(name, error), max(1, len(content) // 2), 0
    while size and cuts < _MOST_CUTS and not isinstance(error, TooSlow):
        start, shorter = 0, False
        while start < len(content) and cuts < _MOST_CUTS:
            cuts += 1
            less = content[:start] + content[start + size :]
            other, _ = attempt(run, less)
            if other is not None and signature_of(name, other) == wanted:
                content, shorter = less, True
                record.fault(name, content, other)
            else:
                start += size
        size = size if shorter and size > 1 else size // 2


def give_up(number: int, frame: FrameType | None) -> None:
    raise TooSlow(f"more than {GIVEN_UP_SECONDS} s of processor time")


if __name__ == "__main__":
    sys.exit(main())
