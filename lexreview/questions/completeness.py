"""What a key lacks for approval: every basis with its official source, every element in words, nothing twice."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from lexreview.core.methods.reference_card.facts import Calibration
from lexreview.law.browsing import web_address
from lexreview.law.folding import fold_text
from lexreview.law.models import Act, Ruling
from lexreview.law.on_date import FOUND, NOT_FOUND, NOT_IN_FORCE, unit_on
from lexreview.questions.models import KeyVersion

Basis = Mapping[str, Any]


def missing_in_key(key: KeyVersion) -> list[str]:
    """Everything that the version itself lacks, in the order of the page; empty where nothing does."""
    return [*_in_words(key), *_in_elements(key), *_in_bases(key.bases)]


def missing_in_sources(key: KeyVersion) -> list[str]:
    """Bases that disagree with the stored law of the benchmark's day; what is not stored is held against no key."""
    return [fault for basis in key.bases for fault in _against_corpus(key, basis)]


def _in_words(key: KeyVersion) -> Iterator[str]:
    if not key.core_answer.strip():
        yield _("The core answer is empty.")
    if key.calibration == Calibration.CONDITIONAL and not key.condition.strip():
        yield _("The expected form is conditional: say on what it depends.")
    if key.departure and not key.reason.strip():
        yield _("The departure has no reason.")


def _in_elements(key: KeyVersion) -> Iterator[str]:
    for element in key.rubric:
        if not str(element.get("text", "")).strip():
            yield _("Rubric element %(code)s has no text.") % {"code": element["code"]}
        if float(element.get("points", 0)) <= 0:
            yield _("Rubric element %(code)s gives no points.") % {"code": element["code"]}
    for element in key.penalties:
        if not str(element.get("text", "")).strip():
            yield _("Penalty %(code)s does not say which error it means.") % {"code": element["code"]}
    for name in ("rubric", "penalties", "bases"):
        yield from _twice(each["code"] for each in getattr(key, name))


def _twice(codes: Iterable[str]) -> Iterator[str]:
    for code, count in sorted(Counter(codes).items()):
        if count > 1:
            yield _("The code %(code)s is used %(count)s times.") % {"code": code, "count": count}


def _in_bases(bases: Iterable[Basis]) -> Iterator[str]:
    needed = {
        "provision": {"act": _("the act"), "unit": _("the provision")},
        "ruling": {
            "court": _("the court"),
            "docket": _("the docket number"),
            "decided_on": _("the day"),
            "passage": _("the passage"),
        },
    }
    for basis in bases:
        lacking = [words for name, words in needed.get(str(basis.get("kind")), {}).items() if not basis.get(name)]
        if not str(basis.get("quotation", "")).strip():
            lacking.append(_("the quotation from the official text"))
        if not web_address(str(basis.get("source", ""))):
            lacking.append(_("the address of the official source"))
        if lacking:
            yield _("Basis %(code)s lacks %(parts)s.") % {"code": basis["code"], "parts": ", ".join(lacking)}


def _against_corpus(key: KeyVersion, basis: Basis) -> Iterator[str]:
    benchmark, language = key.question.benchmark, key.question.language
    words = {"code": basis["code"], "day": benchmark.legal_state_on.isoformat()}
    if basis.get("kind") == "ruling":
        if not _quoted_in_ruling(basis):
            yield _("Basis %(code)s: the quotation does not stand in the stored ruling.") % words
        return
    act = Act.objects.filter(eli=basis.get("act")).first()
    if act is None:
        return
    found = unit_on(act=act, unit=str(basis.get("unit")), on=benchmark.legal_state_on, lang=language)
    if found.outcome == FOUND and fold_text(str(basis.get("quotation", ""))) not in fold_text(found.text):
        yield _("Basis %(code)s: the quotation does not stand in the official text of %(day)s.") % words
    if found.outcome in (NOT_FOUND, NOT_IN_FORCE):
        yield _("Basis %(code)s: the provision does not stand in the law of %(day)s.") % words


def _quoted_in_ruling(basis: Basis) -> bool:
    """Whether a stored ruling of that docket holds the words; True where none is stored with its text."""
    stored = Ruling.objects.with_docket(str(basis.get("docket", "")))
    if basis.get("decided_on"):
        stored = stored.filter(decided_on=basis["decided_on"])
    texts = ["\n".join([*map(str, ruling.theses), ruling.text]) for ruling in stored]
    texts = [fold_text(text) for text in texts if text.strip()]
    quotation = fold_text(str(basis.get("quotation", "")))
    return not texts or any(quotation in text for text in texts)
