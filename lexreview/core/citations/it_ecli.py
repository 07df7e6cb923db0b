"""ECLI of Italian and European courts: reading one, and building the candidates of a citation."""

from __future__ import annotations

import re
from typing import NamedTuple

SLUG = re.compile(r"ECLI_[A-Z]{2}_[A-Z0-9]{1,8}_\d{4}_[A-Z0-9.\-]{1,25}", re.IGNORECASE)
_ECLI = re.compile(r"ECLI:(?P<country>[A-Z]{2}):(?P<court>[A-Z0-9]{1,8}):(?P<year>\d{4}):(?P<rest>[A-Z0-9.\-]{1,25})$")
_CASSATION = re.compile(r"(?P<number>\d{1,6})(?P<area>CIV|PEN)$")
_PLAIN = re.compile(r"(?P<number>\d{1,6})(?P<tail>[A-Z]{0,12})$")
_MERIT = re.compile(r"(?P<number>\d{1,6})[.\-](?P<rg>\d{1,7})$")
_STRASBOURG = re.compile(r"(?P<month>\d\d)(?P<day>\d\d)(?:JUD|DEC|ADV)(?P<application>\d{7,9})")
_DOCUMENTS = {"SENT": "sentenza", "ORD": "ordinanza", "DEC": "decreto"}
SEATS = {
    "AG": "Agrigento",
    "AN": "Ancona",
    "AO": "Aosta",
    "BA": "Bari",
    "BO": "Bologna",
    "BS": "Brescia",
    "CA": "Cagliari",
    "CL": "Caltanissetta",
    "CB": "Campobasso",
    "CT": "Catania",
    "CZ": "Catanzaro",
    "FI": "Firenze",
    "GE": "Genova",
    "AQ": "L'Aquila",
    "LE": "Lecce",
    "ME": "Messina",
    "MI": "Milano",
    "NA": "Napoli",
    "PA": "Palermo",
    "PG": "Perugia",
    "PZ": "Potenza",
    "RC": "Reggio Calabria",
    "RM": "Roma",
    "SA": "Salerno",
    "TO": "Torino",
    "TN": "Trento",
    "TS": "Trieste",
    "VE": "Venezia",
}


class EcliParts(NamedTuple):
    """What an ECLI says of the ruling; a field that it does not say is ``None``."""

    court: str
    year: int
    number: str | None = None
    venue: str | None = None
    area: str | None = None
    doc_type: str | None = None
    date: str | None = None
    rg: str | None = None


def parts_of(ecli: str) -> EcliParts | None:
    """Read an upper-case ECLI in colon form; ``None`` for malformed ones and courts that are not known."""
    match = _ECLI.match(ecli)
    if match is None:
        return None
    year, court, rest = int(match["year"]), match["court"], match["rest"]
    if match["country"] == "EU":
        known = {"C": "CGUE", "T": "TRIBUE", "F": "TRIBUE"}.get(court)
        return EcliParts(known, year) if known else None
    if match["country"] == "CE":
        return _strasbourg(year, rest)
    return _italian(court, year, rest) if match["country"] == "IT" else None


def _strasbourg(year: int, rest: str) -> EcliParts:
    match = _STRASBOURG.match(rest)
    date = f"{year}-{match['month']}-{match['day']}" if match else None
    return EcliParts("CEDU", year, date=date)


def _italian(court: str, year: int, rest: str) -> EcliParts | None:
    if court == "CASS":
        match = _CASSATION.match(rest)
        return EcliParts("CASS", year, _bare(match["number"]), area=match["area"]) if match else None
    plain = _PLAIN.match(rest)
    if court in ("COST", "ABF"):
        return EcliParts(court, year, _bare(plain["number"])) if plain else None
    if court == "CONT":
        return EcliParts("CONTI", year, _bare(plain["number"])) if plain else None
    if court == "CDS" or court.startswith(("TAR", "CGAR", "CGA")):
        code = "TAR" if court.startswith("TAR") else "CGA" if court.startswith("CGA") else "CDS"
        return EcliParts(code, year, _bare(plain["number"]), doc_type=_DOCUMENTS.get(plain["tail"])) if plain else None
    if court.startswith(("CG1", "CG2", "CGT1", "CGT2")):
        code = "CGT1" if "1" in court else "CGT2"
        return EcliParts(code, year, _bare(plain["number"]), doc_type=_DOCUMENTS.get(plain["tail"])) if plain else None
    merit = _MERIT.match(rest)
    if merit and court[:2] in ("TR", "CA"):
        code = "TRIB" if court.startswith("TR") else "APP"
        return EcliParts(code, year, _bare(merit["number"]), venue=SEATS.get(court[2:4]), rg=merit["rg"])
    return None


def _bare(number: str) -> str:
    return number.lstrip("0") or "0"


def candidates(*, court: str | None, number: str | None, year: int | None, area: str | None) -> tuple[str, ...]:
    """The ECLI that a citation may mean: two for the Court of Cassation when its area is not known."""
    if number is None or year is None:
        return ()
    if court == "CASS":
        return tuple(f"ECLI:IT:CASS:{year}:{number}{one}" for one in ([area] if area else ["CIV", "PEN"]))
    if court in ("COST", "ABF"):
        return (f"ECLI:IT:{court}:{year}:{number}",)
    return ()
