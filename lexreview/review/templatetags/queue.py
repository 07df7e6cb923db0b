"""What a page of the queue has dozens of: cells of rows, fields of filters. By tags and no templates, for speed."""

from collections.abc import Iterable, Iterator
from html import escape
from typing import Any

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.formats import localize
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from lexreview.accounts.templatetags.look import day_and_time, fraction
from lexreview.core.workflow import CardState, Round
from lexreview.review.queue import QueueRow
from lexreview.review.queue_forms import LONGEST_WORDS, Filter
from lexreview.review.templatetags.review import card_label

register = template.Library()
SHOWN_OF_A_QUESTION = 110
SHOWN_OF_A_REASON = 220
WAYS = {CardState.NEEDS_RULING: "rounds:answer_ruling", CardState.IN_ADJUDICATION: "rounds:adjudication"}
"""Where a lead goes on from a card that waits for one."""
NOTHING = SafeString('<span class="muted none">–</span>')
NONE_FLAGGED = SafeString('<span class="muted">0</span>')
EMPTY = SafeString("")
CHOSEN = SafeString(" selected")


@register.simple_tag(takes_context=True)
def queue_rows(context: Context) -> SafeString:
    """The rows of the table. Context: rows, leads, with_systems, several_benchmarks."""
    cells = _Cells(
        leads=context["leads"], with_systems=context["with_systems"], with_benchmarks=context["several_benchmarks"]
    )
    return _joined(cells.of(context["rows"]))


class _Cells:
    """Draws rows; words that every row has are looked up once."""

    def __init__(self, *, leads: bool, with_systems: bool, with_benchmarks: bool) -> None:
        self._leads, self._with_systems, self._with_benchmarks = leads, with_systems, with_benchmarks
        self._before, _none, self._behind = reverse("review:card", args=[0]).rpartition("0")
        self._masked = _html('<span class="muted">{}</span>', _("masked"))
        self._returned = _html(' <span class="tag w">{}</span>', _("returned"))
        self._second = _html(' <span class="tag">{}</span>', _("second review"))
        self._checked, self._flagged, self._holder = _("Citations checked"), _("Flagged, not opened"), _("Assigned to")

    def of(self, rows: Iterable[QueueRow]) -> Iterator[SafeString]:
        """The text of a question stands in the first of the rows that are about it."""
        question = None
        for row in rows:
            yield self._row(row, with_question=row.card.queue_question_id != question)
            question = row.card.queue_question_id

    def _row(self, row: QueueRow, *, with_question: bool) -> SafeString:
        card = row.card
        return _html(
            '<tr>{}<th scope="row"><a href="{}{}{}">{}</a> <span class="muted small nowrap">{}{}</span></th>'
            '<td class="asked wide"><span lang="{}">{}</span>{}</td>{}<td>{}</td><td>{}{}{}</td><td>{}</td>'
            '<td class="n" data-label="{}">{}</td><td class="n" data-label="{}">{}</td>'
            '<td data-label="{}">{}{}</td></tr>',
            self._tick(row) if self._leads else EMPTY,
            self._before,
            card.pk,
            self._behind,
            card.queue_code,
            row.answer_of,
            f" · {row.benchmark}" if self._with_benchmarks else EMPTY,
            card.language,
            Truncator(card.asked_text).chars(SHOWN_OF_A_QUESTION) if with_question else EMPTY,
            _html('<q class="why" lang="">{}</q>', Truncator(row.why).chars(SHOWN_OF_A_REASON)) if row.why else EMPTY,
            self._system(row) if self._with_systems else EMPTY,
            card.condition,
            self._state(row),
            self._returned if card.returned_at else EMPTY,
            self._second if card.round == Round.SECOND else EMPTY,
            card_label(row.label) if row.label else NOTHING,
            self._checked,
            fraction(row.checked, row.citations),
            self._flagged,
            localize(row.flagged_unopened) if row.flagged_unopened else NONE_FLAGGED,
            self._holder,
            card.holder or "–",
            self._until(row) if card.claimed_until else EMPTY,
        )

    def _state(self, row: QueueRow) -> SafeString | str:
        way = WAYS.get(CardState(row.card.state)) if row.leads else None
        return _html('<a href="{}">{}</a>', reverse(way, args=[row.card.pk]), row.state) if way else row.state

    def _tick(self, row: QueueRow) -> SafeString:
        return _html(
            '<td class="chosen"><input class="form-check-input" type="checkbox" name="card" value="{}" id="tick-{}"'
            ' aria-label="{}, {}"></td>',
            row.card.pk,
            row.card.pk,
            row.card.queue_code,
            row.answer_of,
        )

    def _system(self, row: QueueRow) -> SafeString:
        return _html("<td>{}</td>", row.system or self._masked)

    def _until(self, row: QueueRow) -> SafeString:
        ends = day_and_time(localtime(row.card.claimed_until))
        return _html(' <span class="muted small nowrap">{}</span>', _("until %(time)s") % {"time": ends})


@register.simple_tag(takes_context=True)
def queue_filters(context: Context) -> SafeString:
    """The fields of the filters with their labels. Context: form."""
    return _joined(_field(each) for each in context["form"].fields)


def _field(each: Filter) -> SafeString:
    return _html(
        '<div class="by-{}"><label class="small muted" for="id_{}">{}</label>{}</div>',
        each.name,
        each.name,
        each.label,
        _select(each) if each.choices else _text(each),
    )


def _text(each: Filter) -> SafeString:
    return _html(
        '<input type="{}" name="{}" value="{}" maxlength="{}" class="form-control" id="id_{}">',
        "search" if each.name == "text" else "text",
        each.name,
        each.value,
        LONGEST_WORDS[each.name],
        each.name,
    )


def _select(each: Filter) -> SafeString:
    options = (
        _html('<option value="{}"{}>{}</option>', value, CHOSEN if value == each.value else EMPTY, words)
        for value, words in each.choices
    )
    return _html('<select name="{}" class="form-select" id="id_{}">{}</select>', each.name, each.name, _joined(options))


def _html(form: str, *values: Any) -> SafeString:
    """What format_html gives. That one asks of each value whether it is lazy, which costs more here than all the rest:
    a page has two thousand."""
    return SafeString(form.format(*[v if isinstance(v, SafeString) else escape(str(v)) for v in values]))


def _joined(parts: Iterable[SafeString]) -> SafeString:
    return SafeString("".join(parts))
