"""Rulings of the courts of the European Union and of the European Court of Human Rights, cited in any language."""

from __future__ import annotations

import re

from lexreview.core.citations.rulings import Docket

COURT_OF_JUSTICE, GENERAL_COURT, CIVIL_SERVICE, HUMAN_RIGHTS = (
    "TSUE",
    "Sąd UE",
    "Sąd do spraw Służby Publicznej UE",
    "ETPC",
)
_COURTS = {"C": COURT_OF_JUSTICE, "T": GENERAL_COURT, "F": CIVIL_SERVICE}
_FIRST_YEAR = {"C": 89, "T": 89, "F": 5}
_NOW = 40

_CASE = re.compile(
    r"(?<![\w/-])(?<!-)(?P<court>[CTF])\s?[-–]\s?(?P<number>\d{1,4})/(?P<year>\d{2})(?!\d|/\d|[a-z]|-\d)"
    r"(?:\s?(?P<kind>P\(R\)|P-R|PPU|P|RENV|RX|REC|DEP|OP|INTP|R)(?![\w(]))?"
)
_ECLI = re.compile(
    r"(?<![\w:])(?P<ecli>ECLI:(?P<country>[A-Z]{2}):(?P<court>[A-Z0-9]{1,7}):(?P<year>\d{4}):(?P<rest>[A-Z0-9.]{1,25}))(?<!\.)",
    re.IGNORECASE,
)
_CELEX = re.compile(
    r"(?<!\w)(?:CELEX[\s:]{1,3})?(?P<celex>6(?P<year>\d{4})(?P<type>CJ|CC|CO|CA|TJ|TO|FJ|FO)(?P<number>\d{4}))(?!\w)"
)
_FURTHER = r"(?P<more>(?:(?:,|\s(?:and|et|und|e|i|oraz))\s{1,2}\d{3,6}/\d{2}(?!\d|/)){0,12})"
_NUMBER = re.compile(r"\d{3,6}/\d{2}")
_APPLICATION = re.compile(
    r"(?i:(?:skarg\w{1,3}|sygn\.\sskargi|applications?|app\.|requ[eê]tes?|beschwerden?|ricors[oi]|ric\.))\s{1,2}"
    r"(?i:(?:nrs?|nrn|nos?|nn?|n[°º]s?|num)\.?)?[°º]?\s{0,2}(?P<number>\d{1,6}/\d{2})(?!\d|/)" + _FURTHER
)

_APPLICATION_NUMBER = re.compile(
    r"(?<!\w)(?i:nrs?|nrn|nos?|n[°ºo]s?|nn?)\.?\s{1,2}(?P<number>\d{3,6}/\d{2})(?!\d|/)" + _FURTHER
)

COURTS = (
    (r"tsue|ets|trybunal(?:u|owi|em|e)?\ssprawiedliwosci(?:\s(?:unii\seuropejskiej|ue))?|cjeu|ecj"
        r"|(?:european\s)?court\sof\sjustice"
     r"(?:\sof\sthe\seuropean\sunion)?|eugh|gerichtshof(?:s|es)?\sder\seuropaischen\sunion"
         r"|europaische[rn]?\sgerichtshof(?:s|es)?|cjue|cjce"
     r"|cour\sde\sjustice(?:\sde\sl'(?:union\seuropeenne|ue))?|cgue|corte\sdi\sgiustizia(?:\s(?:ue"
         r"|dell'unione\seuropea|europea))?", COURT_OF_JUSTICE),
    (r"sad(?:u|em|zie)?\s(?:ue|unii\seuropejskiej|pierwszej\sinstancji)|general\scourt|eug|gericht(?:s"
        r"|es)?\sder\seuropaischen\sunion|tribunal\sde\sl'union\seuropeenne"
     r"|tribunale\s(?:ue|dell'unione\seuropea)", GENERAL_COURT),
    (r"etpcz?|europejski\w{0,3}\strybunal\w{0,3}\spraw\sczlowieka|ecthr|european\scourt\sof\shuman\srights"
        r"|egmr|europaische[rn]?\sgerichtshof(?:s|es)?\sfur\smenschenrechte"
     r"|coureh?dh|cour\s(?:edh|europeenne\sdes\sdroits\sde\sl'homme)|corte\s(?:edu"
         r"|europea\sdei\sdiritti\s(?:dell'uomo|umani))", HUMAN_RIGHTS),
)  # fmt: skip


