from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Self

from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast
from django.utils.translation import gettext_lazy as _

from lexreview.accounts.models import User
from lexreview.answers.models import Answer, Condition, System
from lexreview.choices import choices_of, values_of
from lexreview.core.methods.reference_card.facts import OfficialSource
from lexreview.core.methods.reference_card.label import Label
from lexreview.core.workflow import AnswerState, CardState, Round
from lexreview.methodology.models import Decision, Specification
from lexreview.questions.models import Benchmark, KeyVersion, Question
from lexreview.review.blinding import shown_to
from lexreview.verification.models import Verification

if TYPE_CHECKING:
    from lexreview.ledger.models import Event
    from lexreview.review.parts import CardParts

CARD_STATE_LABELS = {
    CardState.EMPTY: _("empty"),
    CardState.PREFILLED: _("pre-filled"),
    CardState.IN_REVIEW: _("in review"),
    CardState.APPROVED: _("approved"),
    CardState.NEEDS_RULING: _("needs ruling"),
    CardState.SECOND_REVIEW: _("second review"),
    CardState.IN_ADJUDICATION: _("in adjudication"),
    CardState.STALE: _("stale"),
    CardState.PARKED: _("parked"),
}
LABEL_LABELS = {
    Label.CORRECTLY_GROUNDED: _("correctly grounded"),
    Label.NO_HALLUCINATION: _("no hallucination"),
    Label.HALLUCINATED: _("hallucinated"),
    Label.PROVIDER_BLOCK: _("blocked by the provider"),
    Label.NONE: _("no label"),
}
OFFICIAL_SOURCE_LABELS = {
    OfficialSource.OPENED: _("official source opened"),
    OfficialSource.SECONDARY_ONLY: _("secondary sources only"),
    OfficialSource.NONE: _("no source opened"),
    OfficialSource.NOT_RECORDED: _("not recorded"),
}


OPEN_STATES = (CardState.EMPTY, CardState.PREFILLED, CardState.IN_REVIEW, CardState.STALE)
GIVEN_OUT = (*OPEN_STATES, CardState.NEEDS_RULING, CardState.PARKED)
"""States in which a card is in somebody's hands and may change them; what is handed in stays whose it is."""
UNAPPROVED = tuple(state for state in CardState if state is not CardState.APPROVED)
"""Named one by one, as the index of a batch's cards finds them."""
SHUFFLE_LENGTH = 16
IN_PLACE = ("queue_code", "queue_shuffle", "id")
QUEUE_ORDER = ("queue_benchmark_id", "queue_code", "queue_shuffle", "pk")


def identifier_of(answer: str, *, scoring_pass: int, round_: int, seat: int) -> str:
    """The answer's identifier, with the pass or round of the card where it is not the first."""
    suffix = f".p{scoring_pass}" if scoring_pass > 1 else ""
    return (
        answer + suffix + (f".round{round_:d}" if round_ > 1 else "") + (f".{seat}" if round_ > 1 and seat > 1 else "")
    )


def ledger_id_of(benchmark: str, identifier: str) -> str:
    """What the ledger calls a card: identifiers of answers repeat from benchmark to benchmark."""
    return f"{benchmark}/{identifier}"


