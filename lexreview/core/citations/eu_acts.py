"""Acts of the European Union as they are named by number in five languages, to CELEX numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexreview.core.citations.act_entry import ActEntry
from lexreview.core.citations.act_ref import ActRef
from lexreview.core.citations.dates import DATE
from lexreview.core.citations.scanning import may_begin
from lexreview.core.citations.view import View

if TYPE_CHECKING:
    from lexreview.core.citations.mentions import Mentions

_BODY = (
    r"\s{0,2}[(\s]\s?(?P<body>ue|we|ewg|eu|ec|eec|ce|cee|eg|ewr|euratom|wpzib|cfsp|gasp|pesc)"
    r"(?:\s?[,/]\s?(?:euratom|ewwis))?(?:\s?\)|(?=\s))"
)
_ISSUER = (
    r"parlamentu\seuropejskiego\si\srady(?:\s(?:ue|unii\seuropejskiej))?|rady|komisji(?:\seuropejskiej)?"
    r"|wykonawcz\w{1,3}|delegowan\w{1,3}|ramow\w{1,3}|of\sthe\seuropean\sparliament\sand\sof\sthe\scouncil"
    r"|implementing|delegated|framework|council|commission|des\seuropaischen\sparlaments\sund\sdes\srates|des\srates"
    r"|der\s(?:europaischen\s)?kommission|du\sparlement\seuropeen\set\sdu\sconseil|du\sconseil|de\sla\scommission"
    r"|d'execution|delegue|del\sparlamento\seuropeo\se\sdel\sconsiglio|del\sconsiglio|della\scommissione"
    r"|di\sesecuzione|delegato"
)
_MARK = r"ewg|we|ue|wsisw|wpzib|eec|ec|eu|jha|cfsp|cee|ce|eg|ji|jai|gai|pesc|gasp|euratom"
_ACT = re.compile(
    rf"(?:(?:council|commission|implementing|delegated|framework|eu)\s{{1,3}}){{0,3}}"
    r"(?:(?P<R>rozporzadzeni(?:a|u|e|em|ach|ami)?|regulations?|verordnung(?:en)?|vo(?=\s\()"
    r"|durchfuhrungsverordnung|reglements?|regl?\.|regolament[oi]|rozp\.)"
    r"|(?P<L>dyrektyw(?:a|y|ie|e|om|ach)?|directives?|richtlinien?|rl(?=\s\d)|direttiv[ae]|dir\.|dyr\.)"
    r"|(?P<D>durchfuhrungsbeschluss(?:es)?|decyzj(?:a|i|e|om|ach)|decisions?|beschluss(?:es)?|entscheidung|rahmenbeschluss(?:es)?"
    r"|decisione))(?![^\W_])"
    rf"(?:\s{{1,3}}(?:{_ISSUER})(?![^\W_])){{0,4}}(?:{_BODY})?"
    r"\s{0,2}(?P<nr>(?:nr|no|n\.?[o°º]|n|num)\b\.?|n[°º])?\s{0,2}"
    rf"(?P<a>\d{{1,4}})\s?/\s?(?P<b>\d{{1,4}})(?:\s?/\s?(?P<mark>{_MARK})(?![^\W_]))?(?![\d/])"
)
_CELEX = re.compile(
    r"(?:celex\s{0,2}(?:nr\s|no\.?\s"
    r"|:)?\s{0,2}:?\s{0,2})?(?P<celex>(?P<sector>[03])(?P<year>\d{4})(?P<type>[a-z])(?P<number>\d{4}))"
    r"(?:r?\(\d\d\)|-\d{8})?(?![^\W_])"
)
_DATE_TAIL = re.compile(rf"\s{{1,3}}(?:z\s(?:dnia\s|dn\.\s)?|of\s|vom\s|du\s|del\s)(?P<date>{DATE})(?:\s?r\.)?")
_NATIONAL = re.compile(
    r"\s{1,2}(?:wojewody|ministra|burmistrza|prezydenta|rady\s(?:gminy|miasta|ministrow)|zarzadu|des\sbundesrates)"
)
_COMPOUND = re.compile(
    r"[a-z-]{3,36}(?P<kind>richtlinie|verordnung|beschluss)(?=(?P<number>\s\((?:eu|eg|ewg)\)\s(?:nr\.\s)?\d{1,4}/\d{1,4})(?![\d/]))"
)
_WORD_IN_FRONT = re.compile(r"(?<![^\W_])[a-z-]{10,46}\s\($")
_ALONE = re.compile(
    r"(?P<kind>(?:eu-|ue-)?(?:vo|rl)\s{1,2})?\(?(?:(?P<body>ue|we|ewg|eu|eec|ec|cee|ce|eg)(?:\s?\)|(?=[\s/]))[\s/]{0,2})?"
    r"(?P<nr>(?:nr|no|n\.?[o°º]|n|num)\b\.?|n[°º])?\s{0,2}"
    rf"(?P<a>\d{{1,4}})\s?/\s?(?P<b>\d{{1,4}})(?:\s?/\s?(?P<mark>{_MARK})(?![^\W_]))?(?![\d/])"
)
_FULL_KINDS = {"R": "regulation", "L": "directive", "D": "decision"}
_BRACKET_BEFORE = re.compile(r"\s{0,3}\(\s{0,2}$")
TRIGGER = (
    r"(?<=\()(?:ue|we|ewg|eu|eec|ec|cee|ce|eg)(?:\s|\)\s|/)(?:n(?:r|o|um)?[.°º]{0,2}\s)?\d|(?<=\()(?:vo|rl|eu-vo|eu-rl|nr?)[.\s]|"
    r"(?<=\()\d{2,4}/\d|(?:eu|eg|ewg)\)\s(?:nr\.\s)?\d|"
    r"(?:council|commission)\s|regl?\.|dir\.|rozp(?:orzadzeni|\.)|dyr(?:ektyw|\.)|decyzj|regulation|directive"
    r"|decision|verordnung|vo\s\(|rl\s\d|durchfuhrungsverordnung"
    r"|richtlinie|durchfuhrungsbeschluss|beschluss|rahmenbeschluss|reglement|regolament|direttiv|celex|[03](?:19|20)\d\d[a-z]\d"
)
BEGINS = may_begin(_ACT.pattern, _CELEX.pattern)
ALONE_BEGINS = may_begin(_ALONE.pattern)


def eu_act_at(view: View, position: int) -> ActRef | None:
    """The EU act named by number or CELEX that begins here."""
    match = _ACT.match(view.folded, position)
    if match is None:
        return _celex_at(view, position)
    celex = celex_of(match)
    internal = view.folded.endswith("internal ", 0, position)
    if celex is None or internal or _NATIONAL.match(view.folded, match.end()):
        return None
    tail = _DATE_TAIL.match(view.folded, match.end())
    end = tail.end() if tail else match.end()
    return ActRef(position, end, act=f"EU:{celex}", celex=celex, identified=True)


def _celex_at(view: View, position: int) -> ActRef | None:
    match = _CELEX.match(view.folded, position)
    if match is None or match["type"] not in "rldfx" or not 1950 <= int(match["year"]) <= 2100:
        return None
    celex = f"3{match['year']}{match['type'].upper()}{match['number']}"
    return ActRef(position, match.end(), act=f"EU:{celex}", celex=celex, identified=True)


def celex_of(match: re.Match[str]) -> str | None:
    """CELEX number of a matched name; ``None`` when it cannot be an EU act.

    Regulations numbered before 2015 write number/year, everything else year/number; two-digit years belong to the
    twentieth century (Official Journal numbering, Interinstitutional style guide).
    """
    kind = next(name for name in "RLD" if match[name])
    first, second = match["a"], match["b"]
    official = bool(match["body"] or match["mark"])
    if kind == "D" and not official:
        return None
    number, year = (
        (first, second) if kind == "R" and _number_first(first, second, bool(match["nr"])) else (second, first)
    )
    full = _year(year)
    if full is None or (kind == "D" and match["nr"] and not match["mark"] and _year(second)):
        number, full = first, _year(second)
    if full is None or not int(number):
        return None
    if kind == "D" and match["mark"] in ("wsisw", "jha", "ji", "jai", "gai"):
        kind = "F"
    return f"3{full}{kind}{int(number):04d}"


def _number_first(first: str, second: str, numbered: bool) -> bool:
    if numbered:
        return _year(second) is not None
    year_first = len(first) == 4 and first[:2] in ("19", "20") and int(first) >= 2015
    return not year_first and _year(second) is not None and (len(second) == 4 or len(first) != 4)


def _year(text: str) -> int | None:
    if len(text) == 4 and 1952 <= int(text) <= 2100:
        return int(text)
    if len(text) == 2 and int(text) >= 52:
        return 1900 + int(text)
    return None


def eu_act_of(reading: Mentions, position: int) -> ActRef | None:
    """``eu_act_at`` for a reading, with the registry's id where run-time acts gave the act another one."""
    ref = eu_act_at(reading.view, position)
    entry = reading.rules.index.entry_of("celex", ref.celex) if ref and ref.celex else None
    if ref and entry:
        ref.act, ref.entries = entry.id, (entry,)
    return ref


