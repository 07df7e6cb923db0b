# ruff: noqa: E501
import threading
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, connections, transaction

from lexreview.accounts.models import User
from lexreview.accounts.rules import NotAllowed
from lexreview.law.actions import import_acts, import_coverage, import_jurisdiction, import_rulings, store_response
from lexreview.law.actions.acts import ImportRefused
from lexreview.law.models import (
    Act,
    ActName,
    Amendment,
    Edition,
    Jurisdiction,
    Ruling,
    SourceCoverage,
    StoredResponse,
    Unit,
)
from lexreview.law.parsed import Coverage, ParsedAmendment, ParsedName, ParsedRuling, place, sha256_of
from lexreview.ledger.models import Event
from tests.law.files import NOW, edition, parsed_act, stored_act, unit

pytestmark = pytest.mark.django_db

TREE = unit(
    "art=1", "Opening:", unit("art=1/pkt=1", "one,", unit("art=1/pkt=1/lit=a", "a")), unit("art=1/pkt=2", "two.")
)


def an_act(**more: Any) -> Any:
    return parsed_act("eli/xx/1", edition("eli/xx/1", "2020-01-01", TREE, unit("art=2", "Rest.")), **more)


def test_units_keep_order_nesting_and_bounds() -> None:
    act = stored_act(an_act())

    units = list(Unit.objects.filter(edition__act=act).in_text_order())

    assert [(u.key, u.position, u.last_position, u.parent and u.parent.key) for u in units] == [
        ("art=1", 0, 3, None), ("art=1/pkt=1", 1, 2, "art=1"), ("art=1/pkt=1/lit=a", 2, 2, "art=1/pkt=1"),
        ("art=1/pkt=2", 3, 3, "art=1"), ("art=2", 4, 4, None),
    ]  # fmt: skip


def test_what_lies_under_a_repealed_unit_is_repealed() -> None:
    gone = unit("art=1", "(repealed)", unit("art=1/pkt=1", "still printed"), is_repealed=True)
    act = stored_act(parsed_act("eli/xx/1", edition("eli/xx/1", "2020-01-01", gone)))

    assert set(Unit.objects.filter(edition__act=act).values_list("is_repealed", flat=True)) == {True}


def test_importing_the_same_again_changes_and_records_nothing() -> None:
    first = import_acts(parsed=[an_act()], by=None, now=NOW)
    events = Event.objects.count()

    second = import_acts(parsed=[an_act()], by=None, now=NOW + timedelta(days=1))

    assert (first.acts_added, first.editions_added, first.units_added) == (1, 1, 5)
    assert not second.changed_anything
    assert (second.acts_unchanged, second.editions_unchanged) == (1, 1)
    assert (Event.objects.count(), Unit.objects.count(), Edition.objects.count()) == (events, 5, 1)


def test_one_event_per_act_and_per_edition() -> None:
    import_acts(parsed=[an_act()], by=None, now=NOW)

    assert [(e.verb, e.object_type) for e in Event.objects.order_by("number")] == [
        ("act_imported", "law.act"), ("edition_imported", "law.edition")
    ]  # fmt: skip


def test_an_edition_may_still_be_given_its_last_day() -> None:
    stored_act(an_act())
    ended = parsed_act(
        "eli/xx/1", edition("eli/xx/1", "2020-01-01", TREE, unit("art=2", "Rest."), valid_to="2020-12-31")
    )

    report = import_acts(parsed=[ended], by=None, now=NOW)

    assert (report.editions_changed, report.editions_added) == (1, 0)
    assert Edition.objects.get().valid_to == date(2020, 12, 31)
    assert Event.objects.order_by("-number")[0].verb == "edition_ended"


def test_other_bytes_for_the_same_day_are_another_edition() -> None:
    stored_act(an_act())

    import_acts(
        parsed=[parsed_act("eli/xx/1", edition("eli/xx/1", "2020-01-01", unit("art=1", "Other.")))], by=None, now=NOW
    )

    assert Edition.objects.filter(valid_from=date(2020, 1, 1)).count() == 2


def test_an_older_text_fills_blanks_and_does_not_overwrite() -> None:
    newer = parsed_act(
        "eli/xx/1", edition("eli/xx/1", "2022-01-01", TREE), in_force_on=date(2019, 1, 1), force_note="new"
    )
    older = parsed_act(
        "eli/xx/1",
        edition("eli/xx/1", "2018-01-01", TREE),
        in_force_on=date(2018, 1, 1),
        adopted_on=date(2017, 5, 5),
        force_note="old",
    )

    stored_act(newer)
    act = stored_act(older)

    assert (act.in_force_on, act.adopted_on, act.force_note) == (date(2019, 1, 1), date(2017, 5, 5), "new")


