"""The Sejm's ELI service: metadata, references, texts, consolidated texts and the amending acts between them."""

from dataclasses import dataclass, replace
from datetime import date
from typing import ClassVar

from lexreview.law.parsed import ParsedAct, ParsedAmendment, ParsedEdition, UnreadableSource
from lexreview.law.polish.amending import AmendedAct, identifiers_of, read_orders, to_record
from lexreview.law.polish.instructions import keys_named
from lexreview.law.sources.asking import EditionRef, FoundAct
from lexreview.law.sources.eli_pl import (
    EliMeta,
    act_of_meta,
    edition_without_text,
    parse_eli_html,
    parse_eli_meta,
    read_json,
)
from lexreview.law.sources.fetch import Answer, Fetcher, SourceUnknown

BASE = "https://api.sejm.gov.pl/eli/acts"


@dataclass(slots=True)
class Sejm:
    """Polish acts."""

    fetcher: Fetcher
    name: ClassVar[str] = "sejm"
    hosts: ClassVar[frozenset[str]] = frozenset({"api.sejm.gov.pl"})

    def search(self, text: str) -> list[FoundAct]:
        """Acts whose title contains the text. The service compares plainly, so inflected titles need their own form."""
        answer = self.fetcher.get(f"{BASE}/search", params={"title": text, "limit": "100"}, accept="application/json")
        record = read_json(answer.body, what="search results of the Sejm's service")
        items = record.get("items") if isinstance(record, dict) else None
        if not isinstance(items, list):
            raise UnreadableSource("expected search results with items, found none")
        return [FoundAct(str(item["ELI"]), str(item.get("title", ""))) for item in items if item.get("ELI")]

    def meta(self, identifier: str) -> EliMeta:
        """The metadata of an act. UnreadableSource where the service does not know the identifier."""
        answer = self.fetcher.get(f"{BASE}/{identifier}", accept="application/json")
        if answer.is_missing:
            raise UnreadableSource(f"{identifier}: the Sejm's service does not know this act")
        return parse_eli_meta(answer.body)

    def editions(self, identifier: str) -> list[EditionRef]:
        """The promulgated text and every consolidated text, oldest first; no address where there is only a PDF."""
        meta = self.meta(identifier)
        metas = [meta, *self.consolidations(meta)]
        refs = []
        for text in metas:
            first = (text.state_on or text.announced_on) if text.consolidates else text.in_force_on
            if first is not None:
                address = f"{BASE}/{text.eli}/text.html" if text.has_html else ""
                refs.append(EditionRef(meta.eli, "pl", first, None, address, text.eli))
        return sorted(refs, key=lambda ref: (ref.valid_from, ref.identifier))

    def consolidations(self, meta: EliMeta) -> list[EliMeta]:
        """The announcements of consolidated texts. One that cannot be had is left out: fewer texts leave more open."""
        found = []
        for entry in meta.references.get("Inf. o tekście jednolitym", ()):
            try:
                found.append(self.meta(str(entry["id"])))
            except (SourceUnknown, UnreadableSource):
                continue
        return found

    def fetch(self, ref: EditionRef) -> Answer:
        answer = self.fetcher.get(ref.address, accept="text/html")
        if answer.is_missing or not answer.body.strip():
            raise SourceUnknown(f"{ref.address}: the service gives no text")
        return answer

    def parse(self, answer: Answer, ref: EditionRef) -> ParsedAct:
        meta = self.meta(ref.identifier)
        edition = replace(parse_eli_html(answer.body, meta=meta), fetched_at=answer.fetched_at)
        return ParsedAct(eli=ref.act, jurisdiction="PL", editions=(edition,))

    def whole_act(self, identifier: str) -> ParsedAct:
        """The act with its texts and its amendments, the amending acts read as far as they have a text.

        Amendments that every stored text contains already are listed but not read.
        """
        meta = self.meta(identifier)
        if meta.consolidates:
            meta = self.meta(meta.consolidates)
        references = self.fetcher.get(f"{BASE}/{meta.eli}/references", accept="application/json")
        act = act_of_meta(meta, references=None if references.is_missing else references.body)
        editions = [self.edition(text) for text in (meta, *self.consolidations(meta))]
        readable = [edition.valid_from for edition in editions if edition.extent == "whole" and edition.valid_from]
        since = min(readable, default=None)
        amended = AmendedAct(
            identifiers_of({meta.eli, *(edition.identifier for edition in editions)}), meta.announced_on, _short(act)
        )
        amendments = tuple(self.read(amendment, amended, since) for amendment in act.amendments)
        kept = tuple(edition for edition in editions if edition.valid_from is not None)
        return replace(act, editions=kept, amendments=amendments)

    def edition(self, meta: EliMeta) -> ParsedEdition:
        if not meta.has_html:
            return edition_without_text(meta)
        answer = self.fetcher.get(f"{BASE}/{meta.eli}/text.html", accept="text/html")
        if answer.is_missing or not answer.body.strip():
            return edition_without_text(meta)
        return replace(parse_eli_html(answer.body, meta=meta), fetched_at=answer.fetched_at)

    def read(self, amendment: ParsedAmendment, amended: AmendedAct, since: date | None) -> ParsedAmendment:
        """An amendment with its day of promulgation and its orders; without orders where its text cannot be had."""
        if amendment.kind != "amendment" or _is_older(amendment, since):
            return amendment
        try:
            meta = self.meta(amendment.amending_eli)
            known = replace(
                amendment, promulgated_on=meta.promulgated_on, citation=meta.title, force_note=meta.comments
            )
            if not meta.has_html:
                return known
            text = self.fetcher.get(f"{BASE}/{meta.eli}/text.html", accept="text/html")
            if text.is_missing or not text.body.strip():
                return known
            orders = read_orders(text.body, amended=amended, in_force_on=meta.in_force_on, force_note=meta.comments)
        except (SourceUnknown, UnreadableSource):
            return amendment
        if not orders:
            # The references say that it changes the act, so a reading that finds nothing has missed something.
            return known
        return replace(known, units=tuple(keys_named(orders)), instructions=tuple(to_record(order) for order in orders))


def _is_older(amendment: ParsedAmendment, since: date | None) -> bool:
    if since is None:
        return False
    if amendment.promulgated_on is not None:
        return amendment.promulgated_on < since
    return amendment.effective_on is not None and amendment.effective_on < since


def _short(act: ParsedAct) -> str:
    """The title without the kind and the day of the act, as amending acts quote it."""
    return next((name.value for name in act.names if name.kind == "title"), act.titles.get("pl", ""))
