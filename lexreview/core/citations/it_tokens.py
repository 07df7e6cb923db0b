"""The tokens of Italian rulings - section, number, date, kind of decision - and what each says of the ruling."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lexreview.core.citations.dates import DATE, to_iso
from lexreview.core.citations.it_places import REGION_NAMES, region_of
from lexreview.core.citations.it_years import full_year
from lexreview.core.citations.numbering import arabic

_ORDINAL = {
    "prima": 1,
    "seconda": 2,
    "terza": 3,
    "quarta": 4,
    "quinta": 5,
    "sesta": 6,
    "settima": 7,
    "ottava": 8,
    "nona": 9,
    "decima": 10,
}
_N = r"(?:nn?\s?\.|nn?[°º]|nr\.?|nrr\.|num\.|numer[oi]|n(?=\s?\d))"
_FIGURE = r"\d{1,3}(?:\.\d{3})+|\d{1,9}"
_SECTION_NAME = (
    r"(?P<united>un(?:ite|\.)?(?![a-z])|u\.(?!\w))|(?P<labour>lav(?:oro|\.)|l\.(?!\w)|l(?![a-z.']))"
    r"|(?P<tax>trib(?:utaria|\.)?(?![a-z]))"
    r"|(?P<holiday>fer(?:iale|\.)|f\.(?!\w)|f(?![a-z.']))|(?P<firms>(?:spec(?:ializzata|\.)\s)?(?:in\smateria\sdi\s)?(?:impres[ae]"
    r"|impr\.))|(?P<joint>riun(?:ite|\.))"
    r"|(?P<judicial>giur(?:isdizionale|\.)(?:\s?,?\s(?:reg(?:ionale|\.)\s)?(?:per\s(?:la|il|l'|le)\s?"
    r"|della?\s)?(?:regione\s)?(?P<place>REGIONS)(?![a-z]))?)|(?P<plenary>plen(?:aria|\.))"
    r"|(?P<coordinating>coord(?:inamento|\.))"
    r"|(?P<word>prima|seconda|terza|quarta|quinta|sesta|settima|ottava|nona|decima)(?![a-z])"
    r"|(?P<figure>(?:x{1,3}(?:ix|iv|vi{0,3}|i{1,3})?|ix|iv|vi{0,3}|i{1,3}|\d{1,2})(?![a-z]))\s?[°ªº^]?"
    r"(?P<suffix>\s?[-–]?\s?(?:bis|ter|quater|quinquies|stralcio)(?![a-z]))?(?P<sub>\s?[-–/]\s?(?:\d|l|t"
    r"|[iv]{1,3})(?![a-z\d/.]))?"
)
_SECTION_NAME = _SECTION_NAME.replace("REGIONS", REGION_NAMES)
_AREA_NAME = r"(?:civ(?:ile|ili)?|pen(?:ale|ali)?)(?:\.|(?![a-z]))"
TOKEN = re.compile(
    rf"""(?<![a-z0-9])(?:
    (?P<ecli>ecli:[a-z]{{2}}:[a-z0-9]{{1,8}}:\d{{4}}:[a-z0-9.]{{1,25}})
    | (?P<rv>\(?\s?rv\.?\s?(?P<rvnumber>\d{{6}}(?:\s?[-–]\s?\d{{2}})?)\)?)
    | (?P<rg>(?:{_N}\s?)?(?:r\.\s?g\.?|rg)(?:\s?(?:lav\.|a\.?c\.|n\.r\.|es\.|n\.))?\s?(?:{_N}\s?)?
        (?P<rgnumber>\d{{1,6}}\s?/\s?\d{{2,4}})(?!\d)
        | (?:{_N}\s?)?(?P<rgafter>\d{{1,6}}\s?/\s?\d{{2,4}})\s(?:di\s)?(?:r\.\s?g\.?|rg(?![a-z]))(?:\s?n\.r\.
        |\s?lav\.)?)
    | (?P<application>(?:ric(?:orso|\.)|ricorsi)\s{_N}\s?(?P<appnumber>\d{{1,6}}/\d{{2}})(?!\d))
    | (?P<case>(?:caus[ae](?:\sriunit[ae])?\s)?(?P<casenumber>[ct]-\d{{1,4}}/\d{{2}}(?:\sp(?![a-z]))?)(?!\d))
    | (?P<hearing>(?:ud(?:ienza|\.)|c\.c\.|camera\sdi\sconsiglio|p\.u\.)\s?(?:pubblica\s)?(?:del(?:l'|\s)\s?
        |il\s)?(?P<heard>{DATE}))
    | (?P<deposit>(?:dep(?:ositat[ao]|osito|\.)|pubbl(?:icata|\.)|depositat[ao]\sin\scancelleria)\s?(?:il\s
        |in\sdata\s|del\s)?(?P<deposited>{DATE}))
    | (?P<date>(?<!\d)(?<!/)(?<!\d\.){DATE})
    | (?P<number>(?:(?<![\w/-])(?P<several>{_N}\s{{0,2}})|(?<![\w./-]))(?P<figures>{_FIGURE})
        (?:\s?/\s?(?P<year>\d{{4}}|\d{{2}})(?!\d|/)|\s?,?\sdel(?:l'anno)?\s(?P<ofyear>(?:19|20)\d\d)(?!\d)
        |\s?-\s?(?P<dashyear>(?:19|20)\d\d)(?!\d)
          |\s?,?\s(?:del\s|in\sdata\s|depositata\sil\s)(?P<ofdate>{DATE}))?(?![\d/]|\w|-\w|,\d))
    | (?P<ofyearonly>(?<![a-z])del(?:l'anno)?\s(?P<theyear>(?:19|20)\d\d)(?!\d|/))
    | (?P<section>(?<![a-z])(?:sez(?:ione|ioni|\.)?|s(?:ez)?z\.)\s{{0,2}}(?:
        (?P<areain>{_AREA_NAME})\s?,?\s{{0,2}})?(?:{_SECTION_NAME})(?:\s?,?\s(?P<areaafter>{_AREA_NAME}))?
        (?:\s?,?\s(?:sottosez(?:ione|\.)?)\s?(?P<under>\d|[iv]{{1,3}}|l|t)(?![a-z]))?)
    | (?P<sectionlast>(?<![a-z])(?P<lastname>grande|prima|seconda|terza|quarta|quinta|sesta|settima|[ivx]{{1,5}}
        |\d{{1,2}}[°ªº^])\ssez(?:ione|\.)(?:\s(?P<arealast>{_AREA_NAME}))?)
    | (?P<bare>(?<![a-z])(?:(?P<barelabour>lav(?:oro|\.)(?![a-z]))|(?P<baretax>trib(?:utaria|\.)(?=\s?,?\s(?:n
        |\d|sez|ord|sent)))|(?<!\.)(?P<bareroman>[ivx]{{1,5}}(?:-(?:bis|ter|quater|\d|l|t))?(?=\s?[,.]))))
    | (?P<area>(?<![a-z]){_AREA_NAME})
    | (?P<doc>(?<![a-z])(?:sent(?:enz[ae]|t?\.)|ord(?:inanz[ae]|d?\.)|decr(?:et[oi]|\.)|dec\.|pronunc(?:ia|e)
        |decision[ei])(?:(?<=[td]\.)|(?![a-z]))(?:\s(?:interl(?:ocutori[ae]|oc?\.|\.)|parzial[ei]|non\sdefinitiv[ae]|gemell[ae]|cautelar[ei]
        |di\srimessione))?)
    | (?P<idem>(?<![a-z])(?:id\.|idem|ead\.|ibid\.))
    )""",
    re.VERBOSE,
)


@dataclass(slots=True)
class RulingDraft:
    """A ruling in the making."""

    start: int
    end: int
    court: str | None = None
    venue: str | None = None
    area: str | None = None
    section: str | None = None
    doc_type: str | None = None
    doc_word: str | None = None
    number: str | None = None
    year: int | None = None
    date: str | None = None
    hearing: str | None = None
    deposit: str | None = None
    ecli: str | None = None
    rg: str | None = None
    rv: str | None = None
    party: str | None = None
    inherited: tuple[str, ...] = ()
    plural: bool = False
    year_from_date: bool = False
    flags: list[str] = field(default_factory=list)


def kind_of(match: re.Match[str], kind: str) -> str:
    return next(name for name in _KINDS if match[name] is not None) if kind not in _KINDS else kind


_KINDS = (
    "ecli",
    "rv",
    "rg",
    "application",
    "case",
    "hearing",
    "deposit",
    "date",
    "number",
    "ofyearonly",
    "section",
    "sectionlast",
    "bare",
    "area",
    "doc",
    "idem",
)


def _number(group: RulingDraft, match: re.Match[str]) -> None:
    group.number = match["figures"].replace(".", "").lstrip("0") or "0"
    group.plural = group.plural or bool(match["several"] and match["several"].startswith(("nn", "nrr", "numeri")))
    year = match["year"] or match["ofyear"] or match["dashyear"]
    if group.court == "CEDU" and match["year"] and len(match["year"]) == 2:
        group.number = f"{group.number}/{match['year']}"
    elif year:
        group.year, group.year_from_date = full_year(year), False
    elif match["ofdate"]:
        group.date = to_iso(match["ofdate"])
        group.year = int(group.date[:4]) if group.date else None


def _date(group: RulingDraft, match: re.Match[str]) -> None:
    group.date = to_iso(match["date"])


def _hearing(group: RulingDraft, match: re.Match[str]) -> None:
    group.hearing = to_iso(match["heard"])


def _deposit(group: RulingDraft, match: re.Match[str]) -> None:
    group.deposit = to_iso(match["deposited"])


def _case(group: RulingDraft, match: re.Match[str]) -> None:
    group.number = match["casenumber"].upper()
    group.court = group.court or ("CGUE" if group.number.startswith("C") else "TRIBUE")


def _application(group: RulingDraft, match: re.Match[str]) -> None:
    group.number = match["appnumber"]


def _of_year(group: RulingDraft, match: re.Match[str]) -> None:
    group.year = int(match["theyear"])


def _rg(group: RulingDraft, match: re.Match[str]) -> None:
    group.rg = re.sub(r"\s", "", match["rgnumber"] or match["rgafter"])


def _rv(group: RulingDraft, match: re.Match[str]) -> None:
    group.rv = re.sub(r"\s", "", match["rvnumber"]).replace("–", "-")


def _doc(group: RulingDraft, match: re.Match[str]) -> None:
    word = match["doc"]
    group.doc_word = word
    if word.startswith("sent"):
        group.doc_type = "sentenza"
    elif word.startswith("ord"):
        group.doc_type = "ordinanza"
    elif word.startswith(("decr", "dec.")) and group.court != "ABF":
        group.doc_type = "decreto"


def _area(group: RulingDraft, match: re.Match[str]) -> None:
    _set_area(group, match["area"])


def _set_area(group: RulingDraft, word: str | None) -> None:
    if word:
        group.area = "CIV" if word.startswith("civ") else "PEN"


def _section(group: RulingDraft, match: re.Match[str]) -> None:
    group.section = _section_code(match)
    if match["place"]:
        group.venue = region_of(match["place"])
    if match["labour"] or match["tax"]:
        group.area = "CIV" if group.court in ("CASS", None) else group.area
    _set_area(group, match["areain"] or match["areaafter"])


def _section_code(match: re.Match[str]) -> str:
    for name, code in (
        ("united", "U"),
        ("labour", "L"),
        ("tax", "5"),
        ("holiday", "F"),
        ("firms", "impresa"),
        ("joint", "riunite"),
    ):
        if match[name]:
            return code
    for name, code in (("judicial", "giur"), ("plenary", "AP"), ("coordinating", "coordinamento")):
        if match[name]:
            return code
    if match["word"]:
        return str(_ORDINAL[match["word"]])
    code = _figure(match["figure"])
    if match["suffix"]:
        code += "-" + re.sub(r"[\s–-]", "", match["suffix"])
    below = match["sub"] or match["under"]
    if below:
        code += "-" + _figure(re.sub(r"[\s–/-]", "", below))
    return code


def _figure(written: str) -> str:
    written = written.lower()
    if written and not written.strip("ivx"):
        return str(arabic(written))
    return written.upper() if written.isalpha() else written


def _section_last(group: RulingDraft, match: re.Match[str]) -> None:
    name = match["lastname"].strip("°ªº^")
    group.section = "GS" if name == "grande" else str(_ORDINAL[name]) if name in _ORDINAL else _figure(name)
    _set_area(group, match["arealast"])


def _bare(group: RulingDraft, match: re.Match[str]) -> None:
    if match["barelabour"]:
        group.section, group.area = "L", "CIV" if group.court == "CASS" else group.area
    elif match["baretax"]:
        group.section, group.area = "5", "CIV"
    else:
        head, _, tail = match["bareroman"].partition("-")
        group.section = _figure(head) + (f"-{_figure(tail) if len(tail) < 3 else tail}" if tail else "")


ADD = {
    "number": _number,
    "date": _date,
    "hearing": _hearing,
    "deposit": _deposit,
    "case": _case,
    "application": _application,
    "ofyearonly": _of_year,
    "rg": _rg,
    "rv": _rv,
    "doc": _doc,
    "area": _area,
    "section": _section,
    "sectionlast": _section_last,
    "bare": _bare,
}
