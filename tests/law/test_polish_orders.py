# ruff: noqa: E501
"""Reading Polish amending acts, clause by clause, and what is decided by hand-made cases."""

from datetime import date

import pytest

from lexreview.law.parsed import ParsedUnit, UnreadableSource
from lexreview.law.polish.amending import AmendedAct, from_record, read_orders, to_record
from lexreview.law.polish.entry import entry_of, read_day, read_entries
from lexreview.law.polish.instructions import Instruction, keys_named
from lexreview.law.polish.rebuilding import CannotApply, apply_all
from lexreview.law.polish.unit_lists import Segment, covers, read_unit_list, touches
from lexreview.law.polish.wording import AmendmentFact, BaseText, wording_on
from tests.law.files import unit

AMENDED = AmendedAct(frozenset({"DU/2020/10", "DU/2023/1"}), date(2020, 2, 3), "o studniach")
HEAD = "W ustawie z dnia 3 lutego 2020 r. o studniach (Dz. U. z 2023 r. poz. 1 i 7) "
QUOTED = {
    "art": "<div class='unit unit_arti' data-id='arti_{n}'><h3>Art. {n}.</h3><div class='unit-inner'><div data-template='xText'>Nowy {n}.</div></div></div>",
    "ust": "<div class='unit unit_pass' data-id='pass_{n}'><h3>{n}.</h3><div class='unit-inner'><div data-template='xText'>Nowy {n}.</div></div></div>",
    "pkt": "<div class='unit unit_pint' data-id='pint_{n}'><h3>{n})</h3><div class='unit-inner'><div data-template='xText'>nowy {n}.</div></div></div>",
}


def quote(*units: tuple[str, str]) -> str:
    body = "".join(QUOTED[level].format(n=number) for level, number in units)
    return f"<div class='cite-box'><div class='cite-body'>{body}</div></div>"


def orders(
    text: str, box: str = "", *, note: str = "", head: str = HEAD, on: date | None = date(2024, 1, 1)
) -> tuple[Instruction, ...]:
    page = (
        "<html><body><section id='part_1'><div class='unit unit_arti' data-id='arti_1'><h3>Art. 1.</h3><div class='unit-inner'>"
        f"<div data-template='xText'>{head}{text}</div>{box}</div></div></section></body></html>"
    )
    return read_orders(page.encode(), amended=AMENDED, in_force_on=on, force_note=note)


@pytest.mark.parametrize(
    ("text", "targets", "rest"),
    [
        ("art. 13 pkt 1, 6 i 11 lit. c oraz art. 16-19 wchodzą", ["art=13/pkt=1", "art=13/pkt=6", "art=13/pkt=11/lit=c", "art=16-19"], " wchodzą"),
        ("§ 1¹ i 1² dodaje", ["par=1^1", "par=1^2"], " dodaje"),
        ("art. 22^1a–22^1c", ["art=22^1a-22^1c"], ""),
        ("ust. 1 pkt 2 lit. a tiret drugie", ["ust=1/pkt=2/lit=a/tiret=2"], ""),
        ("lit. i oraz lit. j uchyla", ["lit=i", "lit=j"], " uchyla"),
        ("lit. c w brzmieniu", ["lit=c"], " w brzmieniu"),
        ("pkt 18a w brzmieniu", ["pkt=18a"], " w brzmieniu"),
        ("wyrazy", [], "wyrazy"),
    ],
)  # fmt: skip
def test_lists_of_units(text: str, targets: list[str], rest: str) -> None:
    found, end = read_unit_list(text)

    spelled = ["/".join(f"{s.level}={s.first}" + (f"-{s.last}" if s.last else "") for s in target) for target in found]
    assert (spelled, text[end:]) == (targets, rest)


def test_a_target_covers_what_lies_in_it_and_touches_what_holds_it() -> None:
    target = (Segment("art", "5", "9"), Segment("ust", "2"))

    assert covers(target, "art=7/ust=2/pkt=1")
    assert not covers(target, "art=7")
    assert touches(target, "art=7")
    assert not touches(target, "art=7/ust=3")
    assert touches((), "art=1")


