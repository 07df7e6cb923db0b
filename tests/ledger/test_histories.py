"""Readable histories: who, when, why and what, and nothing of it for who may not see the thing itself."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from lexreview.accounts.models import User
from lexreview.core.workflow import Role
from lexreview.jobs.kinds import label_of
from lexreview.jobs.models import Job
from lexreview.ledger import values
from lexreview.ledger.models import Event
from lexreview.ledger.timeline import History, flat, lines_of
from lexreview.methodology.actions import write_decision
from lexreview.questions.models import Benchmark, KeyVersion, Question
from lexreview.review.actions import set_note
from lexreview.review.models import Card
from lexreview.review.recompute_job import RECOMPUTE
from tests.factories import LONG_AGO, make_user
from tests.methodology.factories import DRAFT, make_decision
from tests.questions.test_views import depart
from tests.review.factories import SLUG, make_card
from tests.review.swapping import parsed
from tests.visiting import HOSTILE, check_members_read, check_only_reading, check_sign_in, queries_of, visit

WORDS = History(title="", back_url="", about=[("card", "1", "")], names={"core_answer": "Core answer"})


def event(before: Any = None, after: Any = None, **fields: Any) -> Event:
    return Event(number=1, verb="edit_it", object_type="card", object_id="1", before=before, after=after, **fields)


def changes(before: Any, after: Any, history: History = WORDS) -> list[tuple[str, str, str]]:
    return [(each.name, each.before, each.after) for each in lines_of([event(before, after)], history)[0].changes]


def test_values_are_named_by_code_and_in_the_words_of_the_room() -> None:
    before = {"core_answer": "No.", "rubric": [{"code": "R1", "text": "Seven.", "points": 1}], "version": 3}
    after = {"core_answer": "Yes.", "rubric": [{"code": "R1", "text": "Ten.", "points": 1}], "version": 4}

    assert changes(before, after) == [("Core answer", "No.", "Yes."), ("rubric R1 text", "Seven.", "Ten.")]


def test_rows_of_a_card_stand_beside_its_other_values() -> None:
    after = {"criterion": "A-R", "parts": {"scores": {"A-R": {"decided": "2"}}}}

    assert changes({"parts": {"scores": {"A-R": {"decided": None}}}}, after) == [
        ("criterion", "", "A-R"),
        ("scores A-R decided", "", "2"),
    ]


def test_long_texts_are_compared_word_by_word() -> None:
    old, new = "The fee is payable within seven days of service.", "The fee is payable within ten days of service."

    line = lines_of([event({"text": old}, {"text": new})], WORDS)[0]

    sides = line.changes[0].sides
    assert sides is not None
    assert [run.text for run in sides.left if run.op == "changed"] == ["seven"]
    assert [run.text for run in sides.right if run.op == "changed"] == ["ten"]


def test_hidden_values_are_left_out_wherever_they_stand() -> None:
    history = History(
        title="", back_url="", about=[("card", "1", "")], hides=lambda name: "proposed" in name.split(".")
    )

    assert changes(
        None, {"proposed": {"A1": "1"}, "parts": {"scores": {"A1": {"proposed": "1", "decided": "2"}}}}, history
    ) == [("scores A1 decided", "", "2")]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(JSON, JSON)
def test_any_record_becomes_lines(before: Any, after: Any) -> None:
    assert all(isinstance(value, str) for value in flat(before).values())
    lines_of([event(before, after)], WORDS)


def address(kind: str, name: str) -> str:
    return reverse("ledger:history", args=[kind, name])


@pytest.fixture
def card(db: None, reviewer: User) -> Card:
    card = make_card(assigned_to=reviewer)
    Benchmark.objects.update(masks_systems=False)
    return card


def every_history(card: Card) -> dict[str, str]:
    decision = make_decision()
    return {
        "benchmark": address("benchmark", SLUG),
        "question": address("question", f"{SLUG}/P04"),
        "decision": address("decision", f"{SLUG}/{decision.number}"),
        "answer": address("answer", f"{SLUG}/{card.answer.identifier}"),
        "card": address("card", str(card.pk)),
    }


@pytest.mark.parametrize("kind", ["benchmark", "question", "decision", "answer", "card"])
def test_members_read_histories_and_others_learn_of_nothing(
    client: Client, card: Card, outsider: User, lead: User, kind: str
) -> None:
    page = every_history(card)[kind]

    check_sign_in(client, page)
    check_members_read(client, page, outsider=outsider)
    check_only_reading(client, lead, page)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name",
    [
        "card/x",
        "card/99999",
        "decision/kestria-01/x",
        "question/kestria-01/P99",
        "unheard-of/x",
        "answer/kestria-01",
        "verdict/kestria-01/x",
    ],
)
def test_unknown_things_are_not_found(client: Client, lead: User, name: str) -> None:
    client.force_login(lead)

    assert client.get(f"/history/{name}/").status_code == 404


def test_history_of_a_question_tells_of_its_key_who_and_why(client: Client, card: Card, lead: User) -> None:
    depart(
        Question.objects.get(),
        core_answer="No. The fee is payable within ten days; the time ended on 21 September 2026.",
    )

    page = " ".join(visit(client, lead, address("question", f"{SLUG}/P04")).split())

    assert "wrote the question" in page
    assert "approved the key" in page
    assert "A ruling was found." in page
    assert "key v2" in page


def test_history_of_a_decision_marks_the_changed_words(client: Client, reviewer: User, lead: User) -> None:
    make_decision(published=False)
    reason = "Only a claim can disagree with a source."
    write_decision(
        benchmark_slug=SLUG, number=1, draft=type(DRAFT)(**{**DRAFT.__dict__, "reason": reason}), by=lead, now=LONG_AGO
    )

    page = visit(client, reviewer, address("decision", f"{SLUG}/1"))

    assert "</span>statement</del>" in page
    assert "</span>claim</ins>" in page
    assert "<b>lena</b>" in page


def test_pages_lead_to_their_histories(client: Client, card: Card, lead: User) -> None:
    pages = every_history(card)

    for page, kind in (
        (f"/benchmarks/{SLUG}/", "benchmark"),
        (f"/benchmarks/{SLUG}/questions/P04/", "question"),
        (f"/decisions/{SLUG}/1/", "decision"),
        (reverse("answers:answer", args=[SLUG, card.answer.identifier]), "answer"),
        (f"/review/cards/{card.pk}/", "card"),
        ("/specifications/reference-card/1.0.1/", "specification"),
    ):
        target = pages.get(kind) or address("specification", "reference-card")
        assert f'href="{target}"' in visit(client, lead, page)
        visit(client, lead, target)


def test_members_are_named_to_leads_only(client: Client, card: Card, lead: User, reviewer: User) -> None:
    page = address("benchmark", SLUG)

    assert "granted a role" in visit(client, lead, page)
    assert "granted a role" not in visit(client, reviewer, page)


def test_card_that_is_kept_from_a_person_has_no_history_for_them(client: Client, card: Card, reviewer: User) -> None:
    colleague = make_user("cora", roles=(Role.REVIEWER,))
    visit(client, colleague, address("card", str(card.pk)))

    Card.objects.filter(pk=card.pk).update(
        state="second_review", approved_by=reviewer, approved_at=LONG_AGO, revision=1
    )
    client.force_login(colleague)

    assert client.get(address("card", str(card.pk))).status_code == 404
    visit(client, reviewer, address("card", str(card.pk)))


def test_proposals_withheld_from_a_reviewer_are_not_in_the_history(
    client: Client, card: Card, reviewer: User, lead: User
) -> None:
    page = address("card", str(card.pk))
    assert "proposed" in visit(client, lead, page)

    Card.objects.filter(pk=card.pk).update(withheld=True)

    assert "proposed" not in visit(client, reviewer, page)
    assert "proposed" in visit(client, lead, page)


def test_history_that_would_tell_a_masked_system_is_kept_from_reviewers(
    client: Client, card: Card, reviewer: User, lead: User
) -> None:
    page = address("answer", f"{SLUG}/{card.answer.identifier}")
    visit(client, reviewer, page)

    Benchmark.objects.update(masks_systems=True)

    client.force_login(reviewer)
    assert client.get(page).status_code == 404
    assert card.answer.identifier not in visit(client, reviewer, f"/answers/{card.answer_id}/")
    assert card.answer.identifier not in visit(client, reviewer, address("card", str(card.pk)))
    visit(client, lead, page)


def test_long_history_is_paged_in_the_same_queries(client: Client, card: Card, lead: User, reviewer: User) -> None:
    page = address("card", str(card.pk))
    few = queries_of(client, lead, page)
    for number in range(120):
        card = set_note(
            card=card, note=f"note {number}", version=card.version, by=reviewer, now=LONG_AGO + timedelta(1)
        )

    first = visit(client, lead, page)
    older = first.split('rel="next" href="')[1].split('"')[0]

    assert "note 119" in first
    assert "note 5<" not in first
    assert "note 5<" in visit(client, lead, page + older)
    assert queries_of(client, lead, page) == few


def test_hostile_texts_are_shown_as_text(client: Client, card: Card, reviewer: User) -> None:
    set_note(card=card, note=HOSTILE, version=card.version, by=reviewer, now=LONG_AGO)

    page = visit(client, reviewer, address("card", str(card.pk)))

    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page


CODES = {
    "state": "prefilled", "citation_state": "undetermined", "official_source": "secondary_only",
    "checked_on": "2026-10-18", "note": "2026-10-18", "assigned_to": "20261018", "decided": "0.5",
    "opened_at": "2026-11-30T20:49:14.802683+00:00", "in_bulk": True,
    "findings": [{"number": 1, "scope": "core", "origin": "secondary_source"}],
    "citations": [{"number": 1, "state": "error"}],
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            ["pre-filled", "cannot be established", "secondary sources only", "18 Oct 2026", "2026-10-18", "20261018",
             "0.5", "30 Nov 2026, 20:49:14", "yes", "1", "core", "secondary source", "1", "wrong"],
        ),
        (
            "pl",
            ["wstępnie wypełniona", "nie da się ustalić", "tylko źródła wtórne", "18 października 2026", "2026-10-18",
             "20261018", "0,5", "30 listopada 2026, 20:49:14", "tak", "1", "rdzeń", "źródło wtórne", "1", "błędne"],
        ),
    ],
)  # fmt: skip
def test_codes_days_numbers_and_yes_are_written_in_the_readers_language(language: str, said: list[str]) -> None:
    with translation.override(language):
        assert [after for _name, _before, after in changes(None, CODES)] == said


def test_every_choice_of_a_model_in_the_ledger_has_its_label_in_histories() -> None:
    """No code of a model that a history registers is shown raw: each of its choices comes out as its label."""
    for (object_type, group, name), _say in values._said.items():
        dotted = ".".join(filter(None, [group, "1" if group else "", name]))
        assert values.group_and_field(dotted) == (group, name), (object_type, dotted)
    for object_type, model in (("key", KeyVersion), ("question", Question), ("benchmark", Benchmark), ("job", Job)):
        for field in model._meta.get_fields():
            for stored, label in getattr(field, "flatchoices", None) or ():
                assert values.in_words(object_type, field.name, stored) == str(label)
    assert values.in_words("job", "kind", RECOMPUTE) == label_of(RECOMPUTE) != RECOMPUTE


def test_texts_of_the_material_have_their_own_language() -> None:
    history = History(
        title="", back_url="", about=[("card", "1", "")], language="de", texts=frozenset({"claim", "rubric.text"})
    )
    after = {
        "claim": "Sieben Tage.",
        "note": "Fine.",
        "titles": {"pl": "Kodeks"},
        "rubric": [{"code": "R1", "text": "So."}],
    }

    line = lines_of([event(None, after)], history)[0]

    assert [(each.after, each.language) for each in line.changes] == [
        ("Sieben Tage.", "de"), ("Fine.", ""), ("Kodeks", "pl"), ("R1", ""), ("So.", "de"),
    ]  # fmt: skip


def test_the_page_says_in_which_language_a_key_is(client: Client, lead: User) -> None:
    card = make_card()
    client.force_login(lead)
    name = f"{SLUG}/{card.answer.question.code}"

    page = client.get(reverse("ledger:history", args=["question", name]), headers={"Accept-Language": "pl"})

    cells = parsed(page.content.decode()).xpath("//table[contains(@class, 'compared')]//td[@lang='en']")
    assert any(card.key_version.core_answer[:20] in cell.text_content() for cell in cells)
