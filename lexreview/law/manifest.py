"""A manifest: a list of acts with the files of their editions, and the first and last day of each."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from lexreview.law.parsed import ParsedAct, ParsedEdition, ParsedName, UnreadableSource, as_reconstructed
from lexreview.law.sources.eli_pl import act_of_meta, parse_eli_html, parse_eli_meta, parse_eli_struct
from lexreview.law.sources.eurlex import parse_eurlex
from lexreview.law.sources.fedlex import is_abbreviation, parse_fedlex
from lexreview.law.sources.markdown_ch import parse_markdown_ch
from lexreview.law.sources.plain import BundleFaults

KINDS = ("akn", "akn-reconstructed", "md", "eli-html", "eli-struct", "eu-xhtml")


@cache
def _validator() -> Draft202012Validator:
    text = resources.files("lexreview.law").joinpath("schemas/manifest.schema.json").read_text(encoding="utf-8")
    return Draft202012Validator(json.loads(text))


def read_manifest(manifest: Path, *, root: Path) -> list[ParsedAct]:
    """All acts of a manifest with their texts read; file names are relative to `root` and stay below it.

    Raises BundleFaults with every fault of the manifest and of the files: entry, field, and what was expected.
    """
    try:
        records = json.loads(manifest.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise BundleFaults([f"{manifest.name}: expected a JSON list of acts: {error}"]) from error
    found = sorted(_validator().iter_errors(records), key=lambda error: [str(part) for part in error.absolute_path])
    faults = [f"{manifest.name}: {'.'.join(map(str, e.absolute_path)) or 'the list'}: {e.message[:300]}" for e in found]
    if faults:
        raise BundleFaults(faults)
    acts = []
    for record in records:
        try:
            acts.append(_Entry(record, root).act())
        except BundleFaults as error:
            faults += error.faults
    if faults:
        raise BundleFaults(faults)
    return acts


class _Entry:
    def __init__(self, record: Mapping[str, Any], root: Path) -> None:
        self.record = record
        self.root = root.resolve()
        self.faults: list[str] = []

    def act(self) -> ParsedAct:
        texts = [parsed for edition in self.record["editions"] for parsed in self.edition(edition)]
        base = self.meta()
        if self.faults:
            raise BundleFaults(self.faults)
        sources = ([base] if base else []) + texts
        titles: dict[str, str] = {}
        for source in sources:
            titles |= source.titles
        first = sources[0]
        return replace(
            first,
            eli=self.record["act"],
            titles=titles,
            names=(*(name for source in sources for name in source.names), *self.names()),
            note=self.record.get("note") or "",
            editions=tuple(edition for source in texts for edition in source.editions),
        )

    def content(self, file: str) -> bytes | None:
        path = (self.root / file).resolve()
        if not path.is_relative_to(self.root):
            self.faults.append(f"{self.record['act']}: {file}: the file lies outside the root folder")
            return None
        try:
            return path.read_bytes()
        except OSError as error:
            self.faults.append(f"{self.record['act']}: {file}: cannot be read ({error.strerror})")
            return None

    def meta(self) -> ParsedAct | None:
        file = self.record.get("meta")
        content = self.content(file) if file else None
        if content is None:
            return None
        try:
            return act_of_meta(parse_eli_meta(content))
        except UnreadableSource as error:
            self.faults.append(f"{self.record['act']}: {file}: {error}")
            return None

    def edition(self, entry: Mapping[str, Any]) -> Iterator[ParsedAct]:
        content = self.content(entry["file"])
        if content is None:
            return
        try:
            parsed = self.parse(entry, content)
        except UnreadableSource as error:
            self.faults.append(f"{self.record['act']}: {entry['file']}: {error}")
            return
        yield replace(parsed, editions=tuple(self.dated(edition, entry) for edition in parsed.editions))

    def parse(self, entry: Mapping[str, Any], content: bytes) -> ParsedAct:
        kind = entry["kind"]
        if kind in {"akn", "akn-reconstructed"}:
            return parse_fedlex(content)
        if kind == "md":
            return parse_markdown_ch(content)
        if kind == "eu-xhtml":
            celex = self.record["act"].removeprefix("CELEX ")
            return parse_eurlex(content, celex=celex, language=entry["language"])
        is_excerpt = ".excerpt." in entry["file"] or str(self.record.get("note") or "").startswith("EXCERPT")
        edition = parse_eli_struct(content) if kind == "eli-struct" else parse_eli_html(content, excerpt=is_excerpt)
        consolidated = self.consolidated_ids()
        edition = replace(
            edition,
            standing="consolidated" if consolidated else "promulgated",
            identifier=consolidated[0] if consolidated else self.record["act"],
            source_url=f"https://api.sejm.gov.pl/eli/acts/{(consolidated or [self.record['act']])[0]}/text.html",
        )
        return ParsedAct(eli=self.record["act"], jurisdiction="PL", editions=(edition,))

    def dated(self, edition: ParsedEdition, entry: Mapping[str, Any]) -> ParsedEdition:
        last = entry.get("last_day")
        return replace(
            as_reconstructed(edition) if entry["kind"] == "akn-reconstructed" else edition,
            act=self.record["act"],
            language=entry["language"],
            valid_from=date.fromisoformat(entry["first_day"]),
            valid_to=date.fromisoformat(last) if last else None,
        )

    def consolidated_ids(self) -> list[str]:
        return [_bare(value) for value in self.record.get("other_ids", ()) if value.endswith("(t.j.)")]

    def names(self) -> Iterator[ParsedName]:
        for value in self.record.get("other_ids", ()):
            yield ParsedName("number", _bare(value))
            if match := re.fullmatch(r"(?:SR|RS) (\S+)", value):
                yield from (ParsedName("number", f"{prefix}{match[1]}") for prefix in ("SR ", "RS ", ""))
        for language, values in self.record.get("abbreviations", {}).items():
            for value in values:
                short = is_abbreviation(value) or ("." in value and " " not in value)
                yield ParsedName("abbreviation" if short else "title", value, language)


def _bare(identifier: str) -> str:
    return identifier.removesuffix("(t.j.)").strip()
