"""The names of Italian and European courts in Italian texts, with their seats."""

from __future__ import annotations

import re
from typing import NamedTuple

from lexreview.core.citations.it_places import REGION_NAMES, region_of
from lexreview.core.citations.scanning import may_begin
from lexreview.core.citations.view import View, fold

_CITY = (
    r"(?P<city>(?:L'|La\s|S\.\s|Santa\s|San\s|Reggio\s|Vibo\s|Ascoli\s|Torre\s|Busto\s|Massa\s|Lamezia\s"
    r"|Nocera\s|Barcellona\s|Vallo\s)?[A-ZÀ-Ý][\wà-ù']{2,20}(?:\s(?:Calabria|Emilia|Valentia|Piceno|Annunziata"
    r"|Arsizio|Capua\sVetere|Terme|Inferiore|Spezia|Balsamo))?)"
)
_OF = (
    r"(?:(?:\s?,)?\s{1,2}|(?<=\.)(?=[A-ZÀ-Ý]))(?:(?:ordinario|civile|penale|lav\.|lavoro|per\si\sminorenni|min\."
    r"|amministrativo)\s)?(?:(?:[Dd]i|[Dd]el|[Dd]ella|[Dd]ell'|[Pp]er\sla|[Pp]er\sil|[Pp]er\sl'|[Pp]er|[Dd]elle"
    r"|[Dd]ella\sregione|[Pp]rov\.\sdi)\s?)?"
)
_REGION = rf"(?i:(?P<region>{REGION_NAMES})(?!\w))"
_SEAT = (
    rf"(?:\s?[,–(-]\s?|\s)(?:(?:[Ss]ez(?:ione|\.)\s(?:staccata\s(?:di\s)?|di\s)|[Ss]ede\s(?:di\s)?"
    rf"|di\s)?{_CITY})\)?"
)
_NOT_A_SEAT = frozenset(
    [
        "Sez",
        "Sezione",
        "Sent",
        "Sentenza",
        "Ord",
        "Ordinanza",
        "Dec",
        "Decreto",
        "Cass",
        "Corte",
        "Collegio",
        "Sezioni",
        "Adunanza",
        "Il",
        "La",
        "Lo",
        "Gli",
        "Le",
        "Con",
        "Con",
        "La",
        "Un",
        "Una",
        "Nella",
        "Non",
        "Che",
        "Per",
    ]
)

