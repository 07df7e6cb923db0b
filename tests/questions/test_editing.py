"""The lead's desk: writing questions and keys, picking bases, departing from a frozen key."""

from datetime import date
from typing import Any

import pytest
from django.test import Client

from lexreview.accounts.models import User
from lexreview.core.workflow import DecisionState, KeyState, Role
from lexreview.ledger.models import Event
from lexreview.methodology.models import Decision
from lexreview.questions.actions import approve_key, draft_of_key, write_key
from lexreview.questions.models import KeyVersion, Question
from tests.factories import LONG_AGO, make_user
from tests.questions.test_views import depart, ruling
from tests.review.factories import SLUG, make_act, make_answer, make_benchmark, make_question
from tests.visiting import HOSTILE, check_harmless, check_sign_in, visit

pytestmark = pytest.mark.django_db
NEW = f"/benchmarks/{SLUG}/questions/new/"
QUESTION = f"/benchmarks/{SLUG}/questions/P04/"
EDIT = f"{QUESTION}edit/"
KEY = f"{QUESTION}key/"
COMPARE = f"{KEY}compare/"
APPROVE = f"{KEY}approve/"
BASIS = f"{KEY}basis/"
DROP = f"{BASIS}remove/"
VERSIONS = f"{KEY}versions/"
ACT = "act=eli/qk/act/2011/9"
SEVEN = "The fee is payable within seven days of service of the demand."


@pytest.fixture
def question(db: None) -> Question:
    return make_question(make_benchmark())


@pytest.fixture
def as_lead(client: Client, lead: User) -> Client:
    client.force_login(lead)
    return client


def typed(**changes: Any) -> dict[str, Any]:
    fields = {
        "seen": "",
        "code": "P05",
        "set": str(Question.objects.get(code="P04").set_id),
        "language": "en",
        "original_text": "  is teh fee due?\n",
        "benchmark_text": "",
        "asked": "original",
        "type": "closed",
        "answer": "yes",
        "disclosure": "undisclosed",
    }
    return {**fields, **changes}


def key_typed(key: KeyVersion | None = None, **changes: Any) -> dict[str, Any]:
    """The key form as the page has it for `key`, with changes."""
    rubric, penalties = (key.rubric, key.penalties) if key else ([], [])
    fields = {
        "seen": key.digest if key and key.is_draft else "",
        "core_answer": key.core_answer if key else "No.",
        "calibration": key.calibration if key else "categorical",
        "dated": "2026-10-19",
        "reason": "",
        **rows("rubric", rubric),
        **rows("penalties", penalties),
    }
    return {**fields, **changes}


