"""Reads the held-out cases: tab-separated lines of text and expected citations in a short notation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from lexreview.core.citations import Citation

FOLDER = Path(__file__).parent / "cases"
RULING_FIELDS = {
    "s": "section",
    "a": "area",
    "d": "date",
    "v": "venue",
    "t": "doc_type",
    "ud": "hearing_date",
    "dep": "deposit_date",
    "rg": "rg",
    "rv": "rv",
    "ecli": "ecli",
}
NORM_FIELDS = {"c": "comma", "l": "letter", "n": "num", "to": "article_to", "date": "act_date"}


def lines_of(name: str) -> Iterator[list[str]]:
    """The cells of every case of a file, with escapes undone in the text."""
    for line in (FOLDER / f"{name}.tsv").read_text(encoding="utf-8").split("\n"):
        if line and not line.startswith("# "):
            yield [_unescaped(cell) for cell in line.split("\t")]


def _unescaped(cell: str) -> str:
    return cell.replace("\\n", "\n").replace("\\r", "\r").replace("\\u00a0", "\u00a0")


def expected_of(cell: str) -> Counter[str]:
    return Counter(_in_order(part.strip()) for part in cell.split("; ") if part.strip())


def found_of(citations: list[Citation]) -> Counter[str]:
    return Counter(brief(citation) for citation in citations)


def italian_of(citations: list[Citation]) -> Counter[str]:
    return Counter(_in_order(brief_italian(citation)) for citation in citations)


def brief(citation: Citation) -> str:
    """The short notation of a citation outside the Italian cases."""
    if citation.kind == "ruling":
        name = citation.docket or citation.reporter or citation.ecli or "-"
        return f"@{name}|{citation.date}" if citation.date else f"@{name}"
    if citation.kind == "act":
        return f"#{citation.journal or (f'SR {citation.sr}' if citation.sr else citation.celex)}"
    act = citation.act or ("~" if citation.candidates else "-")
    return f"{act}|{citation.unit or '-'}{'+' if citation.open_range else ''}"


def brief_italian(citation: Citation) -> str:
    """The short notation of the Italian cases: rulings with their fields, norms with theirs."""
    if citation.kind == "ruling":
        head = f"{citation.court or '-'} {citation.number or '-'}/{citation.year or '-'}"
        return head + _fields(citation, RULING_FIELDS)
    act = "/".join(
        str(part) for part in (citation.act, citation.act_number, citation.act_year, citation.region) if part
    )
    return f"n:{act} {citation.article}" + _fields(citation, NORM_FIELDS)


def _fields(citation: Citation, names: dict[str, str]) -> str:
    return "".join(f" {short}={value}" for short, name in names.items() if (value := getattr(citation, name)))


def _in_order(notation: str) -> str:
    """Fields in a fixed order, so that notations compare."""
    if "=" not in notation or "|" in notation:
        return notation
    head, *pairs = _split_fields(notation)
    return " ".join((head, *sorted(pairs)))


def _split_fields(notation: str) -> list[str]:
    parts: list[str] = []
    for word in notation.split(" "):
        if "=" in word or len(parts) < 1:
            parts.append(word)
        else:
            parts[-1] += f" {word}"
    return parts
