"""Tries every parser on bytes that coverage guides (atheris), for a time or a number of inputs, and counts them.

Needs atheris, which has wheels for Linux on x86-64 only; elsewhere it says so and ends well. One process per parser:
the fuzzer never gives its process back. A fault is kept in `var/bench/fuzz-faults/` and ends the run with status 1.
`--seconds N` and `--inputs N` for all parsers together, `--only TEXT`, `--seed N`.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.fuzz_record import SLOW_SECONDS, FuzzRecord, TooSlow
from benchmarks.results import shared_folder
from tests.fuzz import seeds

try:
    import atheris
except ImportError:
    atheris = None

MOST_BYTES = 8_192


def main() -> int:
    options = _options()
    if atheris is None:
        print("atheris is not there: it has wheels for Linux on x86-64 only; nothing tried")
        return 0
    return _one(options) if options.parser else _all(options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--inputs", type=int, default=10**9)
    parser.add_argument("--seed", type=int, default=random.randrange(1, 10**6))
    parser.add_argument("--only", default="")
    parser.add_argument("--parser", default="", help=argparse.SUPPRESS)
    parser.add_argument("--folder", default="", help=argparse.SUPPRESS)
    return parser.parse_args()


def _all(options: argparse.Namespace) -> int:
    names = [name for name in seeds.PARSERS if options.only in name]
    seconds, inputs = max(1, options.seconds // len(names)), max(1, options.inputs // len(names))
    worst = 0
    for name in names:
        with tempfile.TemporaryDirectory(prefix="lexreview-fuzz-") as folder:
            for number, seed in enumerate(seeds.seeds_of(name, shared_folder())):
                (Path(folder) / f"seed-{number:03d}").write_bytes(seed)
            given = [f"--parser={name}", f"--folder={folder}", f"--seed={options.seed}"]
            command = [sys.executable, __file__, *given, f"--seconds={seconds}", f"--inputs={inputs}"]
            worst = max(worst, subprocess.run(command, check=False).returncode)
    return worst


def _one(options: argparse.Namespace) -> int:
    """The parser under the fuzzer until time or inputs are used up; then the counts are saved and the process ends."""
    with atheris.instrument_imports(include=["lexreview"]):
        from tests.fuzz import targets

    record, name = FuzzRecord("atheris"), options.parser
    until = time.monotonic() + options.seconds

    def tried(content: bytes) -> None:
        before = time.process_time()
        try:
            targets.run_file(name, content)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
            record.fault(name, content, error)
        seconds = time.process_time() - before
        record.count(name, seconds)
        if seconds > SLOW_SECONDS:
            record.fault(name, content, TooSlow(f"{seconds:.1f} s"))
        if time.monotonic() > until or record.inputs[name] >= options.inputs:
            total = record.save()
            status = record.report(f"{name}, seed {options.seed}, {total} inputs in all")
            sys.stdout.flush()
            os._exit(status)  # any other way out is a crash to the fuzzer

    settings = [f"-max_len={MOST_BYTES}", f"-seed={options.seed}", "-timeout=60", "-verbosity=0"]
    atheris.Setup([sys.argv[0], options.folder, *settings], tried)
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
