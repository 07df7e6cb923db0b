"""Importing rulings, what their sources cover, and how a state is cited."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from lexreview.accounts.models import User
from lexreview.core.citations import JurisdictionProfile
from lexreview.law.actions.acts import ImportReport
from lexreview.law.actions.one_at_a_time import lock_corpus
from lexreview.law.models import Jurisdiction, Ruling, SourceCoverage
from lexreview.law.names import fold_docket
from lexreview.law.parsed import Coverage, ParsedRuling
from lexreview.law.rules import check_can_import_law
from lexreview.ledger.actions import EventDraft, record_event, record_events


@transaction.atomic
def import_rulings(*, parsed: Sequence[ParsedRuling], by: User | None, now: datetime) -> ImportReport:
    """Store rulings that are not stored yet; one event each. A ruling is its court, docket, day, language and form.

    A stored ruling whose bytes differ now is replaced by the new ones, with both hashes in the event.
    """
    check_can_import_law(by)
    lock_corpus()
    report, events = ImportReport(), []
    for ruling in parsed:
        event = _store_ruling(ruling, now)
        if event is None:
            report.rulings_unchanged += 1
        else:
            report.rulings_added += 1
            events.append(event)
    if events:
        record_events(by=by, drafts=events, now=now)
    return report


def _store_ruling(parsed: ParsedRuling, now: datetime) -> EventDraft | None:
    identity = {
        "jurisdiction": parsed.jurisdiction.upper(),
        "court": parsed.court,
        "docket_folded": fold_docket(parsed.docket),
        "decided_on": parsed.decided_on,
        "language": parsed.language,
        "form": parsed.form,
    }
    stored = Ruling.objects.filter(**identity).first()
    if stored is not None and stored.sha256 == parsed.sha256:
        return None
    before = None if stored is None else {"sha256": stored.sha256}
    ruling = stored or Ruling(**identity)
    for name in ("docket", "ecli", "title", "text", "source", "source_url", "sha256"):
        setattr(ruling, name, getattr(parsed, name))
    ruling.theses, ruling.cited_law, ruling.fetched_at = list(parsed.theses), list(parsed.cited_law), now
    ruling.save()
    facts = {name: identity[name] for name in ("jurisdiction", "court", "decided_on", "language")}
    return EventDraft(
        verb="ruling_imported",
        object_type="law.ruling",
        object_id=ruling.pk,
        before=before,
        after={**facts, "docket": ruling.docket, "sha256": ruling.sha256, "source_url": ruling.source_url},
    )


@transaction.atomic
def import_coverage(*, rows: Sequence[Coverage], by: User | None, now: datetime) -> int:
    """Store what sources cover; returns how many rows were added or changed."""
    check_can_import_law(by)
    lock_corpus()
    events = []
    for row in rows:
        identity = {
            "source": row.source,
            "jurisdiction": row.jurisdiction.upper(),
            "court": row.court,
            "covered_from": row.covered_from,
            "covered_to": row.covered_to,
        }
        stored = SourceCoverage.objects.filter(**identity).first() or SourceCoverage(**identity)
        facts = {"is_complete": row.is_complete, "checked_on": row.checked_on, "note": row.note}
        if stored.pk and facts == {name: getattr(stored, name) for name in facts}:
            continue
        for name, value in facts.items():
            setattr(stored, name, value)
        stored.save()
        events.append(
            EventDraft(
                verb="coverage_recorded", object_type="law.coverage", object_id=stored.pk, after={**identity, **facts}
            )
        )
    if events:
        record_events(by=by, drafts=events, now=now)
    return len(events)


@transaction.atomic
def import_jurisdiction(*, profile: Mapping[str, Any], by: User | None, now: datetime) -> Jurisdiction:
    """Store how a state is cited. Raises BadProfile where the mapping is not one that the grammars can read."""
    check_can_import_law(by)
    lock_corpus()
    code = JurisdictionProfile.from_mapping(profile).code.upper()
    stored = Jurisdiction.objects.filter(code=code).first()
    if stored is not None and stored.profile == profile:
        return stored
    before = stored.profile if stored else None
    stored = stored or Jurisdiction(code=code)
    stored.profile = dict(profile)
    stored.save()
    record_event(
        by=by,
        verb="jurisdiction_recorded",
        object_type="law.jurisdiction",
        object_id=code,
        before=before,
        after=stored.profile,
        now=now,
    )
    return stored
