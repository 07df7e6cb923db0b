"""Finds the grammar of a jurisdiction and runs it."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import cast

from lexreview.core.citations.act_data import REGISTRIES, registry_of
from lexreview.core.citations.act_entry import ActEntry
from lexreview.core.citations.citation import Citation
from lexreview.core.citations.profile import JurisdictionProfile
from lexreview.core.citations.repeats import Grammar

GRAMMARS = {"pl": "pl", "ch": "ch", "eu": "eu", "it": "it", "auto": "auto"}
DATA_DRIVEN = "generic"


def grammar_of(jurisdiction: str) -> Grammar:
    """The grammar module's ``extract`` for a jurisdiction code in any case; unknown codes get the data-driven one."""
    name = GRAMMARS.get(jurisdiction.lower(), DATA_DRIVEN)
    module = import_module(f"lexreview.core.citations.{name}")
    return cast(Grammar, module.extract)


def known_acts(jurisdiction: str) -> tuple[ActEntry, ...]:
    """The built-in registry of a jurisdiction ("pl", "ch", "eu", "it"); empty for every other code."""
    code = jurisdiction.lower()
    return registry_of(code) if code in REGISTRIES else ()


def extract(
    text: str,
    *,
    jurisdiction: str,
    lang: str,
    acts: Sequence[ActEntry] = (),
    profile: JurisdictionProfile | None = None,
) -> list[Citation]:
    """Find every citation of the text, one per atomic unit, ordered by ``start``.

    ``jurisdiction`` is "pl", "ch", "eu", "it", "auto", or the code of any other state: then ``profile`` says how that
    state cites, and without one a plain profile for the code is used. ``lang`` is the language of the text; an empty
    one is guessed. ``acts`` are acts known at run time; they extend the built-in registry and override entries with the
    same name or number.
    Never raises on any text; the time is linear in the length of the text.
    """
    if profile is None and jurisdiction.lower() not in GRAMMARS:
        profile = JurisdictionProfile(code=jurisdiction)
    return grammar_of(jurisdiction)(text, lang=lang, acts=acts, profile=profile)
