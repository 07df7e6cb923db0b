"""What comes back when the corpus is asked about a unit on a day."""

from dataclasses import dataclass
from datetime import date

from lexreview.law.models import Edition, Unit

FOUND, NOT_FOUND, NOT_IN_FORCE, UNDETERMINED = "found", "not_found", "not_in_force", "undetermined"
ESTABLISHED, RECONSTRUCTED = "established", "reconstructed"


@dataclass(frozen=True, slots=True)
class UnitOnDate:
    """The answer for one unit, one day, one language.

    `outcome`: `found` (`text` is the wording), `not_found` (no stored edition has the unit), `not_in_force` (it stands
    only in earlier or later editions, or is repealed, or the act is not in force), `undetermined` (the corpus cannot
    say). `certainty`: `established`, `reconstructed` or `undetermined`. `reason` is a code, empty where nothing needs
    saying. `exists`: whether the unit stands in the law on the day, None where even that is open; it can be decided on
    another language's edition when the wording cannot. `first_edition` and `last_edition` bound the stored editions in
    which the unit stands; they are filled unless it was found.
    `steps` are the sources that a decision went through, one line each; `effective_on` is the day on which a unit with
    a staged entry begins.
    """

    outcome: str
    certainty: str
    reason: str = ""
    text: str = ""
    heading: str = ""
    parent_intro: str = ""
    key: str = ""
    edition: Edition | None = None
    first_edition: Edition | None = None
    last_edition: Edition | None = None
    exists: bool | None = None
    steps: tuple[str, ...] = ()
    effective_on: date | None = None

    @property
    def source_url(self) -> str:
        return self.edition.source_url if self.edition else ""

    @property
    def sha256(self) -> str:
        return self.edition.sha256 if self.edition else ""


@dataclass(frozen=True, slots=True)
class UnitPeriod:
    """The unit in one edition. `is_repealed` counts the units around it; `text` is empty then."""

    edition: Edition
    unit: Unit
    text: str
    is_repealed: bool
