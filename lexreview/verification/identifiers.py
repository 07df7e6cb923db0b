"""The number of an act (journal position, SR number, CELEX) against the act that the text names with it."""

import re
from collections.abc import Sequence, Set
from dataclasses import replace

from lexreview.core.citations import Citation
from lexreview.core.citations.dates import dates_in
from lexreview.core.citations.view import fold
from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.law.models import Act
from lexreview.law.names import fold_name, name_stems
from lexreview.law.resolving import canonical_number
from lexreview.verification.checked import CheckedCitation, Inquiry
from lexreview.verification.provisions import acts_of_id
from lexreview.verification.short_titles import act_of_loose_title, acts_of_short_title

_ATTACHED = re.compile(
    r"[(,;]\s*(?P<number>(?:t\.?\s?j\.?\s*:?\s*)?Dz\.?\s?U(?:rz)?\.?[^()]{0,60}?poz\.?\s*\d+|(?:SR|RS)\s+\d{3}[\d.]*\d"
    r"|(?:CELEX:?\s*)?3\d{4}[A-Z]\d{4}"
    r"|\w+\s+\((?:EU|EC|EEC|UE|CE|WE|EG|EWG)\)\s+(?:No\.?\s+|nr\s+|Nr\.?\s+|n[°o.]\s*)?\d{1,4}/\d{1,4}"
    r"|OJ\s\d{4},\s(?:item\s)?\d+)"
)
_BEFORE = re.compile(
    r"(?P<name>[^()\n;:|]{1,220}?)[\s*_]*(?:[(,;:=–-]|\bis\b)?\s*"
    r"(?:(?:i\.\s?e\.|that is(?:\sto\ssay)?|namely|d\.\s?h\.|das heisst|nämlich|c\.-à-d\.|c'est-à-dire|à savoir|soit|"
    r"tj\.|to znaczy|mianowicie|czyli|ossia|cioè|vale a dire|t\.?\s?j\.?|"
    r"tekst jednolity|consolidated text),?\s*)?\Z"
)
# What leads over from the name of an act to its day of adoption.
_OF = re.compile(r"[\s(,]+(?:vom|von|du|de|del|dell['’]|of|z|z dnia)\s*\Z")
# "Das EOG steht unter der Nummer …": words that lead from an act to its number, and those of them that announce one.
_NUMBER_WORDS = frozenset(
    fold(
        "Nummer Nr SR-Nummer RS-Nummer Systematiknummer numéro no n numero numer numerem pozycja pozycji publikator "
        "number CELEX unter sous pod under publiziert veröffentlicht publiée publié pubblicata pubblicato published "
        "ogłoszono ogłoszona ogłoszony ogłoszone opublikowano opublikowana opublikowany opublikowane"
    ).split()
)
_ARTICLES = frozenset({"la", "le", "il", "l", "the"})
_LEADING_WORDS = _NUMBER_WORDS | frozenset(
    fold(
        "ist hat trägt führt steht findet läuft sich wird geführt die der das den dem im in mit als systematischen "
        "systematische Rechtssammlung Sammlung heute est a porte figure le la l un du au dans recueil systématique "
        "droit fédéral numérotée numéroté ha porta figura il nella della raccolta sistematica con jest ma nosi to "
        "oznaczona oznaczony została został w z is has bears carries the its as at listed found cited"
    ).split()
)
# What needs no further word between the name and a number that says itself what kind of act it is.
_COPULAS = frozenset({"to", "jest", "is", "ist", "est", "è", "="})
_SENTENCE_END = re.compile(r"(?<!\bnr)(?<!\bno)(?<!\bn)[.!?][\"”»*_)]*\Z", re.IGNORECASE)
_BARE = re.compile(
    r"(?:t\.?\s?j\.?[\s:]*)?(?:SR|RS|CELEX|Dz\b|Dz\.|DU/|MP/|OJ|M\.?\s?P\.?|\d|\w+\s\((?:EU|EC|EEC|UE|CE|WE|EG|EWG)\)"
    r"|(?i:rozporządz|regul|verordn|règlem|regolam|dyrekt|direct|richtl|diretti)\w*\s[^()\d]{0,80}"
    r"(?:\((?:EU|EC|EEC|UE|CE|WE|EG|EWG)\)|\d{1,4}/\d))"
)
_BEHIND = re.compile(r"\s*[(,;]\s*(?P<name>[^(),;\n|]{1,110})")
# "Verordnung zum DSG (SR 235.11)" names an executive act, not the act that it carries out.
_EXECUTIVE = re.compile(
    r"(?:verordnung|ausfuhrung\w*|vollziehung\w*|ordonnance|reglement|ordinanza|regolamento|rozporzadzeni\w+|wykonawcz\w+|"
    r"ordinance|order|implementing|regulations?)\W+(?:[^\W\d]+\W+){0,4}\Z"
)
_SHORT_NAME = re.compile(r"\((?P<name>[^()]{2,40})\)[\s,–-]*\Z")
_POLISH = re.compile(r"(DU|MP)/(\d{4})/(\d+)")
_POLISH_JOURNALS = {"DU": "Dz.U.", "MP": "M.P."}
_MOST_WORDS = 24
_NAME_REACH = 240
_NUMBER_ID = re.compile(r"(?:SR-\d|\d{5}[A-Z]|[A-Z]{2,8}/\d{4}/)")


