"""Where measured figures go, and under which circumstances they were measured."""

import json
import os
import platform
import subprocess
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


def bench_folder() -> Path:
    """`bench` in the folder of the installation's data, made where it is not there."""
    folder = Path(os.environ.get("LEXREVIEW_VAR") or ROOT / "var") / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def shared_folder() -> Path | None:
    """The folder of real legal texts and labelled cases; None where it is not there."""
    folder = Path(os.environ.get("LEXREVIEW_SHARED") or ROOT.parent / "shared")
    return folder if (folder / "cases").is_dir() else None


def circumstances() -> dict[str, Any]:
    """When, on which commit and machine, and how busy that machine was."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": commit.stdout.strip() or None,
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "load": [round(value, 2) for value in os.getloadavg()],
    }


def figure(
    name: str, value: Any, *, target: str = "", n: int | None = None, met: bool | None = None, **more: Any
) -> dict[str, Any]:
    """One measured figure, printed and returned. `met` says whether the target was; None without a target."""
    mark = {True: "met", False: "MISSED", None: ""}[met]
    shown = f"{value:.4g}" if isinstance(value, float) else value
    print(
        f"{name}: {shown}{f' (n = {n})' if n is not None else ''}{f', target {target}' if target else ''} {mark}",
        flush=True,
    )
    return {
        "name": name,
        "value": value,
        "target": target,
        "n": n,
        "met": met,
        "load": round(os.getloadavg()[0], 2),
        **more,
    }


def write_figures(name: str, figures: list[dict[str, Any]], *, folder: Path | None = None, **more: Any) -> Path:
    """The figures as `<name>.json` in `folder`, else in `bench_folder()`, in place of those of the last time."""
    path = (folder or bench_folder()) / f"{name}.json"
    path.write_text(json.dumps({**circumstances(), **more, "figures": figures}, indent=1, ensure_ascii=False) + "\n")
    return path


class Stopwatch:
    """Wall and processor seconds of a block: on a busy machine only the latter says what the work costs."""

    def __enter__(self) -> "Stopwatch":
        self._wall, self._busy = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *exc: object) -> None:
        self.wall, self.busy = time.perf_counter() - self._wall, time.process_time() - self._busy
