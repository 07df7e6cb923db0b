"""The acts of the corpus as the citation grammars know acts, and how a stored state is cited."""

from collections.abc import Iterable

from lexreview.core.citations import ActEntry, JurisdictionProfile
from lexreview.law.models import Act, ActName, Jurisdiction


def act_entries(acts: Iterable[Act]) -> list[ActEntry]:
    """One entry per act; its id is the state, a colon and the first abbreviation, else the key (`QK:CPA`, `CH:DSG`).

    Two queries whatever the number of acts. Acts without any name are left out: no text can cite them.
    """
    return [entry for _, entry in entry_pairs(acts)]


def entry_pairs(acts: Iterable[Act]) -> list[tuple[Act, ActEntry]]:
    """`act_entries` with the act of each."""
    rows = list(acts)
    names: dict[int, list[ActName]] = {}
    for name in ActName.objects.filter(act__in=rows).order_by("act", "pk"):
        names.setdefault(name.act_id, []).append(name)
    return [(act, _entry(act, names[act.pk])) for act in rows if act.pk in names]


def _entry(act: Act, names: list[ActName]) -> ActEntry:
    abbreviations = _by_language(names, ActName.Kind.ABBREVIATION)
    first = next((values[0] for values in abbreviations.values()), act.eli)
    numbers = [name.value for name in names if name.kind == ActName.Kind.NUMBER and name.value != act.eli]
    return ActEntry(
        id=f"{act.jurisdiction}:{first}",
        jurisdiction=act.jurisdiction,
        abbreviations=abbreviations,
        titles=_by_language(names, ActName.Kind.TITLE),
        numbers={"eli": act.eli, **act.identifiers},
        aliases=tuple(numbers),
        adopted_on=act.adopted_on,
        verified="corpus",
    )


def _by_language(names: list[ActName], kind: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for name in names:
        if name.kind == kind:
            found.setdefault(name.language, []).append(name.value)
    return {language: tuple(values) for language, values in found.items()}


def profile_of(code: str) -> JurisdictionProfile | None:
    """How a stored state is cited; None for a state that has a grammar of its own or is not stored."""
    stored = Jurisdiction.objects.filter(code=code.upper()).first()
    return JurisdictionProfile.from_mapping(stored.profile) if stored else None
