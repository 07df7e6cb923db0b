"""Acts named by abbreviation or title, known or not: the matchers that jurisdictions share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexreview.core.citations.act_index import ActIndex, Named
from lexreview.core.citations.act_ref import ActRef

if TYPE_CHECKING:
    from lexreview.core.citations.mentions import Mentions

_SMALL = (
    r"of|and|on|for|the|in|to|against|with|by|concerning|relating|sur|la|le|les|des?|du|d'|l'|et|über|und|der"
    r"|die|das|zum|zur"
)
_UNKNOWN_TITLE = re.compile(
    rf"(?:[A-ZÀ-Ž][\w'-]{{1,24}}\s(?:(?:{_SMALL})\s){{0,3}}){{1,8}}(?:Act|Code|Law|Statute|Ordinance"
    rf"|Regulation|Decree|Charter|Constitution)(?!\w)"
    r"(?:\s(?:of\s)?(?:19|20)\d\d(?!\d))?|(?:(?:First|Additional)\s)?Protocol\s(?:(?:No\.?|Nr\.?)\s?)?\d{1,2}(?!\w)"
)
_ABBREVIATION = re.compile(
    r"(?:[A-ZÄÖÜŁŚŻ][A-Za-zÄÖÜäöüŁŚŻł-]{0,9}[A-ZÄÖÜŁŚŻ][a-z]{0,2}|(?:[A-Z]\.){2,6}|(?:[a-złśż]{1,2}\.){2,7})(?![\w])"
)
_ROMAN = re.compile(r"[IVXLC]+$")
NOT_ACTS = frozenset(
    [
        "EUR",
        "PLN",
        "CHF",
        "USD",
        "GBP",
        "OJ",
        "EU",
        "UE",
        "UK",
        "US",
        "USA",
        "UN",
        "ONZ",
        "AG",
        "SA",
        "GmbH",
        "KG",
        "OG",
        "LLC",
        "PLC",
        "BE",
        "TV",
        "PDF",
        "HTML",
        "URL",
        "ISO",
        "EN",
        "PN",
        "DIN",
        "SIA",
        "AND",
        "OR",
        "NOT",
        "NB",
        "PS",
        "CEO",
        "CFO",
        "HR",
        "IT",
        "VAT",
        "NIP",
        "KRS",
        "PESEL",
        "REGON",
        "SN",
        "NSA",
        "WSA",
        "TK",
        "KIO",
        "TSUE",
        "ETS",
        "ETPC",
        "CJEU",
        "ECJ",
        "ECHR",
        "SO",
        "SR",
        "BGE",
        "ATF",
        "DTF",
        "BGer",
        "BVGer",
        "TF",
        "TAF",
        "TPF",
        "EDÖB",
        "FINMA",
        "BAG",
        "BFS",
        "SECO",
        "AGB",
        "CV",
        "ABC",
        "KMU",
        "PME",
        "PMI",
        "SME",
        "DPO",
        "DPIA",
        "DSFA",
        "AIPD",
        "DSB",
        "IOD",
        "PFPDT",
        "IFPDT",
        "PDMR",
        "OK",
        "No",
        "Nr",
        "RP",
        "PL",
        "DE",
        "FR",
        "CH",
        "AT",
        "OWU",
        "AI",
        "KI",
        "IA",
        "GPS",
        "SMS",
        "e.g.",
        "i.e.",
        "z.B.",
        "d.h.",
        "m.in.",
        "u.a.",
        "np.",
        "tj.",
        "t.j.",
        "ww.",
        "ds.",
    ]
)


def settled(ref: ActRef, named: Named) -> ActRef:
    """Put what an index found into a mention: one act, or the candidates of a shared name."""
    ref.end = named.end
    ref.entries = named.entries
    if len(named.entries) == 1:
        ref.act = named.entries[0].id
    else:
        ref.candidates = tuple(entry.id for entry in named.entries)
    return ref


def abbreviation_at(reading: Mentions, position: int) -> ActRef | None:
    """A known abbreviation: "k.p.c.", "KPC", "k. c.", "Pr. bank.", "GDPR"."""
    named = reading.rules.index.abbreviation_at(reading.view, position)
    return settled(ActRef(position, named.end), named) if named else None


def title_at(reading: Mentions, position: int) -> ActRef | None:
    """A known title, in any case form of its words."""
    named = reading.rules.index.title_at(reading.view, position)
    return settled(ActRef(position, named.end), named) if named else None


def unknown_title_at(reading: Mentions, position: int) -> ActRef | None:
    """A capitalised title that no registry knows: named, so that no other act is taken for it."""
    match = _UNKNOWN_TITLE.match(reading.view.text, position)
    return ActRef(position, match.end(), guessed=True) if match else None


def unknown_abbreviation_at(reading: Mentions, position: int) -> ActRef | None:
    """An abbreviation that no registry knows becomes an act id of the jurisdiction: "QK:FSA"."""
    match = _ABBREVIATION.match(reading.view.text, position)
    if match is None or match[0] in NOT_ACTS or _ROMAN.match(match[0]):
        return None
    name = match[0] if "." not in match[0] else match[0].replace(".", "").upper()
    end = match.end()
    return ActRef(position, end, act=f"{reading.rules.code}:{name}", guessed=True)


def first_words(index: ActIndex) -> str:
    """A pattern of the stems with which the known titles begin, as a prefix tree so that many titles cost little."""
    tree: dict[str, object] = {}
    for stem in index.first_stems:
        if len(stem) >= 3:
            node = tree
            for char in stem:
                node = node.setdefault(char, {})  # type: ignore[assignment]
            node[""] = {}
    return _pattern(tree) if tree else "(?!)"


def _pattern(node: dict[str, object]) -> str:
    if "" in node:
        return ""
    branches = [re.escape(char) + _pattern(child) for char, child in sorted(node.items())]  # type: ignore[arg-type]
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})"
