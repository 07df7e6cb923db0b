"""Answers and traces as a model that assesses them sees them: nothing tells which model or whose it is.

Names of the benchmark's systems go wherever they stand. Names that law and life know too (a provider that was a party,
a person called Claude) go only where the sentence speaks of a model, so that no citation is lost.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lexreview.answers.models import Answer, System

STANDS_FOR_NAME = "[model]"
SHORTEST_NAME = 3
# Marks that a page or a link carries of the assistant through which it was found.
CAMPAIGN = re.compile(r"(?<=[?&])utm_[a-z_]{1,20}=[^&\s)\]>\"']*&?")
# Through which a provider's search leads to a page; the page itself is named by the title.
REDIRECT = re.compile(r"^https?://vertexaisearch\.cloud\.google\.com/grounding-api-redirect/\S*$", re.IGNORECASE)
EMPTY_QUERY = re.compile(r"[?&](?=[\s)\]>\"']|$)")
PRODUCTS = (
    r"chat\s?gpt(?:-[\w.]+|\s(?:plus|pro|\d[\w.]*))?",
    r"gpt[- ]?\d[\w.]*(?:[- ](?:mini|nano|pro|turbo))?",
    r"claude[- ](?:opus|sonnet|haiku|\d)[\w.-]*(?:[- ]\d[\w.]*)?",
    r"gemini[- ](?:pro|ultra|flash|nano|\d)[\w.-]*(?:[- ](?:pro|flash))?",
    r"(?:llama|qwen|mixtral|deepseek|grok)[- ]?\d[\w.-]*",
    r"deepseek(?:-[\w.]+)?",
)
ALSO_OTHERS = ("OpenAI", "Anthropic", "Google", "DeepMind", "Claude", "Gemini", "Mistral", "Le Chat", "Copilot",
               "Llama", "Qwen", "Grok", "xAI", "Perplexity", "Meta AI")  # fmt: skip
SENTENCE = re.compile(r"[^\n.!?]*(?:[.!?](?!\s)[^\n.!?]*)*[.!?\n]*")
SPEAKS_OF_A_MODEL = re.compile(
    r"\b(?:AI|KI|IA|LLM)\b|(?i:\b(?:language\s+model|sprachmodell|mod[eè]le\s+(?:de\s+langage|linguistique)"
    r"|modello\s+linguistico|model\w*\s+j[eę]zykow\w+|chat\s?bot\w*|(?:virtual|digital)\s+assistant|your\s+assistant"
    r"|assistente\s+virtuale|asystent\w*|trained\s+by|trainiert|entra[iî]n[eé]\w*|addestrat\w+|wytrenowan\w+"
    r"|knowledge\s+cut\s?-?off)\b)"
)


@dataclass(frozen=True, kw_only=True)
class Marks:
    """What gives a system away. `names` go everywhere, `others` where the sentence speaks of a model."""

    names: frozenset[str]
    others: frozenset[str]

    @classmethod
    def of(cls, systems: Iterable[System]) -> "Marks":
        listed = list(systems)
        names = {name for each in listed for name in (each.name, each.code, each.model_identifier)}
        others = {name for each in listed for name in (each.provider, each.family)} | set(ALSO_OTHERS)
        return cls(names=frozenset(_long(names)), others=frozenset(_long(others - names)))

    @cached_property
    def always(self) -> re.Pattern[str]:
        return re.compile(rf"(?<!\w)(?:{'|'.join((*_words(self.names), *PRODUCTS))})(?!\w)", re.IGNORECASE)

    @cached_property
    def sometimes(self) -> re.Pattern[str]:
        return re.compile(rf"(?<!\w)(?:{'|'.join(_words(self.others))})(?!\w)", re.IGNORECASE)


def anonymous(text: str, marks: Marks) -> str:
    """The text without what tells its author; everything else stays letter by letter."""
    text = _without_campaign(text)
    text = marks.always.sub(STANDS_FOR_NAME, text)
    if not marks.sometimes.search(text):
        return text
    return SENTENCE.sub(lambda found: _sentence(found[0], marks), text)


def anonymous_steps(trace: Sequence[Mapping[str, Any]], marks: Marks) -> str:
    """The steps of the web search, a line each, in order; empty without any."""
    return "\n".join(anonymous(_step(number, step), marks) for number, step in enumerate(trace, start=1))


def anonymous_address(address: str) -> str:
    """The address of a page that was opened, without what tells the assistant or its provider; "" for a redirection of
    the provider, which says nothing of the page."""
    return "" if REDIRECT.match(address) else _without_campaign(address)


def _without_campaign(text: str) -> str:
    return EMPTY_QUERY.sub("", CAMPAIGN.sub("", text)) if "utm_" in text else text


def opaque_name(answer: Answer) -> str:
    """A name of the answer that tells nothing about it, the same whenever it is asked for."""
    return hashlib.sha256(f"{answer.question.benchmark.canary} {answer.identifier}".encode()).hexdigest()[:10]


def _sentence(text: str, marks: Marks) -> str:
    speaks = SPEAKS_OF_A_MODEL.search(text) or STANDS_FOR_NAME in text
    return marks.sometimes.sub(STANDS_FOR_NAME, text) if speaks else text


def _step(number: int, step: Mapping[str, Any]) -> str:
    if step.get("kind") == "search":
        return f"{number}. searched for: {step.get('query', '')}"
    title = f" ({step['title']})" if step.get("title") else ""
    return f"{number}. opened: {step.get('address', '')}{title}"


def _long(names: Iterable[str]) -> set[str]:
    return {name.strip() for name in names if len(name.strip()) >= SHORTEST_NAME}


def _words(names: Iterable[str]) -> list[str]:
    return [re.escape(name).replace(r"\ ", r"[\s_-]?") for name in sorted(names, key=lambda name: (-len(name), name))]
