"""A panel on one of its items, answer by answer: votes, what followed from them, a person's word, and diagnostics."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.core.cache import cache
from django.core.paginator import Page, Paginator
from django.db.models import Case, IntegerField, Max, Value, When
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from lexreview.accounts.models import User
from lexreview.answers.open_reviews import under_review_by
from lexreview.core.methods.criteria.diagnostics import PanelDiagnostics, PanelRow, panel_diagnostics
from lexreview.core.methods.criteria.panel import Consensus, PanelState, Seat, Strategy, Vote
from lexreview.core.stats.intervals import Proportion
from lexreview.judging.models import CONSENSUS_LABELS, HALLUCINATED, STRATEGY_LABELS, Panel, PanelResult, PanelVote
from lexreview.judging.models.panel import PanelResultQuerySet
from lexreview.judging.rules import can_override

PER_PAGE = 50
SEED = 20261002
RESAMPLES = 500
KEPT_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class SeatVote:
    """The newest vote of a seat on the result; `vote` None where it was not asked."""

    seat: str
    vote: PanelVote | None
    supports: bool


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A result with its votes in order of the seats; for a person who has still to review the answer without them."""

    result: PanelResult
    votes: Sequence[SeatVote]
    hidden: bool
    consensus: str | Promise


@dataclass(frozen=True, slots=True)
class RateRow:
    words: str | Promise
    share: Proportion


@dataclass(frozen=True, slots=True)
class JudgeRates:
    """How often a judge was asked and failed, and the shares of its valid votes."""

    seat: str
    name: str
    calls: int
    failed: int
    values: Sequence[tuple[str, Proportion]]


class PanelPage:
    """`item`: what of the panel's items is shown, None for the first; `number`: the page of the list."""

    def __init__(self, panel: Panel, *, user: User, item: str | None = None, number: str | None = None) -> None:
        self.panel = panel
        self.benchmark = panel.benchmark
        self.user = user
        items: list[str] = panel.items
        self.item = item if item in items else items[0]
        self._number = number

    @cached_property
    def may_override(self) -> bool:
        return can_override(self.user, self.benchmark.slug)

    @property
    def strategy(self) -> str | Promise:
        return STRATEGY_LABELS[Strategy(self.panel.strategy)]

    @property
    def item_name(self) -> str:
        return name_of_item(self.item)

    @property
    def items(self) -> list[tuple[str, str]]:
        return [(item, name_of_item(item)) for item in self.panel.items]

    @property
    def values(self) -> list[tuple[str, str]]:
        """What a person may choose from; empty where it is typed."""
        return [("yes", _("hallucinated")), ("no", _("not hallucinated"))] if self.item == HALLUCINATED else []

    @property
    def _results(self) -> PanelResultQuerySet:
        return PanelResult.objects.of_panel(self.panel).filter(item=self.item)

    @cached_property
    def page(self) -> Page[PanelResult]:
        """Unresolved ones first, then those at work, then the others by answer."""
        urgency = Case(
            When(state=PanelState.UNRESOLVED, then=Value(0)),
            When(state=PanelState.RESOLVED, then=Value(2)),
            default=Value(1),
            output_field=IntegerField(),
        )
        rows = self._results.with_votes().annotate(urgency=urgency)
        return Paginator(rows.order_by("urgency", "answer__identifier", "repeat", "pk"), PER_PAGE).get_page(
            self._number
        )

    @cached_property
    def rows(self) -> list[ResultRow]:
        hidden = under_review_by(self.user, self.benchmark)
        return [self._row(result, hidden=result.answer_id in hidden) for result in self.page.object_list]

    def _row(self, result: PanelResult, *, hidden: bool) -> ResultRow:
        result.panel = self.panel
        newest = {vote.seat: vote for vote in result.votes.all()}
        votes = [SeatVote(seat, newest.get(seat), seat in result.supporting) for seat in self.seats]
        return ResultRow(result, [] if hidden else votes, hidden, _how(result))

    @property
    def seats(self) -> list[str]:
        return [seat.value for seat in self.panel.judges]

    @cached_property
    def diagnostics(self) -> PanelDiagnostics:
        """Over all results on the item; computed anew after every vote."""
        newest = PanelVote.objects.filter(result__in=self._results).aggregate(newest=Max("pk"))["newest"]
        key = f"judging.panel.{self.panel.pk}.{self.item}.{newest or 0}.{self._results.count()}"
        kept: PanelDiagnostics | None = cache.get(key)
        if kept is None:
            rows = _panel_rows(self._results)
            kept = panel_diagnostics(rows, Strategy(self.panel.strategy), seed=SEED, resamples=RESAMPLES)
            cache.set(key, kept, KEPT_SECONDS)
        return kept

    @property
    def rates(self) -> list[RateRow]:
        """The kinds of consensus that the panel came to."""
        shares = self.diagnostics.consensus_rates.items()
        return [RateRow(CONSENSUS_LABELS[consensus], share) for consensus, share in shares if share.successes]

    @property
    def judge_rates(self) -> list[JudgeRates]:
        found = self.diagnostics
        return [
            JudgeRates(
                seat=seat.value,
                name=judge.name,
                calls=found.calls[seat],
                failed=found.failed[seat],
                values=list(found.value_rates[seat].items()),
            )
            for seat, judge in self.panel.judges.items()
        ]

    @property
    def matrix(self) -> list[tuple[list[str], int]]:
        """Every combination of votes with how often it came, the most frequent first."""
        counted = sorted(self.diagnostics.matrix.items(), key=lambda pair: (-pair[1], pair[0]))
        return [
            ([word.partition(":")[2] for word in combination.split("|")][: len(self.seats)], n)
            for combination, n in counted
        ]


def _how(result: PanelResult) -> str | Promise:
    """How the decision came about; without one, why not."""
    if result.state == PanelState.UNRESOLVED:
        return _("no two valid votes agree")
    return CONSENSUS_LABELS[Consensus(result.consensus)] if result.consensus else str(result.get_state_display())


def name_of_item(item: str) -> str:
    return _("hallucinated") if item == HALLUCINATED else item


def _panel_rows(results: PanelResultQuerySet) -> Iterable[PanelRow]:
    """The newest vote of each seat on each result, without loading answers and verdicts."""
    votes: dict[int, dict[Seat, Vote]] = {}
    for result, seat, value in (
        PanelVote.objects.filter(result__in=results).order_by("pk").values_list("result_id", "seat", "value")
    ):
        votes.setdefault(result, {})[Seat(seat)] = Vote(value or None)
    rows = results.order_by("pk").values_list("pk", "answer__question__code", "answer__identifier", "item")
    return [PanelRow(question, answer, item, votes.get(pk, {})) for pk, question, answer, item in rows]
