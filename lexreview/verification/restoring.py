"""Results of the citation check that come from an export: stored as they were, without checking again."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from lexreview.accounts.models import User
from lexreview.answers.models import Answer
from lexreview.law.models import Act, Edition, Ruling
from lexreview.ledger.actions import record_event
from lexreview.verification.models import Citation, Verification

Record = dict[str, Any]
TEXTS = (
    "reason",
    "explanation",
    "suggestion",
    "quotation",
    "source_text",
    "source_url",
    "source_sha256",
    "certainty",
    "proposed_class",
)


class UnknownSource(ValueError):
    """A result names an act, edition or ruling that the corpus does not hold."""


def restore_verification(
    *, answer: Answer, record: Record, results: Sequence[Record], by: User | None, now: datetime
) -> Verification:
    """The answer's verification with that time and layer, created with its results where it is not stored.

    Call it inside a transaction. Raises UnknownSource. `results`: as in a card's export, with the citation's span.
    """
    verified_at = datetime.fromisoformat(record["verified_at"])
    same = Verification.objects.filter(
        answer=answer, layer_version=record["layer_version"], verified_at=verified_at
    ).first()
    if same is not None:
        return same
    verification = Verification.objects.create(
        answer=answer,
        layer_version=record["layer_version"],
        legal_state_on=date.fromisoformat(record["legal_state_on"]),
        verified_at=verified_at,
        is_current=not Verification.objects.current().filter(answer=answer).exists(),
    )
    Citation.objects.bulk_create([_citation(verification, row) for row in results], batch_size=200)
    record_event(
        by=by,
        verb="restore_verification",
        object_type="verification",
        object_id=f"{answer.run.benchmark.slug}/{answer.identifier}",
        after={"layer_version": verification.layer_version, "citations": len(results)},
        now=now,
    )
    return verification


def _citation(verification: Verification, row: Record) -> Citation:
    act = _act(row["act"])
    return Citation(
        verification=verification,
        number=row["number"],
        start=row["start"],
        end=row["end"],
        raw=row["raw"],
        kind=row["kind"],
        act_name=row["act_name"] or "",
        unit_key=row["unit"] or "",
        act=act,
        edition=_edition(act, row["edition"]),
        other_edition=_edition(act, row["other_edition"]),
        ruling=_ruling(row["ruling"]),
        result=row["result"],
        quotation_spans=row["quotation_spans"],
        diff=row["diff"],
        **{name: row[name] or "" for name in TEXTS},
    )


def _act(eli: str | None) -> Act | None:
    if eli is None:
        return None
    act = Act.objects.filter(eli=eli).first()
    if act is None:
        raise UnknownSource(f"the act {eli} is not in the corpus; import its law first")
    return act


def _edition(act: Act | None, key: Record | None) -> Edition | None:
    if key is None or act is None:
        return None
    edition = Edition.objects.filter(
        act=act, language=key["language"], valid_from=date.fromisoformat(key["valid_from"])
    ).first()
    if edition is None:
        raise UnknownSource(f"the {key['language']} edition of {act.eli} from {key['valid_from']} is not in the corpus")
    return edition


def _ruling(key: Record | None) -> Ruling | None:
    if key is None:
        return None
    rulings = Ruling.objects.with_docket(key["docket"]).filter(court=key["court"])
    if key["decided_on"]:
        rulings = rulings.filter(decided_on=date.fromisoformat(key["decided_on"]))
    ruling = rulings.order_by("language", "pk").first()
    if ruling is None:
        raise UnknownSource(f"the ruling {key['docket']} of {key['court']} is not in the corpus")
    return ruling
