from copy import deepcopy
from dataclasses import replace
from datetime import date, datetime
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from lexreview.accounts.models import User
from lexreview.accounts.rules import NotAllowed
from lexreview.core.methods.reference_card.specification import SpecificationError
from lexreview.core.workflow import DecisionState, Role
from lexreview.ledger.models import Event
from lexreview.methodology import actions
from lexreview.methodology.actions import (
    DecisionChanged,
    DecisionDraft,
    DecisionIsFinal,
    SpecificationChanged,
    SupersessionRefused,
    load_specification,
    next_number,
    publish_decision,
    write_decision,
)
from lexreview.methodology.models import Decision, Specification
from tests.factories import make_user
from tests.methodology.factories import DRAFT, make_decision
from tests.review.factories import SLUG, make_specification, specification_content
from tests.writing import check_written_once

pytestmark = pytest.mark.django_db
NOW = datetime.fromisoformat("2026-10-18T12:03:22+00:00")
OTHER_VALUES: dict[str, Any] = {
    "decided_on": date(2026, 10, 20),
    "question": "Another question?",
    "decision": "Another decision.",
    "reason": "Another reason.",
    "touches": {"criteria": ["A6"]},
    "specification_version": "1.0.1",
    "rules_changed": True,
}


def content(**changes: Any) -> dict[str, Any]:
    return {**deepcopy(specification_content()), **changes}


def write(draft: DecisionDraft = DRAFT, **options: Any) -> Decision:
    return write_decision(**{"benchmark_slug": SLUG, "draft": draft, "by": None, "now": NOW, **options})


def test_specification_is_loaded_once_with_its_event(lead: User) -> None:
    check_written_once(lambda: load_specification(content=content(), by=lead, now=NOW), verbs=["load_specification"])

    row = Specification.objects.get()
    assert (str(row), row.rules_changed, row.dated) == ("reference-card 1.0.1", True, date(2026, 10, 14))


def test_stored_version_never_takes_other_content() -> None:
    row = make_specification()
    before = Event.objects.count()

    with pytest.raises(SpecificationChanged, match=r"reference-card 1\.0\.1"):
        load_specification(content=content(rules_changed=False), by=None, now=NOW)

    row.refresh_from_db()
    assert row.rules_changed is True
    assert Event.objects.count() == before


def test_change_under_a_new_version_is_a_row_of_its_own() -> None:
    make_specification()

    load_specification(content=content(version="1.1.0", rules_changed=False), by=None, now=NOW)

    assert [row.version for row in Specification.objects.in_version_order()] == ["1.0.1", "1.1.0"]


def test_versions_are_ordered_by_number_and_not_by_letters() -> None:
    for version in ("1.10.0", "1.9.0", "1.2.0"):
        load_specification(content=content(version=version), by=None, now=NOW)

    assert [row.version for row in Specification.objects.in_version_order()] == ["1.2.0", "1.9.0", "1.10.0"]


def test_invalid_specification_is_refused_with_the_field() -> None:
    with pytest.raises(SpecificationError, match="criteria"):
        load_specification(content=content(criteria=[]), by=None, now=NOW)

    assert not Specification.objects.exists()


@pytest.mark.parametrize("roles", [(), (Role.REVIEWER,), (Role.OPERATOR,)])
def test_only_leads_load_specifications(roles: tuple[Role, ...]) -> None:
    user = make_user("pia", roles=roles)

    with pytest.raises(NotAllowed):
        load_specification(content=content(), by=user, now=NOW)

    assert not Specification.objects.exists()


def test_decision_is_drafted_once_with_its_event(lead: User) -> None:
    check_written_once(lambda: write(number=1, by=lead), verbs=["write_decision"])

    row = Decision.objects.get()
    assert (row.number, row.state, row.author) == (1, DecisionState.DRAFT, lead)


def test_numbers_follow_each_other_in_each_benchmark() -> None:
    first, second = write(), write(replace(DRAFT, question="Second?"))
    elsewhere = write(benchmark_slug="other-01")

    assert [first.number, second.number, elsewhere.number] == [1, 2, 1]
    assert next_number(SLUG) == 3


def test_draft_changes_in_place_with_before_and_after() -> None:
    write(number=1)

    write(replace(DRAFT, reason="Better reason."), number=1)

    event = Event.objects.about("decision", f"{SLUG}#1").newest_first()[0]
    assert event.verb == "edit_decision"
    assert (event.before, event.after) == ({"reason": DRAFT.reason}, {"reason": "Better reason."})


def test_author_of_a_draft_stays_when_another_lead_edits_it(lead: User) -> None:
    other = make_user("lars", roles=(Role.LEAD,))
    write(number=1, by=lead)

    row = write(replace(DRAFT, reason="Better reason."), number=1, by=other)

    assert row.author == lead
    assert Event.objects.about("decision", f"{SLUG}#1").newest_first()[0].actor == "lars"


def test_second_writer_of_a_draft_overwrites_nothing_unseen(lead: User) -> None:
    seen = write(number=1).digest
    write(replace(DRAFT, reason="The first writer's."), number=1, by=lead, seen=seen)
    before = Event.objects.count()

    with pytest.raises(DecisionChanged) as refusal:
        write(replace(DRAFT, reason="The second writer's."), number=1, seen=seen)

    assert refusal.value.decision.reason == "The first writer's."
    assert Decision.objects.get().reason == "The first writer's."
    assert Event.objects.count() == before