def attached_identifier(citation: Citation) -> Citation | None:
    """The number written with the act of a provision ("art. 5 ustawy (Dz.U. …)") as a citation of its own, if any."""
    if citation.kind != "provision" or not (citation.journal or citation.sr or citation.celex):
        return None
    match = _ATTACHED.search(citation.raw)
    if match is None:
        return None
    start, end = citation.start + match.start("number"), citation.start + match.end("number")
    return Citation(
        kind="act",
        start=start,
        end=end,
        raw=match["number"],
        jurisdiction=citation.jurisdiction,
        act=citation.act,
        journal=citation.journal,
        sr=citation.sr,
        celex=citation.celex,
    )


def check_identifier(citation: Citation, text: str, inquiry: Inquiry) -> CheckedCitation:
    """The result for an act's number: right, of another act, or not to be decided.

    The act is the one that the citation or the words beside it name. Consolidated texts get positions of their own, and
    the corpus need not know all of them: an unknown position of a later year proves nothing, one of the year of
    promulgation or of a known consolidated text does.
    """
    number = number_of(citation)
    start = CheckedCitation(citation=citation, result=CheckResult.UNDETERMINED, act_name=(citation.act or number)[:200])
    numbered = inquiry.corpus.numbers.get(number, [])
    named = list(acts_of_id(citation.act, citation, inquiry)) if citation.act else []
    if not named or _share(named, numbered):
        named = acts_named_beside(text, citation, inquiry) or named
    if not named:
        return _of_number(start, number, numbered, _words_beside(text, citation), inquiry)
    act = named[0]
    start = replace(start, act=act, source_url=act.source_url, certainty="established")
    if _share(named, numbered):
        return replace(start, result=CheckResult.CONFIRMED, reason="number_agrees")
    right = [act.eli, *inquiry.corpus.numbers_of(act)]
    if numbered:
        return _wrong(start, right, number, reason="number_of_another_act", other=numbered[0].title(inquiry.lang))
    if _is_known_elsewhere(citation, inquiry):
        return _wrong(start, right, number, reason="number_of_another_act")
    if _is_decided(number, [canonical_number(each) for each in right]):
        return _wrong(start, right, number, reason="number_not_of_this_act")
    return replace(start, reason="number_not_known")


def _is_known_elsewhere(citation: Citation, inquiry: Inquiry) -> bool:
    """Whether a bare number is that of an act which the grammar knows and the corpus lacks."""
    known = citation.act if _BARE.match(citation.raw) and not _is_number_id(citation.act) else None
    return known is not None and not acts_of_id(known, citation, inquiry)


def _share(named: Sequence[Act], numbered: Sequence[Act]) -> bool:
    return bool({act.pk for act in named} & {act.pk for act in numbered})


def _is_number_id(act: str | None) -> bool:
    """Whether the grammar knew the act by its number only."""
    return not act or bool(_NUMBER_ID.match(act.rpartition(":")[2]))


def is_bare_number(name: str) -> bool:
    """Whether an act is called by nothing but its number."""
    return _BARE.match(name) is not None


def acts_named_beside(text: str, citation: Citation, inquiry: Inquiry) -> list[Act]:
    """The one act whose name stands right before the number ("BankG (SR 952.0)") or in the bracket behind it.

    Where the citation holds a name of its own ("DSV, SR 235.11") and the grammar knew none, its title decides.
    """
    if not _BARE.match(citation.raw):
        number = _ATTACHED.search(citation.raw)
        title = citation.raw[: number.start()] if number and _is_number_id(citation.act) else ""
        short = acts_of_short_title(title, inquiry)
        return short if len(short) == 1 else act_of_loose_title(title, inquiry)
    before = _BEFORE.search(text[max(0, citation.start - _NAME_REACH) : citation.start])
    written = before["name"] if before else ""
    if found := _named_at_end(_without_day(written), inquiry):
        return found
    behind = _BEHIND.match(text, citation.end)
    found = inquiry.corpus.names.get(fold_name(behind["name"]), []) if behind else []
    if len(found) == 1:
        return found
    return (
        _named_in_sentence(text, citation, inquiry)
        or acts_of_short_title(written, inquiry, whole=True)
        or act_of_loose_title(written, inquiry)
    )


def _named_at_end(words: str, inquiry: Inquiry) -> list[Act]:
    """The one act with whose name the words end, unless they speak of an act that carries it out."""
    folded = fold_name(words).split()
    for size in range(min(len(folded), _MOST_WORDS), 0, -1):
        found = inquiry.corpus.names.get(" ".join(folded[-size:]), [])
        if len(found) == 1:
            return [] if _EXECUTIVE.search(" ".join(folded[:-size]) + " ") else found
    return []


