"""What fuzzing tried and what broke: counts per target over all runs, and each faulty input in a file of its own."""

import hashlib
import json
import os
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.results import ROOT, bench_folder, circumstances

SLOW_SECONDS = 2.0
_FAULTS = "fuzz-faults"


class TooSlow(Exception):
    """One input kept the processor busy for longer than `SLOW_SECONDS`."""


class FuzzRecord:
    """One run of one engine. `save` adds it to what earlier runs left in `bench/fuzz.json`."""

    def __init__(self, engine: str) -> None:
        self.engine = engine
        self.begun = circumstances()
        self.started = time.perf_counter()
        self.inputs: Counter[str] = Counter()
        self.slowest: dict[str, float] = {}
        self.faults: dict[str, dict[str, Any]] = {}

    def count(self, target: str, seconds: float) -> None:
        self.inputs[target] += 1
        if seconds > self.slowest.get(target, 0.0):
            self.slowest[target] = seconds

    def fault(self, target: str, content: str | bytes, error: BaseException) -> bool:
        """Note a fault with its input, the shortest one where it recurs. True for a fault new to this run."""
        signature = signature_of(target, error)
        data = content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
        known = self.faults.get(signature)
        if known is None or len(data) <= known["bytes"]:
            number = hashlib.sha256(signature.encode()).hexdigest()[:10]
            file = bench_folder() / _FAULTS / f"{target.replace(' ', '-')}-{number}"
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(data)
            trace = "".join(traceback.format_exception(error)[-3:])[-1500:]
            self.faults[signature] = {"target": target, "file": file.name, "bytes": len(data), "trace": trace}
        return known is None

    def report(self, about: str) -> int:
        """Print what was tried and every fault; returns the exit status."""
        print(f"{self.engine}, {about}: {sum(self.inputs.values())} inputs now, {len(self.faults)} faults")
        for signature, fault in self.faults.items():
            print(f"-- {signature}\n   {fault['file']}, {fault['bytes']} bytes\n{fault['trace']}")
        return 1 if self.faults else 0

    def save(self) -> int:
        """Write everything; returns the number of inputs over all runs."""
        path = bench_folder() / "fuzz.json"
        stored = json.loads(path.read_text()) if path.exists() else {"runs": []}
        run = {
            **self.begun,
            "engine": self.engine,
            "seconds": round(time.perf_counter() - self.started, 1),
            "inputs": sum(self.inputs.values()),
            "by_target": dict(sorted(self.inputs.items())),
            "slowest_seconds": {name: round(value, 3) for name, value in sorted(self.slowest.items())},
            "faults": self.faults,
        }
        runs = [*stored["runs"], run]
        by_target: dict[str, Counter[str]] = {}
        for each in runs:
            for target, count in each["by_target"].items():
                by_target.setdefault(target, Counter())[each["engine"]] += count
        total = sum(each["inputs"] for each in runs)
        totals = {"inputs": total, "by_target": {name: dict(by_target[name]) for name in sorted(by_target)}}
        path.write_text(json.dumps({**totals, "runs": runs}, indent=1) + "\n")
        return total


def signature_of(target: str, error: BaseException) -> str:
    """Faults with the same exception from the same line of ours are one fault."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if Path(frame.filename).is_relative_to(ROOT / "lexreview")] or frames
    place = f"{os.path.basename(ours[-1].filename)}:{ours[-1].lineno}" if ours else "?"
    return f"{target} {type(error).__name__} {place}"