@pytest.mark.parametrize(
    ("text", "box", "verb", "keys"),
    [
        ("art. 5 otrzymuje brzmienie:", quote(("art", "5")), "replace", ["art=5"]),
        ("w art. 5 ust. 2 otrzymuje brzmienie:", quote(("ust", "2")), "replace", ["art=5/ust=2"]),
        ("art. 5 i 6 otrzymują brzmienie:", quote(("art", "5"), ("art", "6")), "replace", ["art=5", "art=6"]),
        ("w art. 5 po ust. 2 dodaje się ust. 2a i 2b w brzmieniu:", quote(("ust", "2a"), ("ust", "2b")), "insert", ["art=5/ust=2a", "art=5/ust=2b"]),
        ("w art. 5 dodaje się ust. 9 w brzmieniu:", quote(("ust", "9")), "insert", ["art=5/ust=9"]),
        ("po art. 5 dodaje się art. 5a–5c w brzmieniu:", quote(("art", "5a"), ("art", "5b"), ("art", "5c")), "insert", ["art=5a", "art=5b", "art=5c"]),
        ("uchyla się art. 5", "", "repeal", ["art=5"]),
        ("w art. 5 uchyla się ust. 2 i 3", "", "repeal", ["art=5/ust=2", "art=5/ust=3"]),
        ("art. 5–7 uchyla się", "", "repeal", ["art=5"]),
        ("w art. 5 wyrazy „dół głęboki” zastępuje się wyrazami „studnia”", "", "words", ["art=5"]),
        ("użyte w art. 5 w ust. 1 i w ust. 3 wyrazy „dół” zastępuje się wyrazem „studnia”", "", "words", ["art=5/ust=1", "art=5/ust=3"]),
        ("w całej ustawie wyrazy „dół” zastępuje się wyrazami „studnia”", "", "words", ["*"]),
        ("w art. 5 po wyrazach „dół” dodaje się wyrazy „i staw”", "", "words_after", ["art=5"]),
        ("w art. 5 skreśla się wyrazy „i staw”", "", "words_out", ["art=5"]),
        ("w art. 5 w pkt 2 kropkę zastępuje się średnikiem", "", "punctuation", ["art=5/pkt=2"]),
        ("w art. 5 wprowadzenie do wyliczenia otrzymuje brzmienie: „Kto kopie:”", "", "intro", ["art=5"]),
        ("w art. 5 ust. 2 dodaje się zdanie drugie w brzmieniu: „Dalej.”", "", "sentence", ["art=5/ust=2"]),
    ],
)  # fmt: skip
def test_orders_that_are_understood(text: str, box: str, verb: str, keys: list[str]) -> None:
    found = orders(text, box)

    assert [order.verb for order in found] == [verb]
    assert keys_named(found) == keys


@pytest.mark.parametrize(
    ("text", "box", "key"),
    [
        ("w art. 5 zdanie pierwsze otrzymuje brzmienie: „X.”", "", "art=5"),
        ("w art. 5 dotychczasową treść oznacza się jako ust. 1", "", "art=5"),
        ("w art. 5 użyte w różnej liczbie i przypadku wyrazy „dół” zastępuje się wyrazami „staw”", "", "art=5"),
        ("art. 5 otrzymuje brzmienie:", quote(("art", "6")), "art=5"),
        ("art. 5 otrzymuje brzmienie:", "", "art=5"),
        ("uchyla się art. 5 i coś jeszcze", "", "art=5"),
        ("uchyla się rozdział 3", "", "art=77"),
    ],
)
def test_an_order_that_is_not_understood_says_so_and_names_what_it_may_touch(text: str, box: str, key: str) -> None:
    found = orders(text, box)

    assert [order.verb for order in found] == ["unknown"]
    assert found[0].touches(key)


def test_an_order_that_is_not_understood_leaves_other_articles_alone() -> None:
    (order,) = orders("w art. 5 zdanie pierwsze otrzymuje brzmienie: „X.”")

    assert not order.touches("art=6")


@pytest.mark.parametrize(
    "text",
    [
        "tytuł ustawy otrzymuje brzmienie: „o dołach”",
        "w załączniku nr 2 skreśla się lp. 3",
        "odnośnik nr 1 otrzymuje brzmienie: „1)”",
    ],
)
def test_orders_about_no_unit_change_none(text: str) -> None:
    assert orders(text) == ()