_THING = re.compile(
    r"(?i:(?<!\w)(?:faktur\w{0,3}|zadani\w{1,2}|lini\w|parti\w|seri\w|model\w{0,3}|zamowieni\w|zamówieni\w|szczepionk\w"
    r"|rechnung|linie|charge|los|modell|impfstoff|auftrag|facture|ligne|lot|modele|modèle|commande|vaccin"
    r"|fattura|linea|lotto|modello|ordine|vaccino|invoice|line|batch|model|vaccine)"
    r"\s(?:nr\.?\s|no\.?\s|n[°.]\s?)?)$"
)


def _case(match: re.Match[str]) -> list[Docket]:
    """C-260/18; two-digit years before the letters were introduced are no cases (a tank is not a ruling)."""
    year, court = int(match["year"]), match["court"]
    if _THING.search(match.string, max(0, match.start() - 24), match.start()):
        return []
    if not (year >= _FIRST_YEAR[court] or year < _NOW) or (court == "F" and not 5 <= year <= 16):
        return []
    kind = f" {match['kind']}" if match["kind"] else ""
    docket = f"{court}-{int(match['number'])}/{match['year']}{kind}"
    return [Docket(match.start(), match.end(), docket, _COURTS[court])]


def _ecli(match: re.Match[str]) -> list[Docket]:
    country, court = match["country"].upper(), match["court"].upper()
    name = _COURTS.get(court) if country == "EU" else HUMAN_RIGHTS if (country, court) == ("CE", "ECHR") else None
    return [Docket(match.start(), match.end(), ecli=match["ecli"].upper(), court=name)]


def _celex(match: re.Match[str]) -> list[Docket]:
    letter = match["type"][0]
    docket = f"{letter}-{int(match['number'])}/{match['year'][2:]}"
    return [Docket(match.start(), match.end(), docket, _COURTS[letter], celex=match["celex"])]


def _application(match: re.Match[str]) -> list[Docket]:
    return [Docket(match.start(), match.end("number"), match["number"], HUMAN_RIGHTS), *_further(match)]


def _further(match: re.Match[str]) -> list[Docket]:
    numbers = _NUMBER.finditer(match.string, *match.span("more"))
    return [Docket(*one.span(), one[0], HUMAN_RIGHTS, needs_court=True, listed=True) for one in numbers]


def _application_number(match: re.Match[str]) -> list[Docket]:
    """A bare number belongs to Strasbourg only where its court is named beside it."""
    return [
        Docket(match.start(), match.end("number"), match["number"], HUMAN_RIGHTS, needs_court=True),
        *_further(match),
    ]


def celex_of_case(docket: str, form: str | None) -> str | None:
    """CELEX number of a case (sector 6): judgments CJ/TJ, orders CO/TO, opinions of Advocates General CC."""
    match = re.match(r"([CTF])-(\d+)/(\d\d)", docket)
    if match is None:
        return None
    year = int(match[3])
    full = 1900 + year if year >= _FIRST_YEAR["C"] else 2000 + year
    letters = match[1] + "J"
    if form and re.match(r"postanowien|order|beschluss|ordonnance|ordinanza", form):
        letters = match[1] + "O"
    elif form and re.match(r"opini|schlussantr|conclusion", form):
        letters = match[1] + "C"
    return f"6{full}{letters}{int(match[2]):04d}"


DOCKETS = (
    (_CASE, _case),
    (_ECLI, _ecli),
    (_CELEX, _celex),
    (_APPLICATION, _application),
    (_APPLICATION_NUMBER, _application_number),
)