def rows(prefix: str, elements: list[dict[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {f"{prefix}-TOTAL_FORMS": len(elements), f"{prefix}-INITIAL_FORMS": len(elements)}
    for number, element in enumerate(elements):
        found |= {f"{prefix}-{number}-{name}": value for name, value in element.items()}
    return found


def approved(question: Question) -> KeyVersion:
    return question.key_versions.approved().get()


def draft_in_hand(question: Question, **changes: Any) -> KeyVersion:
    """A second version as a draft, the first one not frozen."""
    fields = {**draft_of_key(approved(question)).__dict__, "decision": None, **changes}
    return write_key(
        question=question, number=2, draft=type(draft_of_key(approved(question)))(**fields), by=None, now=LONG_AGO
    )


def newest(question: Question) -> KeyVersion:
    return question.key_versions.in_order().reverse()[0]


@pytest.mark.parametrize("address", [NEW, EDIT, KEY, BASIS, VERSIONS])
def test_pages_ask_for_sign_in(client: Client, question: Question, address: str) -> None:
    check_sign_in(client, address)


@pytest.mark.parametrize("address", [NEW, EDIT, KEY, BASIS, COMPARE, APPROVE, DROP])
def test_leads_write_other_members_read_and_outsiders_learn_of_nothing(
    client: Client, question: Question, outsider: User, address: str
) -> None:
    before = Event.objects.count()
    lead = make_user("lea", roles=(Role.LEAD,))
    strangers = [outsider, make_user("far", roles=tuple(Role), benchmark="elsewhere-01")]
    members = [make_user(f"the-{role}", roles=(role,)) for role in (Role.REVIEWER, Role.OPERATOR)]
    events = Event.objects.count()

    for users, expected in ((strangers, 404), (members, 403)):
        for user in users:
            client.force_login(user)
            assert client.post(address, typed() | key_typed()).status_code == expected
            assert client.get(address).status_code in (expected, 405)
    client.force_login(lead)

    assert client.get(address).status_code in (200, 302, 405)
    assert Event.objects.count() == events > before


def test_only_a_lead_is_offered_to_write(client: Client, question: Question, reviewer: User, lead: User) -> None:
    assert KEY not in visit(client, reviewer, QUESTION)
    page = visit(client, lead, QUESTION)
    assert KEY in page
    assert EDIT in page
    assert NEW in visit(client, lead, f"/benchmarks/{SLUG}/")


def test_question_is_kept_exactly_as_it_was_typed(as_lead: Client, question: Question) -> None:
    reply = as_lead.post(NEW, typed(original_text="  is teh fee\r\ndue?  \r\n"))

    assert reply.status_code == 302
    assert Question.objects.get(code="P05").original_text == "  is teh fee\ndue?  \n"


@pytest.mark.parametrize(
    ("changes", "field", "expected"),
    [
        ({"type": "closed", "answer": "depends", "condition": "the clause"}, "condition",
         {"answer": "depends", "condition": "the clause"}),
        ({"type": "calculation", "value": "120.50", "unit": "KES", "tolerance": "0"}, "value",
         {"value": "120.50", "unit": "KES", "tolerance": "0"}),
        ({"type": "verification", "claim": "fails"}, "claim", {"claim_holds": False}),
    ],
)  # fmt: skip
def test_every_type_has_what_it_expects_and_needs_it(
    as_lead: Client, question: Question, changes: dict[str, str], field: str, expected: dict[str, Any]
) -> None:
    incomplete = as_lead.post(NEW, typed(**{**changes, field: ""}))
    as_lead.post(NEW, typed(**changes))

    assert incomplete.status_code == 422
    assert f"error_1_id_{field}" in incomplete.content.decode()
    assert Question.objects.get(code="P05").expected == expected


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("original_text", {"original_text": " "}),
        ("trap_direction", {"trap_premise": "Fourteen days."}),
        ("code", {"code": "P 5"}),
        ("code", {"code": "new"}),
        ("set", {"set": "99999"}),
        ("language", {"language": "english"}),
        ("mirror", {"mirror": "99999"}),
    ],
)
def test_wrong_question_is_shown_again_with_the_place(
    as_lead: Client, question: Question, field: str, changes: dict[str, str]
) -> None:
    reply = as_lead.post(NEW, typed(**changes))

    assert reply.status_code == 422
    assert f"error_1_id_{field}" in reply.content.decode()
    assert Question.objects.count() == 1


def test_code_that_is_taken_shows_both_questions(as_lead: Client, question: Question) -> None:
    reply = as_lead.post(NEW, typed(code="P04"))

    assert reply.status_code == 409
    page = reply.content.decode()
    assert question.original_text in page
    assert "is teh fee due?" in page
    question.refresh_from_db()
    assert question.original_text.startswith("demand for the fee")


def test_mirrors_are_set_on_both_sides_and_former_partners_let_go(as_lead: Client, question: Question) -> None:
    as_lead.post(NEW, typed(mirror=str(question.pk)))
    second = Question.objects.get(code="P05")
    question.refresh_from_db()
    assert (question.mirror, second.mirror) == (second, question)

    as_lead.post(NEW, typed(code="P06", mirror=str(question.pk)))

    question.refresh_from_db()
    second.refresh_from_db()
    assert question.mirror is not None
    assert (question.mirror.code, second.mirror) == ("P06", None)


def test_texts_of_an_answered_question_are_fixed_and_its_place_is_not(as_lead: Client, question: Question) -> None:
    make_answer(question)
    values = typed(
        code="P04",
        original_text="Another?",
        asked="original",
        type="verification",
        area="labour law",
        seen=question.digest,
    )

    page = as_lead.get(EDIT).content.decode()
    reply = as_lead.post(EDIT, values)

    question.refresh_from_db()
    assert "its texts, its type and what is expected are fixed" in page
    assert reply.status_code == 302
    assert (question.area, question.type, question.asked) == ("labour law", "closed", "benchmark")
    assert question.expected == {"answer": "no", "condition": None}
    assert question.trap == {"premise": "Article 17 § 1 gives fourteen days.", "direction": "outdated"}


def test_question_that_changed_meanwhile_is_not_overwritten(as_lead: Client, question: Question) -> None:
    seen = question.digest
    as_lead.post(EDIT, typed(code="P04", area="first", seen=seen))

    conflict = as_lead.post(EDIT, typed(code="P04", area="second", seen=seen))

    question.refresh_from_db()
    assert conflict.status_code == 409
    assert question.area == "first"
    assert question.digest in conflict.content.decode()


def test_first_key_is_drafted_numbered_and_approved(as_lead: Client, lead: User, question: Question) -> None:
    question.key_versions.all().delete()
    rubric = [{"code": "", "text": "Seven days.", "points": "1.5"}, {"code": "", "text": "", "points": "1"}]
    as_lead.post(KEY, key_typed(**rows("rubric", rubric), **rows("penalties", [{"code": "", "text": "Fourteen."}])))

    key = question.key_versions.get()
    assert (key.number, key.state, key.departure) == (1, KeyState.DRAFT, False)
    assert key.rubric == [{"code": "R1", "text": "Seven days.", "points": 1.5}]
    assert key.penalties == [{"code": "K1", "text": "Fourteen."}]

    as_lead.post(APPROVE, {"seen": key.digest})
    key.refresh_from_db()
    assert (key.state, key.approved_by) == (KeyState.APPROVED, lead)


def test_draft_written_by_two_people_shows_both_versions(as_lead: Client, question: Question) -> None:
    draft = draft_in_hand(question)
    as_lead.post(KEY, key_typed(draft, core_answer="The first writer's answer."))

    conflict = as_lead.post(KEY, key_typed(draft, core_answer="The second writer's words."))

    page = conflict.content.decode()
    assert conflict.status_code == 409
    assert newest(question).core_answer == "The first writer's answer."
    assert "Yours" in page
    assert "first" in page
    assert "The second writer&#x27;s words." in page
    assert newest(question).digest in page

    as_lead.post(KEY, key_typed(newest(question), core_answer="The second writer's words."))
    assert newest(question).core_answer == "The second writer's words."


def test_approval_lists_everything_that_is_missing_at_once(as_lead: Client, question: Question) -> None:
    bases = [
        {"code": "B1", "citation": "Art. 1", "kind": "provision", "source": "", "quotation": ""},
        {"code": "B2", "citation": "II Civ 1/25", "kind": "ruling", "source": "ftp://x", "quotation": "q"},
    ]
    draft = draft_in_hand(question, bases=bases, calibration="conditional")

    reply = as_lead.post(APPROVE, {"seen": draft.digest})

    page = reply.content.decode()
    assert reply.status_code == 422
    assert newest(question).state == KeyState.DRAFT
    for words in (
        "say on what it depends",
        "Basis B1 lacks the act, the provision, the quotation from the official text, the address",
        "Basis B2 lacks the court, the docket number, the day, the passage, the address of the official source",
    ):
        assert words in page


def test_quotation_is_held_against_the_official_text_of_the_day(as_lead: Client, question: Question) -> None:
    make_act()
    draft = draft_in_hand(question)
    assert draft.bases[1]["quotation"] not in "Late fees."

    reply = as_lead.post(APPROVE, {"seen": draft.digest})

    assert reply.status_code == 422
    assert "Basis B2: the quotation does not stand in the official text of 2026-10-01." in reply.content.decode()
    assert "Basis B1" not in reply.content.decode().split("Required bases")[0]


def test_approval_of_a_draft_that_changed_meanwhile_is_refused(as_lead: Client, question: Question) -> None:
    seen = draft_in_hand(question).digest
    as_lead.post(KEY, key_typed(newest(question), core_answer="Changed."))

    reply = as_lead.post(APPROVE, {"seen": seen})

    assert reply.status_code == 302
    assert newest(question).state == KeyState.DRAFT


def test_save_after_the_first_answer_is_a_departure_with_its_entry(
    client: Client, lead: User, reviewer: User, question: Question
) -> None:
    make_answer(question)
    page = visit(client, lead, KEY)
    without_reason = client.post(KEY, key_typed(approved(question), core_answer="It depends."))
    client.post(KEY, key_typed(approved(question), core_answer="It depends.", reason="A ruling was found."))

    key, entry = newest(question), Decision.objects.get()
    assert "Answers were already collected" in page
    assert without_reason.status_code == 422
    assert (key.number, key.departure, key.reason) == (2, True, "A ruling was found.")
    assert (key.decision, entry.state, entry.author) == (entry, DecisionState.DRAFT, lead)
    assert entry.touches["key_versions"] == ["P04.v2"]
    assert approved(question).number == 1

    client.post(APPROVE, {"seen": key.digest})
    assert approved(question).number == 2
    for address in (QUESTION, VERSIONS, f"/benchmarks/{SLUG}/"):
        assert "departure" in visit(client, reviewer, address).lower()


def test_change_before_the_first_answer_is_no_departure(as_lead: Client, question: Question) -> None:
    as_lead.post(KEY, key_typed(approved(question), core_answer="No, seven days."))
    as_lead.post(APPROVE, {"seen": newest(question).digest})

    assert not newest(question).departure
    assert not Decision.objects.exists()
    assert [each.state for each in question.key_versions.in_order()] == [KeyState.SUPERSEDED, KeyState.APPROVED]


def test_what_is_entered_is_compared_before_it_is_saved(as_lead: Client, question: Question) -> None:
    entered = key_typed(
        approved(question), core_answer="No. The fee is payable within ten days; the time ended on 21 September 2026."
    )

    fragment = as_lead.post(COMPARE, entered, headers={"HX-Request": "true"}).content.decode()
    page = as_lead.post(COMPARE, entered).content.decode()

    assert fragment.strip().startswith('<section class="sect" id="key-compared"')
    for text in (fragment, page):
        assert "</span>seven</del>" in text
        assert "</span>ten</ins>" in text
    assert question.key_versions.count() == 1


def test_two_rows_with_one_code_are_refused(as_lead: Client, question: Question) -> None:
    twice = [{"code": "R1", "text": "One.", "points": "1"}, {"code": "R1", "text": "Two.", "points": "1"}]

    reply = as_lead.post(KEY, key_typed(**rows("rubric", twice)))

    assert reply.status_code == 422
    assert "The code R1 is used twice." in reply.content.decode()


def test_basis_is_picked_from_the_official_text_of_the_legal_state_date(as_lead: Client, question: Question) -> None:
    make_act()
    draft = draft_in_hand(question, bases=[])
    found = as_lead.get(f"{BASIS}?q=act/2011/9").content.decode()
    contents = as_lead.get(f"{BASIS}?{ACT}").content.decode()
    article = as_lead.get(f"{BASIS}?{ACT}&unit=art=17").content.decode()
    text = as_lead.get(f"{BASIS}?{ACT}&unit=art=17/par=1").content.decode()

    reply = as_lead.post(
        f"{BASIS}?{ACT}&unit=art=17/par=1",
        {"seen": draft.digest, "citation": "Art. 17 § 1 CPA", "start": "4", "end": "34"},
    )

    assert "Civil Procedure Act" in found
    assert "art%3D17" in contents
    assert "art%3D17%2Fpar%3D1" in article
    assert SEVEN in text
    assert "fourteen" not in text
    assert reply.status_code == 302
    assert newest(question).bases == [
        {
            "code": "B1",
            "citation": "Art. 17 § 1 CPA",
            "kind": "provision",
            "act": "eli/qk/act/2011/9",
            "unit": "art=17/par=1",
            "edition": "2026-09-01",
            "source": "https://law.kestria.example/act/2011/9/2026-09-01/en",
            "quotation": SEVEN[4:34],
        }
    ]


def test_basis_is_picked_without_script_by_ticking_parts(as_lead: Client, question: Question) -> None:
    make_act()
    draft = draft_in_hand(question, bases=[])
    address = f"{BASIS}?{ACT}&unit=art=17"
    entered = {"seen": draft.digest, "citation": "Art. 17 CPA"}

    gap = as_lead.post(address, {**entered, "pieces": ["0", "99"]})
    nothing = as_lead.post(address, entered)
    beyond = as_lead.post(address, {**entered, "start": "0", "end": "100000"})
    as_lead.post(address, {**entered, "pieces": ["0", "1"]})

    assert {gap.status_code, nothing.status_code, beyond.status_code} == {422}
    assert newest(question).bases[0]["quotation"] == f"§ 1 {SEVEN}\n§ 2 An unpaid request is returned."


def test_quotation_cannot_be_typed(as_lead: Client, question: Question) -> None:
    make_act()
    draft = draft_in_hand(question, bases=[])
    typed_in = {"seen": draft.digest, "citation": "Art. 17", "quotation": "Anything at all.", "pieces": ["0"]}

    as_lead.post(f"{BASIS}?{ACT}&unit=art=17/par=1", typed_in)
    as_lead.post(KEY, key_typed(newest(question), bases='[{"quotation": "Anything at all."}]'))

    assert [each["quotation"] for each in newest(question).bases] == [SEVEN]


def test_ruling_needs_its_official_address_and_gives_thesis_and_passage(as_lead: Client, question: Question) -> None:
    draft = draft_in_hand(question, bases=[])
    bare = ruling(theses=["Interpretation decides."])
    whole = ruling(
        docket="III Civ 9/25",
        theses=["A doubt helps the party.", "The word need not appear."],
        text="First reason.\nSecond reason.",
        source_url="https://courts.kestria.example/iii-civ-9-25",
    )
    entered = {"seen": draft.digest, "citation": "III Civ 9/25", "pieces": ["1"]}

    assert "III Civ 9/25" in as_lead.get(f"{BASIS}?q=III Civ 9").content.decode()
    assert "No official address is stored" in as_lead.get(f"{BASIS}?ruling={bare.pk}").content.decode()
    assert as_lead.post(f"{BASIS}?ruling={bare.pk}", {**entered, "pieces": ["0"]}).status_code == 422
    as_lead.post(f"{BASIS}?ruling={whole.pk}", entered)

    basis = newest(question).bases[0]
    assert basis["quotation"] == "The word need not appear."
    assert (basis["court"], basis["docket"], basis["decided_on"]) == ("Supreme Court", "III Civ 9/25", "2025-06-04")
    assert basis["passage"] == "thesis 2"


def test_basis_is_removed_only_from_the_draft_that_was_seen(as_lead: Client, question: Question) -> None:
    draft = draft_in_hand(question)

    as_lead.post(DROP, {"basis": "B1", "seen": "another"})
    assert len(newest(question).bases) == 2
    as_lead.post(DROP, {"basis": "B1", "seen": draft.digest})

    assert [each["code"] for each in newest(question).bases] == ["B2"]


def test_save_and_pick_keeps_what_was_typed(as_lead: Client, question: Question) -> None:
    reply = as_lead.post(KEY, key_typed(approved(question), core_answer="Kept.", then="basis"))

    assert reply["Location"] == BASIS
    assert newest(question).core_answer == "Kept."
    assert len(newest(question).bases) == 2


def test_any_two_versions_are_compared(client: Client, reviewer: User, question: Question) -> None:
    make_answer(question)
    depart(question, core_answer="It depends.")
    depart(question, core_answer="No. The fee is payable within ten days; the time ended on 21 September 2026.")

    page = visit(client, reviewer, f"{VERSIONS}?left=1&right=3")

    assert "</span>seven</del>" in page
    assert "</span>ten</ins>" in page
    assert "It depends" not in page


@pytest.mark.parametrize("address", [EDIT, KEY, BASIS, VERSIONS])
def test_hostile_texts_are_shown_as_text(client: Client, lead: User, question: Question, address: str) -> None:
    draft_in_hand(question, core_answer=HOSTILE, condition=HOSTILE, calibration="conditional")
    Question.objects.update(original_text=HOSTILE, benchmark_text=HOSTILE)
    KeyVersion.objects.update(reason=HOSTILE)

    page = visit(client, lead, address)

    assert "<script>alert" not in page
    if address != BASIS:
        check_harmless(page)


def test_key_is_approved_on_the_day_of_the_approval(question: Question, lead: User) -> None:
    draft = draft_in_hand(question)

    key = approve_key(key=draft, on=date(2026, 10, 19), by=None, approver=lead, now=LONG_AGO)

    assert (key.approved_on, key.approved_by) == (date(2026, 10, 19), lead)
