"""The advice of a model on record for citations: found by what it is about, not by the pass it was given in.

Some reviewers must judge without proposals, and advice is one. Their cards are kept in a room above: it registers whose
advice is withheld, in its module `page_sections`.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from lexreview.accounts.models import User
from lexreview.answers.models import Answer
from lexreview.prepared import Prepared
from lexreview.verification.models import Citation, SupportCheck

Withheld = Callable[[User, Answer], bool]


@dataclass
class _Registry:
    rules: list[Withheld] = field(default_factory=list)


_registry = _Registry()


def add_withheld(rule: Withheld) -> None:
    """`rule` says of a person and an answer whether that person must review it without proposals."""
    _registry.rules = [rule]


def is_withheld_from(user: User, answer: Answer) -> bool:
    return any(rule(user, answer) for rule in _registry.rules)


_checks_of = Prepared(lambda content: SupportCheck.objects.filter(content_sha256=content).oldest_first(), str)


def content_of(citation: Citation) -> str:
    """SHA-256 over the place in the answer, the day and the wording of the source; fetch `verification` with it."""
    verification = citation.verification
    parts = [
        verification.answer_id,
        citation.start,
        citation.end,
        verification.legal_state_on.isoformat(),
        citation.source_text,
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def advice_on(citations: Sequence[Citation]) -> dict[int, SupportCheck]:
    """By primary key of the citation the newest advice on the same content; one query. Most have none."""
    contents = {citation.pk: content_of(citation) for citation in citations}
    wanted = set(contents.values())
    if len(wanted) == 1:
        rows: Iterable[SupportCheck] = _checks_of(*wanted)
    else:
        rows = SupportCheck.objects.filter(content_sha256__in=wanted).oldest_first()
    newest = {row.content_sha256: row for row in rows}
    return {pk: newest[content] for pk, content in contents.items() if content in newest}
