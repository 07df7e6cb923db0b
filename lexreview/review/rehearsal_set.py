"""The file of a rehearsal: what is right on each card, and where its pre-fill proposes something else on purpose."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import yaml
from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from lexreview.core.methods.reference_card.facts import Origin, Scope
from lexreview.core.methods.reference_card.planted import Aspect, Judgement, Place, Verdict, planted_in
from lexreview.core.methods.reference_card.scoring import shown_points


class FaultyRehearsal(ValueError):
    """The set cannot be used as it stands; `faults` name the card and the place, and say what was expected."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__(_("The rehearsal cannot be prepared:") + "\n" + "\n".join(faults))
        self.faults = faults


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Points(_Strict):
    """Of one criterion. `proposed`: where something else than what is right is proposed. `reason`: what the proposal
    says; without one, code is to propose these points by itself. `elements`: of the key, that the proposal counts."""

    right: Decimal
    proposed: Decimal | None = None
    reason: str = ""
    elements: list[str] = []


class Error(_Strict):
    error_class: str
    origin: Origin
    scope: Scope


class Said(_Strict):
    """Of one citation, by its number on the card and its words; those that are not listed are right and proposed so.

    `right`, `proposed`: the error, "right" or "open". `by_code`: code proposes that error by itself. `source_says`:
    words of the source that carry a proposed error; `claim`: words of the answer, where those of the citation stand in
    it more than once.
    """

    citation: int = Field(gt=0)
    raw: str
    right: Error | Verdict
    proposed: Error | Verdict
    by_code: bool = False
    source_says: str = ""
    claim: str = ""
    reason: str = ""


class AnswerRecord(_Strict):
    """`citations`: how many the answer has."""

    citations: int = Field(gt=0)
    points: dict[str, Points]
    said: list[Said] = []

    @field_validator("said")
    @classmethod
    def _once_each(cls, said: list[Said]) -> list[Said]:
        if twice := [number for number, n in Counter(each.citation for each in said).items() if n > 1]:
            raise ValueError(_("citation %(number)s stands there twice") % {"number": twice[0]})
        return said


class SetRecord(_Strict):
    """A whole set. `name` stands where a model's would. `blind_share`: of each person's cards, without pre-fill."""

    name: str = Field(min_length=1, max_length=200)
    blind_share: Decimal = Field(ge=0, le=1)
    seed: int = Field(ge=0)
    answers: dict[str, AnswerRecord]


@dataclass(frozen=True, kw_only=True)
class PreparedAnswer:
    """One answer of a set: judgements, and what is laid beside the proposals of code.

    `proposals`: {"criteria": [{"criterion", "points", "reason", "elements"}], "findings": [{"citation", "claim",
    "error_class", "origin", "scope", "source_says", "reason"}]}. `raws`: the words of citations by number, to check.
    """

    identifier: str
    citations: int
    right: Judgement
    proposed: Judgement
    proposals: Mapping[str, Any]
    raws: Mapping[int, str]


def read_set(text: str) -> SetRecord:
    """Raises FaultyRehearsal for what is no YAML, and for fields that are missing, unknown or of another kind."""
    try:
        return SetRecord.model_validate(yaml.safe_load(text))
    except yaml.YAMLError as error:
        raise FaultyRehearsal([str(error)]) from error
    except ValidationError as error:
        raise FaultyRehearsal(
            [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()]
        ) from error


def prepared_answers(record: SetRecord) -> list[PreparedAnswer]:
    """In order of identifier. Raises FaultyRehearsal where nothing at all is planted."""
    answers = [_prepared(name, each) for name, each in sorted(record.answers.items())]
    if not any(planted_in(each.right, each.proposed) for each in answers):
        raise FaultyRehearsal([_("No error is planted: every proposal is what is right.")])
    return answers


def _prepared(identifier: str, record: AnswerRecord) -> PreparedAnswer:
    said = {each.citation: each for each in record.said}
    right: dict[Place, str] = {}
    proposed: dict[Place, str] = {}
    for code, points in record.points.items():
        right[Place(Aspect.POINTS, code)] = shown_points(points.right)
        proposed[Place(Aspect.POINTS, code)] = shown_points(_proposed_points(points))
    for number in range(1, record.citations + 1):
        each = said.get(number)
        right.update(_places(number, each.right if each else Verdict.RIGHT))
        proposed.update(_places(number, each.proposed if each else Verdict.RIGHT))
    return PreparedAnswer(
        identifier=identifier,
        citations=record.citations,
        right=right,
        proposed=proposed,
        proposals={"criteria": list(_criteria(record)), "findings": list(_findings(record))},
        raws={each.citation: each.raw for each in record.said},
    )


def _places(number: int, said: Error | Verdict) -> Iterator[tuple[Place, str]]:
    target = str(number)
    if isinstance(said, Verdict):
        yield Place(Aspect.VERDICT, target), said.value
        return
    yield Place(Aspect.VERDICT, target), Verdict.WRONG.value
    yield Place(Aspect.ERROR_CLASS, target), said.error_class
    yield Place(Aspect.ORIGIN, target), said.origin.value
    yield Place(Aspect.SCOPE, target), said.scope.value


def _proposed_points(points: Points) -> Decimal:
    return points.right if points.proposed is None else points.proposed


def _criteria(record: AnswerRecord) -> Iterator[dict[str, Any]]:
    for code, points in record.points.items():
        if points.reason:
            yield {
                "criterion": code,
                "points": float(_proposed_points(points)),
                "reason": points.reason,
                "elements": points.elements,
            }


def _findings(record: AnswerRecord) -> Iterator[dict[str, Any]]:
    for each in record.said:
        if isinstance(each.proposed, Error) and not each.by_code:
            yield {
                "citation": each.citation,
                "claim": each.claim or each.raw,
                **each.proposed.model_dump(mode="json"),
                "source_says": each.source_says,
                "reason": each.reason,
            }