_PATTERNS: tuple[tuple[str, str], ...] = (
    ("CEDU", (
        r"(?i:c(?:orte|\.)\s(?:e\.?\s?d\.?\s?u\.?(?!\w)|europea\sdei\sdiritti\s(?:dell'uomo|umani)"
        r"|eur\.\sdir(?:itti|\.)\suomo|di\sstrasburgo)|cedu(?=\s?,?\s(?:\d|grande\scamera|gc|sez)))"
    )),
    ("TRIBUE", (
        r"(?i:trib(?:unale|\.)\s(?:dell')?u\.?\s?e\.?(?!\w)|trib(?:unale|\.)\sdell'unione\seuropea"
        r"|tribunale\sdi\sprimo\sgrado\s(?:ce|delle\scomunit[aà])|trib\.\sprimo\sgrado\sce)"
    )),
    ("CGT1", (
        rf"(?i:corte\sdi\sgiust(?:izia|\.)\strib(?:utaria|\.)\s(?:di\s)?(?:primo|i|1°|1)\sgrado"
        rf"|c\.?\s?g\.?\s?t\.?\s?(?:di\s)?(?:primo|i|1°|1)\sgrado|cgt1|c\.g\.t\.\s1)(?:{_OF}{_CITY})?"
    )),
    ("CGT2", (
        rf"(?i:corte\sdi\sgiust(?:izia|\.)\strib(?:utaria|\.)\s(?:di\s)?(?:secondo|ii|2°|2)\sgrado"
        rf"|c\.?\s?g\.?\s?t\.?\s?(?:di\s)?(?:secondo|ii|2°|2)\sgrado|cgt2"
        rf"|c\.g\.t\.\s2)(?:{_OF}{_REGION})?(?:{_SEAT})?"
    )),
    ("CGUE", (
        r"(?i:corte\s(?:di\s)?giust(?:izia|\.)(?!\strib)(?:\s(?:u\.?e\.?(?!\w)|ce(?!\w)|dell'ue"
        r"|dell'unione(?:\seuropea)?|europea|unione\seuropea|delle\scomunit[aà]\seuropee"
        r"|comunit[aà]\seuropee))?|c\.?g\.?u\.?e\b\.?|c\.?g\.?c\.?e\b\.?|c\.\sgiust\.\s(?:ue|ce))"
    )),
    ("COST", (
        r"(?i:corte\scost(?:ituzionale|\.)|c\.\s?cost\.|giudice\sdelle\sleggi|consulta(?=[\s,(.;:)]|$)(?!\s(?:il|la"
        r"|lo|i|le|un|del|dei|degli)\s)|c\.c\.\scost\.)"
    )),
    ("CONTI", r"(?i:corte\s(?:dei\s)?conti|c\.\s?(?:dei\s)?conti)"),
    ("APP", (
        rf"(?:[Cc]orte\s(?:d'[Aa]ppello|di\s[Aa]ppello|d'[Aa]pp\.|[Aa]pp\.)|CORTE\sD'APPELLO|[Cc]\.\s?[Aa]pp\."
        rf"|App\.|C\.A\.){_OF}{_CITY}"
    )),
    ("CASS", r"(?i:(?:suprema\s)?corte\s(?:suprema\s)?di\scassazione|corte\ssuprema(?:\sdi\scassazione)?"
        r"|suprema\scorte|corte\sregolatrice|corte\sdi\slegittimit[aà]|giudic[ei]\s(?:di|della)\slegittimit[aà]"
             r"|cassazione|cass\.(?!\s?(?:rurale|di\srisp|rurali|depositi|forense|edile|integrazione|naz))"
                 r"|s\.c\.(?=\s?,?\s(?:sez|n\.|\d|ss))|cass(?=\s(?:civ|pen|sez|n\.|lav|\d|ss|s\.u)))"),
    ("TAR", (
        rf"(?i:t\.?\s?a\.?\s?r\b\.?|trib(?:unale|\.)\samm(?:inistrativo|\.)(?:\sreg(?:ionale"
        rf"|\.))?)(?:\s(?:per\s(?:la|il|l')\s?|del\s|della\s|dell'|regionale\s(?:per\s(?:la|il|l')\s?|del\s"
        rf"|della\s|dell')?|reg\.\s)?)?{_REGION}?(?:{_SEAT})?"
    )),
    ("TRGA", (
        rf"(?i:t\.?\s?r\.?\s?g\.?\s?a\b\.?|tribunale\sregionale\sdi\sgiustizia\samministrativa)(?:\s(?:di\s"
        rf"|del\s)?)(?:(?i:trentino[\s-]alto\sadige(?:[/-]s[uü]dtirol)?)\s?,?\s(?:sede\sdi\s"
        rf"|sez\.\s(?:aut\.\s)?(?:di\s)?)?)?{_CITY}?"
    )),
    ("CGA", (
        r"(?i:cons(?:iglio|\.)\s(?:di\s)?giust(?:izia|\.)\samm(?:inistrativa"
        r"|\.)(?:\s(?:per\sla\s)?(?:reg(?:ione|\.)\s)?(?:sic(?:ilia(?:na)?|\.)))?"
        r"|c\.?g\.?a\.?r?\.?s?\b\.?(?=\s?,?\s(?:sez|n\.|\d|sic)))"
    )),
    ("CDS", (
        r"(?i:consiglio\sdi\sstato|cons(?:iglio\s|\.\s?)(?:di\s)?(?:stato|st\.)|c\.\s?d\.\s?s\.?|cds(?!\w)"
        r"|con\.\sstato)"
    )),
    ("AP", r"(?i:ad(?:unanza|\.)\splen(?:aria|\.)|plenaria(?=\s?,?\s(?:nn?\.|\d|sent))|a\.p\.(?=\s?,?\s(?:n\.|\d)))"),
    ("SU", (
        r"(?i:sezioni\sunite(?:\s(?:civili|penali))?|ss\.?\s?uu\b\.?|sez(?:z|ioni)?\.\s?un(?:ite|\.)|sez(?:ione|\.)\s?u(?=\s?,?\s?(?:nn?\.|sent|ord|\d|civ|pen))"
        r"|s\.\s?u\.(?=\s?,?\s(?:n|\d|civ|pen|sent|ord)|[);]|\.?\s?(?:\n|$))|su(?=\s(?:n\.|\d|civ|pen)))"
    )),
    ("CTP", (
        rf"(?:(?i:comm(?:issione|\.)\strib(?:utaria|\.)\sprov(?:inciale|\.))|C\.?T\.?P\b\.?"
        rf"|(?i:c\.t\.p\.)){_OF}{_CITY}"
    )),
    ("CTR", (
        rf"(?:(?i:comm(?:issione|\.)\strib(?:utaria|\.)\sreg(?:ionale|\.))|C\.?T\.?R\b\.?"
        rf"|(?i:c\.t\.r\.))(?:{_OF}{_REGION})?(?:{_SEAT})?"
    )),
    ("GDP", rf"(?:(?i:giudice\sdi\space|giud\.\space|g\.\s?d\.\s?p\.)|GDP|GdP){_OF}{_CITY}"),
    ("ABF", (
        rf"(?:(?:[Cc]ollegio\s)?ABF|A\.B\.F\."
        rf"|(?i:arbitro\sbancario(?:\s(?:e\s)?finanziario)?))(?:\s?,?\s(?:(?i:coll(?:egio"
        rf"|\.))\s)?(?:di\s)?(?:(?P<coordinating>(?i:coord(?:inamento|\.)))|{_CITY}))?"
    )),
    ("TRIB", rf"(?:[Tt]ribunale|TRIBUNALE|[Tt]rib\.){_OF}{_CITY}"),
)  # fmt: skip


