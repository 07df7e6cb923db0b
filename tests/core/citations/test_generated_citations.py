"""Citations are generated from their structure and must come back from prose."""

from __future__ import annotations

from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st

from lexreview.core.citations import Citation, extract, unit_key
from tests.core.citations.profiles import ACTS, KESTRIA

GENERATED = settings(deadline=None, max_examples=120)
POLISH_CODES = {
    "k.c.": "KC",
    "KPC": "KPC",
    "k.p.": "KP",
    "ksh": "KSH",
    "KPA": "KPA",
    "k.k.": "KK",
    "Kodeksu pracy": "KP",
}
POLISH_STATUTES = {"u.k.w.h.": "UKWH", "Pzp": "PZP", "ustawy o prawach konsumenta": "UPK", "RODO": "EU:32016R0679"}
SWISS = {
    "de": {"OR": "CH:OR", "ZGB": "CH:ZGB", "DSG": "CH:DSG", "StPO": "CH:StPO"},
    "fr": {"CO": "CH:OR", "CC": "CH:ZGB", "LPD": "CH:DSG", "CPP": "CH:StPO"},
    "it": {"CO": "CH:OR", "CC": "CH:ZGB", "LPD": "CH:DSG", "CPP": "CH:StPO"},
}
SWISS_WORDS = {"de": ("Abs.", "lit."), "fr": ("al.", "let."), "it": ("cpv.", "lett.")}
PROSE = st.sampled_from(["", "Zob. ", "Tak stanowi ", "Por. też: ", "(", "1. ", "- ", "W sprawie powołano ", "✅ "])
ENDS = st.sampled_from([".", ")", ", co przesądza sprawę.", " i to wystarczy.", "\n\nDalej.", ";", ""])
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
SPELLINGS = (
    "{b}{u}",
    "{b}^{r}",
    "{b}({r})",
    "{b}[{r}]",
    "{b}{{{r}}}",
    "{b}<sup>{r}</sup>",
    "{b}$^{{{r}}}$",
    "${b}^{{{r}}}$",
)


@st.composite
def polish_number(draw: st.DrawFn) -> tuple[str, str]:
    """A number as written and in its normal form."""
    base = draw(st.integers(1, 290))
    kind = draw(st.sampled_from(["plain", "letter", "raised"]))
    if kind == "letter":
        letter = draw(st.sampled_from("abcd"))
        return f"{base}{letter}", f"{base}{letter}"
    if kind == "raised":
        raised = str(draw(st.integers(1, 134)))
        spelling = draw(st.sampled_from(SPELLINGS))
        return spelling.format(b=base, r=raised, u=raised.translate(SUPERSCRIPTS)), f"{base}^{raised}"
    return str(base), str(base)


@st.composite
def polish_code_unit(draw: st.DrawFn) -> tuple[str, str]:
    written, normal = draw(polish_number())
    text, levels = f"{draw(st.sampled_from(['art.', 'Art.', 'art. ', 'artykuł ', 'ART. ']))}{written}", {"art": normal}
    if draw(st.booleans()):
        section = str(draw(st.integers(1, 9)))
        text += draw(st.sampled_from([" § ", " §", " par. "])) + section
        levels["par"] = section
        if draw(st.booleans()):
            point = str(draw(st.integers(1, 20)))
            text += f" pkt {point}"
            levels["pkt"] = point
    return text, unit_key(levels) or ""


@st.composite
def polish_statute_unit(draw: st.DrawFn) -> tuple[str, str]:
    number = str(draw(st.integers(1, 99)))
    text, levels = f"art. {number}", {"art": number}
    for level, word, values in (("ust", " ust. ", "123456"), ("pkt", " pkt ", "123456"), ("lit", " lit. ", "abcdef")):
        if not draw(st.booleans()):
            break
        levels[level] = draw(st.sampled_from(values))
        text += word + levels[level]
    return text, unit_key(levels) or ""


def the_only(citations: list[Citation], text: str) -> Citation:
    assert len(citations) == 1, (text, citations)
    assert text[citations[0].start : citations[0].end] == citations[0].raw
    return citations[0]


@GENERATED
@given(unit=polish_code_unit(), name=st.sampled_from(sorted(POLISH_CODES)), before=PROSE, after=ENDS)
def test_unit_of_a_polish_code_comes_back(unit: tuple[str, str], name: str, before: str, after: str) -> None:
    text = f"{before}{unit[0]} {name}{after}"

    found = the_only(extract(text, jurisdiction="pl", lang="pl"), text)

    assert (found.act, found.unit) == (POLISH_CODES[name], unit[1])


@GENERATED
@given(unit=polish_statute_unit(), name=st.sampled_from(sorted(POLISH_STATUTES)), before=PROSE, after=ENDS)
def test_unit_of_a_polish_statute_comes_back(unit: tuple[str, str], name: str, before: str, after: str) -> None:
    text = f"{before}{unit[0]} {name}{after}"

    found = the_only(extract(text, jurisdiction="pl", lang="pl"), text)

    assert (found.act, found.unit) == (POLISH_STATUTES[name], unit[1])