def compound_at(reading: Mentions, position: int) -> ActRef | None:
    """ "Warenkaufrichtlinie (EU) 2019/771": the kind ends a longer word; also where only the bracket is looked at."""
    folded = reading.folded
    if folded.startswith(("eu)", "eg)", "ewg)"), position):
        word = _WORD_IN_FRONT.search(folded, max(0, position - 50), position)
        position = word.start() if word else position
    compound = _COMPOUND.match(folded, position)
    act = _ACT.match(compound["kind"] + compound["number"]) if compound else None
    celex = celex_of(act) if act else None
    if compound is None or celex is None:
        return None
    return ActRef(position, compound.end("number"), act=f"EU:{celex}", celex=celex, identified=True)


def number_of(entry: ActEntry, folded: str, position: int) -> ActRef | None:
    """The number here as one of an act of the entry's kind, without a word for it: "DSGVO (EU 2016/697)".

    A number with nothing that says it is one of the EU has to look like one: "RODO (2018/19)" are years.
    """
    word = _FULL_KINDS.get(entry.numbers.get("celex", "")[5:6])
    match = _ALONE.match(folded, position) if word else None
    if word is None or match is None:
        return None
    told = match["kind"] or match["body"] or match["mark"] or match["nr"]
    if not told and (min(len(match["a"]), len(match["b"])) < 3 or int(match["b"]) == int(match["a"]) + 1):
        return None
    mark = f"/{match['mark']}" if match["mark"] else ""
    act = _ACT.match(f"{word} ({match['body'] or 'eu'}) {'no ' if match['nr'] else ''}{match['a']}/{match['b']}{mark}")
    celex = celex_of(act) if act else None
    return ActRef(position, match.end(), act=f"EU:{celex}", celex=celex, identified=True) if celex else None


def number_of_named_at(reading: Mentions, position: int) -> ActRef | None:
    """``number_of`` for the abbreviation that stands in front of the bracket, where it is another act's number."""
    bracket = _BRACKET_BEFORE.search(reading.folded, max(0, position - 6), position)
    before = reading.rules.index.abbreviation_before(reading.view, bracket.start()) if bracket else None
    entry = before[1].entries[0] if before and len(before[1].entries) == 1 else None
    ref = number_of(entry, reading.folded, position) if entry else None
    if entry is None or ref is None or ref.celex == entry.numbers["celex"]:
        return None
    if reading.folded.count(")", position, ref.end) > reading.folded.count("(", position, ref.end):
        ref.start -= 1  # "DSGVO (EU) 2016/697"
    return ref
