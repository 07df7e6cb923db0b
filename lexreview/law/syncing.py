"""Fetching law from its sources into the corpus, through what is stored of earlier answers."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import httpx

from lexreview.accounts.models import User
from lexreview.core.words import counted
from lexreview.law.actions import ImportReport, import_acts, import_coverage, import_rulings, store_response
from lexreview.law.models import StoredResponse
from lexreview.law.parsed import Coverage, ParsedAct, ParsedRuling, UnreadableSource
from lexreview.law.rules import check_can_import_law
from lexreview.law.sources.ask_cellar import Cellar
from lexreview.law.sources.ask_entscheidsuche import Entscheidsuche
from lexreview.law.sources.ask_fedlex import Fedlex
from lexreview.law.sources.ask_normattiva import Normattiva
from lexreview.law.sources.ask_saos import CHECKED_ON, COURTS, COVERAGE, Saos
from lexreview.law.sources.ask_sejm import Sejm
from lexreview.law.sources.ask_sentenzeweb import SentenzeWeb
from lexreview.law.sources.fetch import TIMEOUT, Answer, Fetcher, SourceUnknown


class SyncFailed(Exception):
    """Nothing could be fetched; the message says from where and why."""


class DatabaseStore:
    """Answers kept in the database."""

    def find(self, request_key: str) -> Answer | None:
        stored = StoredResponse.objects.for_request(request_key).newest_first().first()
        if stored is None:
            return None
        return Answer(
            stored.address, stored.status, stored.content_type, stored.body, stored.fetched_at, is_from_store=True
        )

    def keep(self, *, request_key: str, source: str, method: str, answer: Answer) -> None:
        store_response(
            request_key=request_key,
            source=source,
            method=method,
            address=answer.address,
            status=answer.status,
            content_type=answer.content_type,
            body=answer.body,
            now=answer.fetched_at,
        )


@dataclass(slots=True)
class Harvest:
    """What one identifier brought."""

    acts: list[ParsedAct] = field(default_factory=list)
    rulings: list[ParsedRuling] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


Harvester = Callable[[Fetcher, str, Sequence[str]], Harvest]


def _fedlex(fetcher: Fetcher, identifier: str, languages: Sequence[str]) -> Harvest:
    source, harvest = Fedlex(fetcher), Harvest()
    wanted = set(languages or ("de", "fr", "it"))
    acts = [identifier] if "eli/cc/" in identifier else [found.identifier for found in source.search(identifier)]
    for act in acts:
        refs = source.editions(act)
        unread = [ref for ref in refs if not ref.address]
        if unread:
            harvest.warnings.append(
                f"{act}: no XML of {counted(len(unread), 'edition')}, the first of {unread[0].valid_from}"
            )
        for ref in (ref for ref in refs if ref.address and ref.language in wanted):
            try:
                harvest.acts.append(source.parse(source.fetch(ref), ref))
            except (SourceUnknown, UnreadableSource) as error:
                harvest.warnings.append(f"{act} {ref.language} {ref.valid_from}: {error}")
    return harvest


def _sejm(fetcher: Fetcher, identifier: str, languages: Sequence[str]) -> Harvest:
    act = Sejm(fetcher).whole_act(identifier)
    unread = [a.amending_eli for a in act.amendments if a.kind == "amendment" and a.instructions is None]
    warnings = [f"{act.eli}: amending acts not read: {', '.join(unread)}"] if unread else []
    return Harvest(acts=[act], warnings=warnings)


def _cellar(fetcher: Fetcher, identifier: str, languages: Sequence[str]) -> Harvest:
    harvest = Harvest()
    for language in languages or ("en",):
        source = Cellar(fetcher, language)
        for ref in source.editions(identifier):
            try:
                harvest.acts.append(source.parse(source.fetch(ref), ref))
            except (SourceUnknown, UnreadableSource) as error:
                harvest.warnings.append(f"{ref.identifier} {language}: {error}")
    return harvest


def _normattiva(fetcher: Fetcher, identifier: str, languages: Sequence[str]) -> Harvest:
    source = Normattiva(fetcher)
    return Harvest(acts=[source.parse(source.fetch(ref), ref) for ref in source.editions(identifier)])


def _saos(fetcher: Fetcher, identifier: str, languages: Sequence[str]) -> Harvest:
    return Harvest(rulings=Saos(fetcher).search(identifier))


def _entscheidsuche(fetcher: Fetcher, identifier: str, languages: Sequence[str]) -> Harvest:
    return Harvest(rulings=Entscheidsuche(fetcher).search(identifier))


def _sentenzeweb(fetcher: Fetcher, identifier: str, languages: Sequence[str]) -> Harvest:
    return Harvest(rulings=SentenzeWeb(fetcher).search(identifier))


SOURCES: dict[str, tuple[frozenset[str], Harvester]] = {
    "fedlex": (Fedlex.hosts, _fedlex),
    "sejm": (Sejm.hosts, _sejm),
    "cellar": (Cellar.hosts, _cellar),
    "normattiva": (Normattiva.hosts, _normattiva),
    "saos": (Saos.hosts, _saos),
    "entscheidsuche": (Entscheidsuche.hosts, _entscheidsuche),
    "sentenzeweb": (SentenzeWeb.hosts, _sentenzeweb),
}


def sync(
    *,
    source: str,
    identifiers: Sequence[str],
    languages: Sequence[str],
    by: User | None,
    now: datetime,
    offline: bool = False,
    refresh: bool = False,
    client: httpx.Client | None = None,
    wait: Callable[[float], None] = time.sleep,
) -> ImportReport:
    """Fetch acts or rulings and store them; running it again fetches and changes nothing.

    Fetching holds no lock and no transaction: every answer is kept as it comes, so a sync that is cut off goes on where
    it stopped. Raises SyncFailed where an identifier brought nothing, with everything before it stored; NotAllowed.
    """
    check_can_import_law(by)
    hosts, harvest = SOURCES[source]
    report = ImportReport()
    fetcher = Fetcher(
        source=source,
        hosts=hosts,
        store=DatabaseStore(),
        clock=lambda: datetime.now(UTC),
        client=client or httpx.Client(timeout=TIMEOUT, follow_redirects=False),
        wait=wait,
        offline=offline,
        refresh=refresh,
    )
    try:
        for identifier in identifiers:
            try:
                found = harvest(fetcher, identifier, languages)
            except (SourceUnknown, UnreadableSource) as error:
                raise SyncFailed(f"{source}: {identifier}: {error}") from error
            report.add(import_acts(parsed=found.acts, by=by, now=now))
            report.add(import_rulings(parsed=found.rulings, by=by, now=now))
            report.warnings += found.warnings
    finally:
        if client is None:
            fetcher.client.close()
    if source == "saos":
        import_coverage(rows=saos_coverage(), by=by, now=now)
    return report


def saos_coverage() -> list[Coverage]:
    """What SAOS holds, as it was found on `CHECKED_ON`; none of it is claimed to be complete."""
    return [
        Coverage(
            source="saos",
            jurisdiction="PL",
            court=COURTS[court],
            covered_from=first,
            covered_to=last,
            checked_on=CHECKED_ON,
            note=note,
        )
        for court, first, last, note in COVERAGE
    ]
