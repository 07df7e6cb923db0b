"""Italian rulings: a court with section, date and number in any order, chains that inherit, ECLI."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from lexreview.core.citations import it_ecli
from lexreview.core.citations.citation import Citation
from lexreview.core.citations.it_courts import Court, courts_in
from lexreview.core.citations.it_tokens import ADD, TOKEN, RulingDraft, kind_of
from lexreview.core.citations.it_years import PIVOT_YEAR
from lexreview.core.citations.scanning import windows
from lexreview.core.citations.view import View

MOST_GAP = 70
HIGHEST_NUMBER = 99_999
_ANCHOR = re.compile(
    r"ecli:[a-z]{2}:|(?<![a-z])sent(?:enz[ae]|\.)|(?<![a-z])ordinanz[ae]|(?<![\w-])[ct]-\d{1,4}/|(?<![a-z])(?:id"
    r"|ead)\.|,\s?nn?\.\s?\d{1,6}/\d\d"
)
READ_BEFORE, READ_AFTER = 120, 260
_JOINED = re.compile(r";|(?<![a-z])(?:e|ed|nonche)(?![a-z])")
_PARTIES = re.compile(
    r"[\s,(]{0,3}(?P<party>[A-ZÀ-Ý][\w'.&-]{1,25}(?:\s[\w'.&-]{1,20}){0,4}\s(?:c\.|contro|v\."
    r"|c/)\s[A-ZÀ-Ý][\w'-]{1,25}(?:\s[A-ZÀ-Ý][\w'-]{1,20})?)[\s,(]{1,3}"
)
_NAME = re.compile(r"[\s,(]{1,3}[A-ZÀ-Ý][\w'.&-]{1,25}(?:\s[A-ZÀ-Ý0-9][\w'.&-]{0,20}){0,3}[\s,(]{1,3}")
_GLUE = re.compile(
    r"(?:[\s,:()\[\]–|/-]|(?:con|la|il|lo|l'|le|del|della|dello|dell'|dal|dalla|di|in|data|e|ed|nonche"
    r"|cit\.|citata|resa|emessa|pronunciata|depositata|pubblicata"
    r"|sua|nella|sempre|anche|poi|altresi|successiva|recente|nota|grande\scamera|gc|est\.\s[a-z]{2,14}"
    r"|pres\.\s[a-z]{2,14}|rel\.\s[a-z]{2,14}|giur\.|centrale|appello"
    r"|ud\.|parere|quale|centr\.|app\.|caso|causa|cause|riunite|su|r\.g\.)(?![a-z])){0,9}"
)
_CHAIN_GLUE = re.compile(
    r"(?:[\s,;()–-]|(?:e|ed|nonche|con|le|la|alle|alla|anche|poi|nello\sstesso\ssenso|v\.|vedi|cfr\.|conf\."
    r"|conformi?|in\ssenso\sconforme|da\sultimo|successiva(?:mente)?)(?![a-z])){0,8}"
)
_REVERSED = re.compile(
    r"\s?\)?,?\s?(?:(?:emess[ao]|res[ao]|pronunciat[ao]|del[l]?[ao]?|dell[ae]|dell'|dalla|dal|dall'|di|del|la|le|il|i|gli|l'|lo|\()\s?){0,3}"
)
_ENDS = re.compile(r"\s?(?:[).;]|$)")
_OF = re.compile(r"[a-z(]")
_NOT_A_RULING = re.compile(
    r"(?:l\.|legge|d\.?\s?l(?:gs|vo)?\.?|lgs\.|legislativo|d\.?p\.?r\.?|r\.d\.|d\.m\.|ministeriale"
    r"|reg\w{0,9}\.?|direttiva|delibera\w{0,6}|circolare|contratto"
    r"|fattura|prot\.|protocollo|determina\w{0,5}|provvedimento|avviso|cartella|ricorso|repertorio|rep\."
    r"|pratica|polizza|conto|verbale|rogito|atto|legge-)\s?$"
)
# "Le sentenze nn. 348 e 349 del 2007 della Corte": the court of all stands behind the last.
_SEVERAL = frozenset(("sentenze", "ordinanze", "decreti", "pronunce", "decisioni"))
_PLAIN_DOC = re.compile(r"sent")
_NOT_COURT_DOC = re.compile(
    r"(?:\s(?:sindacal|prefettizi|ministerial|ingiunzion|legislativ|legge|del\spresidente|dirigenzial))"
)


class _Token(NamedTuple):
    start: int
    end: int
    kind: str
    match: re.Match[str] | None
    court: Court | None = None


def rulings_in(view: View) -> list[Citation]:
    """Every ruling of an Italian text, once each with its number of mentions, in order."""
    groups = [*_Assembly(view).groups(), *_from_urls(view)]
    merged: dict[tuple[object, ...], tuple[RulingDraft, int]] = {}
    for group in sorted(groups, key=lambda one: one.start):
        key = _key(group)
        if key in merged:
            known, mentions = merged[key]
            _complete(known, group)
            repeated = 0 if group.ecli and group.doc_word == "ecli" else 1
            merged[key] = (known, mentions + repeated)
        else:
            merged[key] = (group, 1)
    return [_citation(view, group, mentions) for group, mentions in merged.values()]


def _key(group: RulingDraft) -> tuple[object, ...]:
    if group.number is None:
        return (group.court, group.venue, group.date, group.year, group.start if not group.ecli else group.ecli)
    venue = (
        group.venue
        if group.court in ("TRIB", "APP", "TAR", "GDP", "CTP", "CTR", "CGT1", "CGT2") and not group.ecli
        else None
    )
    year = None if group.court in ("CGUE", "TRIBUE", "CEDU") else group.year
    return (group.court, group.number, year, venue)


def _complete(known: RulingDraft, other: RulingDraft) -> None:
    """Fill what the first mention leaves open from a further one."""
    if known.area and other.area and known.area != other.area:
        known.flags.append("ecli_area_conflict")
    for name in ("area", "section", "doc_type", "date", "hearing", "deposit", "ecli", "rg", "rv", "venue", "year"):
        if getattr(known, name) is None:
            setattr(known, name, getattr(other, name))


def _from_urls(view: View) -> Iterator[RulingDraft]:
    """An address with an ECLI slug names a ruling: ``ECLI_IT_CASS_2020_123CIV``."""
    for start, end in view.urls:
        source_start, source_end = view.span(start, end)
        slug = it_ecli.SLUG.search(view.source, source_start, source_end)
        if slug:
            ecli = slug[0].upper().replace("_", ":")
            group = _ecli_group(start, end, ecli)
            if group:
                yield group


def _ecli_group(start: int, end: int, ecli: str) -> RulingDraft | None:
    parts = it_ecli.parts_of(ecli)
    if parts is None:
        return None
    return RulingDraft(
        start, end, court=parts.court, venue=parts.venue, area=parts.area, doc_type=parts.doc_type, number=parts.number,
        year=parts.year, date=parts.date, ecli=ecli, rg=parts.rg, doc_word="ecli",
    )  # fmt: skip


class _Assembly:
    """Walks over the tokens of a text and joins them to rulings."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.folded = view.folded
        self.done: list[RulingDraft] = []
        self.current: RulingDraft | None = None
        self.last: RulingDraft | None = None
        self.waiting: list[RulingDraft] = []

    def groups(self) -> list[RulingDraft]:
        for token in self._tokens():
            self._take(token)
        self._flush()
        self._share_years()
        return self.done

    def _share_years(self) -> None:
        """ "nn. 348 e 349 del 2007": the year behind the last number is the year of all."""
        for first, following in zip(reversed(self.done[:-1]), reversed(self.done[1:]), strict=True):
            joined = first.plural and following.plural and following.inherited
            if joined and first.year is None and following.year is not None:
                first.year, first.date = following.year, first.date or following.date

    def _tokens(self) -> list[_Token]:
        courts = courts_in(self.view)
        tokens = [_Token(court.start, court.end, "court", None, court) for court in courts]
        at = 0
        spots = [(court.start, court.end) for court in courts]
        spots += (match.span() for match in _ANCHOR.finditer(self.folded))
        for low, high in windows(sorted(spots), before=READ_BEFORE, after=READ_AFTER, length=len(self.folded)):
            position = low
            while at < len(courts) and courts[at].start < high:
                tokens += self._between(position, courts[at].start)
                position = courts[at].end
                at += 1
            tokens += self._between(position, high)
        return sorted(tokens, key=lambda token: token.start)

    def _between(self, start: int, end: int) -> Iterator[_Token]:
        """The tokens between two courts' names."""
        for match in TOKEN.finditer(self.folded, start, end):
            yield _Token(match.start(), match.end(), kind_of(match, match.lastgroup or ""), match)

    def _take(self, token: _Token) -> None:
        current = self.current
        gap = self.folded[current.end : token.start] if current else ""
        near = current is not None and len(gap) <= MOST_GAP and "\n\n" not in gap
        if token.kind == "court":
            self._court(token, gap if near else None)
        elif token.kind == "ecli":
            self._ecli(token, gap if near else None)
        elif token.kind == "idem":
            self._flush()
            self._begin_idem(token)
        elif current and near and self._glued(current, token, gap) and self._fits(token, gap):
            self._add(current, token)
        elif current and near and self._chains(token, gap):
            self._continue(token, gap)
        else:
            self._flush()
            self._begin(token)

    def _court(self, token: _Token, gap: str | None) -> None:
        court, current = token.court, self.current
        assert court is not None
        if gap is not None and current:
            inside = court.section in ("U", "AP") and current.court == court.code and current.section is None
            last = current.number is not None and gap.strip() in (",", "(") and _ENDS.match(self.folded, token.end)
            if inside and (last or (current.number is None and _GLUE.fullmatch(gap))):
                current.section, current.area = court.section, current.area or court.area
                current.end = token.end
                return
            behind = current.court is None and (current.number or current.date) and _REVERSED.fullmatch(gap)
            if behind and (current.doc_word or _OF.search(gap)):
                current.court, current.venue, current.section = (
                    court.code,
                    court.venue,
                    current.section or court.section,
                )
                current.area = current.area or court.area
                current.end = token.end
                for listed in self.waiting:
                    listed.court, listed.venue, listed.section = current.court, current.venue, current.section
                    listed.area = current.area
                return
            heading = current.court is None and not (current.number or current.date) and _REVERSED.fullmatch(gap)
            if heading and (current.doc_word or current.section):
                current.court, current.venue, current.area = court.code, court.venue, current.area or court.area
                current.section, current.end = current.section or court.section, token.end
                return
        self._flush()
        self.current = RulingDraft(
            token.start, token.end, court=court.code, venue=court.venue, section=court.section, area=court.area
        )

    def _ecli(self, token: _Token, gap: str | None) -> None:
        group = _ecli_group(token.start, token.end, self.view.text[token.start : token.end].upper().rstrip("."))
        if group is None:
            self._flush()
            return
        group.end = group.start + len(group.ecli or "")
        current = self.current
        same = (
            current
            and current.court == group.court
            and current.number in (group.number, None)
            and current.year in (group.year, None)
        )
        if current and gap is not None and same and _GLUE.fullmatch(gap):
            if current.area and group.area and current.area != group.area:
                current.flags.append("ecli_area_conflict")
            current.number, current.year = current.number or group.number, current.year or group.year
            current.area, current.ecli, current.end = current.area or group.area, group.ecli, group.end
            current.rg = current.rg or group.rg
            return
        self._flush()
        self.current = group

    def _glued(self, current: RulingDraft, token: _Token, gap: str) -> bool:
        """Only glue in between; for the European courts the parties' names too."""
        if _GLUE.fullmatch(gap):
            return True
        if token.kind == "rv":
            return _NAME.fullmatch(self.view.text, current.end, token.start) is not None
        if current.court not in ("CEDU", "CGUE", "TRIBUE"):
            return False
        between = self.view.text[current.end : token.start]
        parties = _PARTIES.fullmatch(between)
        if parties:
            current.party = parties["party"]
        return bool(parties or _NAME.fullmatch(between))

    def _fits(self, token: _Token, gap: str) -> bool:
        """May the token still belong to the current ruling?"""
        current, kind = self.current, token.kind
        assert current is not None
        complete = current.number is not None
        if kind == "number":
            match = token.match
            assert match is not None
            marked = match["several"] or match["year"] or match["ofyear"] or match["ofdate"] or match["dashyear"]
            return not complete and bool(marked or current.date)
        if kind in ("date", "case", "application"):
            own = current.date if kind == "date" else current.number
            return own is None and not (kind == "date" and complete and self._date_begins(token))
        if kind in ("section", "sectionlast", "bare", "area"):
            return not complete or (current.section is None and kind != "bare" and not _JOINED.search(gap))
        if kind == "doc":
            return not complete and current.doc_word is None
        if kind == "ofyearonly":
            return current.year is None
        return True

    def _date_begins(self, token: _Token) -> bool:
        """Behind a complete citation, a date followed by a number begins the next one."""
        following = TOKEN.search(self.folded, token.end, min(len(self.folded), token.end + 14))
        return following is not None and kind_of(following, following.lastgroup or "") == "number"

    def _chains(self, token: _Token, gap: str) -> bool:
        """May the token begin a further ruling of the same court?"""
        current = self.current
        assert current is not None
        if not (current.number or current.date) or not _CHAIN_GLUE.fullmatch(gap):
            return False
        if current.court is None and not (current.doc_word in _SEVERAL and token.kind == "number"):
            return False
        if token.kind == "number":
            match = token.match
            assert match is not None
            return bool(match["several"] or match["year"] or match["ofyear"] or current.plural)
        return token.kind in ("date", "section", "sectionlast", "doc", "case")

    def _continue(self, token: _Token, gap: str) -> None:
        before = self.current
        assert before is not None
        if before.court is None:
            self.current = None
            self.waiting.append(before)
        else:
            self._flush()
        known = [name for name in ("venue", "area", "section", "doc_type") if getattr(before, name)]
        kept = ["court", *known] if before.court else known
        if token.kind in ("section", "sectionlast"):
            kept = [name for name in kept if name not in ("area", "section")]
        group = RulingDraft(token.start, token.end)
        for name in kept:
            setattr(group, name, getattr(before, name))
        group.plural = before.plural
        group.doc_word = before.doc_word if before.court is None else None
        own_year = token.kind != "number" or (
            token.match and (token.match["year"] or token.match["ofyear"] or token.match["ofdate"])
        )
        if not own_year and (before.date or before.year):
            group.date, group.year = before.date, before.year
            kept.append("date" if before.date else "year")
        group.inherited = tuple(kept)
        self.current = group
        self._add(group, token)

    def _begin(self, token: _Token) -> None:
        if token.kind == "number" and _NOT_A_RULING.search(self.folded, max(0, token.start - 16), token.start):
            return
        if token.kind in ("doc", "number", "date", "case", "section", "sectionlast"):
            self.current = RulingDraft(token.start, token.end)
            self._add(self.current, token)

    def _begin_idem(self, token: _Token) -> None:
        if self.last and self.last.court:
            group = RulingDraft(token.start, token.end, court=self.last.court, venue=self.last.venue)
            group.inherited = ("court", *(["venue"] if group.venue else []))
            self.current = group

    def _add(self, group: RulingDraft, token: _Token) -> None:
        match = token.match
        assert match is not None
        ADD[token.kind](group, match)
        group.end = token.end

    def _flush(self) -> None:
        group, self.current = self.current, None
        waiting, self.waiting = self.waiting, []
        for listed in waiting:
            if group and listed.year is None:
                listed.year, listed.date = group.year, group.date
        for one in (*waiting, *([group] if group else [])):
            if _is_ruling(one, self.folded):
                self.done.append(one)
                self.last = one


