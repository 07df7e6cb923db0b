"""Invented miniature files in the formats of the official sources, and helpers to build a corpus from them."""

from datetime import UTC, date, datetime

from lexreview.law.actions import import_acts
from lexreview.law.models import Act
from lexreview.law.parsed import ParsedAct, ParsedAmendment, ParsedEdition, ParsedName, ParsedUnit, sha256_of

NOW = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


def fedlex(
    body: str,
    *,
    day: str = "2024-01-01",
    language: str = "de",
    eli: str = "cc/2020/1",
    number: str = "999.1",
    authorial: str = "",
) -> bytes:
    """A consolidation in the manner of Fedlex."""
    address = f"https://fedlex.data.admin.ch/eli/{eli}/{day.replace('-', '')}"
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0" xmlns:fedlex="http://fedlex.admin.ch/">
<act name="publicLaw"><meta><identification source="#ch.bk"><FRBRWork><FRBRuri value="{address}"/>
<FRBRdate date="{day}" name="jolux:dateApplicability"/><FRBRdate date="2020-06-01" name="jolux:dateEntryInForce"/>
<FRBRdate date="2019-12-13" name="jolux:dateDocument"/><FRBRnumber value=""/>
<FRBRname xml:lang="de" value="Bundesgesetz vom 13. Dezember 2019 über Brunnen (Brunnengesetz, BruG)" shortForm="BruG"/>
<FRBRname xml:lang="fr" value="Loi fédérale du 13 décembre 2019 sur les fontaines (LFon)" shortForm="LFon"/>
</FRBRWork><FRBRExpression><FRBRuri value="{address}/{language}"/><FRBRlanguage language="{language}"/></FRBRExpression>
</identification></meta>
<preface><p><docNumber>{number} </docNumber></p><p><docTitle>Bundesgesetz <br/>über Brunnen</docTitle></p></preface>
<preamble><p>gestützt auf nichts,{authorial}</p></preamble><body>{body}</body></act></akomaNtoso>""".encode()


def article(number: str, content: str, *, eid: str = "", heading: str = "", note: str = "") -> str:
    note = f"<authorialNote><p>{note}</p></authorialNote>" if note else ""
    heading = f"<heading>{heading}</heading>" if heading else ""
    return f'<article eId="{eid or "art_" + number}"><num><b>Art. {number}</b>{note}</num>{heading}{content}</article>'


def paragraph(number: str, text: str) -> str:
    num = f"<num>{number}</num>" if number else ""
    return f"<paragraph>{num}<content><p>\u00a0{text}</p></content></paragraph>"


def unit(key: str, text: str = "", *children: ParsedUnit, **more: object) -> ParsedUnit:
    level, _, number = key.rpartition("/")[2].partition("=")
    labels = {
        "art": f"Art. {number}.",
        "par": f"§ {number}.",
        "ust": f"{number}.",
        "pkt": f"{number})",
        "lit": f"{number})",
    }
    return ParsedUnit(key, level, number=labels.get(level, number), text=text, children=list(children), **more)  # type: ignore[arg-type]


def edition(
    act: str, valid_from: str, *units: ParsedUnit, valid_to: str | None = None, language: str = "en", **more: object
) -> ParsedEdition:
    stamp = f"{act} {language} {valid_from} {[repr(each) for each in units]} {more}"
    return ParsedEdition(
        act=act,
        language=language,
        valid_from=date.fromisoformat(valid_from),
        valid_to=date.fromisoformat(valid_to) if valid_to else None,
        units=units,
        sha256=sha256_of(stamp.encode()),
        source_url=f"https://law.example/{act}/{valid_from}",
        **more,  # type: ignore[arg-type]
    )


def parsed_act(
    eli: str = "eli/xx/1",
    *editions: ParsedEdition,
    jurisdiction: str = "XX",
    names: tuple[ParsedName, ...] = (),
    amendments: tuple[ParsedAmendment, ...] = (),
    **more: object,
) -> ParsedAct:
    return ParsedAct(
        eli=eli,
        jurisdiction=jurisdiction,
        titles={"en": f"Act {eli}"},
        names=names,
        editions=editions,
        amendments=amendments,
        **more,  # type: ignore[arg-type]
    )


def stored_act(parsed: ParsedAct) -> Act:
    """The act after importing it as the system."""
    import_acts(parsed=[parsed], by=None, now=NOW)
    return Act.objects.get(eli=parsed.eli)
