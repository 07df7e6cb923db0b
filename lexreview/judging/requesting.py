"""The question to a judge about one answer, and the address of the verdict that it would bring. Nothing is written."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pydantic import BaseModel

from lexreview.answers.anonymous import Marks, anonymous, anonymous_steps, opaque_name
from lexreview.answers.models import Answer
from lexreview.core.injections import signs_of_injection
from lexreview.core.methods.reference_card.facts import KeyFacts
from lexreview.core.methods.reference_card.specification import Specification
from lexreview.core.workflow import AnswerState
from lexreview.judging.material import NoReport, key_text, question_text, report_text, rules_text
from lexreview.judging.models import Judge, Variant
from lexreview.judging.prompts import JudgePrompt, prompt_named
from lexreview.judging.replies import form_of
from lexreview.methodology.reading import read_specification
from lexreview.providers.actions import fingerprint
from lexreview.providers.fencing import Fence
from lexreview.providers.requests import CallRequest
from lexreview.questions.key_facts import key_facts_of
from lexreview.questions.models import Benchmark, KeyVersion
from lexreview.verification.models import Verification


class CannotBeJudged(ValueError):
    """The answer has no text, or its question has no approved key."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One question to one judge. `shown`: the answer's text as the judge sees it."""

    judge: Judge
    answer: Answer
    key: KeyVersion
    facts: KeyFacts
    rules: Specification
    prompt: JudgePrompt
    request: CallRequest
    shown: str
    repeat: int

    @cached_property
    def request_sha256(self) -> str:
        return fingerprint(self.request)

    def sent_as(self, request: CallRequest) -> "Asked":
        """The question as it really left: what a later look makes of the same rows may differ from it."""
        return replace(self, request=request)

    @cached_property
    def address(self) -> str:
        return address_of(
            judge=self.judge.code,
            answer=self.answer,
            specification=self.rules.version,
            key=self.key.number,
            request_sha256=self.request_sha256,
            repeat=self.repeat,
        )

    @property
    def flags(self) -> list[str]:
        """Kinds of passages of the answer and its trace that seem to speak to a judge."""
        steps = "\n".join(
            str(step.get(name, "")) for step in self.answer.trace for name in ("query", "address", "title")
        )
        found = [*signs_of_injection(self.answer.text), *signs_of_injection(steps)]
        return sorted({sign.kind.value for sign in found})


def address_of(*, judge: str, answer: Answer, specification: str, key: int, request_sha256: str, repeat: int) -> str:
    """SHA-256 over everything that a verdict depends on: judge, answer with its text, rules, key, and the request with
    its prompt, model, settings, tools and form. One of them changed, and it is the address of another verdict."""
    parts = [judge, answer.identifier, answer.sha256, specification, key, request_sha256, repeat]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


@dataclass(frozen=True, kw_only=True)
class Frame:
    """What all questions about the answers to one question share."""

    key: KeyVersion
    facts: KeyFacts
    form: type[BaseModel]
    rules: str
    key_text: str


class Desk:
    """What all questions about the answers of a benchmark share, read once."""

    def __init__(self, benchmark: Benchmark) -> None:
        self.benchmark = benchmark
        self.rules = read_specification(benchmark.specification)
        self.marks = Marks.of(benchmark.systems.all())
        keys = KeyVersion.objects.approved().of_benchmark(benchmark).select_related("question")
        self.keys = {key.question_id: key for key in keys}
        self._frames: dict[int, Frame] = {}

    def answers(self, identifiers: Sequence[str] = ()) -> list[Answer]:
        """The answers that have a text to judge, in order; those named, where some are."""
        rows = Answer.objects.of_benchmark(self.benchmark).filter(state=AnswerState.ANSWERED)
        if identifiers:
            rows = rows.filter(identifier__in=identifiers)
        return list(rows.with_run().in_order())

    def answer(self, identifier: str) -> Answer:
        """Raises Answer.DoesNotExist."""
        return Answer.objects.of_benchmark(self.benchmark).with_run().get(identifier=identifier)

    def asked(self, judge: Judge, answer: Answer, *, repeat: int = 1) -> Asked:
        """Raises CannotBeJudged, NoReport, UnknownPrompt."""
        if answer.state != AnswerState.ANSWERED:
            raise CannotBeJudged(f"answer {answer.identifier} cannot be judged: it is {answer.state}")
        frame, prompt = self._frame(answer), prompt_named(judge.instructions_version)
        shown = anonymous(answer.text, self.marks)
        return Asked(
            judge=judge,
            answer=answer,
            key=frame.key,
            facts=frame.facts,
            rules=self.rules,
            prompt=prompt,
            request=self._request(judge, answer, frame=frame, prompt=prompt, shown=shown),
            shown=shown,
            repeat=repeat,
        )

    def _frame(self, answer: Answer) -> Frame:
        if answer.question_id not in self._frames:
            key = self.keys.get(answer.question_id)
            if key is None:
                raise CannotBeJudged(f"answer {answer.identifier} cannot be judged: its question has no approved key")
            facts = key_facts_of(key)
            self._frames[answer.question_id] = Frame(
                key=key,
                facts=facts,
                form=form_of(self.rules, facts),
                rules=rules_text(self.rules, facts),
                key_text=key_text(key),
            )
        return self._frames[answer.question_id]

    def _request(self, judge: Judge, answer: Answer, *, frame: Frame, prompt: JudgePrompt, shown: str) -> CallRequest:
        fence = Fence()
        with_report = judge.variant == Variant.WITH_REPORT
        steps = anonymous_steps(answer.trace, self.marks)
        checked_against = (", the report" if with_report else "") + (", a page you opened" if judge.search else "")
        return CallRequest(
            provider=judge.endpoint,
            model=judge.model_identifier,
            instructions=prompt.instructions.format(
                legal_state_on=self.benchmark.legal_state_on,
                fence_rule=fence.rule,
                report_named="the report of a program on the answer's citations; " if with_report else "",
                checked_against=checked_against,
                with_report=prompt.with_report if with_report else "",
                with_search=prompt.with_search if judge.search else "",
            ),
            prompt=prompt.prompt.format(
                rules=fence.around("rules", frame.rules),
                question=fence.around("question", question_text(frame.key.question)),
                key=fence.around("key", frame.key_text),
                report=f"\n{fence.around('report', _report(answer))}\n" if with_report else "",
                trace=f"\n{fence.around('trace', steps)}\n" if steps else "",
                opaque=opaque_name(answer),
                answer=fence.around("answer", shown),
            ),
            settings={name: value for name, value in judge.settings.items() if name != "endpoint"},
            search=judge.search,
            output=frame.form,
            marker=fence.marker,
        )


def _report(answer: Answer) -> str:
    current = Verification.objects.current().filter(answer=answer).first()
    if current is None:
        raise NoReport(f"the citations of answer {answer.identifier} were not checked yet: run the check first")
    return report_text(current)