def test_new_entry_sent_twice_is_one_entry_and_another_under_its_number_is_refused() -> None:
    first = write(number=1, seen="")

    again = write(number=1, seen="")
    with pytest.raises(DecisionChanged):
        write(replace(DRAFT, question="Something else?"), number=1, seen="")

    assert again == first
    assert Decision.objects.count() == 1


def test_publication_is_final_and_recorded_once(lead: User) -> None:
    decision = write()

    check_written_once(lambda: publish_decision(decision=decision, by=lead, now=NOW), verbs=["publish_decision"])

    decision.refresh_from_db()
    assert decision.state == DecisionState.PUBLISHED


@pytest.mark.parametrize("field", OTHER_VALUES)
def test_published_decision_never_changes(field: str) -> None:
    publish_decision(decision=write(number=1), by=None, now=NOW)
    before = Event.objects.count()

    with pytest.raises(DecisionIsFinal, match=field):
        write(replace(DRAFT, **{field: OTHER_VALUES[field]}), number=1)

    assert getattr(Decision.objects.get(), field) == getattr(DRAFT, field)
    assert Event.objects.count() == before


def test_every_field_of_a_decision_is_tried_above() -> None:
    assert set(DecisionDraft.__dataclass_fields__) - set(OTHER_VALUES) == {"supersedes"}


def test_supersession_of_a_published_decision_is_fixed_too() -> None:
    first = publish_decision(decision=write(number=1), by=None, now=NOW)
    publish_decision(decision=write(replace(DRAFT, question="Second?"), number=2), by=None, now=NOW)

    with pytest.raises(DecisionIsFinal, match="supersedes"):
        write(replace(DRAFT, question="Second?", supersedes=first), number=2)


def test_published_decision_written_again_with_the_same_content_records_nothing(lead: User) -> None:
    publish_decision(decision=write(number=1, author=lead), by=None, now=NOW)
    before = Event.objects.count()

    again = write(number=1, author=lead)

    assert again.state == DecisionState.PUBLISHED
    assert Event.objects.count() == before


def test_only_published_earlier_entries_of_the_same_benchmark_are_superseded() -> None:
    draft = write(number=1)
    stranger = publish_decision(decision=write(benchmark_slug="other-01"), by=None, now=NOW)
    later = publish_decision(decision=write(number=5), by=None, now=NOW)

    for other in (draft, stranger, later):
        with pytest.raises(SupersessionRefused):
            write(replace(DRAFT, supersedes=other), number=2)

    published = publish_decision(decision=draft, by=None, now=NOW)
    assert write(replace(DRAFT, supersedes=published), number=2).supersedes == published


@pytest.mark.parametrize("roles", [(), (Role.REVIEWER,), (Role.OPERATOR,)])
def test_only_leads_write_and_publish_decisions(roles: tuple[Role, ...]) -> None:
    user = make_user("pia", roles=roles)
    decision = write()
    before = Event.objects.count()

    with pytest.raises(NotAllowed):
        write(replace(DRAFT, question="Mine?"), by=user)
    with pytest.raises(NotAllowed):
        publish_decision(decision=decision, by=user, now=NOW)

    assert Event.objects.count() == before


def test_lead_of_another_benchmark_is_no_lead_here() -> None:
    with pytest.raises(NotAllowed):
        write(by=make_user("otto", roles=(Role.LEAD,), benchmark="other-01"))


def test_event_and_row_are_lost_together(monkeypatch: pytest.MonkeyPatch) -> None:
    decision = write()

    def fail(**_: object) -> None:
        raise ConnectionError("the database went away")

    monkeypatch.setattr(actions, "record_event", fail)
    for attempt in (
        lambda: publish_decision(decision=decision, by=None, now=NOW),
        lambda: write(replace(DRAFT, question="Lost?")),
        lambda: load_specification(content=content(), by=None, now=NOW),
    ):
        with pytest.raises(ConnectionError):
            attempt()

    assert Decision.objects.get().state == DecisionState.DRAFT
    assert not Specification.objects.exists()


def test_decision_governs_the_cards_and_questions_that_it_names() -> None:
    decision = make_decision(touches={"cards": ["P01_argon-4_W0_r1"], "questions": ["P09"]})

    assert decision.governs(question="P01", card="P01_argon-4_W0_r1")
    assert decision.governs(question="P09", card="P09_dune-2_W1_r1")
    assert not decision.governs(question="P01", card="P01_argon-4_W0_r2")


def broken(rows: Any, **values: Any) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        rows.update(**values)


def test_database_refuses_what_must_never_be_true_of_a_decision() -> None:
    write(number=1)
    rows = Decision.objects.filter(pk=write(number=2).pk)

    broken(rows, number=1)
    broken(rows, number=0)
    broken(rows, state="unheard-of")


def test_database_refuses_a_second_row_of_a_version() -> None:
    make_specification()
    other = load_specification(content=content(version="1.1.0"), by=None, now=NOW)

    broken(Specification.objects.filter(pk=other.pk), minor=0, patch=1)
