"""What a model is asked about a card: the prompt, fenced and without the system's name, and the form of its reply."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from lexreview.answers.anonymous import STANDS_FOR_NAME, Marks, anonymous, anonymous_steps
from lexreview.core.methods.reference_card.facts import Origin, Scope
from lexreview.core.methods.reference_card.opinion import CriterionOpinion, FindingOpinion, Material, Quote
from lexreview.core.methods.reference_card.scoring import applicable_criteria, maximum_of, shown_points
from lexreview.core.methods.reference_card.specification import Criterion, Specification
from lexreview.law.unit_names import unit_name
from lexreview.providers.actions import fingerprint
from lexreview.providers.fencing import Fence
from lexreview.providers.requests import CallRequest
from lexreview.questions.key_facts import key_facts_of
from lexreview.questions.models import Benchmark
from lexreview.questions.models.benchmark import text_in
from lexreview.review.card_rows import elements_of
from lexreview.review.facts import specification_of
from lexreview.review.models import Card
from lexreview.review.parts import CardParts
from lexreview.verification.models import Citation

PROMPT_VERSION = "1"
"""Counted up with every change of the words below: a proposal says under which of them it was made."""
SETTINGS = {"max_tokens": 16_000}
LONGEST_SOURCE = 30_000
OMITTED = "[…]"

INSTRUCTIONS = """\
You prepare the assessment of an answer to a legal question for a lawyer, who decides. You are given the question, the
key, the rules of scoring, the answer, what a program established about each citation in it, and the texts of sources as
in force on the date that decides. {trace}Judge by this material alone; what it does not settle you leave out.

{rule}

For every criterion of the rules give the points, one or two sentences of reason, and quotations that carry it:
from the answer, and from a source where the point turns on one. Where the rules list elements for a criterion, name the
codes of those that count; their points add up to the points you give. Leave out a criterion that you cannot judge.

A finding is a claim of the answer about a source of law that disagrees with that source. For each give the class, the
claim, the source's name and its words, where the error comes from (origin), whether the answer's conclusion rests on it
(scope: core or peripheral), and one sentence of reason. What the answer leaves out is no finding.

Quote word for word, in the language of the text, without adding or correcting anything; `[…]` marks what you leave out,
`[model]` a name that was taken out.
A program looks every quotation up and drops what does not stand where you say. Write reasons in the language with the
code {language}. Reply with one JSON value of the given schema and nothing else.
"""
WITH_TRACE = "The trace lists what the answering system searched for and opened. "


# PostgreSQL stores no NUL.
Words = Annotated[str, AfterValidator(lambda text: text.replace("\0", "\ufffd"))]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class QuotedSource(Strict):
    source: Words = Field(description="the name of the source, such as S1")
    words: Words


class CriterionReply(Strict):
    criterion: Words = Field(description="the code of the criterion")
    points: float
    reason: Words
    quotes_from_answer: list[Words]
    quotes_from_sources: list[QuotedSource]
    elements: list[Words] = Field(description="codes of the elements that count; empty where the criterion lists none")


class FindingReply(Strict):
    error_class: Words = Field(description="the code of the class")
    claim: Words = Field(description="the words of the answer that are wrong")
    source: Words = Field(description="the name of the source, such as S1; empty where none was given")
    source_says: Words = Field(description="the words of that source; empty where none was given")
    origin: Origin
    scope: Scope
    reason: Words


class PrefillReply(Strict):
    """What a model replies about one card."""

    criteria: list[CriterionReply]
    findings: list[FindingReply]


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenSource:
    """A text given to the model, with what a finding says of where it was checked."""

    name: str
    text: str
    title: str
    unit: str = ""
    address: str = ""
    edition: str = ""

    @property
    def record(self) -> dict[str, str]:
        where = {"title": self.title, "unit": self.unit, "address": self.address, "edition": self.edition}
        return {name: value for name, value in where.items() if value}


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One request about one card, and what the reply is held against."""

    request: CallRequest
    material: Material
    sources: Sequence[GivenSource]

    @property
    def fingerprint(self) -> str:
        return fingerprint(self.request)

    @property
    def prompt_sha256(self) -> str:
        """Over instructions and prompt, without the marker of the fence, which differs every time."""
        text = f"{self.request.instructions}\n{self.request.prompt}".replace(self.request.marker, "")
        return hashlib.sha256(text.encode()).hexdigest()


