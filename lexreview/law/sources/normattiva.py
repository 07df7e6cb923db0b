"""Italian acts as the open-data service of Normattiva answers: one article of an act as it stands in a period."""

import re
from datetime import date
from typing import Any

from lexreview.law.folding import fold_space
from lexreview.law.keys import make_key
from lexreview.law.parsed import ParsedAct, ParsedEdition, ParsedName, ParsedUnit, UnreadableSource, sha256_of
from lexreview.law.repeal import says_repealed
from lexreview.law.sources.eli_pl import read_json
from lexreview.law.sources.json_shape import expecting
from lexreview.law.sources.markup import InlineRules, attribute, parse_html

RULES = InlineRules(
    breaking=frozenset({"p", "br", "div", "li", "td", "tr", "h2"}), dropped=frozenset({"script", "style"})
)
_SUFFIX = re.compile(r"-(?=bis|ter|quater|quinquies|sexies|septies|octies|novies|nonies|decies)", re.IGNORECASE)
_ARTICLE = re.compile(r"Art\.?\s*(?P<number>\d+[a-z]*)", re.IGNORECASE)
_PARAGRAPH = re.compile(r"(?P<number>\d+[a-z]*)\.\s*(?P<text>.*)", re.DOTALL | re.IGNORECASE)
_LETTER = re.compile(r"(?:(?<=[:;])|^)\s*(?P<letter>[a-z]{1,2}(?:bis|ter|quater)?)\)\s+")


@expecting("an answer of Normattiva")
def parse_normattiva_json(content: bytes) -> ParsedAct:
    """The act with the one article that the answer holds, as an excerpt of the edition of its period.

    UnreadableSource for an answer that says it failed, holds a list, or has no article.
    """
    record = read_json(content, what="an answer of Normattiva")
    data = record.get("data") if isinstance(record, dict) else None
    act: Any = data.get("atto") if isinstance(data, dict) else None
    if not isinstance(act, dict) or not act.get("articoloHtml"):
        raise UnreadableSource("expected an answer of Normattiva with one article (data.atto.articoloHtml), found none")
    year, month, day = (_number(act.get(f"{part}Provvedimento")) for part in ("anno", "mese", "giorno"))
    journal = "/".join(str(act.get(name) or "") for name in ("annoGU", "meseGU", "giornoGU", "numeroGU"))
    title = fold_space(str(act.get("titolo") or ""))
    adopted = _compact_day(f"{year:04d}{month:02d}{day:02d}") if year and month and day else None
    number = str(act.get("numeroProvvedimento") or "")
    kind = str(act.get("tipoProvvedimentoDescrizione") or "").strip().lower().replace(" ", ".")
    eli = f"urn:nir:stato:{kind}:{adopted or journal};{number}" if adopted else f"urn:nir:stato:{kind}:{journal}"
    edition = ParsedEdition(
        act=eli,
        language="it",
        valid_from=_compact_day(act.get("articoloDataInizioVigenza")),
        valid_to=_compact_day(act.get("articoloDataFineVigenza")),
        units=tuple(_units(str(act["articoloHtml"]).encode())),
        sha256=sha256_of(content),
        standing="consolidated",
        extent="excerpt",
        identifier=eli,
        source_url=f"https://www.normattiva.it/uri-res/N2Ls?{eli}",
    )
    names = [ParsedName("number", eli)]
    if adopted and number:
        names += [ParsedName("number", f"{kind.replace('.', ' ')} {number}/{year}")]
    return ParsedAct(
        eli=eli,
        jurisdiction="IT",
        titles={"it": fold_space(f"{title} {act.get('sottoTitolo') or ''}")},
        names=tuple(names),
        adopted_on=adopted,
        source_url=f"https://www.normattiva.it/uri-res/N2Ls?{eli}",
        editions=(edition,),
    )


def _number(value: object) -> int:
    text = str(value or "0")
    if not text.isdigit():
        raise UnreadableSource(f"expected a number in the date of the act, found {text!r}")
    return int(text)


def _compact_day(value: object) -> date | None:
    text = str(value or "")
    if not re.fullmatch(r"\d{8}", text) or text == "99999999":
        return None
    try:
        return date(int(text[:4]), int(text[4:6]), int(text[6:]))
    except ValueError as error:
        raise UnreadableSource(f"expected a day such as 20250130, found {text!r}") from error


def _units(html: bytes) -> list[ParsedUnit]:
    root = parse_html(html, what="an article of Normattiva")
    label = next((RULES.read(e).text for e in root.iter("h2") if "article-num-akn" in attribute(e, "class")), "")
    match = _ARTICLE.match(_SUFFIX.sub("", label))
    if match is None:
        raise UnreadableSource("expected an article with a number, found none")
    segments = [("art", match["number"].lower())]
    heading = next((RULES.read(e).text for e in root.iter("div") if "article-heading-akn" in attribute(e, "class")), "")
    article = ParsedUnit(make_key(segments), "art", number=label, heading=heading.strip("() "))
    for element in root.iter("div"):
        if "art-comma-div-akn" in attribute(element, "class").split():
            _paragraph(article, _bare(RULES.read(element).text), segments)
    if not article.children:
        spans = [e for e in root.iter("span") if "art-just-text-akn" in attribute(e, "class")]
        article.text = _bare(RULES.read(*spans).text) if spans else ""
    article.is_repealed = not article.children and says_repealed(article.text)
    return [article]


def _paragraph(article: ParsedUnit, text: str, segments: list[tuple[str, str]]) -> None:
    match = _PARAGRAPH.fullmatch(_SUFFIX.sub("", text))
    if match is None:
        article.text = f"{article.text}\n{text}".strip()
        return
    own = [*segments, ("ust", match["number"].lower())]
    unit = ParsedUnit(make_key(own), "ust", number=f"{match['number']}.", text=match["text"].strip())
    starts = list(_LETTER.finditer(unit.text))
    if starts and starts[0]["letter"] == "a":
        full, unit.text = unit.text, unit.text[: starts[0].start()].strip()
        for one, following in zip(starts, [*starts[1:], None], strict=True):
            piece = full[one.end() : following.start() if following else len(full)].strip()
            letter = ParsedUnit(make_key([*own, ("lit", one["letter"])]), "lit", number=f"{one['letter']})", text=piece)
            letter.is_repealed = says_repealed(piece)
            unit.children.append(letter)
    unit.is_repealed = not unit.children and says_repealed(unit.text)
    article.children.append(unit)


def _bare(text: str) -> str:
    return text.replace("((", "").replace("))", "").strip()
