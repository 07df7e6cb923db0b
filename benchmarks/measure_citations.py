"""Measures the citation grammars: the labelled cases, answers of 3 kB, and a megabyte of one repeated fragment.

usage: measure_citations.py [--quick]     (quick: a tenth of a megabyte per fragment)
Figures go to bench/citations.json. The labelled cases are few on purpose; a larger unseen set of the same kinds checks.
"""

import argparse
import importlib.util
import json
import random
import statistics
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.results import Stopwatch, figure, shared_folder, write_figures
from lexreview.core.citations import extract

LAWS = {"pl": "pl", "de": "ch", "fr": "ch", "it": "ch"}
LAWS_OF_ALL = (("pl", "pl"), ("ch", "de"), ("it", "it"), ("eu", "en"))
ANSWER = 3_000
FRAGMENTS = (
    "TAR a",
    "art. ",
    "Dz.U. ",
    "§ ",
    "Cass. ",
    "(",
    "*",
    "lit. a i ",
    "z dnia ",
    "ECLI:",
    "BGE ",
    "w zw. z ",
    "art. 5 k.c. ",
    "Cass. n. 1/2020 ",
    "art. 1 ",
    "Art. 5 OR ",
    "Article 6 GDPR ",
    "BGE 140 III 86 ",
    "art. 2043 c.c., ",
    "art. 1-5 ",
)
WORDS = {
    "pl": "strony mogą jednak ustalić inny termin na piśmie gdy umowa tak stanowi a sąd bada wtedy cały "
    "materiał sprawy oraz ocenia czy powód wykazał szkodę i związek z działaniem pozwanego dlatego "
    "odpowiedź zależy od okoliczności",
    "de": "die Parteien können schriftlich eine andere Frist vereinbaren wenn der Vertrag dies vorsieht und das "
    "Gericht prüft dann alle Unterlagen sowie ob der Kläger einen Schaden nachgewiesen hat deshalb kommt "
    "es auf die Umstände an",
    "fr": "les parties peuvent convenir par écrit d'un autre délai lorsque le contrat le prévoit et le juge "
    "examine alors toutes les pièces puis se demande si le demandeur a prouvé un dommage ainsi la réponse "
    "dépend des circonstances",
    "it": "le parti possono stabilire per iscritto un termine diverso quando il contratto lo prevede e il "
    "giudice esamina allora tutti i documenti chiedendosi se chi agisce ha provato il danno perciò la "
    "risposta dipende dalle circostanze",
    "en": "the parties may agree in writing on another period where the contract says so and the court then "
    "looks at all documents and asks whether the claimant has shown a loss so the answer depends on the "
    "circumstances of each case",
}
"""Words of prose that cites nothing, for what stands between citations in an answer of usual length."""
COUNTED = ("art. {} k.c. ", "Art. {} OR ", "Cass. n. {}/2020 ", "Article {} GDPR ")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    shared = shared_folder()
    figures: list[dict[str, Any]] = []
    if shared is None:
        print("no labelled cases here (LEXREVIEW_SHARED): accuracy is not measured")
    else:
        figures += measured_accuracy(shared)
        figures += measured_speed(shared)
    figures += measured_fragments(100_000 if options.quick else 1_000_000)
    figures += measured_counts(100_000)
    print(write_figures("citations", figures))


def measured_accuracy(shared: Path) -> list[dict[str, Any]]:
    """F1 of the labelled cases by the scorers that come with them."""
    scorer = _module(shared / "tools" / "score_citations.py")
    cases = scorer.load(shared / "cases" / "citations-pl-de-fr-it.dev.jsonl")
    found = {(case["text"], case["lang"]): _cases(case["text"], LAWS[case["lang"]], case["lang"]) for case in cases}
    figures = []
    for strict, target in ((True, 0.95), (False, 0.97)):
        scores = scorer.score(cases, lambda text, lang: found[text, lang], strict=strict)
        for lang in LAWS:
            value = _f1(**{name: scores[lang][name] for name in ("tp", "fp", "fn")})
            name = f"{lang} {'strict' if strict else 'lenient'} F1"
            figures.append(figure(name, value, target=f">= {target}", n=len(cases), met=value >= target))
    negatives = [case for case in cases if not case["expected"] and not case.get("ignore")]
    false = sum(bool(found[case["text"], case["lang"]]) for case in negatives)
    figures.append(
        figure(
            "negatives with false items", false, target="<= 2 %", n=len(negatives), met=false <= 0.02 * len(negatives)
        )
    )
    return figures + _italian_accuracy(shared)


