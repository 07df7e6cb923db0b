"""The corpus of law from the command line: import, sync, status, diff, unit."""

import re
from argparse import ArgumentTypeError
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from lexreview.core.citations import extract
from lexreview.law.actions import (
    ImportReport,
    import_acts,
    import_coverage,
    import_jurisdiction,
    import_manifest,
    import_rulings,
)
from lexreview.law.actions.acts import ImportRefused
from lexreview.law.changes import changes_between
from lexreview.law.files import Given, read_act_file, read_bundle_folder
from lexreview.law.keys import split_key
from lexreview.law.models import Act, Edition
from lexreview.law.on_date import UnitOnDate, resolve_act, unit_on
from lexreview.law.parsed import UnreadableSource
from lexreview.law.registry import entry_pairs, profile_of
from lexreview.law.state import by_jurisdiction, counts, oddities
from lexreview.law.syncing import SOURCES, SyncFailed, sync


def day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise ArgumentTypeError(f"expected a day such as 2024-01-31, found {text!r}") from error


def words(text: str) -> str:
    """An argument in UTF-8: bytes that are none arrive as lone surrogates, which no database and no file takes."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ArgumentTypeError(f"not UTF-8: {text!r}") from error
    return text


class Command(BaseCommand):
    help = "Import law from files, fetch it from its sources, and ask what a unit said on a day."

    def add_arguments(self, parser: CommandParser) -> None:
        commands = parser.add_subparsers(dest="command", required=True)
        add = commands.add_parser("import", help="read files, a folder of our own bundle, or a manifest")
        add.add_argument("path", nargs="*", type=Path, help="files, or one folder of our own bundle")
        add.add_argument("--manifest", type=Path, help="a JSON list of acts, editions and files")
        add.add_argument("--root", type=Path, help="the folder to which the files of the manifest are relative")
        add.add_argument("--act", help="the key of the act, where a file does not say it")
        add.add_argument("--lang", help="the language, where a file does not say it")
        add.add_argument("--from", dest="valid_from", type=day, help="first day in force")
        add.add_argument("--to", dest="valid_to", type=day, help="last day in force")
        fetch = commands.add_parser("sync", help="fetch acts from a source")
        fetch.add_argument("source", choices=sorted(SOURCES))
        fetch.add_argument("identifier", nargs="+", type=words, help="what the source calls the act")
        fetch.add_argument("--lang", action="append", help="language to fetch; may be given several times")
        fetch.add_argument("--offline", action="store_true", help="only what is stored already")
        fetch.add_argument("--refresh", action="store_true", help="ask again even for what is stored")
        state = commands.add_parser("status", help="what is stored, and where editions overlap or leave gaps")
        state.add_argument("act", nargs="?", type=words)
        compare = commands.add_parser("diff", help="what changed between two editions of an act")
        compare.add_argument("act", type=words, help='key, number or name, such as "SR 152.3"')
        compare.add_argument("before", type=day, help="a day of the earlier edition, such as 2023-09-01")
        compare.add_argument("after", type=day, help="a day of the later edition")
        compare.add_argument("--lang", default="", help="language of the editions; the state's first if not given")
        ask = commands.add_parser("unit", help="text, edition and source of a unit on a day")
        ask.add_argument("citation", type=words, help='such as "art. 17 BGÖ"')
        ask.add_argument("--on", type=day, help="the day, such as 2023-10-31; today if not given")
        ask.add_argument("--lang", default="", help="language of the wording")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            getattr(self, f"do_{options['command']}")(options)
        except (UnreadableSource, ImportRefused, SyncFailed) as error:
            raise CommandError(str(error)) from error

    def do_import(self, options: dict[str, Any]) -> None:
        now = datetime.now(UTC)
        if options["manifest"]:
            root = options["root"] or options["manifest"].parent
            self.say(import_manifest(manifest=options["manifest"], root=root, by=None, now=now))
            return
        if not options["path"]:
            raise CommandError("give a path, or --manifest with --root")
        given = Given(options["act"], options["lang"], options["valid_from"], options["valid_to"])
        report = ImportReport()
        for path in options["path"]:
            if not path.exists():
                raise CommandError(f"{path}: no such file or folder")
            report.add(self.import_path(path, given, now))
        self.say(report)

    def import_path(self, path: Path, given: Given, now: datetime) -> ImportReport:
        if path.is_file():
            return import_acts(parsed=[read_act_file(path, given=given)], by=None, now=now)
        bundle = read_bundle_folder(path)
        report = import_acts(parsed=bundle.acts, by=None, now=now)
        report.add(import_rulings(parsed=bundle.rulings, by=None, now=now))
        if bundle.coverage:
            import_coverage(rows=bundle.coverage, by=None, now=now)
        if bundle.jurisdiction is not None:
            import_jurisdiction(profile=bundle.jurisdiction, by=None, now=now)
        return report

    def say(self, report: ImportReport) -> None:
        for warning in report.warnings:
            self.stderr.write(f"note: {warning}")
        self.stdout.write(str(report) or "nothing to import")

    def do_sync(self, options: dict[str, Any]) -> None:
        report = sync(
            source=options["source"],
            identifiers=options["identifier"],
            languages=options["lang"] or [],
            offline=options["offline"],
            refresh=options["refresh"],
            by=None,
            now=datetime.now(UTC),
        )
        self.say(report)

    def do_status(self, options: dict[str, Any]) -> None:
        chosen = [self.one_act(options["act"])] if options["act"] else list(Act.objects.in_reading_order())
        if options["act"]:
            self.print_editions(chosen[0])
        else:
            self.print_counts()
        for oddity in oddities(chosen, today=datetime.now(UTC).date()):
            days = f"{oddity.first}..{oddity.last or '…'}"
            self.stdout.write(f"{oddity.kind}: {oddity.act} {oddity.language} {days} {oddity.text}".rstrip())

    def print_editions(self, act: Act) -> None:
        for edition in Edition.objects.filter(act=act).in_time_order():
            days = f"{edition.valid_from}..{edition.valid_to or '…'}"
            self.stdout.write(f"{edition.language} {days} {edition.standing} {edition.extent}")

    def print_counts(self) -> None:
        total = counts()
        self.stdout.write(
            f"acts {total.acts}, editions {total.editions}, units {total.units}, rulings {total.rulings}, "
            f"amendments {total.amendments} (unread {total.unread_amendments}), stored answers {total.responses}"
        )
        for code, acts, editions in by_jurisdiction():
            self.stdout.write(f"  {code}: acts {acts}, editions {editions}")

    def do_diff(self, options: dict[str, Any]) -> None:
        act = self.one_act(options["act"])
        editions = Edition.objects.filter(act=act)
        language = _language_of_act(act, options["lang"])
        if options["after"] < options["before"]:
            raise CommandError(f"the earlier day comes first: {options['after']} {options['before']}")
        pair = []
        for on in (options["before"], options["after"]):
            begun = editions.in_language(language).filter(valid_from__lte=on).order_by("-valid_from", "-pk").first()
            if begun is None:
                raise CommandError(f"no {language} edition of {act.eli} begins on or before {on}")
            pair.append(begun)
        self.stdout.write(f"{act.eli} {language}: {pair[0].valid_from} -> {pair[1].valid_from}")
        for change in changes_between(pair[0], pair[1]):
            is_moved = change.key_after is not None and change.key_before not in {None, change.key_after}
            moved = f" (was {change.key_before})" if is_moved else ""
            self.stdout.write(f"{change.kind}: {change.key_after or change.key_before}{moved}")

    def do_unit(self, options: dict[str, Any]) -> None:
        on = options["on"] or datetime.now(UTC).date()
        act, unit = self.read_citation(options["citation"], options["lang"])
        language = _language_of_act(act, options["lang"])
        self.print_answer(act, unit_on(act=act, unit=unit, on=on, lang=language), on)

    def print_answer(self, act: Act, answer: UnitOnDate, on: date) -> None:
        self.stdout.write(f"{act.title(answer.edition.language if answer.edition else '')} ({act.eli}), {answer.key}")
        head = f"{answer.outcome} on {on}, {answer.certainty}"
        self.stdout.write(f"{head}: {answer.reason}" if answer.reason else head)
        if answer.text:
            self.stdout.write(f"\n{answer.heading}\n{answer.text}\n".lstrip("\n") if answer.heading else answer.text)
        if edition := answer.edition:
            last = edition.valid_to or "…"
            self.stdout.write(f"edition: {edition.language} {edition.valid_from}..{last}, {edition.standing}")
            self.stdout.write(f"source: {edition.source_url} sha256 {edition.sha256}")
        for name, edition in (("first", answer.first_edition), ("last", answer.last_edition)):
            if edition:
                self.stdout.write(f"{name} stored edition with the unit: {edition.valid_from} ({edition.language})")
        if answer.effective_on:
            self.stdout.write(f"enters into force on {answer.effective_on}")
        for step in answer.steps:
            self.stdout.write(f"step: {step}")

    def read_citation(self, text: str, language: str) -> tuple[Act, str]:
        """Act and unit of a citation: by the grammar of the act's state, else as a key followed by the act's name."""
        match = re.fullmatch(r"(?P<unit>(?:dis|art|par|ust|motyw)=\S+)\s+(?P<act>.+)", text.strip())
        if match:
            try:
                split_key(match["unit"])
            except ValueError as error:
                raise CommandError(str(error)) from error
            return self.one_act(match["act"]), match["unit"]
        pairs = entry_pairs(Act.objects.in_reading_order())
        by_id = {entry.id: act for act, entry in pairs}
        for code in sorted({act.jurisdiction for act, _ in pairs}):
            lang = language or _LANGUAGE_OF.get(code, "en")
            own = [entry for _, entry in pairs if entry.jurisdiction == code]
            for found in extract(text, jurisdiction=code.lower(), lang=lang, acts=own, profile=profile_of(code)):
                if found.unit and found.act:
                    acts = [by_id[found.act]] if found.act in by_id else resolve_act(found.act, jurisdiction=code)
                    if len(acts) == 1:
                        return acts[0], found.unit
        raise CommandError(
            f"{text!r} names no unit of an act that is stored; "
            "expected a citation with its act, such as 'Art. 17 § 1 CPA'"
        )

    def one_act(self, name: str) -> Act:
        acts = resolve_act(name)
        if not acts:
            raise CommandError(f"no stored act is called {name!r}")
        if len(acts) > 1:
            raise CommandError(f"{name!r} names several acts: {', '.join(act.eli for act in acts)}")
        return acts[0]


_LANGUAGE_OF = {"CH": "de", "PL": "pl", "IT": "it", "EU": "en"}


def _language_of_act(act: Act, asked: str) -> str:
    """The language asked for, which has to be stored; else the first that there is, "" for an act without text."""
    languages = sorted(set(Edition.objects.filter(act=act).values_list("language", flat=True)))
    if asked and asked not in languages:
        raise CommandError(f"{act.eli} is stored in {', '.join(languages) or 'no language'}, not in {asked!r}")
    return asked or next(iter(_preferred(act.jurisdiction, languages)), "")


def _preferred(jurisdiction: str, languages: list[str]) -> list[str]:
    """The languages of an act, the one that its state uses first in front."""
    first = _LANGUAGE_OF.get(jurisdiction, "en")
    return sorted(languages, key=lambda language: (language != first, language))
