"""Chooses the grammar from the language and the content of a text."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate

from lexreview.core.citations import ch, eu, generic, it, pl
from lexreview.core.citations.act_data import registry_of
from lexreview.core.citations.act_entry import ActEntry
from lexreview.core.citations.citation import Citation, in_order
from lexreview.core.citations.language import language_of
from lexreview.core.citations.profile import JurisdictionProfile

CLEAR = 2
_LEAST_TELLING = 3


def _swiss_abbreviations() -> str:
    """The abbreviations of Swiss acts in Italian that are none of Italian or European acts and no short words."""
    swiss = {form for entry in registry_of("ch") for form in entry.abbreviations.get("it", ())}
    others = (*registry_of("it"), *registry_of("eu"))
    shared = {form.upper() for entry in others for forms in entry.abbreviations.values() for form in forms}
    telling = {form for form in swiss if form.isalpha() and len(form) >= _LEAST_TELLING and form.upper() not in shared}
    return "|".join(sorted(telling - {"CPC", "CPP"}, key=len, reverse=True))


_SWISS = re.compile(
    r"\bcpv\.|\bcapovers[oi]\s\d|\bRS\s\d|\bDTF\s\d|Tribunale\s(?:amministrativo\s|penale\s)?federale"
    rf"|\b(?:CO|{_swiss_abbreviations()})\b|\b(?:TF|TAF|TPF)\b(?=\s\(|\s\S{{0,9}}\d)"
    r"|\b\d[A-Z]_\d+/\d{4}|\b[Ss]vizzer[oa]\b"
    r"|\bCost\.\sfed\.|Costituzione\sfederale|\b(?:CC|CP|CPC|CPP)\b(?!\.\S)|legge\sfederale"
)
_ITALIAN = re.compile(
    r"\bc\.\s?[cp]\.|\bcomm[ai]\s\d|\bCass\b|\bCassazione|[Dd]\.\s?[Ll]gs|\bTAR\b|Consiglio\sdi\sStato"
    r"|Corte\scost|\b[Ll]egge\sn\.|\bartt\.|ECLI:IT"
    r"|\bcod\.\s|\bD\.P\.R|\bd\.p\.r|Sezioni\sUnite|\bTrib\.|Gazzetta\sUfficiale|\bc\.\s?p\.\s?[cp]"
)


def extract(
    text: str, *, lang: str, acts: Sequence[ActEntry] = (), profile: JurisdictionProfile | None = None
) -> list[Citation]:
    """Citations by the grammar that fits: a given profile decides, then the language, for Italian the content.

    Polish is read as Polish law, German and French as Swiss, English as EU law. Italian texts cite Swiss or Italian
    law: the
    marks of each are counted; where both are plain, what the second grammar finds beside the first one is added.
    """
    if profile is not None:
        return generic.extract(text, lang=lang, acts=acts, profile=profile)
    language = language_of(text, given=lang, default="en")
    if language == "it":
        return _italian(text, acts)
    if language == "pl":
        return pl.extract(text, lang="pl", acts=acts)
    if language in ("de", "fr"):
        return ch.extract(text, lang=language, acts=acts)
    return eu.extract(text, lang=language, acts=acts)


def _italian(text: str, acts: Sequence[ActEntry]) -> list[Citation]:
    swiss, italian = len(_SWISS.findall(text)), len(_ITALIAN.findall(text))
    first = ch.extract(text, lang="it", acts=acts) if swiss > italian else it.extract(text, lang="it", acts=acts)
    if min(swiss, italian) < CLEAR:
        return first
    second = it.extract(text, lang="it", acts=acts) if swiss > italian else ch.extract(text, lang="it", acts=acts)
    taken = sorted((citation.start, citation.end) for citation in first)
    starts, furthest = [start for start, _ in taken], list(accumulate((end for _, end in taken), max))
    beside = []
    for one in second:
        in_front = bisect_left(starts, one.end)
        if not in_front or furthest[in_front - 1] <= one.start:
            beside.append(one)
    return in_order([*first, *beside])