def _named_in_sentence(text: str, citation: Citation, inquiry: Inquiry) -> list[Act]:
    """The one act from whose name the sentence leads to the number: "porte le numéro RS 152.3", "RODO to …"."""
    words = re.split(r"[\n;|]", text[max(0, citation.start - _NAME_REACH) : citation.start])[-1].split()
    led: set[str] = set()
    while words and not _SENTENCE_END.search(words[-1]):
        word = words[-1].strip("(),:–-*_\"'«»„”")
        plain = word if word in _COPULAS else fold(word).rstrip(".")
        if word and plain not in _LEADING_WORDS and plain not in _COPULAS:
            break
        led.add(plain)
        words.pop()
    if not words or (_NUMBER_WORDS.isdisjoint(led) and not _says_what_it_is(led, words)):
        return []
    before = " ".join(words)
    bracket = _SHORT_NAME.search(before)
    short = inquiry.corpus.names.get(fold_name(bracket["name"]), []) if bracket else []
    if len(short) == 1:
        return short
    return _named_at_end(before, inquiry) or acts_of_short_title(before, inquiry, whole=True)


def _says_what_it_is(led: Set[str], words: Sequence[str]) -> bool:
    """ "RODO to …", "la LTras è la …", and a short name in brackets right before the number: "(SFDR), Regulation …"."""
    if not led:
        return words[-1].rstrip(",–-").endswith(")")
    return led <= _COPULAS | _ARTICLES and not _COPULAS.isdisjoint(led)


def _without_day(name: str) -> str:
    """A name without the day of adoption behind it ("Bankengesetz vom 8. November 1934")."""
    folded = fold(name.rstrip(" ,"))
    day = next((each for each in dates_in(folded) if folded[each.end :] in {"", " r", " r."}), None)
    return _OF.sub("", name[: day.start]) if day else name


def _words_beside(text: str, citation: Citation) -> str:
    before = _BEFORE.search(text[max(0, citation.start - _NAME_REACH) : citation.start])
    return f"{before['name'] if before else ''} {citation.raw}"


def _of_number(
    start: CheckedCitation, number: str, numbered: Sequence[Act], words: str, inquiry: Inquiry
) -> CheckedCitation:
    """A number with no act that the corpus knows by name. A name that shares no word with the act contradicts it."""
    if not numbered:
        if inquiry.corpus.is_amending(number, start.citation.raw):
            return replace(start, result=CheckResult.CONFIRMED, reason="number_of_amending_act")
        return replace(start, reason="act_not_in_corpus")
    act = numbered[0]
    start = replace(start, act=act, source_url=act.source_url, certainty="established")
    own = " ".join([*act.titles.values(), *(name for each in numbered for name in inquiry.corpus.names_of(each))])
    if not _is_number_id(start.citation.act) and not name_stems(words) & name_stems(own):
        return _wrong(start, [], number, reason="number_of_another_act", other=act.title(inquiry.lang))
    reason = "number_of_several_acts" if len(numbered) > 1 else "number_known"
    return replace(start, result=CheckResult.CONFIRMED, reason=reason)


def _wrong(
    start: CheckedCitation, right: Sequence[str], number: str, *, reason: str, other: str = ""
) -> CheckedCitation:
    """`other`: the act to which the number belongs. Suggested is a number of the same scheme, best of the same year."""
    same = [each for each in right if scheme_of(canonical_number(each)) == scheme_of(number)]
    year = _year(number)
    of_year = [each for each in same if year is not None and _year(canonical_number(each)) == year]
    return replace(
        start,
        result=CheckResult.WRONG_IDENTIFIER,
        reason=reason,
        suggestion=printed_number(next(iter([*of_year, *same]), ""), start.act),
        source_text=other,
    )


def printed_number(number: str, act: Act | None) -> str:
    """A number as its journal is cited; other numbers as they are."""
    canonical = canonical_number(number)
    if act is not None and act.journal and canonical == act.identifiers.get("journal"):
        return act.journal
    match = _POLISH.fullmatch(canonical)
    return f"{_POLISH_JOURNALS[match[1]]} {match[2]} poz. {match[3]}" if match else number


def number_of(citation: Citation) -> str:
    """The number that the text writes, as the corpus spells numbers."""
    if citation.sr:
        return f"SR {citation.sr}"
    return canonical_number(citation.celex or citation.journal or citation.act or citation.raw)


def scheme_of(number: str) -> str:
    """`SR`, `CELEX`, the journal's code, or `other`."""
    if number.startswith("SR "):
        return "SR"
    if len(number) >= 10 and number[:5].isdigit() and number[5].isalpha():
        return "CELEX"
    head, _, rest = number.partition("/")
    return head if rest and head.isupper() else "other"


def _is_decided(number: str, own: Sequence[str]) -> bool:
    """Whether the act's known numbers of the same scheme settle that this one is none of them."""
    scheme = scheme_of(number)
    same = [each for each in own if scheme_of(each) == scheme]
    if not same:
        return False
    if scheme in {"SR", "CELEX"}:
        return True
    year, years = _year(number), [_year(each) for each in same]
    return year is not None and (year in years or all(known is not None and year < known for known in years))


def _year(number: str) -> int | None:
    parts = number.split("/")
    return int(parts[1]) if len(parts) > 1 and parts[1].isdigit() else None
