"""What the review pages say: the rule behind a label, a result in few words, a line of a card's history."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.core.methods.reference_card.label import LabelReason
from lexreview.core.workflow import CitationState
from lexreview.ledger.models import Event
from lexreview.review.models import CARD_STATE_LABELS, CITATION_STATE_LABELS, CardCitation
from lexreview.translating import written
from lexreview.verification.models import RESULT_LABELS

RULE_WORDS: Mapping[LabelReason, str | Promise] = {
    LabelReason.PROVIDER_BLOCKED: gettext_lazy("the provider refused to answer; it stays in the denominator"),
    LabelReason.EMPTY_ANSWER: gettext_lazy("the answer is empty: A6 is 0 and there is no label"),
    LabelReason.HALLUCINATION_FOUND: gettext_lazy("rule: one finding of a hallucination is enough"),
    LabelReason.FULL_CORE_AND_CONFIRMED_CITATION: gettext_lazy(
        "rule: full core, no hallucination, a citation confirmed in an official source"
    ),
    LabelReason.INCOMPLETE_CORE: gettext_lazy("rule: no hallucination, but the core is not full"),
    LabelReason.NO_CONFIRMED_CITATION: gettext_lazy("rule: full core, but no citation was confirmed"),
    LabelReason.CORE_NOT_DECIDED: gettext_lazy("no label yet: the core answer is not decided"),
    LabelReason.FINDINGS_NOT_DECIDED: gettext_lazy("no label yet: a proposed finding is not decided"),
}

EVENT_WORDS: Mapping[str, str | Promise] = {
    "open_card": gettext_lazy("opened the card"),
    "restore_card": gettext_lazy("imported the card"),
    "prefill": gettext_lazy("pre-filled the card"),
    "prefill_by_model": gettext_lazy("laid a model's proposals on the card"),
    "assign": gettext_lazy("assigned the card"),
    "open_citation": gettext_lazy("opened citation"),
    "decide_citation": gettext_lazy("decided citation"),
    "decide_score": pgettext_lazy("who did it stands before", "decided"),
    "accept_proposals": gettext_lazy("accepted the proposals for"),
    "add_finding": gettext_lazy("added finding"),
    "edit_finding": gettext_lazy("edited finding"),
    "accept_finding": gettext_lazy("accepted finding"),
    "reject_finding": gettext_lazy("rejected finding"),
    "remove_finding": gettext_lazy("removed finding"),
    "set_official_source": gettext_lazy("set the official source"),
    "set_note": gettext_lazy("changed the note"),
    "add_citation": gettext_lazy("added the missed citation"),
    "confirm_in_bulk": gettext_lazy("confirmed in bulk the citations"),
    "undo": gettext_lazy("took back:"),
    "approve": gettext_lazy("approved the card"),
    "revise": gettext_lazy("opened the approved card again"),
    "return": gettext_lazy("returned the card"),
    "ask_ruling": gettext_lazy("asked for a ruling"),
    "give_ruling": gettext_lazy("gave a ruling"),
    "mark_stale": gettext_lazy("put the card under newer rules: it is stale"),
    "change_rules": gettext_lazy("put the card under newer rules"),
    "park": gettext_lazy("parked the card"),
    "unpark": gettext_lazy("took the card up again"),
    "mark_for_recheck": gettext_lazy("asked to look at the card again"),
    "select_for_second_review": gettext_lazy("asked for a second review"),
    "cancel_second_review": gettext_lazy("called the second review off"),
    "record_agreement": gettext_lazy("closed the second review: the reviews agree"),
    "record_conflict": gettext_lazy("closed the second review: the reviews differ"),
    "begin_adjudication": gettext_lazy("began the adjudication"),
    "choose": gettext_lazy("decided a difference"),
    "merge_again": gettext_lazy("merged the reviews again"),
    "adjudicate": gettext_lazy("settled the card"),
    "reopen_adjudication": gettext_lazy("opened the adjudication again"),
}


def words_of_citation(row: CardCitation) -> str:
    """The state of a citation in few words: what a person said, else what code found."""
    if row.state != CitationState.UNCHECKED:
        return str(CITATION_STATE_LABELS[CitationState(row.state)])
    if row.checked is None:
        return _("added by a person")
    result = CheckResult(row.checked.result)
    if result is not CheckResult.CONFIRMED:
        return str(RESULT_LABELS[result])
    return _("exact") if row.checked.quotation else _("exists · content?")


def words_of_event(event: Event) -> str:
    """One line of a card's history without its actor and time, such as `decided A-R: 1 → 2`."""
    said = str(EVENT_WORDS.get(event.verb, event.verb.replace("_", " ")))
    return " ".join(part for part in (said, _object_of(event), _change_of(event)) if part)


def _object_of(event: Event) -> str:
    after: Mapping[str, Any] = event.after or {}
    match event.verb:
        case "open_citation" | "decide_citation":
            return f"{after.get('citation', '')} ({after.get('raw', '')})"
        case "add_citation":
            return f"{after.get('citation', '')} ({after.get('raw', '')})"
        case "confirm_in_bulk":
            return ", ".join(str(number) for number in after.get("citations", []))
        case "undo":
            undone = str(EVENT_WORDS.get(after.get("undone_verb", ""), ""))
            version = _("version %(number)s") % {"number": after.get("undone", "")}
            return f"{undone} ({version})"
        case "decide_score":
            return str(after.get("criterion", ""))
        case "accept_proposals":
            # Sorted: what PostgreSQL gives back has an order of its own, and a line reads the same when it is new.
            accepted = sorted(after.get("accepted", {}).items())
            return ", ".join(f"{code} {_plain(points)}" for code, points in accepted)
        case "add_finding" | "edit_finding" | "accept_finding" | "reject_finding" | "remove_finding":
            return " ".join(str(after[name]) for name in ("finding", "error_class") if name in after)
        case "return":
            return _("to %(person)s") % {"person": after.get("returned_to") or ""}
        case "assign":
            return _("to %(person)s") % {"person": after["assigned_to"]} if after.get("assigned_to") else _("to nobody")
        case "give_ruling":
            return _("by decision %(number)s") % {"number": after.get("decision", "")}
        case _:
            return ""


def _change_of(event: Event) -> str:
    before: Mapping[str, Any] = event.before or {}
    after: Mapping[str, Any] = event.after or {}
    match event.verb:
        case "decide_score":
            points = f"{_plain(before.get('decided'))} → {_plain(after.get('decided'))}"
            written = str(after.get("evidence") or "") if after.get("evidence") != before.get("evidence") else ""
            return f"{points}: {written}" if written else points
        case "decide_citation":
            said = _state(_citation_state(after))
            return f"{_state(before.get('state'))} → {said}" if said else ""
        case "set_official_source":
            return str(after.get("official_source", "")).replace("_", " ")
        case "approve":
            return _("as revision %(number)s") % {"number": after.get("revision", "")}
        case _:
            return ""


def _plain(points: Any) -> str:
    return "–" if points is None else written(str(points))


def _citation_state(after: Mapping[str, Any]) -> Any:
    """An event's `state` is the card's; what was said of the citation is kept beside it, where it is kept."""
    return after.get("citation_state", after.get("state"))


def _state(value: Any) -> str:
    """The name of a citation's state; "" for anything else."""
    return next((str(words) for state, words in CITATION_STATE_LABELS.items() if state == value), "")


def words_of_state(state: str) -> str:
    return next((str(words) for each, words in CARD_STATE_LABELS.items() if each == state), state)
