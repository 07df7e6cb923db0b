"""Finds citations of law and rulings in a text: one grammar per jurisdiction behind one interface.

``extract`` gives a list of ``Citation``; ``ActEntry`` adds acts known at run time, ``JurisdictionProfile`` a state.
"""

from lexreview.core.citations.act_entry import ActEntry
from lexreview.core.citations.citation import KINDS, Citation
from lexreview.core.citations.profile import BadProfile, CourtProfile, JurisdictionProfile
from lexreview.core.citations.registry import GRAMMARS, extract, known_acts
from lexreview.core.citations.unit_keys import UNIT_LEVELS, BadUnitKey, parse_unit_key, unit_key

__all__ = [
    "GRAMMARS",
    "KINDS",
    "UNIT_LEVELS",
    "ActEntry",
    "BadProfile",
    "BadUnitKey",
    "Citation",
    "CourtProfile",
    "JurisdictionProfile",
    "extract",
    "known_acts",
    "parse_unit_key",
    "unit_key",
]
