"""A small act with two parts in three editions, the last one in two languages, made for the pages of the corpus."""

import hashlib
from datetime import date
from typing import Any

from lexreview.law.models import Act, ActName, Amendment, Edition, Ruling, Unit

ELI = "eli/qk/act/2011/9"


def make_act(eli: str = ELI, *, jurisdiction: str = "QK", title: str = "Civil Procedure Act") -> Act:
    act = Act.objects.create(
        eli=eli, jurisdiction=jurisdiction, titles={"en": title, "pl": f"{title} (pl)"}, in_force_on=date(2012, 1, 1)
    )
    ActName.objects.create(act=act, kind=ActName.Kind.ABBREVIATION, language="en", value=f"CPA{act.pk}")
    ActName.objects.create(act=act, kind=ActName.Kind.TITLE, language="en", value=title)
    return act


def make_edition(
    act: Act, valid_from: date, valid_to: date | None = None, *, language: str = "en", days: str = "", **fields: Any
) -> Edition:
    """An edition with two parts, articles 17 to 19 and two paragraphs of the first; `days` stand in § 1."""
    edition = Edition.objects.create(
        **{
            "act": act,
            "language": language,
            "valid_from": valid_from,
            "valid_to": valid_to,
            "standing": Edition.Standing.OFFICIAL,
            "source_url": f"https://law.kestria.example/{valid_from}/{language}",
            "sha256": hashlib.sha256(f"{act.eli} {valid_from} {language}".encode()).hexdigest(),
            **fields,
        }
    )
    if days:
        _write(edition, days)
    return edition


def _write(edition: Edition, days: str) -> None:
    first = make_unit(edition, "@1", 0, 4, number="", heading="Part 1. Fees", level="part")
    article = make_unit(edition, "art=17", 1, 3, parent=first, number="Art. 17.", heading="Fee", closing="In crowns.")
    make_unit(edition, "art=17/par=1", 2, 2, parent=article, number="§ 1.", text=f"Payable within {days} days.")
    make_unit(
        edition, "art=17/par=2", 3, 3, parent=article, number="§ 2.", text="Else it is returned.", notes=["1) Note."]
    )
    make_unit(edition, "art=18", 4, 4, parent=first, number="Art. 18.", text="Free of charge.")
    second = make_unit(edition, "@2", 5, 6, number="", heading="Part 2. End", level="part")
    make_unit(edition, "art=19", 6, 6, parent=second, number="Art. 19.", heading="Old", is_repealed=True)


def make_unit(
    edition: Edition, key: str, position: int, last: int, *, parent: Unit | None = None, **fields: Any
) -> Unit:
    level = fields.pop("level", key.rpartition("/")[2].partition("=")[0])
    return Unit.objects.create(
        edition=edition, key=key, position=position, last_position=last, parent=parent, level=level, **fields
    )


def make_editions(act: Act) -> list[Edition]:
    return [
        make_edition(act, date(2019, 1, 1), date(2023, 6, 30), days="twenty-one"),
        make_edition(act, date(2023, 7, 1), date(2026, 8, 31), days="fourteen"),
        make_edition(act, date(2026, 9, 1), days="seven"),
        make_edition(act, date(2026, 9, 1), days="siedem", language="pl"),
    ]


def make_amendment(act: Act, day: date | None, **fields: Any) -> Amendment:
    return Amendment.objects.create(act=act, amending_eli=f"eli/qk/act/{day}", effective_on=day, **fields)


def make_ruling(**changes: Any) -> Ruling:
    fields: dict[str, Any] = {
        "jurisdiction": "QK",
        "court": "Supreme Court",
        "docket": "II Civ 71/25",
        "decided_on": date(2025, 6, 4),
        "language": "en",
        "title": "A clause requiring writing",
        "theses": ["It is a matter of interpretation."],
        "text": "First paragraph.\n\nSecond paragraph.",
        "source_url": "https://courts.kestria.example/ii-civ-71-25",
        "sha256": "0" * 64,
    }
    return Ruling.objects.create(**{**fields, **changes})
