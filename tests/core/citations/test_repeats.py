from __future__ import annotations

import gc
import re
from inspect import unwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexreview.core.citations import Citation, extract, repeats
from lexreview.core.citations.registry import grammar_of
from lexreview.core.citations.repeats import Grammar, Run, read_once, runs_of
from tests.core.citations.test_robustness import PIECES

LONG = 45_000


def whole(text: str, jurisdiction: str, lang: str) -> list[Citation]:
    """What the grammar finds where it reads every repetition."""
    grammar: Grammar = unwrap(grammar_of(jurisdiction))
    return grammar(text, lang=lang)


class Recorded:
    """A grammar that finds every "x" and says how much it was given to read."""

    def __init__(self) -> None:
        self.read: list[int] = []

    def __call__(self, text: str, *, lang: str, acts: object = (), profile: object = None) -> list[Citation]:
        self.read.append(len(text))
        return [self.citation(text, match, at) for at, match in enumerate(re.finditer("x", text))]

    def citation(self, text: str, match: re.Match[str], at: int) -> Citation:
        return Citation(kind="act", start=match.start(), end=match.end(), raw="x", lit="abc"[at % 3])


class Numbered(Recorded):
    """No finding is like another one."""

    def citation(self, text: str, match: re.Match[str], at: int) -> Citation:
        return Citation(kind="act", start=match.start(), end=match.end(), raw="x", pkt=str(at))


class Late(Recorded):
    """Finds something else only in long texts: what a short one holds foretells it wrongly."""

    def citation(self, text: str, match: re.Match[str], at: int) -> Citation:
        return Citation(kind="act", start=match.start(), end=match.end(), raw="x", art=str(len(text) > 10_100))


@pytest.mark.parametrize(
    ("jurisdiction", "lang", "before", "fragment", "behind"),
    [
        ("pl", "pl", "", "art. 5 k.c. ", ""),
        ("pl", "pl", "Zob. art. 3 k.p. ", "lit. a i ", "art. 7 k.c."),
        ("pl", "pl", "Ustawa o VAT (dalej: u.v.). ", "art. 5 u.v. i § 1, ", "k.c."),
        ("pl", "pl", "", "wyrok SN z 5 maja 2010 r., III CZP 25/22, ", "i art. 5 k.c."),
        ("ch", "de", "Das DSG gilt. ", "Art. 5-9 Abs. 2, ", "OR und BGE 140 III 86"),
        ("ch", "fr", "", "art. 5 let. a, b et c CO, ", "et al. 2"),
        ("eu", "en", "", "Article 6(1)(f) GDPR and ", "Case C-260/18"),
        ("it", "it", "", "Cass. n. 1/2020 ", "e n. 2/2021"),
        ("it", "it", "Cass. n. 1/2020. ", "Cass. 5 maggio 2020; art. 2043 c.c. ", "Cass. n. 1/2020"),
        ("it", "it", "v. https://a.b/", "ECLI_IT_CASS_2020_123CIV/", " e oltre"),
    ],
)
def test_a_repetition_holds_what_reading_all_of_it_finds(
    jurisdiction: str, lang: str, before: str, fragment: str, behind: str
) -> None:
    text = before + fragment * (LONG // len(fragment)) + behind

    found = extract(text, jurisdiction=jurisdiction, lang=lang)

    assert found
    assert found == whole(text, jurisdiction, lang)
    assert [one.mentions for one in found] == [one.mentions for one in whole(text, jurisdiction, lang)]


@settings(max_examples=25, deadline=None)
@given(
    pieces=st.lists(PIECES, min_size=1, max_size=5),
    around=st.tuples(st.lists(PIECES, max_size=4), st.lists(PIECES, max_size=4)),
    grammar=st.sampled_from([("pl", "pl"), ("ch", "de"), ("ch", "fr"), ("eu", "en"), ("it", "it")]),
)
def test_any_repetition_holds_what_reading_all_of_it_finds(
    pieces: list[str], around: tuple[list[str], list[str]], grammar: tuple[str, str]
) -> None:
    fragment = "".join(pieces) or "§"
    text = "".join(around[0]) + fragment * (10_000 // len(fragment) + 1) + "".join(around[1])

    with pytest.MonkeyPatch.context() as patch:  # a fifth of the usual length counts as long
        patch.setattr(repeats, "LEAST_RUN", 9_000)
        patch.setattr(repeats, "KEPT", 4_000)
        found = extract(text, jurisdiction=grammar[0], lang=grammar[1])

    assert found == whole(text, *grammar)


def test_every_mention_of_a_repeated_ruling_is_counted() -> None:
    found = extract("Cass. n. 1/2020 " * 5_000, jurisdiction="it", lang="it")

    assert [(one.number, one.mentions) for one in found] == [("1", 5_000)]


def test_most_of_a_repetition_is_not_read() -> None:
    grammar = Recorded()
    text = "ab x " * 100_000 + "bc" + "x, " * 100_000

    found = read_once(grammar)(text, lang="")

    assert sum(grammar.read) < 120_000
    assert found == Recorded()(text, lang="")


@pytest.mark.parametrize("kind", [Numbered, Late])
def test_what_does_not_come_again_is_read_as_a_whole(kind: type[Recorded]) -> None:
    grammar, text = kind(), "ab x " * 20_000

    found = read_once(grammar)(text, lang="")

    assert grammar.read[-1] == len(text)
    assert found == kind()(text, lang="")


def test_runs_are_found_with_their_rounds_wherever_they_stand() -> None:
    text = "begin:;;" + "art. 5 k.c. " * 5_000 + "between" + "".join(map(str, range(20_000))) + "(" * 50_000 + ")"

    runs = runs_of(text)

    assert runs == [Run(8, 60_008, 12), Run(len(text) - 50_001, len(text) - 1, 1)]


def test_a_text_that_does_not_repeat_itself_has_no_runs() -> None:
    assert runs_of("".join(f"art. {number} k.c. " for number in range(10_000))) == []


@pytest.mark.parametrize("enabled", [True, False])
def test_the_search_for_dead_cycles_is_as_it_was_before(enabled: bool) -> None:
    before = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        assert len(extract("art. 1-5 " * 6_000, jurisdiction="pl", lang="pl")) == 30_000
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if before else gc.disable)()
