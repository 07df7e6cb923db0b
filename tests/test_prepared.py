"""A prepared query gives what the query set that it is made of would give, each time with other values."""

import gc
import threading
import weakref
from datetime import UTC, datetime, timedelta, timezone

import pytest
from django.db import NotSupportedError, connection, connections, transaction
from django.db.models import Count, Q, Value
from django.db.models.signals import post_init
from django.test.utils import CaptureQueriesContext

from lexreview.accounts.models import User
from lexreview.answers.models import Answer
from lexreview.prepared import Prepared
from lexreview.review.models import Card, CardCitation, Finding
from tests.review.factories import make_card

pytestmark = pytest.mark.django_db


def _values(row: object) -> dict[str, object]:
    return {name: value for name, value in vars(row).items() if name != "_state"}


def _with_joined(row: CardCitation) -> list[object]:
    checked = row.checked
    return [_values(row)] + ([_values(checked), checked.act and _values(checked.act)] if checked else [])


def test_rows_and_what_they_join_are_those_of_the_query_set() -> None:
    cards = [make_card(code="P1"), make_card(code="P2")]
    CardCitation.objects.filter(card=cards[1], number=1).update(checked=None)
    prepared = Prepared(lambda card: CardCitation.objects.filter(card=card).in_text_order().with_result(), int)

    for card in (*cards, cards[0]):
        plain = CardCitation.objects.filter(card=card).in_text_order().with_result()
        found = prepared(card.pk)
        assert [_with_joined(row) for row in found] == [_with_joined(row) for row in plain]
        assert len(found) > 1


def test_joined_rows_and_values_of_every_type_need_no_further_query(django_assert_num_queries) -> None:
    card = make_card()
    now = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)
    Card.objects.filter(pk=card.pk).update(claimed_until=now, a_points="1.50", withheld={"scores": {}})
    prepared = Prepared(lambda pk: Card.objects.with_answer().filter(pk=pk), int)

    with django_assert_num_queries(1):
        found = prepared.first(card.pk)
        assert found is not None
        assert found.answer.question.benchmark.slug == "kestria-01"
        assert found.assigned_to is None
    assert (found.claimed_until, str(found.a_points), found.withheld) == (now, "1.50", {"scores": {}})
    assert not found._state.adding


def test_a_row_can_be_saved_and_a_deferred_column_is_read_when_asked_for() -> None:
    card = make_card()
    prepared = Prepared(lambda pk: Answer.objects.defer("text").filter(pk=pk), int)

    found = prepared.first(card.answer_id)

    assert found is not None
    assert found.get_deferred_fields() == {"text"}
    assert found.text == card.answer.text
    found.sha256 = "0" * 64
    found.save(update_fields=["sha256"])
    assert Answer.objects.get(pk=found.pk).sha256 == "0" * 64


def test_lists_of_values_and_annotations() -> None:
    card = make_card()
    names = Prepared(lambda name: User.objects.filter(username=name).values_list("pk", "username"), str)
    counted = Prepared(
        lambda state, pk: Card.objects.filter(pk=pk).annotate(n=Count("findings", filter=Q(findings__state=state))),
        str,
        int,
    )
    user = User.objects.create(username="it's %s")

    assert names(user.username) == [(user.pk, user.username)]
    assert names("nobody") == []
    assert names.first("nobody") is None
    for state in ("proposed", "rejected"):
        found = counted.first(state, card.pk)
        assert found is not None
        assert found.n == Finding.objects.filter(card=card, state=state).count()


def test_times_are_compared_as_the_database_keeps_them() -> None:
    make_card(code="P1"), make_card(code="P2")
    times = [datetime(2026, 5, 4, 3, 2, 1, place, tzinfo=UTC) for place in (7, 8)]
    for card, time in zip(Card.objects.in_queue_order(), times, strict=True):
        Card.objects.filter(pk=card.pk).update(claimed_until=time)
    until = Prepared(lambda time: Card.objects.filter(claimed_until__lte=time).in_queue_order()[:5], datetime)

    for time in (*times, times[0].replace(microsecond=6), times[1].astimezone(timezone(timedelta(hours=5)))):
        assert until(time) == list(Card.objects.filter(claimed_until__lte=time).in_queue_order())
    assert len(until(times[0])) == 1


@pytest.mark.django_db(transaction=True)
def test_the_text_of_the_query_is_made_once_and_each_thread_asks_on_its_own_connection() -> None:
    made, asked = [], []

    def make(pk: int) -> object:
        made.append(threading.get_ident())
        return User.objects.filter(pk=pk)

    prepared = Prepared(make, int)
    user = User.objects.create(username="anna")
    assert [prepared(user.pk), prepared(0), prepared(user.pk)] == [[user], [], [user]]

    def elsewhere() -> None:
        with CaptureQueriesContext(connections["default"]) as captured:
            asked.append(prepared(user.pk))
        asked.append(len(captured))
        connections.close_all()

    other = threading.Thread(target=elsewhere)
    other.start()
    other.join()
    assert asked == [[user], 1]
    assert made == [threading.get_ident()]


