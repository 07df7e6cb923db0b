"""The advice of a model on record for citations: found by what it is about, not by the pass it was given in.

Some reviewers must judge without proposals, and advice is one, as is all that the layer found. Their cards are kept in
a room above: it registers which answers are withheld from whom, in its module `page_sections`. Every page of this room
that tells what was found in an answer, or counts it, asks here.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet

from lexreview.accounts.models import User
from lexreview.answers.models import Answer
from lexreview.prepared import Prepared
from lexreview.verification.models import Citation, SupportCheck

Withheld = Callable[[User], QuerySet[Any, int]]


@dataclass
class _Registry:
    rules: list[Withheld] = field(default_factory=list)


_registry = _Registry()


def add_withheld(rule: Withheld) -> None:
    """`rule` gives, as a query, the primary keys of the answers that a person must review without proposals."""
    _registry.rules = [rule]


def withheld_from(user: User) -> QuerySet[Answer]:
    """The answers of which the person may not learn, nor count, what the layer found."""
    answers = Answer.objects.none()
    for rule in _registry.rules:
        answers |= Answer.objects.filter(pk__in=rule(user))
    return answers


def is_withheld_from(user: User, answer: Answer) -> bool:
    return withheld_from(user).filter(pk=answer.pk).exists()


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
