"""What the demo's people do: their accounts, and the decisions of `review.yaml` through the actions of the browser."""

import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from lexreview.accounts.actions import create_account, grant_role, set_account_password
from lexreview.accounts.models import User
from lexreview.core.methods.reference_card.facts import OfficialSource, Origin, Scope
from lexreview.core.workflow import CardState, CitationState, Role
from lexreview.review.actions import (
    FindingDraft,
    accept_proposals,
    add_finding,
    approve_card,
    decide_citation,
    decide_score,
    edit_finding,
    open_citation,
    reject_finding,
    set_note,
    set_official_source,
)
from lexreview.review.card_rows import elements_of, group_of
from lexreview.review.facts import specification_of
from lexreview.review.models import Card, CardCitation, Finding, FindingState

PEOPLE = {
    "reviewer": ("Rita Nowak", [Role.REVIEWER]),
    "lead": ("Leon Marsh", [Role.LEAD]),
    "operator": ("Olga Brandt", [Role.OPERATOR]),
}
NO_EVIDENCE = "Read beside the key and the official text."
NOT_FALSE = "Looked at beside the official text: the answer does not say anything false here."
CITATION_STATES = {
    "confirmed": CitationState.CONFIRMED,
    "error": CitationState.ERROR,
    "cant_establish": CitationState.UNDETERMINED,
}

Record = Mapping[str, Any]


class FaultyReview(ValueError):
    """review.yaml does not fit the cards; the text names card and field."""


def demo_accounts(*, benchmark_slug: str, renew: bool, now: datetime) -> dict[str, str | None]:
    """The three accounts with their roles: user name to a new random password, None where it stays as it was."""
    passwords: dict[str, str | None] = {}
    for username, (name, roles) in PEOPLE.items():
        user = User.objects.filter(username=username).first()
        passwords[username] = password = secrets.token_urlsafe(9) if user is None or renew else None
        if user is None:
            user = create_account(username=username, password=password or "", name=name, by=None, now=now)
        elif password is not None:
            set_account_password(user=user, password=password, by=None, now=now)
        for role in roles:
            grant_role(user=user, benchmark_slug=benchmark_slug, role=role, by=None, now=now)
    return passwords


def told(passwords: dict[str, str | None]) -> str:
    """What `demo_accounts` gave, for the terminal."""
    if not any(passwords.values()):
        names = ", ".join(passwords)
        return f"Demo accounts {names}: as printed at the first run; manage.py demo --new-passwords gives new ones."
    lines = [f"  {username:<9} {password or 'as before'}" for username, password in passwords.items()]
    return "\n".join(["Demo accounts (each password is shown this once):", *lines])