def _is_ruling(group: RulingDraft, folded: str) -> bool:
    """Does the group say enough to be a citation of a ruling?"""
    if group.year is None:
        dated = group.deposit or group.date
        group.year = int(dated[:4]) if dated else None
    if group.court is None:
        plain = group.doc_word and _PLAIN_DOC.match(group.doc_word) and group.number and group.year
        return bool(plain)
    if group.number is not None:
        return True
    if group.court in ("CGUE", "CEDU", "TRIBUE"):
        return bool(group.date or group.ecli)
    return group.year is not None


def _citation(view: View, group: RulingDraft, mentions: int) -> Citation:
    start, end = view.span(group.start, group.end)
    flags = list(group.flags)
    if group.number is None and not group.ecli:
        flags.append("number_missing")
    if group.number is not None and group.year is None and group.court not in ("CGUE", "CEDU", "TRIBUE"):
        flags.append("year_missing")
    if group.court is None:
        flags.append("court_missing")
    if group.number and group.number.isdigit() and not 0 < int(group.number) <= HIGHEST_NUMBER:
        flags.append("implausible_number")
    if group.year and group.year > PIVOT_YEAR:
        flags.append("year_in_future")
    return Citation(
        kind="ruling",
        start=start,
        end=end,
        raw=view.source[start:end],
        jurisdiction="IT",
        court=group.court,
        venue=group.venue,
        area=group.area,
        section=group.section,
        doc_type=group.doc_type,
        docket=group.number if group.court in ("CGUE", "CEDU", "TRIBUE") else None,
        number=group.number,
        year=group.year,
        date=group.date,
        hearing_date=group.hearing,
        deposit_date=group.deposit,
        ecli=group.ecli,
        ecli_candidates=it_ecli.candidates(court=group.court, number=group.number, year=group.year, area=group.area),
        rg=group.rg,
        rv=group.rv,
        party=group.party,
        mentions=mentions,
        inherited=group.inherited,
        flags=tuple(dict.fromkeys(flags)),
    )