def asked_about(card: Card, parts: CardParts, *, provider: str, model: str) -> Asked:
    """The request for a card fetched `with_answer()`; the same for the same material, but for the fence's marker."""
    card.key_version.question = card.answer.question
    fence = Fence()
    sources = _sources(card, parts)
    blocks = _Blocks(card, parts, sources)
    tools = card.answer.run.condition.tools
    texts = [
        ("question", blocks.question),
        ("key", blocks.key),
        ("rules", blocks.rules),
        *(("source", blocks.source(source)) for source in sources),
        ("report", blocks.report),
        *([("trace", blocks.trace)] if tools else []),
        ("answer", anonymous(card.answer.text, blocks.marks)),
    ]
    request = CallRequest(
        provider=provider,
        model=model,
        prompt="\n\n".join(fence.around(name, text) for name, text in texts),
        instructions=INSTRUCTIONS.format(
            trace=WITH_TRACE if tools else "", rule=fence.rule, language=card.answer.question.language
        ),
        settings=SETTINGS,
        output=PrefillReply,
        marker=fence.marker,
    )
    return Asked(request=request, material=_material(card, sources), sources=sources)


def opinions_in(reply: PrefillReply) -> tuple[list[CriterionOpinion], list[FindingOpinion]]:
    """The reply as the method reads it."""
    criteria = [
        CriterionOpinion(
            criterion=each.criterion,
            points=Decimal(str(each.points)),
            reason=each.reason,
            quotes=(
                *(Quote(_named(text)) for text in each.quotes_from_answer),
                *(Quote(quoted.words, quoted.source or "?") for quoted in each.quotes_from_sources),
            ),
            elements=tuple(each.elements),
        )
        for each in reply.criteria
    ]
    findings = [FindingOpinion(**{**each.model_dump(), "claim": _named(each.claim)}) for each in reply.findings]
    return criteria, findings


def _named(text: str) -> str:
    """What stands for a name in the prompt is left out of a quotation: the answer has the name there."""
    return text.replace(STANDS_FOR_NAME, OMITTED)


def _material(card: Card, sources: Sequence[GivenSource]) -> Material:
    specification = specification_of(card)
    counting = ((criterion.code, elements_of(criterion, card.key_version)) for criterion in specification.criteria)
    return Material(
        specification=specification,
        key=key_facts_of(card.key_version),
        answer=card.answer.text,
        sources={source.name: source.text for source in sources},
        worth={code: {each.code: each.points for each in elements} for code, elements in counting if elements},
    )


def _sources(card: Card, parts: CardParts) -> list[GivenSource]:
    """The official texts behind the citations, then those of the required bases; each text once."""
    given: dict[str, GivenSource] = {}
    for row in parts.citations:
        if row.checked is not None and row.checked.source_text.strip():
            given.setdefault(row.checked.source_text, _cited(row.checked, len(given) + 1, card.benchmark))
    for base in card.key_version.bases:
        text = str(base.get("quotation") or "")
        if text.strip():
            given.setdefault(text, _base(base, len(given) + 1))
    return list(given.values())


def _cited(checked: Citation, number: int, benchmark: Benchmark) -> GivenSource:
    title = checked.act.title("en") if checked.act else checked.ruling.court if checked.ruling else checked.act_name
    text = checked.source_text
    unit = unit_name(checked.unit_key, jurisdiction=benchmark.jurisdiction, lang=benchmark.language)
    return GivenSource(
        name=f"S{number}",
        text=text if len(text) <= LONGEST_SOURCE else text[:LONGEST_SOURCE] + OMITTED,
        title=title,
        unit=checked.ruling.docket if checked.ruling else unit,
        address=checked.source_url,
        edition=checked.edition.valid_from.isoformat() if checked.edition else "",
    )


