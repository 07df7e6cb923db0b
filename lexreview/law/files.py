"""Law from a file or folder on disk, whatever of the known formats it is in."""

import json
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from lexreview.law.parsed import ParsedAct, UnreadableSource, as_reconstructed
from lexreview.law.sources.akn import parse_akn
from lexreview.law.sources.eli_pl import (
    act_of_meta,
    edition_without_text,
    parse_eli_html,
    parse_eli_meta,
    parse_eli_struct,
)
from lexreview.law.sources.eurlex import parse_eurlex
from lexreview.law.sources.fedlex import parse_fedlex
from lexreview.law.sources.markdown_ch import parse_markdown_ch
from lexreview.law.sources.normattiva import parse_normattiva_json
from lexreview.law.sources.plain import LawBundle, read_law_bundle

MOST_BYTES = 60_000_000


@dataclass(frozen=True, slots=True)
class Given:
    """What the person who imports a file adds to it: days and identifiers that the file itself does not carry."""

    act: str | None = None
    language: str | None = None
    valid_from: date | None = None
    valid_to: date | None = None


def read_bundle_folder(folder: Path) -> LawBundle:
    """Our own bundle from a folder that holds `acts/` and perhaps `rulings/` and `jurisdiction.yaml`."""
    base = folder / "law" if (folder / "law" / "acts").is_dir() else folder
    files = {
        path.relative_to(base).as_posix(): _read(path)
        for path in sorted(base.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }
    return read_law_bundle(files)


def read_act_file(path: Path, *, given: Given) -> ParsedAct:
    """The act in one file. UnreadableSource names the file and says what was expected.

    A Polish text needs its metadata beside it (`name.meta.json` for `name.html`); metadata alone is read too. A name
    with `.RECONSTRUCTED.` marks a text that somebody rebuilt.
    """
    content = _read(path)
    try:
        act = _parse(path, content, given)
    except UnreadableSource as error:
        raise UnreadableSource(f"{path.name}: {error}") from error
    is_rebuilt = ".RECONSTRUCTED." in path.name
    editions = tuple(
        replace(
            edition,
            language=given.language or edition.language,
            valid_from=given.valid_from or edition.valid_from,
            valid_to=given.valid_to or edition.valid_to,
        )
        for edition in (map(as_reconstructed, act.editions) if is_rebuilt else act.editions)
    )
    return replace(act, eli=given.act or act.eli, editions=editions)


def _read(path: Path) -> bytes:
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise UnreadableSource(f"{path.name}: expected at most {MOST_BYTES} bytes, found {size}")
        return path.read_bytes()
    except OSError as error:
        raise UnreadableSource(f"{path.name}: cannot be read: {error.strerror}") from error


def _parse(path: Path, content: bytes, given: Given) -> ParsedAct:
    suffix = path.suffix.lower()
    if suffix == ".md":
        return parse_markdown_ch(content)
    if suffix == ".xml":
        return parse_fedlex(content) if b"fedlex.data.admin.ch" in content[:20_000] else parse_akn(content)
    if suffix in {".html", ".xhtml", ".htm"}:
        if b"unit_arti" in content or b"unit_para" in content:
            return _polish_text(path, content)
        return parse_eurlex(content, celex=given.act and given.act.removeprefix("CELEX "), language=given.language)
    if suffix == ".json":
        return _json_file(path, content)
    raise UnreadableSource("expected a file that ends in .xml, .md, .html, .xhtml or .json")


def _polish_text(path: Path, content: bytes) -> ParsedAct:
    meta = parse_eli_meta(_read_beside(path.with_name(f"{path.stem.removesuffix('.excerpt')}.meta.json")))
    edition = parse_eli_html(content, meta=meta, excerpt=".excerpt." in path.name)
    return replace(act_of_meta(meta), eli=meta.consolidates or meta.eli, editions=(edition,))


def _read_beside(path: Path) -> bytes:
    if not path.is_file():
        raise UnreadableSource(f"expected the metadata of the act beside it in {path.name}, found no such file")
    return _read(path)


def _json_file(path: Path, content: bytes) -> ParsedAct:
    try:
        record = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise UnreadableSource(f"expected JSON: {error}") from error
    if isinstance(record, dict) and "ELI" in record:
        meta = parse_eli_meta(content)
        act = act_of_meta(meta)
        if meta.has_html:
            return act
        return replace(act, eli=meta.consolidates or meta.eli, editions=(edition_without_text(meta),))
    if path.name.endswith(".struct.json"):
        meta = parse_eli_meta(_read_beside(path.with_name(path.name.replace(".struct.", ".meta."))))
        return replace(act_of_meta(meta), editions=(parse_eli_struct(content, meta=meta),))
    if isinstance(record, dict) and "data" in record:
        return parse_normattiva_json(content)
    raise UnreadableSource("expected metadata or the unit tree of a Polish act, or an answer of Normattiva")
