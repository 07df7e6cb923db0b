"""What the page of an answer shows: the text, how it came about, and what it cost."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from lexreview.accounts.models import User
from lexreview.answers.answer_html import AnswerHtml, answer_html, answer_source_html
from lexreview.answers.injection_notice import Notice, injection_highlights, injection_notice
from lexreview.answers.models import Answer
from lexreview.answers.trace_line import TraceStep, masked_trace, trace_steps
from lexreview.core.workflow import AnswerState
from lexreview.questions.models import Benchmark
from lexreview.questions.sections import Place, Section, sections_of

USAGE_WORDS: Mapping[str, str | Promise] = {
    "input": _("tokens read"),
    "cached": _("of these from the cache"),
    "output": _("tokens written"),
    "reasoning": _("of these for reasoning"),
    "searches": _("searches"),
}
"""Kinds of usage in the order of the page; further kinds follow under their own name."""


@dataclass(frozen=True, slots=True)
class UsageRow:
    label: str | Promise
    amount: int


class AnswerPage:
    """One answer as a member sees it; it was fetched `with_run()`. `unmasked`: whether the person may learn its system;
    `as_stored`: characters instead of rendered text."""

    def __init__(self, answer: Answer, *, user: User, unmasked: bool, as_stored: bool = False) -> None:
        self.answer = answer
        self.user = user
        self.unmasked = unmasked
        self.as_stored = as_stored

    @property
    def benchmark(self) -> Benchmark:
        return self.answer.question.benchmark

    @property
    def is_answered(self) -> bool:
        return self.answer.state == AnswerState.ANSWERED

    @cached_property
    def _rendered(self) -> AnswerHtml:
        render = answer_source_html if self.as_stored else answer_html
        return render(self.answer.text, injection_highlights(self.answer.text))

    @property
    def html(self) -> SafeString:
        return self._rendered.html

    @cached_property
    def injections(self) -> Notice | None:
        return injection_notice(self.answer)

    @property
    def unplaced_injections(self) -> set[int]:
        return self._rendered.unplaced_of("injection")

    @property
    def words(self) -> int:
        return len(self.answer.text.split())

    @cached_property
    def trace(self) -> list[TraceStep]:
        """As the page shows it: of a masked answer without what tells the system."""
        return trace_steps(self.answer.trace if self.unmasked else masked_trace(self.answer.trace))

    @property
    def searches(self) -> int:
        return sum(step.is_search for step in self.trace)

    @property
    def opened(self) -> int:
        return sum(not step.is_search for step in self.trace)

    @property
    def official_opened(self) -> int:
        return sum(step.is_official and not step.is_search for step in self.trace)

    @property
    def usage(self) -> list[UsageRow]:
        usage: dict[str, int] = self.answer.usage
        kinds = [kind for kind in USAGE_WORDS if kind in usage]
        kinds += sorted(kind for kind in usage if kind not in USAGE_WORDS)
        return [UsageRow(USAGE_WORDS.get(kind, kind), usage[kind]) for kind in kinds]

    @property
    def settings(self) -> list[tuple[str, Any]]:
        return sorted(self.answer.settings.items())

    @property
    def preamble(self) -> str:
        """The preamble that was put before the question, in the question's language where there is one."""
        preambles: dict[str, str] = self.answer.run.condition.preambles
        return preambles.get(self.answer.question.language) or next(iter(sorted(preambles.values())), "")

    @cached_property
    def sets(self) -> list[str]:
        """Titles of the question sets that the run was asked; empty for the whole benchmark."""
        codes: list[str] = self.answer.run.sets
        titles = self.benchmark.set_titles() if codes else {}
        return [titles[code] for code in codes]

    @property
    def other_model_served(self) -> bool:
        """Whether the provider names another model than the one that was asked for."""
        return not self.answer.served_model.startswith(self.answer.run.system.model_identifier)

    @cached_property
    def sections(self) -> list[Section]:
        return sections_of(Place.ANSWER, self.answer, self.user)
