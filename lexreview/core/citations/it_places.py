"""Italian regions and the seats of courts, in the forms that citations use."""

from __future__ import annotations

from lexreview.core.citations.view import fold

REGIONS = (
    "Abruzzo",
    "Basilicata",
    "Calabria",
    "Campania",
    "Emilia-Romagna",
    "Friuli-Venezia Giulia",
    "Lazio",
    "Liguria",
    "Lombardia",
    "Marche",
    "Molise",
    "Piemonte",
    "Puglia",
    "Sardegna",
    "Sicilia",
    "Toscana",
    "Trentino-Alto Adige",
    "Umbria",
    "Valle d'Aosta",
    "Veneto",
)
_FORMS = {fold(name).replace("-", " "): name for name in REGIONS} | {
    "emilia": "Emilia-Romagna",
    "friuli": "Friuli-Venezia Giulia",
    "friuli v. g.": "Friuli-Venezia Giulia",
    "sicil.": "Sicilia",
    "lomb.": "Lombardia",
    "tosc.": "Toscana",
}
REGION_NAMES = "|".join(
    sorted((form.replace(".", r"\.").replace(" ", r"[\s-]") for form in _FORMS), key=len, reverse=True)
)


def region_of(form: str) -> str:
    """The region's name for a folded form of it."""
    return _FORMS.get(form.replace("-", " "), form.title())
