"""What the data-driven grammar must know about a state: plain data, from a file or a form."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

PROFILE_LEVELS = ("art", "par", "ust", "pkt", "lit", "tiret", "zd", "motyw")
PLACEHOLDERS = ("roman", "number", "year", "year4", "position", "letters")


class BadProfile(ValueError):
    """A profile that cannot be used; the message names the field and what was expected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CourtProfile:
    """One court: canonical name, name forms per language, docket templates.

    A template is literal text with placeholders ``{roman}``, ``{letters}``, ``{number}``, ``{year}`` and
    ``{year4}``, for
    example ``"{roman} Civ {number}/{year}"``. ``{year}`` accepts two and four digits and is normalised to two.
    """

    court: str
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    dockets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class JurisdictionProfile:
    """The citation habits of one state, used for every jurisdiction without a module of its own.

    ``code`` prefixes act ids that no registry knows (``QK:CPA``). ``units`` maps language to level to the words
    that introduce it, added to the package's own words for that language; levels are ``art``, ``par`` (section
    sign), ``ust`` (paragraph), ``pkt`` (point), ``lit`` (letter), ``tiret``, ``zd`` (sentence), ``motyw`` (recital).
    ``journals`` are templates of the official journal per language with ``{year}``, ``{number}`` and
    ``{position}`` ("OJ {year}, item {position}"); ``journal_id`` is the template of the normal form.
    ``bracket_level`` is the level of a number in brackets behind an article ("Article 17(1)"), ``ust`` unless said
    otherwise. ``acts`` are the state's acts by id. ``superscript_in_brackets`` reads ``art. 21(1)`` as 21^1.
    ``foreign`` are names whose articles are not the state's law (contracts, standards of its own, other states).
    """

    code: str
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    languages: tuple[str, ...] = ("en",)
    units: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    journals: tuple[str, ...] = ()
    journal_id: str = "{code}/{year}/{position}"
    courts: tuple[CourtProfile, ...] = ()
    bracket_level: str = "ust"
    superscript_in_brackets: bool = False
    foreign: tuple[str, ...] = ()

    @classmethod
    def from_mapping(cls, source: Mapping[str, Any]) -> JurisdictionProfile:
        """Read a profile from plain data such as a YAML file; raises ``BadProfile`` naming the field.

        Shape: ``{code, names: {lang: [..]}, languages: [..], units: {lang: {level: [words]}}, journals: [..],
        journal_id, courts: [{court, names: {lang: [..]}, dockets: [..]}], bracket_level,
        superscript_in_brackets, foreign: [..]}``; only ``code`` is required, unknown fields are errors.
        """
        known = set(cls.__dataclass_fields__)
        unknown = set(source) - known
        if unknown:
            raise BadProfile(f"unknown field {sorted(unknown)[0]!r}; known fields: {', '.join(sorted(known))}")
        code = source.get("code")
        if not isinstance(code, str) or not re.fullmatch(r"[A-Za-z][A-Za-z0-9-]{0,15}", code):
            raise BadProfile(f"code: expected up to 16 letters, digits or hyphens, got {code!r}")
        return cls(
            code=code,
            names=_names(source.get("names", {}), where="names"),
            languages=_texts(source.get("languages", ["en"]), where="languages"),
            units=_units(source.get("units", {})),
            journals=_templates(source.get("journals", ()), where="journals", required=("position",)),
            journal_id=_text(source.get("journal_id", "{code}/{year}/{position}"), where="journal_id"),
            courts=tuple(_court(court, at=at) for at, court in enumerate(_list(source.get("courts", ()), "courts"))),
            bracket_level=_level(source.get("bracket_level", "ust"), where="bracket_level"),
            superscript_in_brackets=bool(source.get("superscript_in_brackets", False)),
            foreign=_texts(source.get("foreign", ()), where="foreign"),
        )


def _text(value: Any, *, where: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise BadProfile(f"{where}: expected a text, got {value!r}")
    return value


def _list(value: Any, where: str) -> Sequence[Any]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise BadProfile(f"{where}: expected a list, got {value!r}")
    return value


def _texts(value: Any, *, where: str) -> tuple[str, ...]:
    return tuple(_text(item, where=f"{where}[{at}]") for at, item in enumerate(_list(value, where)))


def _mapping(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise BadProfile(f"{where}: expected a mapping, got {value!r}")
    return value


def _names(value: Any, *, where: str) -> dict[str, tuple[str, ...]]:
    return {lang: _texts(words, where=f"{where}.{lang}") for lang, words in _mapping(value, where).items()}


def _level(value: Any, *, where: str) -> str:
    if value not in PROFILE_LEVELS:
        raise BadProfile(f"{where}: expected one of {', '.join(PROFILE_LEVELS)}, got {value!r}")
    return str(value)


def _units(value: Any) -> dict[str, dict[str, tuple[str, ...]]]:
    units: dict[str, dict[str, tuple[str, ...]]] = {}
    for lang, levels in _mapping(value, "units").items():
        words = _names(levels, where=f"units.{lang}")
        units[lang] = {_level(level, where=f"units.{lang}"): forms for level, forms in words.items()}
    return units


def _templates(value: Any, *, where: str, required: tuple[str, ...]) -> tuple[str, ...]:
    templates = _texts(value, where=where)
    for template in templates:
        found = re.findall(r"\{(\w*)\}", template)
        bad = [name for name in found if name not in PLACEHOLDERS]
        if bad:
            raise BadProfile(f"{where}: unknown placeholder {{{bad[0]}}} in {template!r}")
        if any(name not in found for name in required):
            raise BadProfile(f"{where}: {template!r} lacks {{{required[0]}}}")
    return templates


def _court(value: Any, *, at: int) -> CourtProfile:
    where = f"courts[{at}]"
    source = _mapping(value, where)
    unknown = set(source) - set(CourtProfile.__dataclass_fields__)
    if unknown:
        raise BadProfile(f"{where}: unknown field {sorted(unknown)[0]!r}")
    return CourtProfile(
        court=_text(source.get("court"), where=f"{where}.court"),
        names=_names(source.get("names", {}), where=f"{where}.names"),
        dockets=_templates(source.get("dockets", ()), where=f"{where}.dockets", required=("number",)),
    )