def test_an_edition_without_first_day_is_refused_and_nothing_is_stored() -> None:
    undated = parsed_act("eli/xx/2", edition("eli/xx/2", "2020-01-01", TREE))
    object.__setattr__(undated.editions[0], "valid_from", None)

    with pytest.raises(ImportRefused, match="no first day"):
        import_acts(parsed=[an_act(), undated], by=None, now=NOW)

    assert not Act.objects.exists()


def test_names_are_stored_once_in_their_folded_form() -> None:
    names = (
        ParsedName("abbreviation", "k.c.", "pl"),
        ParsedName("abbreviation", "KC", "pl"),
        ParsedName("number", "…"),
    )
    act = stored_act(an_act(names=names))

    assert list(ActName.objects.filter(act=act, kind="abbreviation").values_list("value", "folded")) == [("k.c.", "kc")]


def test_amendments_are_added_and_completed() -> None:
    bare = ParsedAmendment("eli/xx/9", effective_on=date(2021, 1, 1))
    read = ParsedAmendment(
        "eli/xx/9", effective_on=date(2021, 1, 1), promulgated_on=date(2020, 12, 1), units=("art=1",)
    )

    import_acts(parsed=[an_act(amendments=(bare,))], by=None, now=NOW)
    report = import_acts(parsed=[an_act(amendments=(read,))], by=None, now=NOW)
    again = import_acts(parsed=[an_act(amendments=(bare,))], by=None, now=NOW)

    amendment = Amendment.objects.get()
    assert (report.amendments_added, report.amendments_changed, again.amendments_changed) == (0, 1, 0)
    assert (amendment.units, amendment.promulgated_on) == (["art=1"], date(2020, 12, 1))


def test_only_operators_and_leads_import(operator: User, lead: User, reviewer: User, outsider: User) -> None:
    for person in (operator, lead):
        import_acts(parsed=[an_act()], by=person, now=NOW)
    for person in (reviewer, outsider):
        with pytest.raises(NotAllowed):
            import_acts(parsed=[an_act()], by=person, now=NOW)

    assert Event.objects.filter(verb="act_imported").get().actor == operator.get_username()


def ruling(**changes: Any) -> ParsedRuling:
    fields: dict[str, Any] = {
        "jurisdiction": "xx", "court": "Court of Wells", "docket": "I W 1/20", "decided_on": date(2020, 5, 5),
        "language": "en", "sha256": sha256_of(b"1"), "theses": ("A well is a well.",),
    }  # fmt: skip
    return ParsedRuling(**fields | changes)


def test_rulings_are_told_apart_by_court_and_day_not_by_docket_alone() -> None:
    rulings = [
        ruling(),
        ruling(court="Court of Springs"),
        ruling(decided_on=date(2021, 1, 1)),
        ruling(docket="i  w 1/20"),
    ]

    report = import_rulings(parsed=rulings, by=None, now=NOW)

    assert (report.rulings_added, report.rulings_unchanged) == (3, 1)
    assert Ruling.objects.with_docket("I W 1/20").count() == 3


def test_a_ruling_with_new_bytes_is_replaced_with_both_hashes_recorded() -> None:
    import_rulings(parsed=[ruling()], by=None, now=NOW)

    import_rulings(parsed=[ruling(sha256=sha256_of(b"2"), text="Longer.")], by=None, now=NOW)

    event = Event.objects.order_by("-number")[0]
    assert Ruling.objects.get().text == "Longer."
    assert (event.before["sha256"], event.after["sha256"]) == (sha256_of(b"1"), sha256_of(b"2"))


def test_coverage_and_profiles_are_stored_once() -> None:
    rows = [Coverage(source="saos", jurisdiction="PL", court="SN", covered_to=date(2016, 6, 22))]
    profile = {"code": "XX", "languages": ["en"]}

    assert [import_coverage(rows=rows, by=None, now=NOW) for _ in range(2)] == [1, 0]
    assert [import_jurisdiction(profile=profile, by=None, now=NOW).pk for _ in range(2)] == [
        1
    ] * 2 or Jurisdiction.objects.count() == 1


def test_coverage_answers_only_where_it_is_complete() -> None:
    whole = Coverage(
        source="a",
        jurisdiction="XX",
        court="C",
        covered_from=date(2020, 1, 1),
        covered_to=date(2020, 12, 31),
        is_complete=True,
    )
    partial = Coverage(source="b", jurisdiction="XX", court="C")
    import_coverage(rows=[whole, partial], by=None, now=NOW)

    def sources(day: date | None) -> list[str]:
        return [row.source for row in SourceCoverage.objects.covering(jurisdiction="xx", court="C", day=day)]

    assert (sources(date(2020, 5, 5)), sources(date(2021, 1, 1)), sources(None)) == (["a"], [], [])


