"""Which parts of the card page an act can change, so that the reply to it brings these and no others.

The script says in the header `Page-Version` which version of the card its page shows. Only where the act is known to be
the one step from that version to the card's present one does the rest of the page still stand; then the script takes
the new version over into the forms that it keeps. In every other case the reply brings every part: a page that missed
somebody's change must not be taken for a page of the version after it.
"""

from dataclasses import dataclass

from lexreview.review.card_page import CardPage
from lexreview.review.card_rows import CriterionRow
from lexreview.review.recording import FIELDS

PAGE_VERSION = "Page-Version"
AFTER_EVERY_SAVE = ("_against_proposals", "_history_lines", "_foot", "_saved")
STANDING_FIELDS = {"state", "assigned_to"}
"""With these of a card's values it changes what a person may do with it, which stands all over the page."""


@dataclass(frozen=True)
class Reach:
    """How far an act reaches on the page: names of templates, a criterion by its code, those that follow from findings.

    `with_opinion`: further ones on a card with a model's opinion, parts of which come to light as a person decides.
    """

    templates: tuple[str, ...] = ()
    criterion: str = ""
    by_rule: bool = False
    with_opinion: tuple[str, ...] = ()

    def templates_of(self, page: CardPage) -> list[str]:
        further = self.with_opinion if page.model else ()
        names = dict.fromkeys((*self.templates, *further))
        if page.selected is None:
            names.pop("_citation_box", None)
        return [f"review/{name}.html" for name in names]

    def rows_of(self, page: CardPage) -> list[CriterionRow]:
        if not (self.criterion or self.by_rule):
            return []
        return [
            row
            for _block, rows in page.blocks
            for row in rows
            if row.code == self.criterion or (self.by_rule and row.by_rule)
        ]


CHOICE = Reach(("_citation_box", "_citations", "_answer", "_stored", "_source", "_findings", "_background", "_foot"))
"""Another citation is chosen."""
BESIDE = Reach(("_bar", "_source"))
"""What other cards have done to the page: how many are done, how the same provision was judged there."""
NOTE = Reach(("_note", *AFTER_EVERY_SAVE))
OFFICIAL_SOURCE = Reach(("_official_source", *AFTER_EVERY_SAVE))
PROPOSALS = Reach(("_criteria", "_verdict", *AFTER_EVERY_SAVE), with_opinion=("_findings",))
ERRORS = Reach(("_citation_box", "_citations", "_answer", "_findings", "_verdict", *AFTER_EVERY_SAVE), by_rule=True)
"""What is said of a citation or a finding: the marks in the answer, the findings, and what follows from them."""


def points_of(code: str) -> Reach:
    """The points of one criterion."""
    return Reach(("_proposals", "_verdict", *AFTER_EVERY_SAVE), criterion=code, with_opinion=("_criteria", "_findings"))


def is_one_step(page: CardPage, *, shown: str, version: int, form_key: str) -> bool:
    """Whether the form with that key, made on `version`, which is what the page shows, led to the card as it is now,
    and what the person may do with it is as before."""
    if shown != str(version) or page.card.version != version + 1 or not form_key:
        return False
    after = (page.background.saved.after or {}) if page.background.saved else {}
    return after.get("form") == form_key and not STANDING_FIELDS & after.get(FIELDS, {}).keys()
