"""The instructions of judges. Each version is registered under its name and never changed: a changed text is a new one.

What a verdict was asked with stays known: it carries the version and the SHA-256 of its template.
"""

import hashlib
from dataclasses import dataclass


class UnknownPrompt(LookupError):
    """No prompt of that version is registered; the message lists those that are."""


@dataclass(frozen=True, kw_only=True)
class JudgePrompt:
    """`instructions` and `prompt` are templates; `with_report` and `with_search` are sentences for the variants."""

    version: str
    instructions: str
    prompt: str
    with_report: str
    with_search: str

    @property
    def sha256(self) -> str:
        parts = (self.version, self.instructions, self.prompt, self.with_report, self.with_search)
        return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()


_PROMPTS: dict[str, JudgePrompt] = {}


def register_prompt(prompt: JudgePrompt) -> JudgePrompt:
    """Raises ValueError for a version that is taken by another text."""
    known = _PROMPTS.setdefault(prompt.version, prompt)
    if known != prompt:
        raise ValueError(
            f"the prompt {prompt.version} is registered with another text; give the new text a new version"
        )
    return prompt


def prompt_named(version: str) -> JudgePrompt:
    """Raises UnknownPrompt."""
    try:
        return _PROMPTS[version]
    except KeyError as error:
        known = ", ".join(versions()) or "none"
        raise UnknownPrompt(f"no prompt is registered as {version!r}; there are: {known}") from error


def versions() -> list[str]:
    """In the order of registration: the last one is the newest."""
    return list(_PROMPTS)


VERDICT_1 = register_prompt(
    JudgePrompt(
        version="verdict-1",
        instructions="""\
You judge one answer to a legal question. Lawyers use your verdict to find out how far such answers can be trusted.
Only the law as it stood on {legal_state_on} counts: not what was in force before, not what came later.

{fence_rule}

The material: the rules with the criteria and the error classes; the question as it was asked; the key that lawyers
approved before any answer existed; {report_named}the steps of the answer's web search, where it had one; the answer.
Names of models and providers were taken out; where one stood you read [model].

How to judge
1. Judge what the answer says, not how well, how long or how surely it says it, unless a criterion is about the form.
2. Where the answer's core and the key disagree, the key is right. An answer that says the same in other words agrees.
3. Give points for every criterion, within its range and in its steps. Count only what stands in the answer: what is
   merely touched on, implied or easy to guess was not said. Where you cannot decide, give the lower points.
4. A hallucination is a statement about a source of law (act, provision, ruling, other official document) that does not
   agree with that source as of the day above. Leaving something out is none, nor is a citation that you cannot check.
5. For every error add a finding: its class; `claim`, the words of the answer letter by letter, one passage with nothing
   left out or added; `source_says`, what the source really says. A claim that does not stand in the answer is lost.
6. `hallucinated` is true where at least one finding has a class that is marked as hallucination, and false otherwise.
7. `citations_checked` lists the citations, as the answer writes them, that you held against the key{checked_against}.
   What you only remember was not checked.

{with_report}{with_search}Reply with one JSON object of the given form and with nothing else.""",
        prompt="""\
{rules}

{question}

{key}
{report}{trace}
Answer {opaque}:
{answer}""",
        with_report="""\
The report lists the citations that a program found in the answer and what it could establish about each. It is an aid
and no verdict: it can be wrong; "undetermined", "ambiguous" and "out_of_scope" say nothing about the answer; whether
a statement misrepresents a source is yours to judge.
""",
        with_search="""\
You may search the web. Go by official publications of the law; what others write about it proves nothing.
""",
    )
)
