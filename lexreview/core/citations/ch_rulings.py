"""Rulings of the Swiss federal courts: official reports and dockets, in three languages."""

from __future__ import annotations

import re

from lexreview.core.citations import cjeu
from lexreview.core.citations.ruling_words import ruling_words_of
from lexreview.core.citations.rulings import Docket, RulingRules

FEDERAL, ADMINISTRATIVE, CRIMINAL, PATENT = "BGer", "BVGer", "BStGer", "BPatGer"
_PART = r"(?P<part>I[ab]?|II|III|IV|V|VI)"
_REPORT = re.compile(
    rf"(?<![\w])(?:BGE|ATF|DTF)\s{{1,2}}(?P<volume>\d{{1,3}})\s{{1,2}}{_PART}\s{{1,2}}(?P<page>\d{{1,4}})(?![\d/]|\w)"
)
_FURTHER = re.compile(rf"(?<![\w./])(?P<volume>\d{{2,3}})\s{{1,2}}{_PART}\s{{1,2}}(?P<page>\d{{1,4}})(?![\d/]|\w)")
_LISTED_AFTER = re.compile(r"(?:[;,]|und|et|e|sowie)\s{1,2}$")
_REPORT_NAME = re.compile(r"(?<![\w])(?:BGE|ATF|DTF)\s")
_NOT_A_LIST = re.compile(r"\n\s?\n|\(|\.(?!\s?\d|\s?[;,])")
_LIST_REACH = 110
_ADMINISTRATIVE_REPORT = re.compile(
    r"(?<![\w])(?:BVGE|ATAF|DTAF)\s{1,2}(?P<year>(?:20)\d\d)\s?/\s?(?P<number>\d{1,3})(?!\d)"
)
_CRIMINAL_REPORT = re.compile(r"(?<![\w])TPF\s{1,2}(?P<year>20\d\d)\s{1,2}(?P<page>\d{1,4})(?!\d)")
_FEDERAL = re.compile(
    r"(?<![\w/.])(?P<division>[1-9](?:[A-Z]|[a-h](?=\s{0,2}_)))(?P<joint>[_.]|\s{0,2}_\s{0,2}"
    r"|\s{1,2})(?P<number>\d{1,5})\s?/\s?(?P<year>\d{4}|\d{2})(?![\d/]|\w)"
)
_OLD_SOCIAL = re.compile(r"(?<![\w/.])(?P<register>[BCEHIKMPU])\s{1,2}(?P<number>\d{1,4})/(?P<year>\d{2})(?![\d/]|\w)")
_ADMINISTRATIVE = re.compile(r"(?<![\w/-])(?P<docket>[A-F]-\d{1,5}/(?:19|20)\d\d)(?![\d/]|\w)")
_CRIMINAL = re.compile(
    r"(?<![\w.])(?P<docket>(?:SK|BB|BG|BH|BK|BP|BV|RR|RP|RH|CA|CR|CN|SN|BE|TPF)\.(?:19"
    r"|20)\d\d\.\d{1,4}(?:-\d{1,4})?)(?![\d.]?\d|\w)"
)
_PATENT = re.compile(r"(?<![\w])(?P<docket>[OS](?:19|20)\d\d_\d{1,4})(?!\w)")

_COURTS = (
    ((
        r"bundesverwaltungsgericht(?:s|es)?|bvger|bvge|tribunal\sadministratif\sfederal|taf"
        r"|tribunale\samministrativo\sfederale"
    ), ADMINISTRATIVE),
    (r"bundesstrafgericht(?:s|es)?|bstger|tribunal\spenal\sfederal|tpf|tribunale\spenale\sfederale", CRIMINAL),
    ((
        r"bundespatentgericht(?:s|es)?|bpatger|tribunal\sfederal\sdes\sbrevets|tfb"
        r"|tribunale\sfederale\sdei\sbrevetti"
    ), PATENT),
    (r"(?:schweizerische\w{0,2}\s)?bundesgericht(?:s|es)?|bger"
        r"|eidgenossische\w{0,2}\sversicherungsgericht(?:s|es)?|evg|tribunal\sfederal(?:\ssuisse)?|tf"
     r"|tribunale\sfederale(?:\ssvizzero)?|tfa", FEDERAL),
    *cjeu.COURTS,
)  # fmt: skip


def _report(match: re.Match[str]) -> list[Docket]:
    name = f"BGE {int(match['volume'])} {match['part']} {int(match['page'])}"
    return [Docket(match.start(), match.end(), reporter=name, court=FEDERAL)]


def _further(match: re.Match[str]) -> list[Docket]:
    """ "BGE 140 III 86; 141 III 1": the name of the reports stands once."""
    text, start = match.string, match.start()
    low = max(0, start - _LIST_REACH)
    if not _LISTED_AFTER.search(text, max(low, start - 7), start):
        return []
    name = max(_REPORT_NAME.finditer(text, low, start), key=lambda one: one.start(), default=None)
    return _report(match) if name and not _NOT_A_LIST.search(text, name.end(), start) else []


def _administrative_report(match: re.Match[str]) -> list[Docket]:
    return [
        Docket(
            match.start(), match.end(), reporter=f"BVGE {match['year']}/{int(match['number'])}", court=ADMINISTRATIVE
        )
    ]


def _criminal_report(match: re.Match[str]) -> list[Docket]:
    return [Docket(match.start(), match.end(), reporter=f"TPF {match['year']} {int(match['page'])}", court=CRIMINAL)]


def _federal(match: re.Match[str]) -> list[Docket]:
    """4A_123/2020 since 2007, 4C.123/2005 before; a blank stands for a lost underscore."""
    joint = "." if "." in match["joint"] else "_"
    docket = f"{match['division'].upper()}{joint}{int(match['number'])}/{match['year']}"
    return [Docket(match.start(), match.end(), docket, FEDERAL, needs_context=match["joint"].isspace())]


def _old_social(match: re.Match[str]) -> list[Docket]:
    docket = f"{match['register']} {int(match['number'])}/{match['year']}"
    return [Docket(match.start(), match.end(), docket, FEDERAL, needs_context=True)]


def _plain(court: str, match: re.Match[str]) -> list[Docket]:
    return [Docket(match.start(), match.end(), match["docket"], court)]


def _administrative(match: re.Match[str]) -> list[Docket]:
    """A room or a shelf may be called A-12/2020: low numbers need a word of context."""
    number = int(match["docket"][2:].split("/")[0])
    return [Docket(match.start(), match.end(), match["docket"], ADMINISTRATIVE, needs_context=number < 1000)]


def rules(lang: str) -> RulingRules:
    """The rules for rulings in Swiss texts of one language, courts of the EU and Strasbourg included."""
    words = ruling_words_of(lang)
    return RulingRules(
        code="CH",
        dockets=(
            (_REPORT, _report),
            (_FURTHER, _further),
            (_ADMINISTRATIVE_REPORT, _administrative_report),
            (_CRIMINAL_REPORT, _criminal_report),
            (_FEDERAL, _federal),
            (_OLD_SOCIAL, _old_social),
            (_ADMINISTRATIVE, _administrative),
            (_CRIMINAL, lambda match: _plain(CRIMINAL, match)),
            (_PATENT, lambda match: _plain(PATENT, match)),
            *cjeu.DOCKETS,
        ),
        courts=_COURTS,
        forms=words.forms,
        glue=words.glue,
        tail=words.tail,
        context=words.context,
        celex_of=cjeu.celex_of_case,
        date_only=True,
    )
