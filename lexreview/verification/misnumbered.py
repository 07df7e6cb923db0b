"""Acts to which a text gives a wrong number or too short a name: which act it means, where the text itself shows it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.core.quotations import find_quotations
from lexreview.law.models import Act
from lexreview.verification.checked import CheckedCitation, Inquiry
from lexreview.verification.identifiers import check_identifier, is_bare_number
from lexreview.verification.provisions import check_provision
from lexreview.verification.quoting import verbatim
from lexreview.verification.short_titles import act_of_kind_and_day, speaks_of

# Fewer words than these may stand in any act.
_TELLING_WORDS = 3
_OPEN = frozenset({"act_not_named", "act_not_in_corpus"})


def with_acts_of_wrong_numbers(rows: Sequence[CheckedCitation], inquiry: Inquiry) -> list[CheckedCitation]:
    """The rows with provisions checked in the act that is named where its number is wrong.

    "Regulation (EU) No 569/2014 (MAR)" makes "MAR" a name of the wrong number. The error is that of the number, which
    has a row of its own: the provisions cited behind it are those of the act named.
    """
    meant = {
        row.citation.act: row.act
        for row in rows
        if row.result is CheckResult.WRONG_IDENTIFIER and row.act is not None and row.citation.act != row.act.eli
    }
    return [_rechecked(row, meant, inquiry) for row in rows] if meant else list(rows)


def _rechecked(row: CheckedCitation, meant: Mapping[str | None, Act], inquiry: Inquiry) -> CheckedCitation:
    act = meant.get(row.citation.act) if row.citation.kind == "provision" and row.citation.act else None
    if act is None:
        return row
    own = inquiry.corpus.act(row.citation.act or "")
    if own and act_of_kind_and_day((row.citation.act_name or "").partition("(")[0], inquiry) == own:
        return row
    if row.reason != "act_not_in_corpus" and is_bare_number(row.citation.act_name or ""):
        return row
    return check_provision(replace(row.citation, act=act.eli), inquiry)


def with_acts_shown_by_words(text: str, rows: Sequence[CheckedCitation], inquiry: Inquiry) -> list[CheckedCitation]:
    """The rows with provisions of an act named by kind, issuer and day only, where its words show which act it is.

    Several acts may have been issued on that day: the one of the corpus is meant where the text quotes it verbatim for
    one of the units that it cites, or speaks of what it is about. A number written with such a name is then checked
    against that act.
    """
    named: dict[str, Act] = {}
    for row in rows:
        if row.reason in _OPEN and (act := act_of_kind_and_day(_name_of(row), inquiry)) and row.citation.act:
            named[row.citation.act] = act
    open_rows: dict[int, list[CheckedCitation]] = defaultdict(list)
    for row in rows:
        if row.citation.kind == "provision" and row.reason in _OPEN:
            # "tego rozporządzenia" has the wrong number of the name that it refers to.
            act = act_of_kind_and_day(_name_of(row), inquiry) or named.get(row.citation.act or "")
            if act:
                open_rows[act.pk].append(replace(row, act=act))
    if not open_rows:
        return list(rows)
    quoted = [words for each in find_quotations(text) if len((words := each.text).split()) >= _TELLING_WORDS]
    shown: dict[int, CheckedCitation] = {}
    for group in open_rows.values():
        checked = [check_provision(replace(row.citation, act=row.act.eli), inquiry) for row in group if row.act]
        is_quoted = any(verbatim(row, words, inquiry) for row in checked for words in quoted)
        if is_quoted or any(row.act and speaks_of(text, row.act) for row in group[:1]):
            shown |= {id(row.citation): new for row, new in zip(group, checked, strict=True)}
    meant = {row.citation.act: shown[id(row.citation)].act for row in rows if id(row.citation) in shown}
    return [_shown(row, shown, meant, text, inquiry) for row in rows]


def _name_of(row: CheckedCitation) -> str:
    return (row.citation.act_name or "").partition("(")[0].partition(",")[0]


def _shown(
    row: CheckedCitation,
    shown: Mapping[int, CheckedCitation],
    meant: Mapping[str | None, Act | None],
    text: str,
    inquiry: Inquiry,
) -> CheckedCitation:
    if row.citation.kind != "act":
        return shown.get(id(row.citation), row)
    act = meant.get(row.citation.act) if row.citation.act else None
    return check_identifier(replace(row.citation, act=act.eli), text, inquiry) if act else row
