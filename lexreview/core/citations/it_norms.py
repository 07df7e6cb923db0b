"""Italian norms: articles with paragraphs, letters and numbers, of codes, numbered acts and EU law."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache

from lexreview.core.citations.act_data import registry_of
from lexreview.core.citations.act_entry import ActEntry
from lexreview.core.citations.act_index import ActIndex
from lexreview.core.citations.act_ref import FOREIGN, ActRef
from lexreview.core.citations.attachment import Found
from lexreview.core.citations.cache import by_acts
from lexreview.core.citations.chain_parts import Chain, Member, NumberStyle, Unit
from lexreview.core.citations.chains import ChainParser
from lexreview.core.citations.citation import Citation
from lexreview.core.citations.dates import DATE, to_iso
from lexreview.core.citations.eu_acts import BEGINS, eu_act_at
from lexreview.core.citations.it_places import REGION_NAMES, region_of
from lexreview.core.citations.it_years import full_year
from lexreview.core.citations.language_words import ITALIAN, LanguageWords
from lexreview.core.citations.mentions import Mentions
from lexreview.core.citations.named_acts import abbreviation_at, first_words, title_at
from lexreview.core.citations.numbering import LATIN_SUFFIXES, number_at
from lexreview.core.citations.provision_rules import ProvisionRules
from lexreview.core.citations.provisions import Reading
from lexreview.core.citations.scanning import may_begin
from lexreview.core.citations.view import View

_TYPES = (
    (
        "DLGS",
        (
            r"d\.?\s?l(?:gs|eg|vo|g\.s)\b\.?|d\.\s?lgs\.|decret[oi]\s(?:legislativ[oi]|lgs\.?)|d\.\s?l\.\s?vo"
            r"|d\.\s?legisl\."
        ),
    ),
    ("DPR", r"d\.?\s?p\.?\s?r\b\.?|decreto\sdel\spresidente\sdella\srepubblica"),
    ("DM", r"d\.\s?m\.|d\.?m\b|decreto\sministeriale"),
    ("RD", r"r\.\s?d\.(?:\s?l\.)?|r\.?d\b|regio\sdecreto(?:[\s-]legge)?"),
    ("LR", r"l\.\s?r\.|l\.\s?reg\.|l\.?r\b|legge\sreg(?:ionale|\.)|l\.\sregionale"),
    ("DL", r"d\.\s?l\.|d\.?l\b\.?|decreto[\s-]legge"),
    ("L", r"l\.|legg[ei]|l\b(?=\s(?:n\.|\d))"),
)
_TYPE = "|".join(f"(?P<{code}>{pattern})" for code, pattern in _TYPES)
_NUMBER_WORD = r"(?:nn?\.?|nr\.?|num\.|numero|n[°º])"
_ACT = re.compile(
    rf"(?:{_TYPE})(?![^\W_])\s{{0,2}}(?:(?:della?\s|delle\s|reg(?:ione|\.)\s|per\sla\s|del\s"
    rf"|dell'){{0,3}}(?P<region>{REGION_NAMES})\s?,?\s{{0,2}})?"
    rf"(?:(?:del\s|in\sdata\s)?(?P<date>{DATE})\s?,?\s{{0,2}})?"
    rf"(?:{_NUMBER_WORD}\s{{0,2}})?(?P<number>\d{{1,5}})(?:\s?/\s?(?P<year>\d{{4}}|\d{{2}})(?!\d)"
    rf"|\s?[,(]?\s?del(?:l'anno)?\s(?P<of>{DATE}|\d{{4}})|\s?-\s?(?P<dash>(?:19|20)\d\d)(?!\d))?"
    rf"(?:\s?,?\s(?:della?\s)?(?:regione\s)?(?P<after>{REGION_NAMES})(?![^\W_]))?"
)
_ACT_BEGINS = may_begin(_ACT.pattern)
_EU_KINDS = {"R": "REG_UE", "L": "DIR_UE"}
_CODE_FIRST = re.compile(
    r"(?<![\w/.])(?P<act>c\.\s?c\.|c\.\s?p\.\s?c\.|c\.\s?p\.\s?p\.|c\.\s?p\.)\s?,?\s(?=art)", re.IGNORECASE
)
_BARE = re.compile(
    r"(?<![^\W_])(?P<ex>ex|dell'ex)\s(?P<number>\d{1,4}(?:[\s-]?(?:bis|ter|quater|quinquies|sexies|septies|octies))?)"
    r"(?:\s?,?\s?(?:comma|co\.)\s?(?P<comma>\d{1,2}))?\s?,?\s(?=c\.|cc\b|cpc\b|cp\b|cost\.)"
)
_FOREIGN_AFTER = re.compile(r"\s(?:svizzer[oa]|frances[ei]|tedesc[oa]|spagnol[oa]|austriac[oa])(?![^\W_])")
_HYPHEN = re.compile(rf"(\d+|^[a-z])({'|'.join(LATIN_SUFFIXES)})(\.\d+)?$")
_GAP_BEHIND = re.compile(r"\s{0,2},?\s{1,2}")
_ORDINALS = "|".join(sorted(ITALIAN.ordinals, key=len, reverse=True))
_COMMA_BEFORE = re.compile(
    rf"(?<![^\W_])(?:(?P<digit>\d{{1,2}})\s?[°º]|(?P<word>{_ORDINALS}))\s(?:comma|co\.)\s(?:dell'"
    rf"|dell[oa]\s|di\scui\sall'|del\s)\s?$"
)
_LEVELS = {
    "art": r"art(?:t|icol[oi])?\b\.?",
    "ust": r"comm[ai]\b|co(?:mm)?\.|c\.(?=\s?\d)|cpv\b\.?|capovers[oi]\b|par(?:agraf[oi]|r)?\b\.?|§§?",
    "pkt": r"n(?:umer[oi]|[nr])?\b\.?|num\.|n[°º]|punt[oi]\b|cifra\b",
    "lit": r"lett(?:er[ae])?\b\.?|lit\b\.?|let\b\.?",
    "zd": r"period[oi]\b|frase\b|alinea\b",
}
_PRIVATE = (
    ITALIAN.private + r"|regolament[oi]\s(?:edilizio|comunale|di\scondominio|d'istituto|scolastico|assembleare"
    r"|regionale\sinterno)|contratt[oi]\s\w{3,14}|condominio"
    r"|c\.?c\.?n\.?l\.?|contratto\scollettivo|ccnl|carta\sdei\sservizi|scrittura\sprivata|circolare"
    r"|delibera|n\.\s?t\.\s?a\.|norme\stecniche"
    r"|nta|piano\sregolatore|p\.?r\.?g\.?|convenzione\s(?:urbanistica|di\slottizzazione|di\sarbitrato)"
    r"|lex\sspecialis|patto\sparasociale|atto\scostitutivo"
    r"|codice\s(?:deontologico|di\scondotta|di\sautodisciplina)|codice\setico|ordinanza\ssindacale"
    r"|settimana|giornale|rivista"
)
_ARTICLES = ITALIAN.articles + (
    r"|della\scitata|del\scitato|del\spredetto|della\smedesima|del\smedesimo|di\scui\s(?:al|alla|all'|agli)"
    r"|il\scitato|cit\.|succitato"
)


@cache
def _words() -> LanguageWords:
    return replace(
        ITALIAN,
        levels=_LEVELS,
        private=_PRIVATE,
        articles=_ARTICLES,
        ranges=r"a|al|ad",
        open_range=r"e\ss(?:s|eg|egg|eguenti)\b\.?|segg?\b\.?|ss\b\.?|e\sseguenti|e\sss\.",
    )


@by_acts
def _rules(lang: str, acts: Sequence[ActEntry]) -> ProvisionRules:
    words = _words()
    index = ActIndex(registry_of("it"), overrides=acts, endings=words.endings, spaced=())
    types = "|".join(pattern for _, pattern in _TYPES)
    return ProvisionRules(
        code="IT",
        words=words,
        parser=ChainParser(words, NumberStyle(raised=False)),
        index=index,
        matchers=((BEGINS, _european_at), (None, title_at), (None, _abbreviation_at), (_ACT_BEGINS, numbered_at)),
        triggers=f"{types}|regolament|direttiv|codice|{first_words(index)}",
        bare_art_needs_act=True,
        chat=_bare_numbers,
    )


def _abbreviation_at(reading: Mentions, position: int) -> ActRef | None:
    ref = abbreviation_at(reading, position)
    if ref and _FOREIGN_AFTER.match(reading.folded, ref.end):
        return ActRef(position, ref.end, excluded=FOREIGN)
    return ref


def numbered_at(reading: Mentions, position: int) -> ActRef | None:
    """An act by type, number and year: "d.lgs. 231/2001", "l. 7 agosto 1990, n. 241", "L.R. Lombardia n. 12/2005"."""
    match = _ACT.match(reading.folded, position)
    if match is None:
        return None
    code = next(code for code, _ in _TYPES if match[code])
    dated = match["date"] or (match["of"] if match["of"] and not match["of"].isdigit() else None)
    adopted = to_iso(dated) if dated else None
    year = match["year"] or match["dash"] or (match["of"] if match["of"] and match["of"].isdigit() else None)
    full = full_year(year) if year else int(adopted[:4]) if adopted else None
    if full is None:
        return None
    region = match["region"] or match["after"]
    parts = [code, str(int(match["number"])), str(full), *([region_of(region)] if region and code == "LR" else [])]
    end = match.end() if code == "LR" or not match["after"] else match.start("after")
    return ActRef(position, _trimmed(reading.folded, end), act="/".join(parts), adopted=adopted)


def _trimmed(folded: str, end: int) -> int:
    while folded[end - 1] in " ,\n":
        end -= 1
    return end


def _european_at(reading: Mentions, position: int) -> ActRef | None:
    ref = eu_act_at(reading.view, position)
    if ref is None or ref.celex is None:
        return None
    kind = _EU_KINDS.get(ref.celex[5])
    if kind is None:
        return None
    return ActRef(position, ref.end, act=f"{kind}/{int(ref.celex[6:])}/{ref.celex[1:5]}", celex=ref.celex)


def _bare_numbers(reading: Mentions) -> Iterable[tuple[Chain, ActRef]]:
    """ "ex 2043 c.c.": a number without the word for article."""
    for match in _BARE.finditer(reading.folded):
        ref = _abbreviation_at(reading, match.end())
        value = number_at(reading.folded, match.start("number"))
        if ref is None or ref.excluded or value is None:
            continue
        levels = {"art": value.text} | ({"ust": match["comma"]} if match["comma"] else {})
        start = match.start("number")
        yield (
            Chain(
                start,
                match.end("comma") if match["comma"] else value.end,
                "art",
                "art",
                [Member(start, value.end, [Unit(levels)])],
            ),
            ref,
        )


class _NormReading(Reading):
    """Reads provisions the common way and gives them the fields of Italian norms."""

    def _attach(self, found: Found, *, after: int) -> None:
        super()._attach(found, after=after)
        if found.ref and found.direct and not found.dropped and found.end > found.chain.end:
            self._levels_behind(found)
        in_front = self.folded[max(0, found.chain.start - 40) : found.chain.start]
        if ("del" in in_front or "all'" in in_front) and (before := _COMMA_BEFORE.search(in_front)):
            self._level_before(found, before)

    def _levels_behind(self, found: Found) -> None:
        """ "art. 2697 c.c., secondo comma": the paragraph may stand behind the act."""
        unit = found.chain.members[-1].units[-1]
        if "ust" in unit.levels:
            return
        gap = _GAP_BEHIND.match(self.folded, found.end)
        position = gap.end() if gap else found.end
        if ordinal := self.rules.parser.before.match(self.folded, position):
            unit.levels = unit.levels | {"ust": ordinal["digit"] or str(self.rules.words.ordinals[ordinal["word"]])}
            found.end = ordinal.end()
            return
        marker = self.rules.parser.marker.match(self.folded, position)
        if marker is None or marker.lastgroup not in ("ust", "lit", "pkt"):
            return
        behind = self.rules.parser.chain_at(self.view, position)
        if behind and len(behind.members) == 1:
            units = behind.members[0].units
            found.chain.members[-1].units[-1:] = [replace(one, levels=unit.levels | one.levels) for one in units]
            found.end = behind.end

    def _level_before(self, found: Found, before: re.Match[str]) -> None:
        """ "il secondo comma dell'art. 2043 c.c."."""
        unit = found.chain.members[0].units[0]
        if "ust" not in unit.levels:
            unit.levels = unit.levels | {"ust": before["digit"] or str(self.rules.words.ordinals[before["word"]])}

    def _citations(self, found: Found) -> Iterable[Citation]:
        if found.ref is None or found.ref.act is None:
            return
        for member in found.chain.members:
            member.units = [unit for unit in member.units if not _inside_range(unit)]
        yield from super()._citations(found)

    def _citation(self, found: Found, ref: ActRef | None, unit: Unit, span: tuple[int, int]) -> Citation:
        assert ref is not None
        assert ref.act is not None
        code, number, year, region = (*ref.act.split("/"), None, None, None)[:4]
        levels = self._levels(unit, None, None)
        return Citation(
            kind="norm",
            start=span[0],
            end=span[1],
            raw=self.view.source[span[0] : span[1]],
            jurisdiction="IT",
            act=code,
            act_name=self._name_of(ref),
            act_number=number,
            act_year=int(year) if year else None,
            act_date=ref.adopted,
            region=region,
            celex=ref.celex,
            article=hyphened(levels.get("art")),
            article_to=_range_end(unit),
            comma=hyphened(levels.get("ust")),
            letter=hyphened(levels.get("lit")),
            num=hyphened(levels.get("pkt")),
        )


def _inside_range(unit: Unit) -> bool:
    """A range of articles is one item: its first article with the last one as ``article_to``."""
    return unit.range_of is not None and len(unit.levels) == 1 and unit.levels.get("art") != unit.range_of[0]


def _range_end(unit: Unit) -> str | None:
    if len(unit.levels) > 1:
        return None
    if unit.open_range:
        return "ss"
    return hyphened(unit.range_of[1]) if unit.range_of else None


def hyphened(value: str | None) -> str | None:
    """Italian numbering writes Latin suffixes with a hyphen: 612bis is 612-bis."""
    return _HYPHEN.sub(r"\1-\2\3", value) if value else value


def norms_in(view: View, acts: Sequence[ActEntry] = ()) -> list[Citation]:
    """Every norm of the text, one per article, paragraph and letter; a range of articles is one item."""
    return [citation for citation in _NormReading(view, _rules("it", acts)).read() if citation.kind == "norm"]