@dataclass
class DemoReview:
    """One card reviewed as its record in review.yaml says, step by step as a person would in the browser."""

    card: Card
    record: Record
    by: User
    now: datetime

    def run(self) -> Card:
        """Decide everything and approve. An approved card is left as it is."""
        if self.card.state == CardState.APPROVED:
            return self.card
        self.open_citations()
        self.decide_scores()
        if self.record.get("official_source"):
            source = OfficialSource(self.record["official_source"])
            self.card = set_official_source(card=self.card, official_source=source, **self.stamp())
        self.decide_findings()
        self.decide_citations()
        if self.record.get("note"):
            self.card = set_note(card=self.card, note=self.record["note"], **self.stamp())
        return approve_card(card=self.card, confirm_unchecked=True, **self.stamp())

    def stamp(self) -> dict[str, Any]:
        return {"version": self.card.version, "by": self.by, "now": self.now}

    def open_citations(self) -> None:
        for row in self.card.citations.in_text_order():
            open_citation(card=self.card, number=row.number, by=self.by, now=self.now)

    def decide_scores(self) -> None:
        evidence, reasons = self.record.get("evidence") or {}, self.record.get("reasons") or {}
        for score in self.card.scores.filter(not_applicable=False).order_by("pk"):
            points = (self.record.get("scores") or {}).get(score.criterion)
            if points is None:
                continue
            decided = Decimal(str(points))
            changed = score.proposed is not None and score.proposed != decided
            self.card = decide_score(
                card=self.card,
                criterion=score.criterion,
                points=decided,
                evidence=evidence.get(score.criterion) or score.proposed_evidence or NO_EVIDENCE,
                reason=reasons.get(score.criterion) or (NO_EVIDENCE if changed else ""),
                details=self.details(score.criterion, decided),
                **self.stamp(),
            )
        self.card = accept_proposals(card=self.card, **self.stamp())

    def details(self, criterion: str, points: Decimal) -> dict[str, list[str]]:
        """The elements of the key that the points were given for, as the form of the card page sends them."""
        rule = specification_of(self.card).criterion(criterion)
        worth = {each.code: each.points for each in elements_of(rule, self.card.key_version)}
        named = {**(self.record.get("elements") or {}), "P": self.record.get("penalties") or []}.get(criterion) or []
        if not named:
            return {}
        if unknown := set(named) - worth.keys():
            raise FaultyReview(f"{self.card.identifier}: {criterion}: the key has no {', '.join(sorted(unknown))}")
        if (total := sum(worth[code] for code in named)) != points:
            raise FaultyReview(f"{self.card.identifier}: {criterion}: {', '.join(named)} make {total}, not {points}")
        return {group_of(rule): sorted(named)}

    def decide_findings(self) -> None:
        proposed = list(self.card.findings.filter(state=FindingState.PROPOSED).select_related("citation").in_order())
        for number, record in enumerate(self.record.get("findings") or [], start=1):
            draft = self.draft(record, f"findings[{number}]")
            near = sorted((row for row in proposed if _speaks_of(row, draft)), key=lambda row: _distance(row, draft))
            same = near[0] if near else None
            if same is None:
                self.card = add_finding(card=self.card, draft=draft, **self.stamp())
            else:
                proposed.remove(same)
                self.card = edit_finding(card=self.card, number=same.number, draft=draft, **self.stamp())
        for row in proposed:
            self.card = reject_finding(card=self.card, number=row.number, reason=NOT_FALSE, **self.stamp())

    def draft(self, record: Record, field: str) -> FindingDraft:
        claim = record["claim"]
        start = self.card.answer.text.find(claim)
        if start < 0:
            raise FaultyReview(f"{self.card.identifier}: {field}.claim: expected words of the answer, found {claim!r}")
        checked = record.get("checked") or {}
        near = self.citation_near(start, start + len(claim))
        return FindingDraft(
            error_class=record["class"],
            claim=claim,
            claim_start=start,
            claim_end=start + len(claim),
            source_says=record["source_says"],
            checked_source=checked.get("source") or "",
            checked_address=checked.get("address") or "",
            checked_edition=str(checked.get("edition") or ""),
            checked_on=self.now.date(),
            origin=Origin(record["origin"]),
            scope=Scope(record["scope"]),
            citation_number=near.number if near else None,
        )

    def citation_near(self, start: int, end: int) -> CardCitation | None:
        """The citation inside the claim; else the nearest one on the same line."""
        rows = list(self.card.citations.in_text_order())
        inside = [row for row in rows if row.start >= start and row.end <= end]
        if inside:
            return inside[0]
        text = self.card.answer.text
        line = [row for row in rows if "\n" not in text[min(row.start, start) : max(row.end, end)]]
        return min(line, key=lambda row: min(abs(row.start - end), abs(start - row.end)), default=None)

    def decide_citations(self) -> None:
        for row, state in self.states():
            self.card = decide_citation(card=self.card, number=row.number, state=state, **self.stamp())

    def states(self) -> Iterator[tuple[CardCitation, CitationState]]:
        """The lawyer's word for a citation by its text; also for a longer or shorter form of the same place."""
        words = self.record.get("citations") or {}
        text = self.card.answer.text
        places = [
            (start, start + len(raw), CITATION_STATES[word])
            for raw, word in words.items()
            for start in _places(text, raw)
        ]
        for row in self.card.citations.in_text_order():
            hits = [state for start, end, state in places if start < row.end and row.start < end]
            if hits:
                yield row, CitationState.ERROR if CitationState.ERROR in hits else hits[0]


def _places(text: str, raw: str) -> Iterator[int]:
    start = text.find(raw)
    while start >= 0:
        yield start
        start = text.find(raw, start + 1)


def _speaks_of(row: Finding, draft: FindingDraft) -> bool:
    """Whether a proposed finding and the lawyer's speak of the same place or the same citation."""
    if row.citation is not None and row.citation.number == draft.citation_number:
        return True
    return row.claim_start < draft.claim_end and draft.claim_start < row.claim_end


def _distance(row: Finding, draft: FindingDraft) -> tuple[bool, int]:
    return row.error_class != draft.error_class, abs(row.claim_start - draft.claim_start)
