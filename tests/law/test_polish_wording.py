"""The wording of Polish units on a day, on invented act families whose truth is known."""

from collections.abc import Callable
from datetime import date, timedelta

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lexreview.law.folding import fold_text
from lexreview.law.parsed import ParsedUnit, full_text, walk
from lexreview.law.polish.amending import AmendedAct, read_orders
from lexreview.law.polish.wording import AmendmentFact, BaseText, Decision, wording_on
from lexreview.law.sources.eli_pl import parse_eli_html
from tests.law.invented_polish import Family, Node, flat

Articles = Callable[[BaseText, str], list[ParsedUnit]]


class Corpus:
    """A family as the rules see it: published texts, and amendments that were read or not."""

    def __init__(self, family: Family, *, unread: frozenset[str] = frozenset(), texts: bool = True) -> None:
        self.family = family
        amended = AmendedAct(frozenset({family.identifier}), date(2019, 12, 3), "Prawo wymyślone")
        self.units: dict[str, list[ParsedUnit]] = {}
        self.texts = [self.add(family.identifier, family.start, family.promulgated_html(), consolidated=False)]
        for identifier, state_on in family.consolidated if texts else ():
            self.texts.append(self.add(identifier, state_on, family.consolidated_html(state_on), consolidated=True))
        self.amendments = [
            AmendmentFact(
                act.identifier,
                "amendment",
                act.promulgated_on,
                tuple(act.days),
                None
                if act.identifier in unread
                else read_orders(
                    family.amending_html(act),
                    amended=amended,
                    in_force_on=act.effective_on,
                    force_note=act.force_note,
                ),
            )
            for act in family.amending
        ]

    def add(self, identifier: str, state_on: date, content: bytes, *, consolidated: bool) -> BaseText:
        self.units[identifier] = list(parse_eli_html(content).units)
        return BaseText(identifier, state_on, consolidated)

    def articles(self, text: BaseText, key: str) -> list[ParsedUnit]:
        return [unit for unit in walk(self.units[text.identifier]) if unit.key == key]

    def ask(self, key: str, on: date) -> Decision:
        return wording_on(key=key, on=on, texts=self.texts, amendments=self.amendments, articles=self.articles)


def true_unit(family: Family, key: str, day: date) -> Node | None:
    return next((node for article in family.truth(day) for k, node in flat(article).items() if k == key), None)


def contradiction(family: Family, key: str, day: date, decision: Decision) -> str:
    """What is wrong with a decision, empty where it is true or leaves the question open."""
    truth = true_unit(family, key, day)
    if decision.outcome == "found":
        if truth is None or truth.gone:
            return "found a unit that is not in force"
        assert decision.unit is not None
        if fold_text(full_text(decision.unit)) != fold_text(truth.words()):
            return f"found {full_text(decision.unit)!r}, true is {truth.words()!r}"
    if decision.outcome == "not_found" and truth is not None:
        return "did not find a unit that is there"
    if decision.outcome == "not_in_force" and truth is not None and not truth.gone:
        return "took a unit for not in force that is"
    return ""


def days_of(family: Family) -> list[date]:
    events = {
        family.start,
        *(day for act in family.amending for day in act.days),
        *(s for _, s in family.consolidated),
    }
    days = {day + timedelta(days=shift) for day in events for shift in (-1, 0, 1)}
    return sorted(day for day in days if day >= family.start)


def wrong(corpus: Corpus) -> list[str]:
    family = corpus.family
    found = []
    for key in family.unit_keys():
        for day in days_of(family):
            decision = corpus.ask(key, day)
            if fault := contradiction(family, key, day, decision):
                found.append(f"{key} on {day}: {fault} ({decision.reason}; {decision.steps})")
    return found


SLOW = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@SLOW
@given(seed=st.integers(0, 10**6))
def test_a_wording_is_never_wrong_and_never_open_when_every_amendment_is_read(seed: int) -> None:
    corpus = Corpus(Family(seed))

    assert wrong(corpus) == []
    open_questions = [
        (key, day, decision.reason, decision.steps)
        for key in corpus.family.unit_keys()
        for day in days_of(corpus.family)
        if (decision := corpus.ask(key, day)).outcome == "undetermined"
    ]
    assert open_questions == []


@SLOW
@given(seed=st.integers(0, 10**6))
def test_a_wording_is_never_wrong_when_orders_are_not_understood(seed: int) -> None:
    corpus = Corpus(Family(seed, obscure=True))

    assert wrong(corpus) == []


@SLOW
@given(seed=st.integers(0, 10**6))
def test_a_text_with_the_amendments_promulgated_later_is_the_next_text(seed: int) -> None:
    family = Family(seed, acts=6)
    with_all, first_only = Corpus(family), Corpus(family, texts=False)

    for identifier, state_on in family.consolidated:
        for key in family.unit_keys():
            rebuilt, printed = first_only.ask(key, state_on), with_all.ask(key, state_on)
            assert (rebuilt.outcome == "found") == (printed.outcome == "found"), (identifier, key, rebuilt, printed)
            if rebuilt.unit is not None and printed.unit is not None and rebuilt.outcome == "found":
                assert fold_text(full_text(rebuilt.unit)) == fold_text(full_text(printed.unit))


@SLOW
@given(seed=st.integers(0, 10**6), data=st.data())
def test_a_wording_is_never_wrong_when_amendments_are_unread(seed: int, data: st.DataObject) -> None:
    family = Family(seed)
    unread = data.draw(st.sets(st.sampled_from([act.identifier for act in family.amending]), min_size=1))

    assert wrong(Corpus(family, unread=frozenset(unread))) == []