@GENERATED
@given(
    numbers=st.lists(st.integers(1, 400), min_size=2, max_size=6, unique=True),
    last=st.sampled_from([" i ", " oraz ", ", "]),
)
def test_list_of_articles_becomes_one_item_each(numbers: list[int], last: str) -> None:
    *first, end = sorted(numbers)
    text = f"Sąd powołał art. {', '.join(map(str, first))}{last}{end} k.c."

    found = extract(text, jurisdiction="pl", lang="pl")

    assert [one.unit for one in found] == [f"art={number}" for number in sorted(numbers)]
    assert {one.act for one in found} == {"KC"}
    assert len({(one.start, one.end) for one in found}) == 1


@GENERATED
@given(first=st.integers(1, 300), length=st.integers(1, 11), dash=st.sampled_from(["-", "–", " - ", " – ", " do "]))
def test_short_range_is_expanded(first: int, length: int, dash: str) -> None:
    text = f"Zob. art. {first}{dash}{first + length} k.p."

    found = extract(text, jurisdiction="pl", lang="pl")

    assert [one.art for one in found] == [str(number) for number in range(first, first + length + 1)]


@GENERATED
@given(first=st.integers(1, 300), length=st.integers(12, 90))
def test_long_range_keeps_its_ends(first: int, length: int) -> None:
    found = extract(f"Zob. art. {first}–{first + length} k.p.", jurisdiction="pl", lang="pl")

    assert [one.art for one in found] == [str(first), str(first + length)]
    assert found[0].range_end == str(first + length)


@GENERATED
@given(
    units=st.lists(polish_code_unit(), min_size=2, max_size=4),
    link=st.sampled_from([" w zw. z ", " w związku z ", " oraz ", " i ", " w zb. z "]),
    name=st.sampled_from(["k.c.", "k.p.c.", "k.k."]),
)
def test_act_named_last_serves_the_whole_chain(units: list[tuple[str, str]], link: str, name: str) -> None:
    text = f"Podstawą jest {link.join(unit for unit, _ in units)} {name}."

    found = extract(text, jurisdiction="pl", lang="pl")

    assert [one.unit for one in found] == [key for _, key in units]
    assert {one.act for one in found} == {name.replace(".", "").upper()}


@GENERATED
@given(
    division=st.sampled_from(["I", "II", "III", "IV", "V"]),
    register=st.sampled_from(["CSK", "CSKP", "CZP", "KK", "UK", "NSNc", "PSK"]),
    number=st.integers(1, 999),
    day=st.dates(date(2001, 1, 1), date(2026, 10, 1)),
    form=st.sampled_from(
        ["wyrok SN z dnia {d}, {n}", "uchwała SN z {d} ({n})", "postanowienie Sądu Najwyższego z {d}, sygn. akt {n}"]
    ),
    numeric=st.booleans(),
)
def test_polish_ruling_comes_back_with_its_date(
    division: str, register: str, number: int, day: date, form: str, numeric: bool
) -> None:
    months = [
        "stycznia",
        "lutego",
        "marca",
        "kwietnia",
        "maja",
        "czerwca",
        "lipca",
        "sierpnia",
        "września",
        "października",
        "listopada",
        "grudnia",
    ]
    written = f"{day:%d.%m.%Y} r." if numeric else f"{day.day} {months[day.month - 1]} {day.year} r."
    docket = f"{division} {register} {number}/{day:%y}"
    text = f"Zob. {form.format(d=written, n=docket)}."

    found = the_only(extract(text, jurisdiction="pl", lang="pl"), text)

    assert (found.docket, found.court, found.date) == (docket, "SN", day.isoformat())


@GENERATED
@given(year=st.integers(1964, 2026), position=st.integers(1, 9999), form=st.integers(0, 4))
def test_polish_journal_address_comes_back(year: int, position: int, form: int) -> None:
    forms = ("Dz.U. {y} poz. {p}", "Dz. U. z {y} r. poz. {p}", "Dz.U.{y}.{p}", "DU/{y}/{p}", "WDU{y}000{p:04d}")
    text = f"Ogłoszono: {forms[form].format(y=year, p=position)}."

    found = the_only(extract(text, jurisdiction="pl", lang="pl"), text)

    assert (found.kind, found.journal) == ("act", f"DU/{year}/{position}")