@pytest.mark.parametrize(
    "head",
    [
        "W ustawie z dnia 3 lutego 2020 r. o studniach (Dz. U. poz. 10) ",
        "W ustawie z dnia 3 lutego 2020 r. o studniach ",
    ],
)
def test_the_amended_act_is_known_by_address_or_by_day_and_title(head: str) -> None:
    assert [order.verb for order in orders("uchyla się art. 5", head=head)] == ["repeal"]


def test_clauses_about_other_acts_are_left_out() -> None:
    assert (
        orders("uchyla się art. 5", head="W ustawie z dnia 3 lutego 2020 r. o stawach (Dz. U. z 2022 r. poz. 99) ")
        == ()
    )


def test_staged_entry_gives_an_order_its_own_day() -> None:
    note = "1) art. 1 wchodzi w życie z dniem 1 lipca 2025 r."

    assert orders("uchyla się art. 5", note=note)[0].effective_on == date(2025, 7, 1)


def test_orders_survive_being_stored() -> None:
    found = orders("w art. 5 po ust. 2 dodaje się ust. 2a w brzmieniu:", quote(("ust", "2a")))

    assert [from_record(to_record(order)) for order in found] == list(found)


def test_a_page_without_text_is_refused() -> None:
    with pytest.raises(UnreadableSource):
        read_orders(b"", amended=AMENDED, in_force_on=None, force_note="")


def article() -> ParsedUnit:
    return unit(
        "art=5",
        "",
        unit("art=5/ust=1", "Dół jest głęboki.", heading=""),
        unit("art=5/ust=2", "Kto kopie:", unit("art=5/ust=2/pkt=1", "dół,"), unit("art=5/ust=2/pkt=2", "staw.")),
        unit("art=5/ust=3", "(uchylony)", is_repealed=True),
    )


@pytest.mark.parametrize(
    ("text", "box", "reason"),
    [
        ("w art. 5 ust. 8 otrzymuje brzmienie:", quote(("ust", "8")), "does not exist"),
        ("w art. 5 po ust. 7 dodaje się ust. 7a w brzmieniu:", quote(("ust", "7a")), "does not exist"),
        ("w art. 5 po ust. 1 dodaje się ust. 2 w brzmieniu:", quote(("ust", "2")), "exists already"),
        ("w art. 5 uchyla się ust. 3", "", "repealed already"),
        ("w art. 5 ust. 1 wyrazy „rów” zastępuje się wyrazami „staw”", "", "not in the unit"),
        ("w art. 5 ust. 1 dodaje się pkt 1 w brzmieniu:", quote(("pkt", "1")), ""),
        ("w art. 5 w ust. 1 średnik zastępuje się kropką", "", "does not end with"),
    ],
)
def test_an_order_that_does_not_fit_is_not_applied(text: str, box: str, reason: str) -> None:
    found = orders(text, box)

    if not reason:
        assert apply_all(article(), key="art=5", instructions=found) is not None
        return
    with pytest.raises(CannotApply, match=reason):
        apply_all(article(), key="art=5", instructions=found)


def test_words_are_exchanged_whole() -> None:
    found = orders("w art. 5 ust. 1 wyraz „jest” zastępuje się wyrazem „był”")
    state = article()
    state.children[0].text = "Jestem, gdzie jest dół."

    changed = apply_all(state, key="art=5/ust=1", instructions=found)

    assert changed is not None
    assert changed.children[0].text == "Jestem, gdzie był dół."


def ask(
    on: date,
    *,
    amendments: list[AmendmentFact],
    later: list[ParsedUnit] | None = None,
    units: list[ParsedUnit] | None = None,
) -> tuple[str, str, str]:
    """Outcome, certainty and reason for art. 5 ust. 1 with a consolidated text of 1 June 2023 and perhaps a later one."""
    texts = {"DU/2023/1": units or [article()]}
    bases = [BaseText("DU/2023/1", date(2023, 6, 1), True)]
    if later is not None:
        texts["DU/2024/1"] = later
        bases.append(BaseText("DU/2024/1", date(2024, 6, 1), True))
    decision = wording_on(
        key="art=5/ust=1",
        on=on,
        texts=bases,
        amendments=amendments,
        articles=lambda text, key: [unit for unit in texts[text.identifier] if unit.key == key],
    )
    return decision.outcome, decision.certainty, decision.reason


