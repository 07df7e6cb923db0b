"""The histories of benchmarks, questions and keys."""

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lexreview.accounts.models import Membership, User
from lexreview.ledger.histories import add_history
from lexreview.ledger.models import Event
from lexreview.ledger.timeline import History
from lexreview.ledger.values import add_values
from lexreview.questions.actions import ledger_name
from lexreview.questions.models import Benchmark, KeyVersion, Question
from lexreview.questions.rules import can_write_questions

VERBS = {
    "create_benchmark": gettext_lazy("created the benchmark"),
    "change_benchmark": gettext_lazy("changed the benchmark"),
    "set_system_masking": gettext_lazy("set whether systems are masked"),
    "plan_reviews": gettext_lazy("changed the plan of reviews"),
    "assign_batch": gettext_lazy("assigned a batch of cards"),
    "set_batch_masking": gettext_lazy("set whether the batch masks its systems"),
    "ask_second_reviews": gettext_lazy("asked for second reviews"),
    "draw_checks": gettext_lazy("drew cards for checks of quality"),
    "prepare_rehearsal": gettext_lazy("made it a rehearsal"),
    "give_rehearsal": gettext_lazy("gave the rehearsal to a reviewer"),
    "create_question_set": gettext_lazy("created the set"),
    "change_question_set": gettext_lazy("changed the set"),
    "create_question": gettext_lazy("wrote the question"),
    "change_question": gettext_lazy("changed the question"),
    "create_key": gettext_lazy("drafted the key"),
    "change_key": gettext_lazy("changed the draft of the key"),
    "approve_key": gettext_lazy("approved the key"),
    "supersede_key": gettext_lazy("superseded the key"),
    "freeze_key": gettext_lazy("froze the key at the first answer"),
    "grant_role": gettext_lazy("granted a role"),
    "revoke_role": gettext_lazy("revoked a role"),
    "import_benchmark": gettext_lazy("imported a bundle"),
    "export_benchmark": gettext_lazy("exported a bundle"),
}


HOW_DRAWN = frozenset({"blind_share", "repeat_share", "repeat_after", "seed", "filters", "sample"})
"""From these a reviewer could tell which of their cards are blind, come back or are checked, or of which system a batch
is."""


TEXTS = frozenset({
    "original_text", "benchmark_text", "core_answer", "condition", "expected.condition", "trap.premise", "rubric.text",
    "penalties.text", "bases.citation", "bases.quotation", "bases.passage", "verification_note",
})  # fmt: skip
"""What is written in the language of the question."""


def benchmark_history(person: User, name: str) -> History | None:
    """The benchmark with its sets; for its leads also who was given which role, and how reviews are drawn."""
    benchmark = Benchmark.objects.visible_to(person).filter(slug=name).first()
    if benchmark is None:
        return None
    about = [("benchmark", benchmark.slug, benchmark.slug)]
    about += [("question_set", f"{benchmark.slug}/{each.code}", each.code) for each in benchmark.sets.order_by("pk")]
    leads = can_write_questions(person, benchmark.slug)
    if leads:
        about += _memberships(benchmark.slug)
    return History(
        title=benchmark.title,
        back_url=reverse("questions:benchmark", args=[benchmark.slug]),
        about=about,
        verbs=VERBS,
        hides=lambda name: not leads and not HOW_DRAWN.isdisjoint(name.split(".")),
    )


def _memberships(slug: str) -> list[tuple[str, str, str]]:
    """Every membership of the benchmark that the ledger speaks of, those that ended too."""
    events = Event.objects.filter(object_type="membership", object_id__endswith=f"@{slug}")
    names = events.order_by("object_id").values_list("object_id", flat=True).distinct()
    return [("membership", name, name.removesuffix(f"@{slug}")) for name in names]


def question_history(person: User, name: str) -> History | None:
    """The question with all versions of its key; `name` is `slug/code`."""
    slug, _sign, code = name.partition("/")
    question = Question.objects.visible_to(person).with_page_data().filter(benchmark__slug=slug, code=code).first()
    if question is None:
        return None
    versions = question.key_versions.in_order().values_list("number", flat=True)
    keys = [("key", ledger_name(question, number), _("key v%(number)s") % {"number": number}) for number in versions]
    return History(
        title=_("Question %(code)s") % {"code": code},
        back_url=reverse("questions:question", args=[slug, code]),
        about=[("question", f"{slug}/{code}", _("question")), *keys],
        verbs=VERBS,
        language=question.language,
        texts=TEXTS,
    )


add_history("benchmark", benchmark_history, of=["benchmark", "question_set", "membership"])
add_history("question", question_history, of=["question", "key"])
add_values("benchmark", Benchmark)
add_values("membership", Membership)
add_values("question", Question)
add_values("key", KeyVersion)
