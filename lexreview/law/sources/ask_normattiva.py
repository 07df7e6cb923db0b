"""Normattiva: Italian acts as they stand on a day, article by article.

The format of the requests was taken from published clients and was not tried against the service.
"""

import json
from dataclasses import dataclass, replace
from datetime import date
from typing import ClassVar

from lexreview.law.parsed import ParsedAct, UnreadableSource
from lexreview.law.sources.asking import EditionRef
from lexreview.law.sources.fetch import Answer, Fetcher
from lexreview.law.sources.normattiva import parse_normattiva_json

ADDRESS = "https://api.normattiva.it/t/normattiva.api/bff-opendata/v1/api/v1/atto/dettaglio-atto-urn"


@dataclass(slots=True)
class Normattiva:
    """Italian acts. An identifier is a URN with an article and a day.

    Such as `urn:nir:stato:legge:1990-08-07;241~art1!vig=2025-01-30`.
    """

    fetcher: Fetcher
    name: ClassVar[str] = "normattiva"
    hosts: ClassVar[frozenset[str]] = frozenset({"api.normattiva.it"})

    def editions(self, identifier: str) -> list[EditionRef]:
        """The one reference that a URN is; its period comes with the answer."""
        urn, _, day = identifier.strip().partition("!vig=")
        if not urn.startswith("urn:nir:"):
            raise UnreadableSource(
                f"expected a URN such as urn:nir:stato:legge:1990-08-07;241~art1, found {identifier!r}"
            )
        try:
            on = date.fromisoformat(day)
        except ValueError as error:
            raise UnreadableSource(f"expected a day such as !vig=2025-01-30 at the end, found {day!r}") from error
        return [EditionRef(urn.partition("~")[0], "it", on, None, ADDRESS, f"{urn}!vig={on}")]

    def fetch(self, ref: EditionRef) -> Answer:
        return self.fetcher.post_json(ADDRESS, content=json.dumps({"urn": ref.identifier}).encode())

    def parse(self, answer: Answer, ref: EditionRef) -> ParsedAct:
        act = parse_normattiva_json(answer.body)
        return replace(act, editions=tuple(replace(e, fetched_at=answer.fetched_at) for e in act.editions))
