"""Does the source say what the answer claims? What a model is asked, and how its reply is read. Never a verdict.

Code checks the one thing that it can: the sentence on which an opinion rests must stand in the source.
"""

import hashlib
from dataclasses import dataclass
from datetime import date

from pydantic import BaseModel, Field

from lexreview.core.quotations import Layout, Wording, pieces_of
from lexreview.law.unit_names import unit_name
from lexreview.providers.fencing import Fence
from lexreview.providers.requests import CallRequest
from lexreview.verification.models import Citation, Support

NOT_IN_SOURCE = "sentence_not_in_source"
LONGEST_SENTENCE = 2000
SETTINGS = {"max_tokens": 2000}
_NEEDS_A_SENTENCE = {Support.SUPPORTS, Support.CONTRADICTS}

PROMPT_VERSION = "1"
INSTRUCTIONS = """\
You hold one sentence of an answer to a legal question against the official wording of one source that it cites.

{rule}

The block "claim" is the sentence, "citation" the source as the sentence cites it with the unit that is meant, and
"source" the wording of that unit as in force on {day}.

Judge only what the sentence says of this source, and only by the words of the block "source", never by what you know
of the law otherwise. Parts of the sentence that rest on other sources do not count. That the sentence leaves out a
condition or an exception is no contradiction, unless it says that there is none.

"support" is one of
- "supports": the wording says what the sentence says of it;
- "contradicts": the wording and the sentence cannot both be right;
- "does_not_cover": the wording says nothing about it;
- "unsure": the wording can be read both ways, or is not complete enough to tell.

"sentence" is the passage of the block "source" that decides, copied letter by letter in its own language, with […]
where you leave words out. Leave it empty where none decides.

Reply with one JSON object with exactly these two fields and nothing around it.
"""
PROMPT_SHA256 = hashlib.sha256(INSTRUCTIONS.encode()).hexdigest()


class SupportReply(BaseModel):
    """The reply as the model must give it."""

    support: Support
    sentence: str = Field(max_length=LONGEST_SENTENCE)


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportQuestion:
    """A claim of an answer and the wording of the source that it cites, as in force on the day. All of it is data.

    `citation`: the words of the answer that cite, with the unit's name where the citation is of a unit.
    """

    claim: str
    citation: str
    source_text: str
    on: date


@dataclass(frozen=True, slots=True)
class SupportOpinion:
    """`said`: the model's word. `support`: what stands of it. `sentence`: the words of the source that decide, empty
    where none do. `reason`: why code changed the opinion."""

    said: Support
    support: Support
    sentence: str = ""
    reason: str = ""


def question_about(citation: Citation) -> SupportQuestion | None:
    """The question that a stored citation raises; None where there is no text of the source to hold it against.

    The claim is the sentence of the answer in which the citation stands.
    """
    if not citation.source_text:
        return None
    answer = citation.verification.answer
    start, end = Layout(answer.text, [(citation.start, citation.end)]).sentence_around(citation.start, citation.end)
    unit = unit_name(citation.unit_key, jurisdiction=answer.question.benchmark.jurisdiction)
    return SupportQuestion(
        claim=answer.text[start:end].strip(),
        citation=f"{citation.raw} [{unit}]" if unit else citation.raw,
        source_text=citation.source_text,
        on=citation.verification.legal_state_on,
    )


def request_about(question: SupportQuestion, *, provider: str, model: str) -> CallRequest:
    """The call that puts the question; its fence is new each time, its fingerprint is not."""
    fence = Fence()
    blocks = {"claim": question.claim, "citation": question.citation, "source": question.source_text}
    return CallRequest(
        provider=provider,
        model=model,
        instructions=INSTRUCTIONS.format(rule=fence.rule, day=question.on.isoformat()),
        prompt="\n\n".join(fence.around(name, text) for name, text in blocks.items()),
        settings=SETTINGS,
        output=SupportReply,
        marker=fence.marker,
    )


def opinion_of(reply: SupportReply, *, source_text: str) -> SupportOpinion:
    """What stands of a reply: for or against the claim only on words that are verbatim in the source, typography aside.

    Without them the opinion is `unsure`; a sentence that is not in the source is never kept as one.
    """
    is_there = Wording(source_text).holds(pieces_of(reply.sentence))
    if is_there:
        return SupportOpinion(reply.support, reply.support, reply.sentence.strip())
    if reply.support in _NEEDS_A_SENTENCE:
        return SupportOpinion(reply.support, Support.UNSURE, "", NOT_IN_SOURCE)
    return SupportOpinion(reply.support, reply.support, "", NOT_IN_SOURCE if reply.sentence.strip() else "")
