"""The invented state that the data-driven grammar is tried on."""

from __future__ import annotations

from lexreview.core.citations import ActEntry, JurisdictionProfile

KESTRIA = JurisdictionProfile.from_mapping(
    {
        "code": "QK",
        "names": {"en": ["Kestria", "Kestrian"], "pl": ["Kestria", "kestryjski"]},
        "languages": ["en", "pl"],
        "journals": ["OJ {year}, {position}", "OJ {year}, item {position}", "Dz.Urz. {year}, poz. {position}"],
        "journal_id": "OJ/{year}/{position}",
        "courts": [
            {
                "court": "Supreme Court",
                "names": {"en": ["Supreme Court"], "pl": ["Sąd Najwyższy", "SN"]},
                "dockets": ["{roman} Civ {number}/{year}", "{roman} Crim {number}/{year}"],
            }
        ],
    }
)
ACTS = (
    ActEntry(
        id="eli/qk/act/2011/9",
        jurisdiction="QK",
        abbreviations={"en": ("CPA",), "pl": ("UPC",)},
        titles={"en": ("Civil Procedure Act",), "pl": ("Ustawa o postępowaniu cywilnym",)},
        numbers={"journal": "OJ/2011/9"},
    ),
    ActEntry(
        id="eli/qk/act/2003/4",
        jurisdiction="QK",
        abbreviations={"en": ("CC",), "pl": ("KC",)},
        titles={"en": ("Civil Code",), "pl": ("Kodeks cywilny",)},
        numbers={"journal": "OJ/2003/4"},
    ),
)
