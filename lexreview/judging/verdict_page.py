"""One verdict as it was given, with everything that it rests on."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lexreview.answers.injection_notice import KIND_WORDS
from lexreview.judging.models import Verdict
from lexreview.providers.models import Call
from lexreview.providers.money import money


@dataclass(frozen=True, slots=True)
class FindingLine:
    """A finding as the judge gave it; `dropped`: its claim does not stand in the answer."""

    error_class: str
    claim: str
    source_says: str
    dropped: bool


class VerdictPage:
    """The verdict was fetched with its judge, answer, key version and call."""

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict
        self.judge = verdict.judge
        self.answer = verdict.answer
        self.benchmark = verdict.judge.benchmark

    @property
    def criteria(self) -> list[tuple[str, str]]:
        given: dict[str, Any] = self.verdict.criteria
        return [
            (code, f"{points:g}" if isinstance(points, int | float) else str(points)) for code, points in given.items()
        ]

    @property
    def findings(self) -> list[FindingLine]:
        return [*_lines(self.verdict.findings, dropped=False), *_lines(self.verdict.dropped, dropped=True)]

    @property
    def flags(self) -> list[str]:
        """What in the answer seemed to speak to the judge."""
        words = {kind.value: str(label) for kind, label in KIND_WORDS.items()}
        return [words.get(flag, flag) for flag in self.verdict.flags]

    @property
    def call(self) -> Call | None:
        return self.verdict.call

    @property
    def cost(self) -> str:
        call = self.call
        return money(call.cost_usd, lower=call.cost_is_lower_bound) if call else money(None)

    @property
    def is_kin(self) -> bool:
        return self.judge.is_of_family_of(self.answer.run.system)

    @property
    def is_own(self) -> bool:
        return self.judge.gave(self.answer)

    @cached_property
    def others(self) -> Sequence[Verdict]:
        """Further verdicts of the judge on the answer, the newest first."""
        rows = self.judge.verdicts.filter(answer=self.answer).exclude(pk=self.verdict.pk)
        return list(rows.order_by("-judged_at", "-pk"))


def _lines(findings: Sequence[dict[str, str]], *, dropped: bool) -> list[FindingLine]:
    return [
        FindingLine(str(each.get("class", "")), str(each.get("claim", "")), str(each.get("source_says", "")), dropped)
        for each in findings
    ]