@pytest.mark.django_db(transaction=True)
def test_no_connection_of_a_thread_is_kept() -> None:
    """One that its thread left would stay open as long as the query is kept."""
    prepared = Prepared(lambda pk: Card.objects.filter(pk=pk).select_related("answer").select_for_update(), int)
    make_card(code="P1")
    kept: list[weakref.ref[object]] = []

    def elsewhere() -> None:
        with transaction.atomic():
            prepared(1)
        kept.append(weakref.ref(connections["default"]))
        connections.close_all()

    other = threading.Thread(target=elsewhere)
    other.start()
    other.join()
    gc.collect()
    assert kept[0]() is None


def test_a_query_that_keeps_its_plan_gives_the_same_and_is_prepared_where_that_is_possible() -> None:
    """What is not given is written into its text, whatever signs it has; values may have them too."""
    users = [User.objects.create(username=name) for name in ("50 %s", "50 % off", "it's", "anna")]

    def make(name: object) -> object:
        rest = Value("100 %s of it's")
        return User.objects.annotate(rest=rest).filter(Q(username=name) | Q(username__contains="% o")).order_by("pk")

    prepared = Prepared(make, str, keep_plan=True)
    for user in users:
        for _turn in range(7):
            found = prepared(user.username)
            assert found == list(make(user.username))
            assert {each.rest for each in found} == {"100 %s of it's"}
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT generic_plans > 0 FROM pg_prepared_statements WHERE statement LIKE %s", ["%of it%"])
            assert cursor.fetchall() == [(True,)]


@pytest.mark.django_db(transaction=True)
def test_a_column_whose_type_changes_under_a_kept_plan_is_read_all_the_same() -> None:
    """As a migration does while the site is served: PostgreSQL refuses the plan for as long as the connection lasts."""
    if connection.vendor != "postgresql":
        pytest.skip("no plan is kept")
    user = User.objects.create(username="anna", language="pl")
    prepared = Prepared(lambda pk: User.objects.filter(pk=pk), int, keep_plan=True)
    assert prepared(user.pk) == [user]
    column = User._meta.get_field("language")
    # Of its own connection psycopg knows what is altered.
    elsewhere = connections.create_connection("default")

    def alter(length: int | None) -> None:
        with elsewhere.cursor() as cursor:
            cursor.execute(f"ALTER TABLE {User._meta.db_table} ALTER COLUMN {column.column} TYPE varchar({length})")

    try:
        alter(77)
        assert prepared(user.pk) == [user]

        alter(78)
        with pytest.raises(NotSupportedError), transaction.atomic():
            prepared(user.pk)
        with transaction.atomic():
            assert prepared(user.pk) == [user]
    finally:
        alter(column.max_length)
        elsewhere.close()


def test_a_value_that_the_query_does_not_compare_is_refused() -> None:
    user = User.objects.create(username="anna")
    with pytest.raises(ValueError, match=r"no place for the values \[1\]"):
        Prepared(lambda pk, name: User.objects.filter(pk=pk), int, str)(user.pk, "anna")
    with pytest.raises(TypeError, match="1 values are needed, 2 are given"):
        Prepared(lambda pk: User.objects.filter(pk=pk), int)(user.pk, 2)


def test_a_number_that_no_column_holds_is_in_no_row(django_assert_num_queries) -> None:
    prepared = Prepared(lambda pk: User.objects.filter(pk=pk), int)
    prepared(1)

    with django_assert_num_queries(0):
        assert [prepared(number) for number in (2**63, -(2**63), 10**30)] == [[], [], []]
    with django_assert_num_queries(1):
        assert prepared(2**63 - 1) == []


@pytest.mark.parametrize("keep_plan", [False, True])
def test_it_is_one_query_with_the_values_given(keep_plan: bool) -> None:
    prepared = Prepared(lambda pk: User.objects.filter(pk=pk), int, keep_plan=keep_plan)
    prepared(7)
    with CaptureQueriesContext(connections["default"]) as captured:
        prepared(4711)
    assert [each["sql"].rpartition("= ")[2] for each in captured] == ["4711"]


def test_a_model_that_somebody_watches_is_made_by_django() -> None:
    """Values are put in place directly only where nothing else happens as an object is made."""
    made: list[object] = []
    User.objects.create(username="watched")

    def watch(instance: object, **_more: object) -> None:
        made.append(instance)

    post_init.connect(watch, sender=User)
    try:
        found = Prepared(lambda name: User.objects.filter(username=name), str).first("watched")
    finally:
        post_init.disconnect(watch, sender=User)

    assert found is not None
    assert made == [found]
