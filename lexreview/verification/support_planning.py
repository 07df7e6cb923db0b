"""What a support check will do: citations that wait for one, the calls, what they may cost. Nothing is written."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from django.utils import timezone
from django.utils.translation import gettext as _

from lexreview.providers.actions import fingerprint
from lexreview.providers.confirming import needs_confirmation
from lexreview.providers.connecting import NotConfigured, named_model
from lexreview.providers.estimating import LETTERS_PER_TOKEN, estimated_usage, mean_usage
from lexreview.providers.models import Call, CallState, Role
from lexreview.providers.money import money
from lexreview.providers.pricing import Cost, PriceList
from lexreview.questions.models import Benchmark
from lexreview.verification.advice import content_of
from lexreview.verification.models import Citation, SupportCheck
from lexreview.verification.support import LONGEST_SENTENCE, question_about, request_about

# What the keys of all items begin with: one account serves them all.
PREFIX = "citation/"
AT_ONCE = 200
SENTENCES = re.compile(r"(?<=[.;:])\s+")
# {"support": "does_not_cover", "sentence": ""}, in tokens.
FIELDS_OF_REPLY = 20


def expected_output_for(source_text: str) -> int:
    """Tokens of a reply: two short fields and one sentence of the source, the longest to be on the safe side. The limit
    of tokens, which stands for an answer of unknown length, would be ten times that."""
    longest = max(len(sentence) for sentence in SENTENCES.split(source_text))
    return FIELDS_OF_REPLY + math.ceil(min(longest, LONGEST_SENTENCE) / LETTERS_PER_TOKEN)


class CannotCheckSupport(Exception):
    """No model is set, or it cannot be called; the message names the remedy."""


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """A citation without advice of this model on its present content."""

    key: str
    request_sha256: str
    usage: dict[str, int]


@dataclass(frozen=True, kw_only=True)
class SupportPlan:
    """The current citations of a benchmark that have a source text and wait for this model's advice."""

    benchmark: Benchmark
    provider: str
    model: str

    @property
    def name(self) -> str:
        return f"{self.provider}:{self.model}"

    @cached_property
    def waiting(self) -> list[Waiting]:
        """In the order of answers and text. The same request about several citations is one call."""
        return list(self._waiting())

    @cached_property
    def calls(self) -> dict[str, dict[str, int]]:
        """By fingerprint the expected usage of the calls to be made: what was asked before is not asked again."""
        recorded = self._recorded
        mean = mean_usage(recorded) if recorded else None
        return {
            each.request_sha256: mean or each.usage for each in self.waiting if each.request_sha256 not in self._asked
        }

    @property
    def recorded(self) -> int:
        """From how many calls of this model the expected usage is known; 0: it is estimated from the letters."""
        return len(self._recorded)

    @property
    def tokens(self) -> int:
        return sum(usage["input"] + usage["output"] for usage in self.calls.values())

    @cached_property
    def cost(self) -> Cost:
        prices, on = PriceList.current(), timezone.now().date()
        costs = [
            prices.cost(provider=self.provider, models=[self.model], on=on, usage=usage)
            for usage in self.calls.values()
        ]
        return Cost.sum(costs)

    @property
    def usd(self) -> str:
        return money(self.cost.usd, lower=self.cost.is_lower_bound) if self.calls else "0"

    @property
    def needs_confirmation(self) -> bool:
        return bool(self.calls) and needs_confirmation(self.cost)

    @cached_property
    def _known(self) -> set[tuple[str, str]]:
        rows = SupportCheck.objects.of_benchmark(self.benchmark)
        return set(rows.values_list("content_sha256", "request_sha256"))

    @cached_property
    def _asked(self) -> set[str]:
        return {request for _content, request in self._known}

    @cached_property
    def _recorded(self) -> list[dict[str, int]]:
        calls = Call.objects.of_benchmark(self.benchmark.slug).filter(
            role=Role.VERIFICATION, provider=self.provider, model=self.model, state=CallState.ANSWERED
        )
        usages = calls.exclude(usage={}).values_list("usage", flat=True)
        return [usage for usage in usages if "input" in usage and "output" in usage]

    def _waiting(self) -> Iterator[Waiting]:
        answer = "verification__answer"
        citations = Citation.objects.current_of(self.benchmark).exclude(source_text="")
        rows = citations.select_related(f"{answer}__question__benchmark").defer(f"{answer}__trace", "diff")
        ordered = rows.order_by(f"{answer}__question__code", f"{answer}__identifier", f"{answer}__pk", "number", "pk")
        for citation in ordered.iterator(chunk_size=AT_ONCE):
            question = question_about(citation)
            assert question is not None
            request = request_about(question, provider=self.provider, model=self.model)
            sha256 = fingerprint(request)
            if (content_of(citation), sha256) not in self._known:
                usage = {**estimated_usage(request), "output": expected_output_for(question.source_text)}
                yield Waiting(key=key_of(citation), request_sha256=sha256, usage=usage)


def make_support_plan(*, benchmark: Benchmark, model: str) -> SupportPlan:
    """The plan for a model named `provider:model`. Raises CannotCheckSupport."""
    if not model:
        raise CannotCheckSupport(_("The support check is off: set SUPPORT_MODEL=provider:model to ask a model."))
    try:
        provider, name = named_model(model)
    except NotConfigured as error:
        raise CannotCheckSupport(str(error)) from error
    return SupportPlan(benchmark=benchmark, provider=provider, model=name)


def key_of(citation: Citation) -> str:
    return f"{PREFIX}{citation.verification.answer.identifier}/{citation.pk}"


def citation_of(key: str) -> Citation | None:
    """The citation of an item with all that its question needs; None for one that is no longer there."""
    pk = key.rpartition("/")[2]
    return Citation.objects.with_sources().filter(pk=int(pk)).first()