def fact(
    *, kind: str = "amendment", promulgated: date | None = date(2023, 8, 1), days: tuple[date | None, ...] = (date(2023, 9, 1),),
    read: tuple[Instruction, ...] | None = None, identifier: str = "DU/2023/500",
) -> AmendmentFact:  # fmt: skip
    return AmendmentFact(identifier, kind, promulgated, days, read)


DAY = date(2023, 12, 1)


def test_before_the_first_text_nothing_is_known() -> None:
    assert ask(date(2020, 1, 1), amendments=[])[2] == "no_edition_on_date"


def test_without_later_amendments_the_printed_wording_is_established() -> None:
    assert ask(DAY, amendments=[fact(promulgated=date(2023, 5, 31))]) == ("found", "established", "")


def test_an_amendment_promulgated_on_the_state_date_is_not_in_the_text() -> None:
    assert ask(DAY, amendments=[fact(promulgated=date(2023, 6, 1))])[2] == "amendment_not_read"


def test_an_amendment_that_takes_effect_later_does_not_matter_yet() -> None:
    assert ask(DAY, amendments=[fact(days=(date(2024, 5, 1),))]) == ("found", "established", "")


def test_an_unread_amendment_leaves_the_question_open_unless_the_next_text_has_the_same_wording() -> None:
    changed = article()
    changed.children[0].text = "Dół jest płytki."

    assert ask(DAY, amendments=[fact()])[2] == "amendment_not_read"
    assert ask(DAY, amendments=[fact()], later=[article()]) == ("found", "established", "")
    assert ask(DAY, amendments=[fact()], later=[changed])[2] == "amendment_not_read"


def test_an_amendment_without_a_day_leaves_the_question_open() -> None:
    read = orders("w art. 5 ust. 1 wyraz „głęboki” zastępuje się wyrazem „płytki”", on=None)

    assert ask(DAY, amendments=[fact(read=read, days=(None,))])[2] == "conditional_entry"


def test_one_read_amendment_between_two_texts_decides_by_its_day() -> None:
    changed = article()
    changed.children[0].text = "Dół nie jest głęboki."
    read = orders("w art. 5 w ust. 1 zdanie pierwsze otrzymuje brzmienie: „Dół nie jest głęboki.”", on=date(2023, 9, 1))

    assert ask(DAY, amendments=[fact(read=read)])[2] == "instruction_not_understood"
    assert ask(DAY, amendments=[fact(read=read)], later=[changed]) == ("found", "established", "")


def test_a_ruling_of_the_tribunal_or_a_correction_since_the_text_leaves_the_question_open() -> None:
    assert ask(DAY, amendments=[fact(kind="tribunal", days=(None,))])[2] == "tribunal_ruling_pending"
    assert ask(DAY, amendments=[fact(kind="correction", days=(None,))])[2] == "correction_pending"
    assert (
        ask(DAY, amendments=[fact(kind="tribunal", days=(None,), promulgated=None, identifier="DU/2018/7")])[0]
        == "found"
    )


def test_two_acts_that_change_a_unit_on_one_day_are_not_put_in_an_order() -> None:
    one = orders("w art. 5 ust. 1 wyraz „głęboki” zastępuje się wyrazem „płytki”", on=date(2023, 9, 1))
    other = orders("w art. 5 ust. 1 wyraz „Dół” zastępuje się wyrazem „Rów”", on=date(2023, 9, 1))
    facts = [fact(read=one), fact(read=other, identifier="DU/2023/501")]

    assert ask(DAY, amendments=facts)[2] == "amendments_on_same_day"


def test_a_footnote_without_a_day_leaves_the_question_open() -> None:
    marked = article()
    marked.children[0].notes = ["W tym brzmieniu obowiązuje do wejścia w życie zmiany, o której mowa w odnośniku 2."]

    assert ask(DAY, amendments=[], units=[marked])[2] == "footnote_without_date"


def test_days_and_staged_entries() -> None:
    clause = "Ustawa wchodzi w życie z dniem 1 stycznia 2025 r., z wyjątkiem art. 3 i 4, które wchodzą w życie z dniem określonym w komunikacie."

    assert read_day("z dniem 31 stycznia 2024 r.") == date(2024, 1, 31)
    assert read_day("31 lutego 2024 r.") is None
    assert [entry.on for entry in read_entries(clause)] == [None]
    assert entry_of(clause, "art=4/ust=2") is not None
    assert entry_of(clause, "art=5") is None
    assert entry_of("", "art=5") is None
