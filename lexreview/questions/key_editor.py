"""The page on which a lead writes a key: what is being written, what it follows, what it still lacks."""

from collections.abc import Sequence
from datetime import date
from functools import cached_property
from typing import Any

from lexreview.core.workflow import KeyState
from lexreview.questions.completeness import missing_in_key, missing_in_sources
from lexreview.questions.forms import KeyForms
from lexreview.questions.key_differences import Difference, differences
from lexreview.questions.models import KeyVersion, Question


class KeyEditor:
    """The draft of a question's key, or the version that begins with the next save."""

    def __init__(self, question: Question) -> None:
        self.question = question

    @cached_property
    def versions(self) -> list[KeyVersion]:
        return list(self.question.key_versions.with_people().in_order())

    @cached_property
    def draft(self) -> KeyVersion | None:
        """The newest version where it is a draft."""
        newest = self.versions[-1] if self.versions else None
        return newest if newest is not None and newest.is_draft else None

    @cached_property
    def approved(self) -> KeyVersion | None:
        return next((each for each in self.versions if each.state == KeyState.APPROVED), None)

    @property
    def number(self) -> int:
        """The number under which the next save goes."""
        if self.draft is not None:
            return self.draft.number
        return self.versions[-1].number + 1 if self.versions else 1

    @property
    def base(self) -> KeyVersion | None:
        """What the form begins with: the draft, else the approved version."""
        return self.draft or self.approved

    @property
    def departs(self) -> bool:
        """Whether answers were collected under the approved version: then a new one departs from rule 4."""
        return self.approved is not None and self.approved.frozen_at is not None

    @property
    def seen(self) -> str:
        return self.draft.digest if self.draft else ""

    @property
    def bases(self) -> list[dict[str, Any]]:
        bases: list[dict[str, Any]] = self.base.bases if self.base else []
        return bases

    @cached_property
    def missing(self) -> Sequence[str]:
        """What the draft lacks for approval; empty where there is no draft."""
        return [*missing_in_key(self.draft), *missing_in_sources(self.draft)] if self.draft else []

    @property
    def differences(self) -> list[Difference]:
        """The stored draft against the approved version."""
        return differences(self.approved, self.draft) if self.approved and self.draft else []

    def forms(self, entered: Any = None, *, today: date, seen: str | None = None) -> KeyForms:
        return KeyForms(
            entered, base=self.base, seen=self.seen if seen is None else seen, departs=self.departs, day=today
        )

    def compared(self, forms: KeyForms) -> list[Difference]:
        """What was entered against the approved version, before it is saved; for valid forms."""
        if self.approved is None:
            return []
        fields = {name: value for name, value in forms.draft(bases=self.bases).__dict__.items() if name != "decision"}
        return differences(self.approved, KeyVersion(question=self.question, number=self.number, **fields))