_NUMERAL = re.compile(r"[IVX]{1,5}")


class Court(NamedTuple):
    """A court as named: code, seat, and what its name says of the section."""

    start: int
    end: int
    code: str
    venue: str | None
    section: str | None
    area: str | None = None


def _compiled() -> re.Pattern[str]:
    branches: list[str] = []
    for at, (_, pattern) in enumerate(_PATTERNS):
        for name in ("city", "region", "coordinating"):
            pattern = pattern.replace(f"(?P<{name}>", f"(?P<{name}{at}>")
        branches.append(f"(?P<court{at}>{pattern})")
    beginnings = "".join(sorted(may_begin(*(pattern for _, pattern in _PATTERNS)) or ()))
    return re.compile(rf"(?<![^\W_])(?<!:)(?=[{beginnings}])(?:{'|'.join(branches)})")


_COURT = _compiled()
_SECTION_CODES = {"AP": ("CDS", "AP"), "SU": ("CASS", "U"), "TRGA": ("TAR", None)}


def courts_in(view: View) -> list[Court]:
    """Every court named in the text, in order; the same bare name twice in a row counts once."""
    courts: list[Court] = []
    for match in _COURT.finditer(view.text):
        court = _court(match)
        if courts and court.start - courts[-1].end <= 2 and court[2:] == courts[-1][2:]:
            courts[-1] = court
        else:
            courts.append(court)
    return courts


def _court(match: re.Match[str]) -> Court:
    at = int((match.lastgroup or "court0")[5:])
    code, pattern = _PATTERNS[at]
    end = match.end()
    if "(?P<" not in pattern:
        code, section = _SECTION_CODES.get(code, (code, None))
        word = match[0].lower()
        area = "CIV" if word.endswith("civili") else "PEN" if word.endswith("penali") else None
        return Court(match.start(), end, code, None, section, area)
    city = match[f"city{at}"] if "(?P<city>" in pattern else None
    region = match[f"region{at}"] if "(?P<region>" in pattern else None
    if city and (city.rstrip(".") in _NOT_A_SEAT or _NUMERAL.fullmatch(city)):
        end, city = _without_city(match, at), None
    if code == "TAR" and city and region is None and city.lower() in ("per", "regionale"):
        city = None
    code, section = _SECTION_CODES.get(code, (code, None))
    if "(?P<coordinating>" in pattern and match[f"coordinating{at}"]:
        section = "coordinamento"
    return Court(match.start(), end, code, _venue(region, city), section)


def _without_city(match: re.Match[str], at: int) -> int:
    end = match.start(f"city{at}")
    while match.string[end - 1] in " ,–-(":
        end -= 1
    return end


def _venue(region: str | None, city: str | None) -> str | None:
    parts = [region_of(fold(region)) if region else None, city]
    return "-".join(part for part in parts if part) or None
