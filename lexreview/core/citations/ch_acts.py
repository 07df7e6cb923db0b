"""How Swiss texts name acts: abbreviations in three languages, SR numbers, gazettes, cantonal law."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from lexreview.core.citations.act_index import Named
from lexreview.core.citations.act_ref import FOREIGN, ActRef
from lexreview.core.citations.chain_parts import Chain
from lexreview.core.citations.named_acts import settled
from lexreview.core.citations.numbering import split
from lexreview.core.citations.scanning import Beginnings

if TYPE_CHECKING:
    from lexreview.core.citations.mentions import Mentions

TRIGGER = r"(?:sr|rs)[\s-]|(?:as|ro|ru|bbl|ff)\s\d|bundesgesetz|loi\sfederale|legge\sfederale"
_CANTONS = "ZH|BE|LU|UR|SZ|OW|NW|GL|ZG|FR|SO|BS|BL|SH|AR|AI|SG|GR|AG|TG|TI|VD|VS|NE|GE|JU"
_NUMBER = re.compile(
    r"(?:SR|RS)(?:[\s:]{1,3}(?:Nr\.\s|n°\s|n\.\s)?|-(?:Nr\.|Nummer)\s)(?P<sr>(?:\d{3}|0(?=\.))(?:\.\d{1,4}){0,5})(?![\d/])(?!\.\d)"
)
_GAZETTE = re.compile(
    r"(?P<name>AS|RO|RU|BBl|FF)\s{1,2}(?P<volume>(?:18|19|20)\d\d|\d{1,2})\s{1,2}(?:(?P<part>I{1,3}"
    r"|IV)\s)?(?P<page>\d{1,5})(?![\d/.]?\d)"
)
_GAZETTES = {"AS": "AS", "RO": "AS", "RU": "AS", "BBl": "BBl", "FF": "BBl"}
_CANTONAL = re.compile(
    rf"(?P<name>[A-ZÄÖÜ][A-Za-zÄÖÜäöüéè]{{0,11}})\.?(?:\s?[/-]\s?|\s\()(?P<canton>{_CANTONS})(?![\w])\)?"
)
CANTON_REACH = 16  # a name of 12 letters, a dot, a blank and the sign in front of the canton
_BEFORE_NUMBER = re.compile(r"[\s,;(\[]{1,3}$")
_LOWER = re.compile(r"(?P<name>[a-z]{2,6})(?![\w.])")
_AFTER_UNIT = re.compile(
    r"(?:\d[a-z]{0,6}|\blit\.?\s[a-z]|\blet\.?\s[a-z]|\blett\.?\s[a-z]\)?|ff?\.|ss\.?|segg\.)\s{1,2}$"
)
_REVISED = re.compile(r"(?P<prefix>n|rev|a)(?=[A-ZÄÖÜ])")
_ABROAD = re.compile(
    r"(?:BGB|HGB|ABGB|UGB|GG|VwGO|VwVfG|SGB|AktG|GmbHG|InsO|BDSG|GVG|AO|EStG|UStG|DE-?StGB|BauGB|KSchG|EFZG"
    r"|BUrlG|B-VG|PGR)(?!\w)"
    r"|[cC]\.\s?[cC]iv\.|C\.\s?com\.|C\.\s?trav\.|c\.\s?c\.|c\.\s?p\.\s?c\.|c\.\s?p\.\s?p\.|c\.\s?p\.(?!\w)"
    r"|[dD]\.\s?[lL]gs\.?|[dD]\.\s?[lL]\.|[dD]\.\s?[pP]\.\s?[rR]\.|[lL]\.\s\d{1,4}/\d{4}|k\.\s?[ckp]\.|KC|KPC|KSH"
    r"|(?:BGB|StGB|ZPO|StPO|CC|CP|CO|CPC|Code\scivil|Code\spénal|Codice\scivile|Codice\spenale|Strafgesetzbuch)\s?"
    r"(?:\((?:D|F|I|DE|FR|IT|A|AT)\)|/(?:DE|FR|IT|AT)|-(?:DE|FR|IT|AT)|(?:fr|it|all|dt)\.|français|italiano"
    r"|italien|francese|deutsch)(?!\w)"
)
_ABROAD_BEGINS = Beginnings.of(_ABROAD.pattern)
_NUMBER_FIRST = re.compile(
    r"(?P<act>OR|ZGB|StGB|ZPO|StPO|SchKG|BV|BGG|DSG|SVG|UWG|IPRG|VwVG)[^\S\n](?P<number>\d{1,4}[a-z]?(?:bis|ter"
    r"|quater)?)(?![\w'./:-]|,\d|\s?(?:%|Fr|CHF|mm|Uhr|Std))"
)
_NUMBER_FIRST_LATIN = re.compile(
    r"(?P<act>CO|CC|CP|CPC|CPP|LP|LEF)[^\S\n](?P<number>\d{1,4}[a-z]?(?:bis|ter|quater)?)(?![\w'/:-]|\.\d|,\d"
    r"|\s?(?:%|Fr|CHF|mm))"
)
# Behind other abbreviations a number may count something ("EOG 98 Taggelder"): what follows must show that it does not.
_NUMBER_FIRST_SHOWN = re.compile(
    r"(?P<act>BGÖ|DBG|EOG|BankG|StromVG|MWSTG|ATSG|AHVG|IVG|KVG|BVG|LIFD|LPD|LTrans|LTras|LAPG|LIPG|LApEl|LAEl|LBCR)[^\S\n]"
    r"(?P<number>\d{1,4}[a-z]?(?:bis|ter|quater)?)(?=\s(?:Abs\.|al\.|cpv\.|lit\.|let\.|lett\.|Bst\.|I{1,3}\b|IV\b|VI{0,3}\b)"
    r"|\s?(?:[);|]|[.,](?!\d)|\n|\Z))"
)
_JOINS = re.compile(r"\s?[,;]?\s(?:(?:et|ou|ainsi\sque|e|ed|o|nonché)\s)?")
LAST_ARTICLE = 1300
_GLUED = re.compile(r"[\w./§-]")
_PRODUCT_BEFORE = re.compile(r"(?:[«„\"]|(?i:(?<!\w)(?:r[ée]f|rif|mod|art|typ|n[or]|modell|mod[èe]le|modello)\.?\s))$")
_SENTENCE_START = re.compile(r"(?:^|[.;:(|]\s?|\n[-*–]\s|\n|[Cc]fr?\.\s|[Vv]oir\s|[Ss]elon\s|[Ss]econdo\s)$")
SHARED_NAMES = frozenset({"CH:ZGB", "CH:StGB", "CH:ZPO", "CH:StPO", "CH:BV"})
NUMBER_BEGINS, GAZETTE_BEGINS = frozenset("sr"), frozenset("arbf")


def number_at_sr(reading: Mentions, position: int) -> ActRef | None:
    """A systematic number with the abbreviation in front of it: "DSG, SR 235.1"."""
    match = _NUMBER.match(reading.view.text, position)
    if match is None:
        return None
    entry = reading.rules.index.entry_of("sr", match["sr"])
    ref = ActRef(position, match.end(), sr=match["sr"], identified=True)
    named = _name_before(reading, position)
    if named and named.act:
        ref.start, ref.act, ref.entries = named.start, named.act, named.entries
    else:
        ref.act, ref.entries = (entry.id, (entry,)) if entry else (f"CH:SR-{match['sr']}", ())
    return ref


def _name_before(reading: Mentions, position: int) -> ActRef | None:
    gap = _BEFORE_NUMBER.search(reading.view.text, max(0, position - 4), position)
    end = gap.start() if gap else position
    if "(" in reading.view.text[end:position] or end == position:
        return None
    found = reading.rules.index.abbreviation_before(reading.view, end)
    return settled(ActRef(found[0], end), found[1]) if found else _unknown_before(reading, end)


def _unknown_before(reading: Mentions, end: int) -> ActRef | None:
    match = re.compile(r"(?<![\w])[A-ZÄÖÜ][A-Za-zÄÖÜäöü]{0,9}[A-ZÄÖÜ][a-z]{0,2}$").search(
        reading.view.text, max(0, end - 14), end
    )
    return ActRef(match.start(), end, act=f"CH:{match[0]}") if match else None


def gazette_at(reading: Mentions, position: int) -> ActRef | None:
    """A position in the official compilation or the federal gazette: "AS 2022 491", "FF 2017 5939"."""
    match = _GAZETTE.match(reading.view.text, position)
    if match is None:
        return None
    part = f"-{match['part']}" if match["part"] else ""
    name = f"{_GAZETTES[match['name']]}-{match['volume']}{part}-{int(match['page'])}"
    return ActRef(
        position, match.end(), act=f"CH:{name}", journal=name.replace("-", "/"), identified=True, published=True
    )


def cantonal_at(reading: Mentions, position: int) -> ActRef | None:
    """Cantonal law: "PBG/ZH", "LPA-VD"."""
    near = reading.view.text[position + 1 : position + CANTON_REACH]
    match = _CANTONAL.match(reading.view.text, position) if "/" in near or "-" in near or "(" in near else None
    if match is None:
        return None
    return ActRef(position, match.end(), act=f"CH-{match['canton']}:{match['name']}")


def abroad_at(reading: Mentions, position: int) -> ActRef | None:
    """Law of another state by its usual abbreviation or by a mark: its units are not Swiss law."""
    text = reading.view.text
    match = _ABROAD.match(text, position) if _ABROAD_BEGINS.at(text, position) else None
    return ActRef(position, match.end(), excluded=FOREIGN) if match else None


def abbreviation_at(reading: Mentions, position: int) -> ActRef | None:
    """A federal act's abbreviation; "nDSG" and "aOR" are the act's new and old text, "or" behind a number is OR."""
    text = reading.view.text
    named = reading.rules.index.abbreviation_at(reading.view, position)
    if named:
        return settled(ActRef(position, named.end), named)
    revised = _REVISED.match(text, position)
    if revised:
        named = reading.rules.index.abbreviation_at(reading.view, revised.end())
        return settled(ActRef(position, named.end), named) if named else None
    lower = _LOWER.match(text, position)
    if lower and _AFTER_UNIT.search(text, max(0, position - 12), position):
        entries = reading.rules.index.in_any_case(lower["name"])
        if entries:
            return settled(ActRef(position, lower.end()), Named(lower.end(), entries))
    return None


def number_first(reading: Mentions) -> Iterable[tuple[Chain, ActRef]]:
    """ "OR 336": the abbreviation and a number without a unit word. French and Italian abbreviations are everyday
    letters, so they count only at the beginning of a sentence, behind "cf." or joined to one that does."""
    view = reading.view
    shown_to = 0
    for pattern in (_NUMBER_FIRST, _NUMBER_FIRST_SHOWN, _NUMBER_FIRST_LATIN):
        for match in pattern.finditer(view.text):
            if match.start() and _GLUED.match(view.text, match.start() - 1):
                continue
            if _PRODUCT_BEFORE.search(view.text[max(0, match.start() - 9) : match.start()]):
                continue
            ref = abbreviation_at(reading, match.start("act"))
            chain = reading.rules.parser.numbers_at(view, match.start("number"))
            number = split(chain.members[0].units[0].levels["art"]) if chain else None
            if (
                chain is None
                or number is None
                or number.base > LAST_ARTICLE
                or ref is None
                or ref.end != match.end("act")
            ):
                continue
            if pattern is _NUMBER_FIRST_LATIN:
                joined = shown_to and _JOINS.fullmatch(view.text, shown_to, match.start())
                if not joined and not _SENTENCE_START.search(view.text[max(0, match.start() - 9) : match.start()]):
                    continue
                shown_to = chain.end
            yield chain, ref