def test_the_same_answer_is_kept_once_with_its_newest_time() -> None:
    later = NOW + timedelta(days=1)
    for now in (NOW, later):
        store_response(
            request_key="k" * 64, source="s", method="GET", address="https://x", status=200, content_type="", body=b"abc", now=now
        )  # fmt: skip

    stored = StoredResponse.objects.get()
    assert (stored.body, stored.fetched_at, stored.length) == (b"abc", later, 3)


@pytest.mark.parametrize(
    "broken",
    [
        {"valid_to": date(2019, 1, 1)}, {"sha256": "short"}, {"language": ""},
    ],
)  # fmt: skip
def test_the_database_refuses_editions_that_cannot_be(broken: dict[str, Any]) -> None:
    act = stored_act(an_act())
    fields: dict[str, Any] = {
        "act": act,
        "language": "en",
        "valid_from": date(2020, 1, 1),
        "standing": "official",
        "sha256": "0" * 64,
    }

    with pytest.raises(IntegrityError), transaction.atomic():
        Edition.objects.create(**fields | broken)


def test_the_database_refuses_doubles_and_units_that_do_not_contain_themselves() -> None:
    stored = Edition.objects.get(act=stored_act(an_act()))
    fields: dict[str, Any] = {"edition": stored, "key": "art=9", "level": "art", "position": 9, "last_position": 9}

    for broken in ({"position": 0, "last_position": 0}, {"key": ""}, {"last_position": 8}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Unit.objects.create(**fields | broken)
    with pytest.raises(IntegrityError), transaction.atomic():
        Act.objects.create(eli="eli/xx/1", jurisdiction="XX")
    with pytest.raises(IntegrityError), transaction.atomic():
        Act.objects.create(eli="", jurisdiction="XX")


def test_placing_a_forest() -> None:
    assert [(p.unit.key, p.position, p.last_position, p.parent_position) for p in place([TREE])][-1] == (
        "art=1/pkt=2",
        3,
        3,
        0,
    )


def test_many_units_are_stored_whatever_the_limits_of_the_database() -> None:
    units = [unit(f"art={number}", "text", unit(f"art={number}/ust=1", "more")) for number in range(1, 1500)]

    act = stored_act(parsed_act("eli/xx/1", edition("eli/xx/1", "2020-01-01", *units)))

    assert Unit.objects.filter(edition__act=act).count() == 2998


def _two_acts() -> None:
    import_acts(parsed=[an_act(), parsed_act("eli/xx/2")], by=None, now=NOW)


def _the_other_way_round() -> None:
    import_acts(parsed=[parsed_act("eli/xx/2"), an_act()], by=None, now=NOW)


def _a_ruling() -> None:
    import_rulings(parsed=[ruling()], by=None, now=NOW)


def _a_state() -> None:
    import_jurisdiction(profile={"code": "xx", "languages": ["en"]}, by=None, now=NOW)


def _an_answer() -> None:
    store_response(
        request_key="k" * 64, source="fedlex", method="GET", address="https://x.example/1", status=200,
        content_type="text/xml", body=b"<a/>", now=NOW,
    )  # fmt: skip


@pytest.mark.skipif(connection.vendor == "sqlite", reason="threads cannot share the test database of SQLite")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("first", "second"),
    [(_two_acts, _the_other_way_round), (_a_ruling, _a_ruling), (_a_state, _a_state), (_an_answer, _an_answer)],
)
def test_what_two_import_at_once_is_stored_once(first: Callable[[], None], second: Callable[[], None]) -> None:
    failed: list[Exception] = []

    def run() -> None:
        try:
            second()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told
            failed.append(error)
        finally:
            connections.close_all()

    thread = threading.Thread(target=run)
    with transaction.atomic():
        first()
        thread.start()
        while thread.is_alive() and not _somebody_waits():
            pass
    thread.join()

    assert failed == []
    events = list(Event.objects.values_list("verb", "object_id"))
    assert len(events) == len(set(events))


def _somebody_waits() -> bool:
    """For a lock in this database; other tests have their own."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks waits JOIN pg_locks has ON has.pid = waits.pid "
            "JOIN pg_database here ON here.oid = has.database "
            "WHERE NOT waits.granted AND here.datname = current_database()"
        )
        return bool(cursor.fetchone()[0])
