"""What a unit of a Polish act said on a day: from its consolidated texts, and from the amendments that came between.

A consolidated text of state date L contains every amendment promulgated before L, also one that takes effect later;
then a footnote says until when the printed wording holds. Amendments promulgated on L or later are not in it. From
this follows which printed wording holds on a day, or which amendments must be read, or that the day cannot be decided.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from lexreview.law.folding import fold_text
from lexreview.law.keys import article_key, number_rank, split_key
from lexreview.law.parsed import ParsedUnit, full_text, walk
from lexreview.law.polish.footnotes import settled, variant_on
from lexreview.law.polish.instructions import Instruction
from lexreview.law.polish.rebuilding import CannotApply, apply_all, find, holds_words


@dataclass(frozen=True, slots=True)
class BaseText:
    """A published text of the act: the one of its promulgation, or a consolidated one with its state date.

    `position` is the journal position (year, number) of the publication, used where a day of promulgation is missing.
    """

    identifier: str
    state_on: date
    is_consolidated: bool
    is_excerpt: bool = False
    position: tuple[int, int] | None = None
    row: object = None


@dataclass(frozen=True, slots=True)
class AmendmentFact:
    """An amending act (or a ruling of the Tribunal, or a correction). `orders` is None while its text is unread.

    `effective_days` are the days on which its changes of this act take effect, None for a day that is not known.
    """

    identifier: str
    kind: str
    promulgated_on: date | None
    effective_days: tuple[date | None, ...]
    orders: tuple[Instruction, ...] | None = None

    @property
    def position(self) -> tuple[int, int] | None:
        return journal_position(self.identifier)


@dataclass(frozen=True, slots=True)
class Decision:
    """`outcome`, `certainty` and `reason` as in `UnitOnDate`; `unit` is the wording, `base` the text it comes from."""

    outcome: str
    certainty: str
    reason: str = ""
    unit: ParsedUnit | None = None
    article: ParsedUnit | None = None
    base: BaseText | None = None
    exists: bool | None = None
    steps: tuple[str, ...] = ()


Articles = Callable[[BaseText, str], list[ParsedUnit]]


def journal_position(identifier: str) -> tuple[int, int] | None:
    parts = identifier.split("/")
    return (int(parts[1]), int(parts[2])) if len(parts) == 3 and parts[1].isdigit() and parts[2].isdigit() else None


def wording_on(
    *,
    key: str,
    on: date,
    texts: Sequence[BaseText],
    amendments: Sequence[AmendmentFact],
    articles: Articles,
) -> Decision:
    """The wording of a unit on a day.

    `texts` hold at least one unit each; `articles` gives the article of a key in a text, several times where the text
    prints more than one wording of it. ESTABLISHED: printed in a published text, and shown to be the wording of the
    day. RECONSTRUCTED: a published text with the orders of amending acts applied. Else UNDETERMINED with a reason.
    """
    base = max(
        (text for text in texts if text.state_on <= on), key=lambda t: (t.state_on, t.is_consolidated), default=None
    )
    if base is None:
        return Decision("undetermined", "undetermined", "no_edition_on_date")
    following = [text for text in texts if text.state_on > on]
    later = min(following, key=lambda t: t.state_on, default=None)
    return _Case(key, on, base, later, list(amendments), articles).decide()


class _Case:
    def __init__(
        self,
        key: str,
        on: date,
        base: BaseText,
        later: BaseText | None,
        amendments: list[AmendmentFact],
        articles: Articles,
    ) -> None:
        self.key = key
        self.on = on
        self.base = base
        self.later = later
        self.articles = articles
        self.missing = [a for a in amendments if not self.is_contained(a, base) and self.may_be_promulgated(a)]
        self.contained = [a for a in amendments if self.is_contained(a, base)]

    def is_contained(self, amendment: AmendmentFact, text: BaseText) -> bool:
        """Whether the text was made with the amendment in view: it was promulgated before the state date."""
        if not text.is_consolidated:
            return False
        if amendment.promulgated_on is not None:
            return amendment.promulgated_on < text.state_on
        days = [day for day in amendment.effective_days if day is not None]
        if days and len(days) == len(amendment.effective_days) and max(days) < text.state_on:
            return True
        return amendment.position is not None and amendment.position[0] < text.state_on.year

    def may_be_promulgated(self, amendment: AmendmentFact) -> bool:
        if amendment.promulgated_on is not None:
            return amendment.promulgated_on <= self.on
        return amendment.position is None or amendment.position[0] <= self.on.year

    def decide(self) -> Decision:
        waiting = [a for a in self.missing if a.kind == "amendment" and self.is_waiting(a)]
        others = [a for a in self.missing if a.kind != "amendment" and (a.orders is None or self.names_unit(a))]
        if others:
            reason = "tribunal_ruling_pending" if others[0].kind == "tribunal" else "correction_pending"
            return self.by_next_text([], self.open(reason, others[0].identifier))
        unread = [a for a in waiting if a.orders is None]
        if unread:
            return self.by_next_text(waiting, self.open("amendment_not_read", unread[0].identifier))
        touching = [a for a in waiting if self.names_unit(a)]
        if not touching:
            return self.printed(waiting)
        return self.rebuilt(touching, waiting)

    def is_waiting(self, amendment: AmendmentFact) -> bool:
        """Whether the amendment may have taken effect by the day without being in the text."""
        if amendment.orders is not None:
            days: Sequence[date | None] = [order.effective_on for order in amendment.orders]
        else:
            days = amendment.effective_days or (None,)
        return any(day is None or day <= self.on for day in days)

    def names_unit(self, amendment: AmendmentFact) -> bool:
        return any(order.touches(self.key) for order in amendment.orders or ())

    def open(self, reason: str, *steps: str, exists: bool | None = None) -> Decision:
        return Decision("undetermined", "undetermined", reason, base=self.base, exists=exists, steps=steps)

    def printed(self, waiting: list[AmendmentFact]) -> Decision:
        """The unit as the text prints it, nothing later having touched it."""
        steps = [f"printed in {self.base.identifier} of {self.base.state_on}"]
        steps += [f"{amendment.identifier} does not name the unit" for amendment in waiting]
        return self.in_text(self.base, steps)

    def in_text(self, text: BaseText, steps: list[str]) -> Decision:
        article, unit, reason = self.variant(text)
        if reason == "staged_entry":
            return Decision("not_in_force", "established", reason, base=text, exists=False, steps=tuple(steps))
        if reason:
            return self.open(reason, *steps)
        if unit is None:
            return self.absent(text, article, steps)
        if unit.is_repealed:
            return Decision("not_in_force", "established", "repealed", unit, article, text, False, tuple(steps))
        future = [a for a in self.contained if self.takes_effect_later(a, full_text(unit))]
        if future and not _has_entry_note(article, unit):
            return self.open("future_wording_in_text", *steps, future[0].identifier)
        return Decision("found", "established", "", unit, article, text, True, tuple(steps))

    def takes_effect_later(self, amendment: AmendmentFact, printed: str) -> bool:
        """Whether orders that the text already contains change the unit only after the day."""
        return any(
            order.touches(self.key)
            and (order.effective_on is None or order.effective_on > self.on)
            and not _leaves_alone(order, printed)
            for order in amendment.orders or ()
        )

    def variant(self, text: BaseText) -> tuple[ParsedUnit | None, ParsedUnit | None, str]:
        """The article and the unit as they hold on the day, where the text prints more than one wording.

        A footnote that leaves another part of the article open does not matter for the unit.
        """
        article, reason = variant_on(self.articles(text, article_key(self.key)), self.on)
        if article is None or reason:
            return None, None, reason
        whole, reason = settled(article, self.on)
        printed = [inner for inner in walk([article]) if inner.key == self.key]
        if not reason:
            unit = find(whole, self.key)
            if unit is None and printed:
                return whole, None, "staged_entry"
            return whole, unit or _repealed_around(whole, self.key), ""
        chosen, reason = variant_on(printed, self.on)
        if chosen is None:
            return article, _repealed_around(article, self.key), reason
        unit, reason = settled(chosen, self.on)
        return article, None if reason else unit, reason

    def absent(self, text: BaseText, article: ParsedUnit | None, steps: list[str]) -> Decision:
        if text.is_excerpt and article is None:
            return self.open("unit_not_in_excerpt", *steps)
        coming = [a for a in self.missing if self.names_unit(a)]
        if coming:
            identifier = coming[0].identifier
            return Decision(
                "not_in_force", "established", "staged_entry", base=text, exists=False, steps=(*steps, identifier)
            )
        return Decision("not_found", "established", "", base=text, exists=False, steps=tuple(steps))

    def rebuilt(self, touching: list[AmendmentFact], waiting: list[AmendmentFact]) -> Decision:
        """The unit with the orders of the amending acts applied that took effect between the text and the day."""
        orders = [(order, amendment) for amendment in waiting for order in amendment.orders or ()]
        named = [(order, amendment) for order, amendment in orders if order.touches(self.key)]
        if any(order.effective_on is None for order, _ in named):
            return self.by_next_text(touching, self.open("conditional_entry", *(a.identifier for a in touching)))
        effective = [(o, a) for o, a in orders if o.effective_on is not None and o.effective_on <= self.on]
        effective.sort(key=lambda pair: (pair[0].effective_on or date.max, pair[1].promulgated_on or date.max))
        due = [(order, amendment) for order, amendment in effective if order.touches(self.key)]
        if not due:
            return self.printed([])
        if _same_day(due):
            return self.by_next_text(touching, self.open("amendments_on_same_day", *(a.identifier for _, a in due)))
        article, _, reason = self.variant(self.base)
        if reason:
            return self.open(reason)
        if article is None and self.base.is_excerpt and not any(_makes_article(order, self.key) for order, _ in due):
            return self.open("unit_not_in_excerpt")
        steps = [f"{self.base.identifier} of {self.base.state_on}"]
        steps += [f"{a.identifier} {order.where} from {order.effective_on}: {order.verb}" for order, a in due]
        try:
            result = apply_all(article, key=self.key, instructions=[order for order, _ in effective])
        except CannotApply as error:
            code = "instruction_not_understood" if error.instruction.verb == "unknown" else "instruction_does_not_fit"
            return self.by_next_text(touching, self.open(code, str(error)))
        return self.from_result(result, steps)

    def from_result(self, article: ParsedUnit | None, steps: list[str]) -> Decision:
        unit = find(article, self.key) or (_repealed_around(article, self.key) if article else None)
        if unit is None:
            return Decision("not_found", "reconstructed", "", base=self.base, exists=False, steps=tuple(steps))
        if unit.is_repealed:
            return Decision("not_in_force", "reconstructed", "repealed", unit, article, self.base, False, tuple(steps))
        return Decision("found", "reconstructed", "", unit, article, self.base, True, tuple(steps))

    def by_next_text(self, waiting: list[AmendmentFact], otherwise: Decision) -> Decision:
        """What the next published text proves: the same wording before and after, or one change between them."""
        if self.later is None or not self.later.is_consolidated:
            return otherwise
        now = self.variant(self.base)
        then = _Case(self.key, self.on, self.later, None, [], self.articles).variant(self.later)
        if now[2] or then[2]:
            return otherwise
        steps = [f"{text.identifier} of {text.state_on}" for text in (self.base, self.later)]
        if now[1] is None and then[1] is None:
            return self.absent_in_both(now[0], then[0], steps, otherwise)
        if now[1] is not None and then[1] is not None and _same_wording(now[1], then[1]):
            decision = self.in_text(self.base, [*steps, "the same wording in both"])
            return decision if decision.outcome != "undetermined" else otherwise
        return self.by_one_change(steps, otherwise)

    def absent_in_both(
        self, now: ParsedUnit | None, then: ParsedUnit | None, steps: list[str], otherwise: Decision
    ) -> Decision:
        """A unit that stands in neither text: sure for articles, and for parts of an article that stayed the same.

        A part of an article can have come and gone between two texts without a trace; a repealed article leaves one.
        """
        later = self.later
        if later is None or ((self.base.is_excerpt or later.is_excerpt) and (now is None or then is None)):
            return otherwise
        if self.key != article_key(self.key) and (now is None or then is None or not _same_wording(now, then)):
            return otherwise
        return Decision(
            "not_found", "established", "", base=self.base, exists=False, steps=(*steps, "the unit is in neither")
        )

    def by_one_change(self, steps: list[str], otherwise: Decision) -> Decision:
        """One amendment alone can have made the difference between two texts: its day decides which one holds."""
        later = self.later
        if later is None or any(amendment.orders is None for amendment in self.missing_before(later)):
            return otherwise
        changing = [a for a in self.missing_before(later) if self.names_unit(a)]
        days = {order.effective_on for a in changing for order in a.orders or () if order.touches(self.key)}
        if len(changing) != 1 or len(days) != 1:
            return otherwise
        day = days.pop()
        if day is None or any(() in order.targets for order in changing[0].orders or () if order.verb == "unknown"):
            return otherwise
        steps = [*steps, f"{changing[0].identifier} alone names the unit, from {day}"]
        decision = self.in_text(later if day <= self.on else self.base, steps)
        return decision if decision.outcome != "undetermined" else otherwise

    def missing_before(self, later: BaseText) -> list[AmendmentFact]:
        return [a for a in self.missing if a.kind == "amendment" and self.is_contained(a, later)]


def _same_day(due: Sequence[tuple[Instruction, AmendmentFact]]) -> bool:
    """Whether two acts change the unit on one day: no rule says which of them comes first."""
    acts: dict[date | None, set[str]] = {}
    for order, amendment in due:
        acts.setdefault(order.effective_on, set()).add(amendment.identifier)
    return any(len(identifiers) > 1 for identifiers in acts.values())


def _leaves_alone(order: Instruction, printed: str) -> bool:
    """Whether an order about words in many units has nothing to do with a text that holds neither old nor new words."""
    if order.verb not in {"words", "words_out", "words_after"} or holds_words(printed, order.old):
        return False
    return not order.new or not holds_words(printed, order.new)


def _makes_article(order: Instruction, key: str) -> bool:
    return order.verb in {"insert", "replace"} and any(unit.key == article_key(key) for unit in order.units)


def _same_wording(one: ParsedUnit, other: ParsedUnit) -> bool:
    return one.is_repealed == other.is_repealed and fold_text(full_text(one)) == fold_text(full_text(other))


def _repealed_around(article: ParsedUnit, key: str) -> ParsedUnit | None:
    """A repealed unit that would hold the unit, were it not repealed."""
    return next((unit for unit in walk([article]) if unit.is_repealed and f"{key}/".startswith(f"{unit.key}/")), None)


def _has_entry_note(article: ParsedUnit | None, unit: ParsedUnit) -> bool:
    from_notes = [note for part in ([article] if article else []) + list(walk([unit])) for note in part.notes]
    return any("życie" in note for note in from_notes)


def beyond_last(key: str, last: str) -> bool:
    """Whether an article's number lies beyond the last one of a text."""
    number = next((value for level, value in split_key(key) if level == "art"), "")
    ranks = number_rank(number), number_rank(last)
    return ranks[0] is not None and ranks[1] is not None and ranks[0] > ranks[1]