@GENERATED
@given(
    lang=st.sampled_from(["de", "fr", "it"]),
    article=st.integers(1, 999),
    suffix=st.sampled_from(["", "a", "b", "bis", "abis"]),
    paragraph=st.sampled_from([None, "1", "2", "3bis"]),
    letter=st.sampled_from([None, "a", "c"]),
    data=st.data(),
)
def test_swiss_unit_comes_back(
    lang: str, article: int, suffix: str, paragraph: str | None, letter: str | None, data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(sorted(SWISS[lang])))
    loose = data.draw(st.booleans())
    ust, lit = SWISS_WORDS[lang if loose else data.draw(st.sampled_from(sorted(SWISS_WORDS)))]
    art, ust, lit = (word.replace(".", " .") if loose else word for word in ("Art.", ust, lit))
    parts = [
        f"{art} {article}{suffix}",
        *([f"{ust} {paragraph}"] if paragraph else []),
        *([f"{lit} {letter}"] if letter else []),
    ]
    text = f"({' '.join(parts)} {name})."

    found = the_only(extract(text, jurisdiction="ch", lang=lang), text)

    assert found.act == SWISS[lang][name]
    assert found.unit == unit_key(art=f"{article}{suffix}", ust=paragraph, lit=letter)


@GENERATED
@given(
    volume=st.integers(80, 151),
    part=st.sampled_from(["I", "Ia", "II", "III", "IV", "V"]),
    page=st.integers(1, 700),
    name=st.sampled_from(["BGE", "ATF", "DTF"]),
)
def test_swiss_report_comes_back_in_german_form(volume: int, part: str, page: int, name: str) -> None:
    text = f"Vgl. {name} {volume} {part} {page}."

    found = the_only(extract(text, jurisdiction="ch", lang="de"), text)

    assert found.reporter == f"BGE {volume} {part} {page}"


@GENERATED
@given(
    article=st.integers(1, 300),
    raised=st.sampled_from([None, "1", "2"]),
    section=st.sampled_from([None, "1", "4"]),
    spelling=st.sampled_from(["Art. {n}", "Article {n}", "article {n}"]),
    name=st.sampled_from(["CPA", "of the Civil Procedure Act"]),
)
def test_unit_of_an_invented_state_comes_back(
    article: int, raised: str | None, section: str | None, spelling: str, name: str
) -> None:
    number = f"{article}{raised.translate(SUPERSCRIPTS) if raised else ''}"
    text = f"The fee follows from {spelling.format(n=number)}{f' § {section}' if section else ''} {name}."

    found = the_only(extract(text, jurisdiction="QK", lang="en", acts=ACTS, profile=KESTRIA), text)

    assert found.act == "eli/qk/act/2011/9"
    assert found.unit == unit_key(art=f"{article}^{raised}" if raised else str(article), par=section)


@GENERATED
@given(
    number=st.integers(1, 39_999),
    year=st.integers(1970, 2026),
    section=st.sampled_from([None, ("sez. III", "3"), ("sez. un.", "U"), ("sez. lav.", "L")]),
    area=st.sampled_from([None, ("civ.", "CIV"), ("pen.", "PEN")]),
    order=st.booleans(),
    dated=st.booleans(),
    short=st.booleans(),
    glued=st.booleans(),
)
def test_ruling_of_the_court_of_cassation_comes_back(
    number: int,
    year: int,
    section: tuple[str, str] | None,
    area: tuple[str, str] | None,
    order: bool,
    dated: bool,
    short: bool,
    glued: bool,
) -> None:
    head = "Cass." + (f" {area[0]}" if area else "") + (f", {section[0]}" if section else "")
    tail = f"7 maggio {year}, n. {number}" if dated else f"n. {number}/{str(year)[2:] if short else year}"
    name = f"{head}, {'ord. ' if order else ''}{tail}"
    text = f"Si veda {name.replace(', ', ',').replace('. ', '.') if glued else name}, che conferma."

    found = the_only(extract(text, jurisdiction="it", lang="it"), text)

    assert (found.court, found.number, found.year) == ("CASS", str(number), year)
    assert found.section == (section[1] if section else None)
    assert found.date == (f"{year}-05-07" if dated else None)
    expected = "CIV" if section and section[1] == "L" and not area else area[1] if area else None
    assert found.area == expected or (section and section[1] == "L")


@GENERATED
@given(
    article=st.integers(1, 2969),
    suffix=st.sampled_from(["", "-bis", " ter", "-quater"]),
    comma=st.sampled_from([None, "1", "2"]),
    letter=st.sampled_from([None, "a", "b"]),
    act=st.sampled_from([("c.c.", "CC", None), ("c.p.c.", "CPC", None), ("d.lgs. n. 28/2010", "DLGS", "28")]),
)
def test_italian_norm_comes_back(
    article: int, suffix: str, comma: str | None, letter: str | None, act: tuple[str, str, str | None]
) -> None:
    parts = [
        f"art. {article}{suffix}",
        *([f"comma {comma}"] if comma else []),
        *([f"lett. {letter})"] if letter else []),
        act[0],
    ]
    text = f"Ai sensi dell'{', '.join(parts)} si provvede."

    found = the_only(extract(text, jurisdiction="it", lang="it"), text)

    assert (found.act, found.act_number) == (act[1], act[2])
    assert found.article == f"{article}{suffix.replace(' ', '-')}"
    assert (found.comma, found.letter) == (comma, letter)
