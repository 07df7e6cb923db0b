"""The rules for Polish wordings asked about what is stored."""

from collections.abc import Sequence
from datetime import date

from lexreview.law.models import Act, Amendment, Edition, Unit
from lexreview.law.parsed import ParsedUnit
from lexreview.law.polish.amending import from_record
from lexreview.law.polish.wording import AmendmentFact, BaseText, Decision, journal_position, wording_on
from lexreview.law.reading import covers

_READABLE = {Edition.Extent.WHOLE, Edition.Extent.EXCERPT}


def decide(*, act: Act, key: str, on: date, editions: Sequence[Edition]) -> Decision | None:
    """The wording of a unit by the rules for consolidated texts; None where no amendment or no text is stored."""
    rows = list(Amendment.objects.filter(act=act).in_promulgation_order())
    texts = [_base_text(edition) for edition in editions if edition.extent in _READABLE]
    if not rows or not texts:
        return None
    return wording_on(key=key, on=on, texts=texts, amendments=amendment_facts(rows), articles=stored_articles)


def _base_text(edition: Edition) -> BaseText:
    return BaseText(
        identifier=edition.identifier or str(edition.pk),
        state_on=edition.valid_from,
        is_consolidated=edition.standing == Edition.Standing.CONSOLIDATED,
        is_excerpt=edition.extent == Edition.Extent.EXCERPT,
        position=journal_position(edition.identifier),
        row=edition,
    )


def amendment_facts(rows: Sequence[Amendment]) -> list[AmendmentFact]:
    """One fact per amending act, from one row per act and day of effect."""
    groups: dict[tuple[str, str], list[Amendment]] = {}
    for row in rows:
        groups.setdefault((row.kind, row.amending_eli), []).append(row)
    facts = []
    for (kind, eli), group in groups.items():
        read = [row.instructions for row in group if row.instructions is not None]
        days = [row.promulgated_on for row in group if row.promulgated_on]
        facts.append(
            AmendmentFact(
                identifier=eli,
                kind=kind,
                promulgated_on=min(days) if days else None,
                effective_days=tuple(row.effective_on for row in group),
                orders=tuple(from_record(record) for record in read[0]) if read else None,
            )
        )
    return facts


def stored_articles(text: BaseText, key: str) -> list[ParsedUnit]:
    """The articles with a key in a stored text, everything under them included."""
    edition = text.row
    if not isinstance(edition, Edition):
        return []
    heads = list(Unit.objects.filter(edition=edition).at(key).in_text_order())
    if not heads:
        ranged = Unit.objects.filter(edition=edition).exclude(range_end="").in_text_order()
        heads = [unit for unit in ranged if covers(unit, key)][:1]
    return [_tree(head) for head in heads]


def _tree(head: Unit) -> ParsedUnit:
    rows = Unit.objects.filter(
        edition=head.edition_id, position__gte=head.position, position__lte=head.last_position
    ).in_text_order()
    made: dict[int, ParsedUnit] = {}
    for row in rows:
        unit = ParsedUnit(
            row.key,
            row.level,
            number=row.number,
            heading=row.heading,
            text=row.text,
            closing=row.closing,
            notes=list(row.notes),
            eid=row.eid,
            range_end=row.range_end,
            is_repealed=row.is_repealed,
        )
        made[row.pk] = unit
        if row.pk != head.pk and row.parent_id in made:
            made[row.parent_id].children.append(unit)
    return made[head.pk]