def _italian_accuracy(shared: Path) -> list[dict[str, Any]]:
    scorer = _module(shared / "tools" / "score_citations_italy.py")
    path = shared / "cases" / "citations-italy.dev.jsonl"
    cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    counts = {kind: [0, 0, 0] for kind in ("ruling", "norm")}
    fields = {name: [0, 0] for name in ("section", "date", "area")}
    for case in cases:
        unused = _cases(case["text"], "it", "it")
        for wanted in case["expected"]:
            hit = next(
                (one for one in unused if one["kind"] == wanted["kind"] and scorer.key(one) == scorer.key(wanted)), None
            )
            counts[wanted["kind"]][0 if hit else 2] += 1
            for name in fields:
                if wanted.get(name):
                    fields[name][1] += 1
                    fields[name][0] += bool(hit) and str(hit.get(name)) == str(wanted[name])
            if hit:
                unused.remove(hit)
        for extra in unused:
            counts[extra["kind"]][1] += 1
    scores = {f"Italian {kind}s F1": _f1(*numbers) for kind, numbers in counts.items()}
    scores |= {f"Italian {name} right": right / of for name, (right, of) in fields.items() if of}
    return [figure(name, value, target=">= 0.95", n=len(cases), met=value >= 0.95) for name, value in scores.items()]


def measured_speed(shared: Path) -> list[dict[str, Any]]:
    """Processor milliseconds for 3 kB, the best of several runs, over the labelled answers, whose citations stand
    close: ten in 1 kB. Then of each such answer with prose between its paragraphs until it is as long as most are."""
    path = shared / "cases" / "verification.dev.jsonl"
    answers = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    figures = []
    for law in ("CH", "PL", "EU"):
        texts = [(answer["text"], answer["lang"]) for answer in answers if answer["jurisdiction"] == law]
        costs = [_cost(text, law.lower(), lang) * ANSWER / len(text) for text, lang in texts]
        value = 1000 * statistics.mean(costs)
        figures.append(figure(f"ms for 3 kB of {law} answers", value, target="<= 3", n=len(texts), met=value <= 3))
        whole = [_with_prose(text, lang) for text, lang in texts]
        value = 1000 * statistics.mean(
            _cost(text, law.lower(), lang) for text, (_text, lang) in zip(whole, texts, strict=True)
        )
        name = f"ms for an answer of 3 kB, its {law} citations those of one labelled answer"
        figures.append(figure(name, value, target="<= 3", n=len(texts), met=value <= 3))
    return figures


def _with_prose(text: str, lang: str) -> str:
    """The answer with sentences that cite nothing before its paragraphs, 3 kB long; no sentence comes twice."""
    drawn, words = random.Random(1), WORDS[lang].split()
    lines, left = [], ANSWER - len(text)
    for line in text.split("\n"):
        sentences = []
        share = left * (len(line) + 1) // (len(text) + 1)
        while sum(map(len, sentences)) < share:
            sentences.append(" ".join(drawn.sample(words, 14)).capitalize() + ". ")
        lines.append("".join(sentences)[: max(share, 0)] + line)
    return "\n".join(lines)


def measured_fragments(length: int) -> list[dict[str, Any]]:
    """Processor seconds for a text that repeats one fragment, the slowest grammar counting."""
    figures = []
    for fragment in FRAGMENTS:
        text = fragment * (length // len(fragment))
        slowest = 0.0
        for law, lang in LAWS_OF_ALL:
            with Stopwatch() as watch:
                extract(text, jurisdiction=law, lang=lang)
            slowest = max(slowest, watch.busy)
        target = length / 1_000_000
        figures.append(
            figure(f"s for {length} characters of {fragment!r}", slowest, target=f"< {target}", met=slowest < target)
        )
    return figures


def measured_counts(length: int) -> list[dict[str, Any]]:
    """Processor seconds for a text of nothing but citations of which no two are alike: it is read word by word."""
    figures = []
    for fragment in COUNTED:
        text = "".join(fragment.format(number) for number in range(1, length // len(fragment)))[:length]
        slowest = 0.0
        for law, lang in LAWS_OF_ALL:
            with Stopwatch() as watch:
                extract(text, jurisdiction=law, lang=lang)
            slowest = max(slowest, watch.busy)
        figures.append(figure(f"s for {length} characters of {fragment!r}, counted up", slowest))
    return figures


def _cost(text: str, law: str, lang: str) -> float:
    runs = []
    for _ in range(7):
        with Stopwatch() as watch:
            extract(text, jurisdiction=law, lang=lang)
        runs.append(watch.busy)
    return min(runs)


def _cases(text: str, law: str, lang: str) -> list[dict[str, Any]]:
    return [citation.to_case() for citation in extract(text, jurisdiction=law, lang=lang)]


def _f1(tp: int, fp: int, fn: int) -> float:
    return 2 * tp / (2 * tp + fp + fn) if tp + fp + fn else 0.0


def _module(path: Path) -> ModuleType:
    """A scorer of the shared tools; they are scripts, not a package."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"not a module: {path}")
    module = importlib.util.module_from_spec(spec)
    cache, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    spec.loader.exec_module(module)
    sys.dont_write_bytecode = cache
    return module


if __name__ == "__main__":
    main()