class CardQuerySet(models.QuerySet["Card"]):
    def bulk_create(self, objs: Iterable["Card"], *args: Any, **kwargs: Any) -> list["Card"]:
        rows = list(objs)
        for card in rows:
            card.take_queue_place()
        return super().bulk_create(rows, *args, **kwargs)

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Cards whose values the person may see: those of their benchmarks, less what blinding keeps from them."""
        return shown_to(self, user)

    def of_benchmark(self, benchmark: Benchmark) -> Self:
        return self.in_benchmark(benchmark.pk)

    def in_benchmark(self, key: int) -> Self:
        """Cards of the benchmark with this primary key."""
        return self.filter(queue_benchmark=key)

    def in_benchmarks(self, keys: Iterable[int]) -> Self:
        """Cards of the benchmarks with these primary keys."""
        return self.filter(queue_benchmark__in=list(keys))

    def approved(self) -> Self:
        return self.filter(state=CardState.APPROVED)

    def first_round(self) -> Self:
        return self.filter(round=Round.FIRST)

    def rehearsed(self) -> Self:
        """Cards of rehearsals."""
        return self.filter(round=Round.REHEARSAL)

    def counting(self) -> Self:
        """The card that counts of each answer: at most one, and only where the newest scoring pass is settled.

        That is the first review, approved; or, where two reviews differed, the adjudicated card made under the same
        specification and key. Second reviews and repeats never count.
        """
        cards = self.model._default_manager.filter(answer=OuterRef("answer"))
        newer = cards.filter(round=Round.FIRST, scoring_pass__gt=OuterRef("scoring_pass"))
        same = cards.filter(
            scoring_pass=OuterRef("scoring_pass"),
            specification=OuterRef("specification"),
            key_version=OuterRef("key_version"),
            state=CardState.APPROVED,
        )
        adjudicated = Exists(same.filter(round=Round.ADJUDICATED))
        settled = Exists(same.filter(round=Round.FIRST))
        return self.filter(
            ~Exists(newer),
            (Q(round=Round.FIRST) & ~adjudicated) | (Q(round=Round.ADJUDICATED) & settled),
            state=CardState.APPROVED,
        )

    def open(self) -> Self:
        """Cards on which a reviewer still has something to do."""
        return self.filter(state__in=OPEN_STATES)

    def claimed(self, now: datetime) -> Self:
        """Open cards that somebody took for themselves and still holds."""
        return self.open().filter(claimed_until__gt=now)

    def lapsed(self, now: datetime) -> Self:
        """Open cards that somebody took for themselves and left alone: they may be given to the next person."""
        return self.open().filter(claimed_until__lte=now)

    def returned(self) -> Self:
        """Cards that were approved once and sent back, until they are approved again."""
        return self.filter(returned_at__isnull=False)

    def pending_prefill(self) -> Self:
        return self.filter(state=CardState.EMPTY)

    def open_to_a_model(self) -> Self:
        """Reviews of answers with text that code has pre-filled and that nobody has handed in."""
        states = [CardState.PREFILLED, CardState.IN_REVIEW]
        cards = self.filter(state__in=states, answer__state=AnswerState.ANSWERED)
        return cards.exclude(round__in=[Round.ADJUDICATED, Round.REHEARSAL])

    def with_answer(self) -> Self:
        return self.select_related(
            "answer__question__benchmark__specification",
            "answer__question__set",
            "answer__run__system",
            "answer__run__condition",
            "specification",
            "key_version",
            "verification",
            "model_proposal",
            "batch",
            "assigned_to",
            "approved_by",
        )

    def for_page(self) -> Self:
        """What the card page shows. Contents of specifications are read once per process, see `read_specification`."""
        published = Decision.objects.published().filter(benchmark_slug=OuterRef("queue_benchmark__slug"))
        return self.with_answer().annotate(decisions_published=Exists(published)).defer(
            "answer__settings", "answer__usage", "specification__content",
            "answer__question__benchmark__specification__content", "answer__question__benchmark__summaries",
            "answer__question__benchmark__limitations",
        )  # fmt: skip

    def with_list_data(self) -> Self:
        """What a list shows; answer texts and traces stay in the database."""
        return self.with_answer().defer(
            "answer__text", "answer__trace", "answer__settings", "specification__content", "key_version__core_answer",
            "model_proposal__content",
        )  # fmt: skip

    def in_queue_order(self) -> Self:
        """By question, so that the same provisions recur; the answers of one question in the order of their hashes."""
        return self.order_by(*QUEUE_ORDER)


class Card(models.Model):
    """The reference card of one answer in one scoring pass and round (core's `Round`). `seat` numbers the second
    reviews of an answer and its rehearsals, of which there may be several. `version` counts writes: a write names the
    version it was made on.

    `blind`: the reviewer sees no pre-fill. What code proposed is then in `withheld` and not in the card's parts, so
    that no page can show it: {"scores": {criterion: {"points", "evidence", "bases"}}, "findings": [{"citation",
    "error_class", "scope", "origin"}]}; see `withholding` for what a model proposed. `model_proposal`: the model's
    opinion that is laid on the card. `to_repeat`: the card is to come back to its reviewer as a repeat.

    `revision` is the number of approved revisions, `revision_reason` why the next one was begun.
    `label`, `label_rule` and the A and B points are computed from the parts below and never typed in.

    `claimed_until`: a card that a person took lapses then without activity and goes to whoever asks next; null for
    cards that a lead assigned. `returned_at`: since when an approved card waits to be done again.
    The `queue_` fields repeat what the answer says, so that a list of a million cards reads one table; they are filled
    when the row is made and nothing that they repeat ever changes. `queue_shuffle` begins the answer's SHA-256.
    """

    answer = models.ForeignKey(Answer, on_delete=models.PROTECT, related_name="cards")
    scoring_pass = models.PositiveIntegerField(default=1)
    round = models.PositiveSmallIntegerField(default=Round.FIRST.value)
    seat = models.PositiveSmallIntegerField(default=1)
    blind = models.BooleanField(default=False)
    withheld = models.JSONField(default=dict)
    to_repeat = models.BooleanField(default=False)
    specification = models.ForeignKey(Specification, on_delete=models.PROTECT, related_name="+")
    key_version = models.ForeignKey(KeyVersion, on_delete=models.PROTECT, related_name="+")
    verification = models.ForeignKey(Verification, on_delete=models.PROTECT, null=True, related_name="+")
    model_proposal = models.ForeignKey("review.ModelProposal", on_delete=models.SET_NULL, null=True, related_name="+")
    state = models.CharField(max_length=20, choices=choices_of(CARD_STATE_LABELS), default=CardState.EMPTY)
    version = models.PositiveIntegerField(default=0)
    assigned_to = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    official_source = models.CharField(max_length=20, blank=True)
    note = models.TextField(blank=True)
    ruling_question = models.TextField(blank=True)
    label = models.CharField(max_length=20, blank=True)
    label_rule = models.CharField(max_length=60, blank=True)
    a_points = models.DecimalField(max_digits=7, decimal_places=2, null=True)
    a_available = models.DecimalField(max_digits=7, decimal_places=2, null=True)
    revision = models.PositiveIntegerField(default=0)
    revision_reason = models.TextField(blank=True)
    approved_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    approved_at = models.DateTimeField(null=True)
    claimed_until = models.DateTimeField(null=True)
    batch = models.ForeignKey(
        "review.Batch", on_delete=models.PROTECT, null=True, blank=True, related_name="cards", db_index=False
    )
    returned_at = models.DateTimeField(null=True)
    queue_benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="+", db_index=False)
    queue_question = models.ForeignKey(Question, on_delete=models.PROTECT, related_name="+", db_index=False)
    queue_system = models.ForeignKey(System, on_delete=models.PROTECT, related_name="+", db_index=False)
    queue_condition = models.ForeignKey(Condition, on_delete=models.PROTECT, related_name="+", db_index=False)
    queue_code = models.CharField(max_length=20)
    queue_shuffle = models.CharField(max_length=16)

    objects = CardQuerySet.as_manager()

    parts_of_change: "CardParts | None" = None
    """On a card that a change has just given back: the rows below it as that change left them."""
    events_of_change: "Sequence[Event]" = ()
    """On such a card what that change recorded, in order."""
    decisions_published: bool = True
    """Whether its benchmark's decision log has a published entry: read `for_page`, elsewhere there may be one."""

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["answer", "scoring_pass", "round", "seat"], name="card_one_per_answer_pass_round_seat"
            ),
            models.UniqueConstraint(
                fields=["answer", "scoring_pass", "specification", "key_version", "assigned_to"],
                condition=Q(round__in=[Round.FIRST.value, Round.SECOND.value]),
                name="card_one_review_per_person",
            ),
            models.UniqueConstraint(
                fields=["answer", "assigned_to"],
                condition=Q(round=Round.REHEARSAL.value),
                name="card_one_rehearsal_per_person",
            ),
            models.CheckConstraint(condition=Q(round__in=[each.value for each in Round]), name="card_round_known"),
            models.CheckConstraint(condition=Q(seat__gt=0), name="card_seat_positive"),
            models.CheckConstraint(condition=Q(state__in=values_of(CardState)), name="card_state_known"),
            models.CheckConstraint(
                condition=~Q(state=CardState.APPROVED)
                | Q(approved_by__isnull=False, approved_at__isnull=False, revision__gt=0),
                name="card_approved_by_somebody",
            ),
            models.CheckConstraint(condition=Q(label__in=["", *values_of(Label)]), name="card_label_known"),
            models.CheckConstraint(
                condition=Q(official_source__in=["", *values_of(OfficialSource)]), name="card_official_source_known"
            ),
        ]
        indexes = [
            models.Index(fields=["assigned_to", "queue_benchmark", "state"], name="card_counted_by_person"),
            models.Index(fields=["queue_benchmark", *IN_PLACE], name="card_in_queue_order"),
            models.Index(fields=["queue_benchmark", "state", *IN_PLACE], name="card_by_state"),
            models.Index(fields=["queue_benchmark", "label", *IN_PLACE], name="card_by_label"),
            models.Index(fields=["queue_benchmark", "queue_system", *IN_PLACE], name="card_by_system"),
            models.Index(fields=["queue_question", "queue_shuffle", "id"], name="card_by_question"),
            models.Index(
                fields=["queue_benchmark", *IN_PLACE], name="card_free", condition=Q(assigned_to__isnull=True)
            ),
            models.Index(fields=["queue_benchmark", *IN_PLACE], name="card_beyond_first", condition=Q(round__gt=1)),
            models.Index(
                fields=["assigned_to", "queue_benchmark", *IN_PLACE],
                name="card_of_person",
                condition=Q(assigned_to__isnull=False),
            ),
            models.Index(fields=["claimed_until"], name="card_claimed", condition=Q(claimed_until__isnull=False)),
            models.Index(fields=["approved_by", "approved_at"], name="card_by_approval"),
            models.Index(
                fields=["queue_benchmark", "-approved_at", "-id"],
                name="card_newest_approved",
                condition=Q(approved_at__isnull=False),
            ),
            models.Index(
                fields=["queue_benchmark", "returned_at"], name="card_returned", condition=Q(returned_at__isnull=False)
            ),
            models.Index(fields=["approved_by"], condition=Q(to_repeat=True), name="card_to_repeat"),
            models.Index(fields=["batch", "state"], condition=Q(batch__isnull=False), name="card_of_batch"),
            models.Index(
                fields=["queue_benchmark", "-approved_at"],
                name="card_with_model_opinion",
                condition=Q(model_proposal__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"card {self.pk} of answer {self.answer_id}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self._state.adding:
            self.take_queue_place()
        super().save(*args, **kwargs)

    def take_queue_place(self) -> None:
        """Copy from the answer what the queue filters and sorts by."""
        answer = self.answer
        self.queue_question, self.queue_benchmark_id = answer.question, answer.question.benchmark_id
        self.queue_system_id, self.queue_condition_id = answer.run.system_id, answer.run.condition_id
        self.queue_code, self.queue_shuffle = answer.question.code, answer.sha256[:SHUFFLE_LENGTH]

    @property
    def benchmark(self) -> Benchmark:
        return self.answer.question.benchmark

    @property
    def identifier(self) -> str:
        return identifier_of(self.answer.identifier, scoring_pass=self.scoring_pass, round_=self.round, seat=self.seat)

    @property
    def in_masked_batch(self) -> bool:
        """Whether it was given out in a batch that masks its systems. Loaded with its batch."""
        return self.batch is not None and self.batch.masks_systems

    @property
    def is_without_proposals(self) -> bool:
        """Whether it is still reviewed without seeing what code or a model proposes."""
        return self.blind and self.state != CardState.APPROVED

    @property
    def ledger_id(self) -> str:
        return ledger_id_of(self.benchmark.slug, self.identifier)


class ApprovedAs(models.TextChoices):
    """Whether a revision is as code or a model proposed it; NOT_SAID where nothing was proposed to the reviewer."""

    NOT_SAID = "", "–"
    UNCHANGED = "unchanged", _("unchanged")
    WITH_CHANGES = "with_changes", _("with changes")


class CardRevisionQuerySet(models.QuerySet["CardRevision"]):
    def approved_by(self, person: User) -> Self:
        return self.filter(approved_by=person)

    def with_list_data(self) -> Self:
        """With the label that the revision had, as `label`, and its card; the snapshots stay in the database."""
        return (
            self.select_related("card__queue_question", "card__queue_condition", "card__queue_benchmark")
            .defer("snapshot", "card__queue_benchmark__summaries", "card__queue_benchmark__limitations")
            .annotate(label=Cast(KeyTextTransform("label", "snapshot"), models.CharField()))
        )


class CardRevision(models.Model):
    """An approved state of a card, whole: `snapshot` is what the export and a publication show of it."""

    card = models.ForeignKey(Card, on_delete=models.PROTECT, related_name="revisions")
    number = models.PositiveIntegerField()
    snapshot = models.JSONField()
    reason = models.TextField(blank=True)
    approved_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    approved_at = models.DateTimeField()
    approved_as = models.CharField(max_length=12, choices=ApprovedAs.choices, blank=True)

    objects = CardRevisionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["card", "number"], name="card_revision_number_once"),
            models.CheckConstraint(
                condition=Q(approved_as__in=ApprovedAs.values), name="card_revision_approved_as_known"
            ),
        ]
        indexes = [models.Index(fields=["approved_by", "approved_at", "id"], name="card_revision_by_person")]

    def __str__(self) -> str:
        return f"revision {self.number} of card {self.card_id}"
