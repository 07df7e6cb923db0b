"""Tries every grammar and parser on generated input, for a time or a number of inputs, and counts what was tried.

Texts come from pieces of each language, changed cases and random unicode; files from changed seeds. A fault is any
exception but `UnreadableSource`, and an input that takes more than two seconds of processor time. Faults are shrunk,
kept in `var/bench/fuzz-faults/`, and end the run with status 1. `--seconds N`, `--inputs N`, `--seed N`, `--only TEXT`.
"""

import argparse
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

from benchmarks.fuzz_record import SLOW_SECONDS, FuzzRecord, TooSlow
from benchmarks.results import shared_folder
from tests.fuzz import strategies, targets

BATCH = 400
_GIVEN_UP_SECONDS = 20
QUIET = settings(
    max_examples=BATCH,
    database=None,
    deadline=None,
    phases=(Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
    print_blob=False,
)
Tried = tuple[str, Callable[[Any], object], SearchStrategy[Any]]


def main() -> int:
    options = _options()
    signal.signal(signal.SIGPROF, _give_up)
    record = FuzzRecord("hypothesis")
    until = time.monotonic() + options.seconds
    try:
        for number, (name, run, inputs) in enumerate(_in_turn(options.only)):
            if time.monotonic() > until or sum(record.inputs.values()) >= options.inputs:
                break
            _batch(record, name, run, inputs, number=options.seed * 1_000_003 + number, until=until)
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


def _in_turn(only: str) -> Iterator[Tried]:
    """Batches of one target after the other, without end."""
    shared = shared_folder()
    tried: list[Tried] = [(name, targets.TEXTS[name], strategies.texts(name, shared=shared)) for name in targets.TEXTS]
    tried += [(name, _file_run(name), strategies.files(name, shared=shared)) for name in targets.FILES]
    chosen = [each for each in tried if only in each[0]]
    while chosen:
        yield from chosen


def _file_run(name: str) -> Callable[[bytes], None]:
    return lambda content: targets.run_file(name, content)


def _batch(
    record: FuzzRecord,
    name: str,
    run: Callable[[Any], object],
    inputs: SearchStrategy[Any],
    *,
    number: int,
    until: float,
) -> None:
    """One batch. The first fault of a kind is shrunk, which ends the batch; further ones are only noted."""
    shrinking = False

    @QUIET
    @seed(number)
    @given(inputs)
    def tried(content: Any) -> None:
        nonlocal shrinking
        if not shrinking and time.monotonic() > until:
            return
        before = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, _GIVEN_UP_SECONDS)
        try:
            run(content)
        except Exception as error:
            signal.setitimer(signal.ITIMER_PROF, 0)
            if record.fault(name, content, error) or shrinking:
                shrinking = True
                raise
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        seconds = time.process_time() - before
        record.count(name, seconds)
        if seconds > SLOW_SECONDS:
            record.fault(name, content, TooSlow(f"{seconds:.1f} s"))

    try:
        tried()
    except Exception as error:
        if not record.faults:
            raise AssertionError("the fault was not noted") from error


def _give_up(number: int, frame: FrameType | None) -> None:
    raise TooSlow(f"more than {_GIVEN_UP_SECONDS} s of processor time")


if __name__ == "__main__":
    sys.exit(main())
