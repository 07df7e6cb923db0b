from typing import Self

from django.db import models
from django.db.models import Exists, F, OuterRef, Prefetch, Q
from django.utils.translation import gettext_lazy as _

from lexreview.accounts.models import User
from lexreview.answers.models import Answer
from lexreview.choices import choices_of, values_of
from lexreview.core.methods.criteria.panel import SETTLED, Consensus, PanelState, Seat, Strategy
from lexreview.judging.models.judge import Judge
from lexreview.judging.models.verdict import HALLUCINATED, Verdict
from lexreview.questions.models import Benchmark, KeyVersion

STRATEGY_LABELS = {
    Strategy.SINGLE: _("one judge"),
    Strategy.MAJORITY: _("majority of three judges"),
    Strategy.ADAPTIVE: _("two judges, and a third where they do not settle it"),
}
CONSENSUS_LABELS = {
    Consensus.SINGLE: _("one judge"),
    Consensus.UNANIMOUS: _("all agreed"),
    Consensus.MAJORITY: _("majority"),
    Consensus.INITIAL_AGREEMENT: _("both agreed"),
    Consensus.TIE_BREAKER: _("the third judge decided"),
    Consensus.RECOVERY_AGREEMENT: _("the third judge stood in for a failed vote"),
    Consensus.UNRESOLVED: _("unresolved"),
}
PANEL_STATE_LABELS = {
    PanelState.PENDING: _("not begun"),
    PanelState.AB_RUNNING: _("judges at work"),
    PanelState.AGREED: _("both agree"),
    PanelState.TIE: _("the judges differ"),
    PanelState.ONE_FAILED: _("one vote failed"),
    PanelState.BOTH_FAILED: _("both votes failed"),
    PanelState.C_RUNNING: _("third judge at work"),
    PanelState.RESOLVED: _("resolved"),
    PanelState.UNRESOLVED: _("unresolved"),
}


def only_hallucinated() -> list[str]:
    return [HALLUCINATED]


class PanelQuerySet(models.QuerySet["Panel"]):
    def of_benchmark(self, benchmark: Benchmark) -> Self:
        return self.filter(benchmark=benchmark)

    def with_judges(self) -> Self:
        return self.select_related("benchmark", "judge_a", "judge_b", "judge_c")

    def in_order(self) -> Self:
        return self.order_by("position", "code", "pk")