def _base(base: Mapping[str, Any], number: int) -> GivenSource:
    return GivenSource(
        name=f"S{number}",
        text=base["quotation"],
        title=base["citation"],
        address=str(base.get("source") or ""),
        edition=str(base.get("edition") or ""),
    )


class _Blocks:
    """The texts of the prompt, one per block."""

    def __init__(self, card: Card, parts: CardParts, sources: Sequence[GivenSource]) -> None:
        self.card, self.parts = card, parts
        self.key_version = card.key_version
        self.specification: Specification = specification_of(card)
        self.name_of = {source.text[:LONGEST_SOURCE]: source.name for source in sources}
        self.language = card.answer.question.language.split("-")[0]
        self.marks = Marks.of(card.benchmark.systems.all())

    @property
    def question(self) -> str:
        day = self.card.benchmark.legal_state_on.isoformat()
        return f"The law of {day} decides.\n{self.card.answer.question.asked_text}"

    @property
    def key(self) -> str:
        return "\n".join(self._key_lines())

    def _key_lines(self) -> Iterator[str]:
        key = self.key_version
        yield f"Core answer: {key.core_answer}"
        yield from (f"Rubric {each['code']} ({each['points']} points): {each['text']}" for each in key.rubric)
        yield from (f"Penalty {each['code']}: {each['text']}" for each in key.penalties)
        yield from (f"Required basis {each['code']}: {each['citation']}" for each in key.bases)
        yield f"Expected form of the conclusion: {key.calibration}{f', {key.condition}' if key.condition else ''}"
        if key.disputed:
            yield "The case law is divided."
        if trap := self.card.answer.question.trap:
            yield f"Trap in the question ({trap.get('direction', '')}): {trap.get('premise', '')}"

    @property
    def rules(self) -> str:
        criteria = applicable_criteria(self.specification, key_facts_of(self.key_version))
        lines = [self._criterion(criterion) for criterion in criteria]
        lines += [
            f"Class {each.code}: {self._words(each.name)}. {self._words(each.description)}"
            for each in self.specification.error_classes
        ]
        lines.append(f"Origins: {', '.join(each.value for each in self.specification.origins)}")
        lines.append(f"Scopes: {', '.join(each.value for each in self.specification.scopes)}")
        return "\n".join([*lines, self._words(self.specification.text)])

    def _criterion(self, criterion: Criterion) -> str:
        points = f"{shown_points(criterion.minimum)} to {shown_points(self._maximum(criterion))}"
        elements = ", ".join(each.code for each in elements_of(criterion, self.key_version))
        counted = f"; elements: {elements}" if elements else ""
        step = shown_points(criterion.step)
        name, help_text = self._words(criterion.name), self._words(criterion.help)
        return f"Criterion {criterion.code}: {name} ({points} points in steps of {step}{counted}). {help_text}"

    def _maximum(self, criterion: Criterion) -> Decimal:
        return maximum_of(criterion, key_facts_of(self.key_version))

    def _words(self, texts: Mapping[str, str]) -> str:
        return text_in(dict(texts), self.language, "en")

    def source(self, source: GivenSource) -> str:
        days = f", edition of {source.edition}" if source.edition else ""
        return f"{source.name}: {source.title} {source.unit}{days}\n\n{source.text}"

    @property
    def report(self) -> str:
        lines = [self._citation(row.number, row.raw, row.checked) for row in self.parts.citations]
        return anonymous("\n".join(lines), self.marks) or "The program found no citation in the answer."

    def _citation(self, number: int, raw: str, checked: Citation | None) -> str:
        if checked is None:
            return f"{number}. {raw}: added by a person, not checked"
        source = self.name_of.get(checked.source_text[:LONGEST_SOURCE], "")
        parts = [
            checked.result.replace("_", " "),
            checked.explanation,
            f"possible class {checked.proposed_class}" if checked.proposed_class else "",
            f"see {source}" if source else "",
        ]
        return f"{number}. {raw}: {'; '.join(part for part in parts if part)}"

    @property
    def trace(self) -> str:
        return anonymous_steps(self.card.answer.trace, self.marks) or "Nothing was recorded."
