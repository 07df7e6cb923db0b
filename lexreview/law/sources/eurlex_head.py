"""What a page of EUR-Lex says about its act: numbers, title, language, days."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from lxml import etree

from lexreview.law.folding import fold_space
from lexreview.law.parsed import ParsedName
from lexreview.law.sources.markup import attribute, plain_text

_REFERENCE = re.compile(
    r"(?P<celex>0?\d{4}[A-Z]{1,2}\d{4})\s*—\s*(?P<language>[A-Z]{2})\s*—\s*(?P<day>\d{2}\.\d{2}\.\d{4})"
)
_TITLE_TAG = re.compile(r"(?P<celex>[1-9]\d{4}[A-Z]{1,2}\d{4})\s*[—-]\s*(?P<language>[A-Z]{2})")
_NUMBER = re.compile(
    r"(?P<kind>REGULATION|DIRECTIVE|DECISION|VERORDNUNG|RICHTLINIE|BESCHLUSS|ENTSCHEIDUNG|RÈGLEMENT|DÉCISION|REGOLAMENTO|"
    r"DIRETTIVA|DECISIONE|ROZPORZĄDZENIE|DYREKTYWA|DECYZJA)\b[^\d]{0,90}?(?P<first>\d{1,4})/(?P<second>\d{1,4})",
    re.IGNORECASE,
)
_LETTERS = {"re": "R", "rè": "R", "ve": "R", "ro": "R", "di": "L", "ri": "L", "dy": "L"}
_DAY = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
_BRACKETS = re.compile(r"\((?P<name>[^()]{4,90})\)")
_NO_NAME = re.compile(
    r"EEA|EWR|EOG|SEE|recast|codification|codified|Neufassung|refonte|rifusione|wersja|OJ |JO |ABl|Dz\.U|repealed|"
    r"^(?:EU|EC|EEC|UE|WE|CE)\b|No \d",
    re.IGNORECASE,
)
_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]


@dataclass(frozen=True, slots=True)
class ActHead:
    """`identifier` is the CELEX number of the text itself: of the consolidation where it is one, else of the act."""

    celex: str
    language: str
    title: str
    identifier: str
    consolidated_on: date | None
    published_on: date | None
    adopted_on: date | None


def read_head(root: etree._Element, *, celex: str | None, language: str | None) -> ActHead:
    """The head of a page; empty `celex` where neither the page nor the caller says which act it is."""
    reference = _by_class(root, "reference") or _first_line(root)
    title_tag = " ".join(plain_text(tag) for tag in root.iter("title"))
    metas = {attribute(tag, "name"): attribute(tag, "content") for tag in root.iter("meta")}
    title = fold_space(_by_class(root, "title-doc-first", "title-doc-last", "oj-doc-ti", "doc-ti", stop="ANNEX"))
    match = _REFERENCE.search(reference)
    tagged = _TITLE_TAG.search(title_tag) or _TITLE_TAG.search(metas.get("DC.title", ""))
    consolidated_on = _day(match["day"]) if match else None
    number = celex or (tagged["celex"] if tagged else "") or (_from_reference(match) if match else "") or _from(title)
    spoken = (match and match["language"]) or (tagged and tagged["language"]) or _by_class(root, "oj-hd-lg", "hd-lg")
    identifier = f"0{number[1:]}-{consolidated_on:%Y%m%d}" if consolidated_on and number else number
    return ActHead(
        celex=number,
        language=(language or str(spoken or "en").strip() or "en").lower()[:2],
        title=_clean_title(title) or fold_space(metas.get("DC.description", "")),
        identifier=identifier,
        consolidated_on=consolidated_on,
        published_on=_day(_by_class(root, "oj-hd-date", "hd-date")),
        adopted_on=_written_day(title),
    )


def names_of(head: ActHead) -> Iterator[ParsedName]:
    """The names by which the act is cited: CELEX, its number in the usual spellings, and nicknames in its title."""
    yield ParsedName("number", f"CELEX {head.celex}")
    yield ParsedName("number", head.celex)
    match = re.fullmatch(r"3(?P<year>\d{4})(?P<letter>[RLD])(?P<number>\d{4})", head.celex)
    if match:
        year, number = match["year"], str(int(match["number"]))
        kind = {"R": "Regulation", "L": "Directive", "D": "Decision"}[match["letter"]]
        old = match["letter"] == "R" and int(year) < 2015
        pair = f"{number}/{year}" if old else f"{year}/{number}"
        for spelling in (pair, f"(EU) {'No ' if old else ''}{pair}", f"{kind} (EU) {'No ' if old else ''}{pair}"):
            yield ParsedName("number", spelling)
        yield ParsedName("number", f"{kind} {pair}")
    if head.title:
        yield from (
            ParsedName("title", found["name"], head.language)
            for found in _BRACKETS.finditer(head.title)
            if not _NO_NAME.search(found["name"])
        )


def _by_class(root: etree._Element, *names: str, stop: str = "") -> str:
    texts = []
    for element in root.iter("p"):
        if set(attribute(element, "class").split()) & set(names):
            text = plain_text(element)
            if stop and text.upper().startswith(stop):
                break
            if text not in texts:
                texts.append(text)
    return " ".join(texts)


def _first_line(root: etree._Element) -> str:
    paragraph = next(root.iter("p"), None)
    return plain_text(paragraph) if paragraph is not None else ""


def _from_reference(match: re.Match[str]) -> str:
    return f"3{match['celex'].removeprefix('0')}"


def _from(title: str) -> str:
    """The CELEX number from the number in a title.

    Regulations before 2015 are number/year and say "No"; all other acts are year/number; old years have two digits.
    """
    match = _NUMBER.search(title)
    if match is None:
        return ""
    kind, first, second = match["kind"].upper(), match["first"], match["second"]
    letter = "D" if kind.startswith(("DEC", "DÉC")) else _LETTERS.get(kind[:2].lower(), "D")
    number_first = letter == "R" and re.search(
        r"\b(?:No|Nr|n°|n\.|nr)\s*$", title[: match.start("first")], re.IGNORECASE
    )
    if number_first or not _may_be_year(first):
        first, second = second, first
    year = f"19{first}" if len(first) == 2 else first
    return f"3{year}{letter}{int(second):04d}" if _may_be_year(year) else ""


def _may_be_year(text: str) -> bool:
    return len(text) == 2 or (len(text) == 4 and 1950 <= int(text) <= 2100)


def _clean_title(title: str) -> str:
    """The title once, without marks of amendments and the remark on the European Economic Area."""
    title = re.sub(r"[►▼]\s?(?:[ABCM]\d*)?\s?|◄\s?", "", title)
    return re.sub(
        r"\s*\((?:Text with EEA|Text von Bedeutung|Tekst mający|Texte présentant)[^)]*\).*$", "", title
    ).strip()


def _day(text: str) -> date | None:
    match = _DAY.search(text)
    try:
        return date(int(match[3]), int(match[2]), int(match[1])) if match else None
    except ValueError:
        return None


def _written_day(title: str) -> date | None:
    match = re.search(rf"\bof (\d{{1,2}}) ({'|'.join(_MONTHS)}) (\d{{4}})", title, re.IGNORECASE)
    return date(int(match[3]), _MONTHS.index(match[2].lower()) + 1, int(match[1])) if match else None