class Panel(models.Model):
    """Judges who decide together. `items`: what they decide on each answer: HALLUCINATED and codes of criteria."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="panels")
    code = models.SlugField(max_length=60)
    name = models.CharField(max_length=120)
    strategy = models.CharField(max_length=20, choices=choices_of(STRATEGY_LABELS))
    judge_a = models.ForeignKey(Judge, on_delete=models.PROTECT, related_name="+")
    judge_b = models.ForeignKey(Judge, on_delete=models.PROTECT, null=True, related_name="+")
    judge_c = models.ForeignKey(Judge, on_delete=models.PROTECT, null=True, related_name="+")
    items = models.JSONField(default=only_hallucinated)
    position = models.PositiveIntegerField(default=0)

    objects = PanelQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "code"], name="panel_code_once"),
            models.CheckConstraint(condition=Q(strategy__in=values_of(Strategy)), name="panel_strategy_known"),
            models.CheckConstraint(
                condition=Q(strategy=Strategy.SINGLE, judge_b=None, judge_c=None)
                | (~Q(strategy=Strategy.SINGLE) & Q(judge_b__isnull=False, judge_c__isnull=False)),
                name="panel_has_the_judges_of_its_strategy",
            ),
            models.CheckConstraint(
                condition=Q(judge_b=None)
                | (~Q(judge_a=F("judge_b")) & ~Q(judge_a=F("judge_c")) & ~Q(judge_b=F("judge_c"))),
                name="panel_judges_differ",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.benchmark_id} {self.code}"

    @property
    def judges(self) -> dict[Seat, Judge]:
        """The judges by seat; those are loaded by `with_judges`."""
        seats = {Seat.A: self.judge_a, Seat.B: self.judge_b, Seat.C: self.judge_c}
        return {seat: judge for seat, judge in seats.items() if judge is not None}


class PanelResultQuerySet(models.QuerySet["PanelResult"]):
    def of_panel(self, panel: Panel) -> Self:
        return self.filter(panel=panel)

    def settled(self) -> Self:
        return self.filter(state__in=SETTLED)

    def settled_or_overridden(self) -> Self:
        """Those that say something: the panel came to an end, or a person spoke."""
        said = PanelOverride.objects.filter(result=OuterRef("pk"))
        return self.filter(Q(state__in=SETTLED) | Exists(said))

    def resolved(self) -> Self:
        return self.filter(state=PanelState.RESOLVED)

    def with_votes(self) -> Self:
        """With everything that a page prints: answer, votes with their judges, overrides."""
        votes = PanelVote.objects.select_related("verdict__judge").in_order()
        overrides = PanelOverride.objects.select_related("by").in_order()
        return self.select_related(
            "panel", "key_version", "answer__question", "answer__run__system", "answer__run__condition"
        ).prefetch_related(Prefetch("votes", votes), Prefetch("overrides", overrides))

    def in_order(self) -> Self:
        return self.order_by("panel__position", "panel_id", "answer__identifier", "item", "repeat", "pk")


class PanelResult(models.Model):
    """What a panel came to on one item of one answer. `value` is empty until it is resolved, and then final.

    `address` names everything that the decision depends on: strategy, item and the addresses of its judges' verdicts.
    `supporting`: the seats whose votes agree with it.
    """

    panel = models.ForeignKey(Panel, on_delete=models.PROTECT, related_name="results")
    answer = models.ForeignKey(Answer, on_delete=models.PROTECT, related_name="panel_results")
    item = models.CharField(max_length=40)
    specification_version = models.CharField(max_length=30)
    key_version = models.ForeignKey(KeyVersion, on_delete=models.PROTECT, related_name="+")
    repeat = models.PositiveSmallIntegerField(default=1)
    address = models.CharField(max_length=64)
    state = models.CharField(max_length=12, choices=choices_of(PANEL_STATE_LABELS), default=PanelState.PENDING)
    value = models.CharField(max_length=20, blank=True)
    consensus = models.CharField(max_length=20, choices=choices_of(CONSENSUS_LABELS), blank=True)
    supporting = models.JSONField(default=list)
    tie_breaker_used = models.BooleanField(default=False)
    begun_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True)

    objects = PanelResultQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["panel", "answer", "address"], name="panel_result_once"),
            models.CheckConstraint(condition=Q(state__in=values_of(PanelState)), name="panel_result_state_known"),
            models.CheckConstraint(
                condition=Q(state=PanelState.RESOLVED, settled_at__isnull=False) & ~Q(value="") & ~Q(consensus="")
                | (~Q(state=PanelState.RESOLVED) & Q(value="", tie_breaker_used=False)),
                name="panel_result_resolved_has_a_value",
            ),
        ]

    def __str__(self) -> str:
        return f"result {self.pk} of panel {self.panel_id}"

    @property
    def ledger_name(self) -> str:
        """How events name it; benchmark, panel and answer are loaded with it."""
        place = f"{self.panel.benchmark.slug}/{self.panel.code}/{self.answer.identifier}"
        return f"{place}/{self.item}/r{self.repeat}"

    @property
    def is_settled(self) -> bool:
        return self.state in SETTLED

    @property
    def override(self) -> "PanelOverride | None":
        """The newest word of a person, from prefetched rows (`with_votes`)."""
        return max(self.overrides.all(), key=lambda row: row.number, default=None)

    @property
    def standing_value(self) -> str:
        """What a person said last, else what the panel decided; empty where neither is. From prefetched rows."""
        return self.override.value if self.override else self.value


class PanelVoteQuerySet(models.QuerySet["PanelVote"]):
    def in_order(self) -> Self:
        return self.order_by("seat", "pk")


class PanelVote(models.Model):
    """A verdict as the vote of a seat. A failed one asked for again adds a vote; the newest of a seat counts.

    `value` is what the verdict says on the result's item, empty for a failed vote.
    """

    result = models.ForeignKey(PanelResult, on_delete=models.CASCADE, related_name="votes")
    seat = models.CharField(max_length=1, choices=[(seat.value, seat.value) for seat in Seat])
    verdict = models.ForeignKey(Verdict, on_delete=models.PROTECT, related_name="votes")
    value = models.CharField(max_length=20, blank=True)

    objects = PanelVoteQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["result", "verdict"], name="panel_vote_once"),
            models.CheckConstraint(condition=Q(seat__in=values_of(Seat)), name="panel_vote_seat_known"),
        ]

    def __str__(self) -> str:
        return f"vote {self.pk} of seat {self.seat}"


class PanelOverrideQuerySet(models.QuerySet["PanelOverride"]):
    def in_order(self) -> Self:
        return self.order_by("result_id", "number")


class PanelOverride(models.Model):
    """A person's word beside the panel's, with its reason. The panel's own decision stays; a later one adds a row."""

    result = models.ForeignKey(PanelResult, on_delete=models.CASCADE, related_name="overrides")
    number = models.PositiveIntegerField()
    value = models.CharField(max_length=20)
    reason = models.TextField()
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField()

    objects = PanelOverrideQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["result", "number"], name="panel_override_number_once"),
            models.CheckConstraint(condition=~Q(reason="") & ~Q(value=""), name="panel_override_says_what_and_why"),
        ]

    def __str__(self) -> str:
        return f"override {self.number} of result {self.result_id}"
