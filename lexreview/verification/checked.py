"""What the layer knows of one citation while it works and when it is done."""

from dataclasses import dataclass
from datetime import date

from lexreview.core.citations import Citation
from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.law.models import Act, Edition, Ruling
from lexreview.law.on_date import UnitOnDate
from lexreview.verification.corpus import Corpus

FICTION, VERSION, IDENTIFIER, CONTENT = "F", "W", "S", "T"
SUGGESTING = frozenset(
    {CheckResult.WORDING_DIFFERS, CheckResult.NOT_FOUND, CheckResult.NOT_IN_FORCE, CheckResult.WRONG_IDENTIFIER}
)
"""The results that suggest an error class, unless the text says itself what the result says."""


@dataclass(frozen=True, slots=True)
class Inquiry:
    """The circumstances of a check: how the text cites, its language, the legal-state date, and the law."""

    jurisdiction: str
    lang: str
    on: date
    corpus: Corpus


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedCitation:
    """A citation with its result. Fields as in the model of the same content; `found` is what the corpus answered.

    `is_said`: the text says itself what the result says, such as that a provision is repealed: no error then.
    `diff`: (op, text) by words. `explanation`: one or two sentences in the language that was active.
    """

    citation: Citation
    result: CheckResult
    reason: str = ""
    act: Act | None = None
    act_name: str = ""
    unit: str | None = None
    edition: Edition | None = None
    other_edition: Edition | None = None
    ruling: Ruling | None = None
    quotation: str = ""
    quotation_spans: tuple[tuple[int, int], ...] = ()
    quotation_match: str = ""
    diff: tuple[tuple[str, str], ...] = ()
    other_unit: str = ""
    source_text: str = ""
    source_url: str = ""
    source_sha256: str = ""
    certainty: str = ""
    suggestion: str = ""
    explanation: str = ""
    found: UnitOnDate | None = None
    is_said: bool = False

    @property
    def proposed_class(self) -> str:
        """The error class that the result suggests; "" where it suggests none. A proposal, never a verdict."""
        if self.is_said:
            return ""
        if self.result is CheckResult.WORDING_DIFFERS:
            return VERSION if self.other_edition is not None else CONTENT
        return {
            CheckResult.NOT_FOUND: FICTION,
            CheckResult.NOT_IN_FORCE: VERSION,
            CheckResult.WRONG_IDENTIFIER: IDENTIFIER,
        }.get(self.result, "")
