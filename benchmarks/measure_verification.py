"""How well and how fast the verification layer checks: the labelled answers, and answers made from real law.

Works in a database of its own: the corpus of the cases, filled up to a hundred acts with invented ones. Writes
`var/bench/verification.json`. Made answers know their labels from the corpus and not from the layer.
`--answers N`, `--seed N`, `--growth N` (how many answers the growth of time is measured on), `--show N` misses.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import benchmarks.scratch  # noqa: F401 - before anything of Django

# isort: split
from django.utils import timezone

from benchmarks.invented_acts import invented_acts
from benchmarks.results import Stopwatch, figure, shared_folder, write_figures
from benchmarks.verification_cases import Label, Made, Maker, sources
from lexreview.law.actions import import_acts
from lexreview.law.manifest import read_manifest
from lexreview.law.models import Act
from lexreview.verification.checked import CheckedCitation
from lexreview.verification.corpus import Corpus
from lexreview.verification.layer import check_citations
from lexreview.verification.lines import case_of

ERRORS = {"wording_differs", "not_found", "not_in_force", "wrong_identifier"}
OPEN = {"undetermined", "ambiguous"}
CLASSES = ("W", "F", "S", "T")
ACTS, ANSWERS, CITATIONS, SECONDS = 100, 160, 1450, 10


def main() -> None:
    options = _options()
    shared = shared_folder()
    if shared is None:
        print("the folder of real legal texts is not there (LEXREVIEW_SHARED); nothing measured")
        return
    manifest = shared / "cases" / "verification-corpus.json"
    import_acts(parsed=read_manifest(manifest, root=shared / "data"), by=None, now=timezone.now())
    figures = labelled_answers(shared)
    maker = Maker(sources(), seed=options.seed)
    import_acts(parsed=list(invented_acts(ACTS - Act.objects.count())), by=None, now=timezone.now())
    made = list(maker.answers(options.answers, citations=13))
    with Stopwatch() as watch:
        checked = [_check(answer) for answer in made]
    figures += _speed(made, checked, watch)
    counts = _counts(made, checked, show=options.show)
    figures += made_answers(counts)
    if options.growth:
        figures += _growth(maker, options.growth, first=len(made), per_answer=watch.busy / len(made))
    print(write_figures("verification", figures, acts=Act.objects.count(), counts=dict(sorted(counts.items()))))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", type=int, default=ANSWERS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--growth", type=int, default=1600)
    parser.add_argument("--show", type=int, default=0)
    return parser.parse_args()


def _check(answer: Made) -> list[CheckedCitation]:
    return _checked(answer.text, answer.jurisdiction, answer.lang, answer.on)


def _checked(text: str, jurisdiction: str, lang: str, on: date) -> list[CheckedCitation]:
    return check_citations(text, jurisdiction=jurisdiction.lower(), lang=lang, on=on, corpus=Corpus.current())


def labelled_answers(shared: Path) -> list[dict[str, Any]]:
    """The figures of the labelled answers, and of the further ones beside the tests."""
    own = sorted(Path(__file__).parent.parent.joinpath("tests", "verification", "cases").glob("*.jsonl"))
    named = {"labelled": shared / "cases" / "verification.dev.jsonl", **{path.stem: path for path in own}}
    return [each for name, cases in named.items() for each in _scored(name, cases, shared)]


def _scored(title: str, cases: Path, shared: Path) -> list[dict[str, Any]]:
    """The figures of the scorer that comes with the labelled answers."""
    lines = []
    for answer in map(json.loads, cases.read_text(encoding="utf-8").splitlines()):
        day = date.fromisoformat(answer["legal_state_date"])
        rows = _checked(answer["text"], answer["jurisdiction"], answer["lang"], day)
        lines.append(json.dumps({"id": answer["id"], "citations": [case_of(row) for row in rows]}))
    with tempfile.TemporaryDirectory() as folder:
        found, scores = Path(folder) / "found.jsonl", Path(folder) / "scores.json"
        found.write_text("\n".join(lines))
        scorer = shared / "tools" / "score_verification.py"
        command = [sys.executable, str(scorer), str(cases), str(found), "--json", str(scores)]
        subprocess.run(command, check=True, capture_output=True)
        counted: dict[str, Any] = json.loads(scores.read_text())
    named = {
        **{name: _at_least for name in counted if name[:3] in {"W: ", "F: ", "S: "} and "flagged" in name},
        "false-alarm rate, of all confirmed-expected": _at_most(0.02),
        "the same without accepted ones": _at_most(0.03),
    }
    return [_share(f"{title}: {name}", *counted[name], rule=rule) for name, rule in named.items() if name in counted]


def made_answers(counts: Counter[str]) -> list[dict[str, Any]]:
    right = counts["right all"]
    open_ones = sum(counts[f"right {result}"] for result in OPEN)
    detected = [_share(f"made: {kind} flagged", counts[f"{kind} flagged"], counts[f"{kind} all"]) for kind in CLASSES]
    return [
        *detected,
        _share("made: false alarms on right citations", counts["right flagged"], right, rule=_at_most(0.02)),
        _share("made: undetermined of right citations", open_ones, right, rule=_at_most(0.03)),
        _share("made: right citations not found", counts["right missed"], right, rule=None),
    ]


def _speed(made: list[Made], checked: list[list[CheckedCitation]], watch: Stopwatch) -> list[dict[str, Any]]:
    """Processor seconds, as others work on the machine too; the target is scaled to the number of citations."""
    citations = sum(map(len, checked))
    allowed = SECONDS * citations / CITATIONS
    name = f"s for {len(made)} answers with {citations} citations"
    more = {"target": f"<= {allowed:.1f}", "n": citations, "wall_seconds": round(watch.wall, 2)}
    return [figure(name, watch.busy, met=watch.busy <= allowed, **more)]


def _growth(maker: Maker, answers: int, *, first: int, per_answer: float) -> list[dict[str, Any]]:
    """Time of one among many more answers against one of the first; what it comes to for 15,000 is reckoned."""
    made = list(maker.answers(answers, citations=13))
    with Stopwatch() as watch:
        for answer in made:
            _check(answer)
    ratio = watch.busy / answers / per_answer
    name = f"time of one answer among {answers}, against one of the first {first}"
    more = {"n": answers, "seconds_for_15000_reckoned": round(15_000 * watch.busy / answers)}
    return [figure(name, ratio, target="<= 1.3", met=ratio <= 1.3, **more)]


def _row_of(label: Label, rows: Iterable[CheckedCitation]) -> CheckedCitation | None:
    """The row of a label: same unit and overlapping span; for an act's number the overlapping row of that kind."""
    for row in rows:
        overlaps = row.citation.start < label.end and label.start < row.citation.end
        if overlaps and (row.unit or "") == label.unit:
            return row
    return None


