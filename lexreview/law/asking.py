"""How the corpus comes to its answer about a unit on a day."""

from dataclasses import dataclass, replace
from datetime import date

from lexreview.law.folding import fold_text
from lexreview.law.keys import ancestor_keys, article_key
from lexreview.law.lookup import amendments_of, find_unit, text_of
from lexreview.law.models import Act, Edition, Unit
from lexreview.law.outcome import (
    ESTABLISHED,
    FOUND,
    NOT_FOUND,
    NOT_IN_FORCE,
    RECONSTRUCTED,
    UNDETERMINED,
    UnitOnDate,
)
from lexreview.law.parsed import ParsedUnit, full_text, walk
from lexreview.law.polish.entry import entry_of
from lexreview.law.polish.stored import decide as polish_decision
from lexreview.law.polish.wording import Decision
from lexreview.law.reading import covers

_STANDINGS = ("official", "consolidated", "promulgated", "converted", "reconstructed")
_STANDING_RANK = {standing: rank for rank, standing in enumerate(_STANDINGS)}
_EXTENT_RANK = {extent: rank for rank, extent in enumerate(("whole", "excerpt", "structure", "no_text"))}


@dataclass(frozen=True, slots=True)
class Question:
    act: Act
    key: str
    on: date
    lang: str
    editions: list[Edition]

    def find(self, edition: Edition, key: str) -> Unit | None:
        return find_unit(edition, key, jurisdiction=self.act.jurisdiction)

    def refuse_by_force(self) -> UnitOnDate | None:
        """The answer where the act as a whole is not in force on the day, else None."""
        state = self.act.in_force_state(self.on)
        reason = {"not_yet": "act_not_yet_in_force", "repealed": "act_repealed"}.get(state)
        if reason is None:
            return None
        first, last = self.live_bounds()
        if first is None and any(edition.extent == Edition.Extent.WHOLE for edition in self.editions):
            return self.not_found()
        return UnitOnDate(
            NOT_IN_FORCE,
            ESTABLISHED,
            reason,
            key=self.key,
            edition=last if state == "repealed" else first,
            first_edition=first,
            last_edition=last,
            exists=False,
        )

    def by_recital(self) -> UnitOnDate | None:
        """The answer for a recital that is stored, else None: consolidated texts lack them, and nothing amends them."""
        if not self.key.startswith("motyw="):
            return None
        holding = [edition for edition in self.editions if self.find(edition, self.key) is not None]
        chosen = self.preferred([edition for edition in holding if edition.language == self.lang])
        if chosen is not None:
            return self.look_up(chosen, rivals=[])
        return self.through_other_language(holding[0]) if holding else None

    def answer(self) -> UnitOnDate:
        chosen, rivals = self.choose([edition for edition in self.editions if edition.language == self.lang])
        newer = self.newer_in_other_language(chosen)
        if chosen is not None and newer is None:
            found = self.unless_end_unknown(self.look_up(chosen, rivals=rivals), chosen)
            return self.unless_amended(found, chosen)
        other = newer or self.choose(self.editions)[0]
        if other is not None:
            return self.unless_amended(self.through_other_language(other), other)
        first, last = self.live_bounds()
        reason = "no_edition_on_date" if self.editions else "no_edition_stored"
        return self.undetermined(reason, first_edition=first, last_edition=last)

    def choose(self, editions: list[Edition]) -> tuple[Edition | None, list[Edition]]:
        """The edition for the day, and others of its language that claim the day too.

        An edition without a last day ends where the next one of its language begins.
        """
        covering = [edition for edition in editions if edition.period.contains(self.on)]
        begun = {e.language: max(o.valid_from for o in covering if o.language == e.language) for e in covering}
        covering = [e for e in covering if e.valid_to is not None or e.valid_from == begun[e.language]]
        chosen = self.preferred(covering)
        return chosen, [e for e in covering if chosen and e.language == chosen.language and e != chosen]

    def newer_in_other_language(self, chosen: Edition | None) -> Edition | None:
        """The edition of another language that has replaced the chosen one, whose file does not say when it ended."""
        if chosen is None or chosen.valid_to is not None:
            return None
        newest = self.choose([edition for edition in self.editions if edition.extent == Edition.Extent.WHOLE])[0]
        begun = [e for e in self.editions if e.period.contains(self.on) and e.valid_from > chosen.valid_from]
        return newest if newest in begun and newest.language != chosen.language else None

    def unless_amended(self, answer: UnitOnDate, edition: Edition) -> UnitOnDate:
        """The answer, unless an amendment that no stored edition shows took effect between the edition and the day."""
        starts = {each.valid_from for each in self.editions}
        for amendment in amendments_of(self.act):
            day = amendment.effective_on
            if day is None or not edition.valid_from < day <= self.on or day in starts:
                continue
            if amendment.may_touch(self.key):
                step = f"{day.isoformat()}: {amendment.citation or amendment.amending_eli}"
                return self.undetermined("amendment_not_read", edition=edition, steps=(step,))
        return answer

    def unless_end_unknown(self, answer: UnitOnDate, edition: Edition) -> UnitOnDate:
        """The answer, unless it rests on an edition without a last day that a later stored one has replaced by then.

        Such a file does not say when it ended; the wording is sure only where the next edition has the same one.
        """
        later = [e for e in self.editions if e.language == edition.language and e.valid_from > edition.valid_from]
        if edition.valid_to is not None or not later or answer.outcome not in {FOUND, NOT_IN_FORCE}:
            return answer
        unit = find_unit(min(later, key=lambda e: e.valid_from), self.key)
        same = unit is not None and unit.is_repealed == (answer.outcome == NOT_IN_FORCE)
        if same and unit and (answer.outcome == NOT_IN_FORCE or fold_text(text_of(unit)) == fold_text(answer.text)):
            return answer
        return self.undetermined("edition_end_unknown", edition=edition, exists=True if same else None)

    def by_stages(self) -> UnitOnDate | None:
        """The answer where the unit of a Polish act enters into force on another day than the act, else None."""
        entry = entry_of(self.act.force_note, self.key) if self.act.jurisdiction == "PL" else None
        if entry is None or (entry.on is not None and entry.on <= self.on):
            return None
        first, last = self.live_bounds()
        if first is None:
            return None
        if entry.on is None:
            return self.undetermined("conditional_entry", first_edition=first, last_edition=last, steps=(entry.text,))
        return replace(self.out_of_force(first, "staged_entry"), steps=(entry.text,), effective_on=entry.on)

    def by_amendments(self) -> UnitOnDate | None:
        """The answer for a Polish act whose amendments are known: see `lexreview.law.polish.wording`."""
        if self.act.jurisdiction != "PL":
            return None
        editions = [edition for edition in self.editions if edition.language == "pl"]
        decision = polish_decision(act=self.act, key=self.key, on=self.on, editions=editions)
        if decision is None:
            return None
        if decision.outcome == NOT_FOUND or (decision.outcome == NOT_IN_FORCE and decision.base is None):
            return self.not_found()
        answer = self.from_decision(decision)
        if answer.outcome == FOUND and self.lang != "pl":
            return self.undetermined("language_not_stored", edition=answer.edition, exists=True)
        return answer

    def from_decision(self, decision: Decision) -> UnitOnDate:
        first, last = (None, None) if decision.outcome == FOUND else self.live_bounds()
        unit, edition = decision.unit, decision.base.row if decision.base else None
        holder = _holder(decision.article, unit)
        return UnitOnDate(
            decision.outcome,
            decision.certainty,
            decision.reason,
            text=full_text(unit) if unit and decision.outcome == FOUND else "",
            heading=unit.heading if unit else "",
            parent_intro=holder.text if holder else "",
            key=unit.key if unit else self.key,
            edition=edition if isinstance(edition, Edition) else None,
            first_edition=first,
            last_edition=last,
            exists=decision.exists,
            steps=decision.steps,
        )

    def look_up(self, edition: Edition, *, rivals: list[Edition]) -> UnitOnDate:
        unit = self.find(edition, self.key)
        if unit is None:
            return self.missing(edition)
        if unit.is_repealed:
            return self.out_of_force(edition, "repealed")
        if edition.extent == Edition.Extent.STRUCTURE:
            return self.undetermined("structure_only", edition=edition, exists=True)
        found = UnitOnDate(
            FOUND,
            RECONSTRUCTED if edition.standing == Edition.Standing.RECONSTRUCTED else ESTABLISHED,
            text=text_of(unit),
            heading=unit.heading,
            parent_intro=unit.parent.text if unit.parent else "",
            key=unit.key,
            edition=edition,
            exists=True,
        )
        return self.unless_contradicted(found, rivals)

    def unless_contradicted(self, found: UnitOnDate, rivals: list[Edition]) -> UnitOnDate:
        """The found text, marked where another edition of the same language for the same day words it otherwise."""
        for rival in rivals:
            unit = self.find(rival, self.key)
            if rival.extent == Edition.Extent.WHOLE and (
                unit is None or fold_text(text_of(unit)) != fold_text(found.text)
            ):
                return replace(found, certainty=UNDETERMINED, reason="editions_disagree")
        return found

    def through_other_language(self, edition: Edition) -> UnitOnDate:
        """Whether the unit exists can be read in another language; its wording cannot."""
        unit = self.find(edition, self.key)
        if unit is None:
            return self.missing(edition)
        if unit.is_repealed:
            return self.out_of_force(edition, "repealed")
        return self.undetermined("language_not_stored", edition=edition, exists=True)

    def missing(self, edition: Edition) -> UnitOnDate:
        """The answer where the edition of the day lacks the unit."""
        if edition.extent == Edition.Extent.NO_TEXT:
            return self.undetermined("no_text", edition=edition)
        if edition.extent == Edition.Extent.EXCERPT and self.find(edition, article_key(self.key)) is None:
            return self.undetermined("unit_not_in_excerpt", edition=edition)
        for key in ancestor_keys(self.key):
            if around := self.find(edition, key):
                if around.is_repealed:
                    return self.out_of_force(edition, "repealed")
                break
        first, last = self.live_bounds()
        if first is None or last is None:
            return self.not_found(edition)
        if first.valid_from > self.on:
            return self.out_of_force(edition, "unit_in_later_edition")
        if last.period.contains(self.on):
            return self.undetermined("editions_disagree", edition=edition, first_edition=first, last_edition=last)
        return self.out_of_force(edition, "unit_in_earlier_edition")

    def live_bounds(self) -> tuple[Edition | None, Edition | None]:
        """The first and the last stored edition (any language) in which the unit stands and is not repealed."""
        live = Unit.objects.in_editions(self.editions).at(self.key).filter(is_repealed=False)
        holding = set(live.values_list("edition_id", flat=True))
        ranges = Unit.objects.in_editions(self.editions).exclude(range_end="").filter(is_repealed=False)
        holding |= {unit.edition_id for unit in ranges if covers(unit, self.key)}
        standing = [edition for edition in self.editions if edition.pk in holding]
        return (standing[0], standing[-1]) if standing else (None, None)

    def preferred(self, editions: list[Edition]) -> Edition | None:
        """Of several editions for one day: with text before without, by standing, then the one begun or stored last."""
        return min(
            editions,
            key=lambda e: (_EXTENT_RANK[e.extent], _STANDING_RANK[e.standing], -e.valid_from.toordinal(), -e.pk),
            default=None,
        )

    def out_of_force(self, edition: Edition, reason: str) -> UnitOnDate:
        """`reason` is `repealed` for any unit that is printed without text: before its first day it is not yet law."""
        first, last = self.live_bounds()
        if reason == "repealed" and first is not None and first.valid_from > self.on:
            reason = "unit_in_later_edition"
        return UnitOnDate(
            NOT_IN_FORCE,
            ESTABLISHED,
            reason,
            key=self.key,
            edition=edition,
            first_edition=first,
            last_edition=last,
            exists=False,
        )

    def not_found(self, edition: Edition | None = None) -> UnitOnDate:
        return UnitOnDate(NOT_FOUND, ESTABLISHED, "unit_in_no_edition", key=self.key, edition=edition, exists=False)

    def undetermined(
        self,
        reason: str,
        *,
        edition: Edition | None = None,
        exists: bool | None = None,
        first_edition: Edition | None = None,
        last_edition: Edition | None = None,
        steps: tuple[str, ...] = (),
    ) -> UnitOnDate:
        return UnitOnDate(
            UNDETERMINED,
            UNDETERMINED,
            reason,
            key=self.key,
            edition=edition,
            exists=exists,
            first_edition=first_edition,
            last_edition=last_edition,
            steps=steps,
        )


def _holder(article: ParsedUnit | None, unit: ParsedUnit | None) -> ParsedUnit | None:
    """The unit around another one in an article."""
    if article is None or unit is None:
        return None
    return next((around for around in walk([article]) if any(child is unit for child in around.children)), None)
