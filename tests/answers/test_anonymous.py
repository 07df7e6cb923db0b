import pytest

from lexreview.answers.anonymous import Marks, anonymous, anonymous_steps
from lexreview.answers.models import System

MARKS = Marks.of(
    [
        System(
            code="argon-4", name="Argon 4 Pro", provider="Noble Labs", family="argon",
            model_identifier="argon-4-2026-09",
        ),
        System(code="b", name="Boron", provider="Google", family="boron", model_identifier="boron-1"),
    ]
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("I am Argon 4 Pro, at your service.", "I am [model], at your service."),
        ("I am argon-4.", "I am [model]."),
        ("Answered by ARGON-4-2026-09", "Answered by [model]"),
        ("As ChatGPT I would say", "As [model] I would say"),
        ("GPT-5.5-mini says so", "[model] says so"),
        ("I, Claude Opus 4.8, think", "I, [model], think"),
        ("Jako model językowy firmy Google nie mogę", "Jako model językowy firmy [model] nie mogę"),
        ("Als KI von Anthropic kann ich", "Als KI von [model] kann ich"),
        ("En tant qu’IA de Mistral, je", "En tant qu’IA de [model], je"),
        ("Sono un modello linguistico addestrato da Google.", "Sono un modello linguistico addestrato da [model]."),
        ("https://a.example/x?utm_source=openai&id=3", "https://a.example/x?id=3"),
        ("(https://a.example/x?id=3&utm_source=chatgpt.com)", "(https://a.example/x?id=3)"),
    ],
)
def test_marks_of_the_author_are_taken_out(text: str, shown: str) -> None:
    assert anonymous(text, MARKS) == shown


@pytest.mark.parametrize(
    "text",
    [
        "See C-131/12 Google Spain v AEPD.",
        "Judge Claude Dupont dissented.",
        "Wyrok przeciwko Google LLC, II CSK 1/20.",
        "L'argonaute et les borones.",
        "Art. 5 § 1; https://law.kestria.example/act?id=3&lang=en",
        "The constellation Gemini. The mistral wind.",
        "",
    ],
)
def test_law_and_life_keep_their_names(text: str) -> None:
    assert anonymous(text, MARKS) == text


def test_provider_goes_only_from_the_sentence_that_speaks_of_a_model() -> None:
    text = "As an AI by Google I say: seven days. In Google v. CNIL the court said so."

    assert anonymous(text, MARKS) == "As an AI by [model] I say: seven days. In Google v. CNIL the court said so."


def test_steps_are_lines_in_order_without_marks() -> None:
    trace = [
        {"order": 1, "kind": "search", "query": "fee argon-4"},
        {"order": 2, "kind": "open", "address": "https://a.example/?utm_source=openai", "title": "ChatGPT and the CPA"},
        {"order": 3, "kind": "open", "address": "https://b.example/"},
    ]

    assert anonymous_steps(trace, MARKS).splitlines() == [
        "1. searched for: fee [model]",
        "2. opened: https://a.example/ ([model] and the CPA)",
        "3. opened: https://b.example/",
    ]
    assert anonymous_steps([], MARKS) == ""


def test_long_text_takes_time_in_proportion() -> None:
    """Nothing in the patterns backtracks over the whole text."""
    text = ("." * 500 + "?utm_" * 500 + "gpt-" * 500 + "As an AI by Google. ") * 20

    assert "Google" not in anonymous(text, MARKS)[-40:]