def _counts(made: list[Made], checked: list[list[CheckedCitation]], *, show: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    shown: Counter[str] = Counter()
    for answer, rows in zip(made, checked, strict=True):
        for label in answer.labels:
            row = _row_of(label, rows)
            got = row.result.value if row else "missed"
            kind = label.error_class or "right"
            counts[f"{kind} all"] += 1
            counts[f"{kind} {got}"] += 1
            counts[f"{kind} as expected"] += got == label.expected
            counts[f"{kind} flagged"] += got in ERRORS
            if got != label.expected and shown[kind] < show:
                shown[kind] += 1
                around = answer.text[max(0, label.start - 200) : label.end + 200].replace("\n", "⏎")
                print(f"{answer.id} {answer.on} {label.raw!r} {label.unit} {label.error or 'right'}: {got}", end=" ")
                print(f"({row.reason if row else ''}) {row.quotation if row else ''!r}\n    {around}")
    return counts


def _at_least(share: float) -> tuple[str, bool]:
    return ">= 90 %", share >= 0.9


def _at_most(most: float) -> Any:
    return lambda share: (f"<= {most:.0%}", share <= most)


def _share(name: str, part: int, whole: int, *, rule: Any = _at_least) -> dict[str, Any]:
    if not whole:
        return figure(name, None, n=0)
    target, met = rule(part / whole) if rule else ("", None)
    return figure(name, part / whole, target=target, n=whole, met=met, part=part)


if __name__ == "__main__":
    main()
