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
from lexreview.verification.short_titles import (
    act_of_kind_and_day,
    act_of_loose_title,
    acts_of_short_title,
    front_of,
)
from lexreview.verification.slips import KIND_OF_ACT, MOST_WORDS, NAME_REACH, act_of_slip, is_slip

_ATTACHED = re.compile(
    r"[(,;]\s*(?P<number>(?:t\.?\s?j\.?\s*:?\s*)?Dz\.?\s?U(?:rz)?\.?[^()]{0,60}?poz\.?\s*\d+|Dz\.?\s?U\.?\s?(?:19|20)\d\d\.(?:\d{1,3}\.)?\d{1,5}|(?:SR|RS)\s+\d{3}(?:\.\d+)*"
    r"|(?:CELEX:?\s*)?3\d{4}[A-Z]\d{4}"
    r"|\w+\.?\s+\((?:EU|EC|EEC|UE|CE|WE|EG|EWG)\)\s+(?:No\.?\s+|nr\s+|Nr\.?\s+|n[°o.]\s*)?\d{1,4}/\d{1,4}"
    r"|OJ\s\d{4},\s(?:item\s)?\d+)"
)
_BEFORE = re.compile(
    r"(?P<name>[^()\n;:|]{1,220}?)(?P<gap>[\s*_]*(?:[(\[,;:=/–—-]|\bis\b)?\s*"
    r"(?:(?:i\.\s?e\.|that is(?:\sto\ssay)?|namely|formally|officially|in full|d\.\s?h\.|das heisst|nämlich|offiziell|"
    r"formell|c\.-à-d\.|c'est-à-dire|à savoir|soit|officiellement|formellement|tj\.|to znaczy|mianowicie|czyli|"
    r"formalnie|oficjalnie|"
    r"ossia|cioè|vale a dire|ufficialmente|formalmente|t\.?\s?j\.?|tekst jednolity|consolidated text),?\s*)?)\Z"
)
# What leads over from the name of an act to its day of adoption.
_OF = re.compile(r"[\s(,]+(?:vom|von|du|de|del|dell['’]|of|z|z dnia)\s*\Z")
# "Das EOG steht unter der Nummer …": words that lead from an act to its number, and those of them that announce one.
_NUMBER_WORDS = frozenset(
    fold(
        "Nummer Nr SR-Nummer RS-Nummer Systematiknummer numéro no n numero numer numerem pozycja pozycji publikator "
        "number CELEX unter sous pod under publiziert veröffentlicht publiée publié pubblicata pubblicato published "
        "ogłoszono ogłoszona ogłoszony ogłoszone opublikowano opublikowana opublikowany opublikowane "
        "eingetragen erfasst aufgeführt abgelegt eingereiht inscrit inscrite enregistré enregistrée classé classée "
        "rangé rangée iscritto iscritta registrato registrata catalogato catalogata listed filed registered recorded "
        "wpisano wpisana wpisany zarejestrowano zarejestrowana "
        "Ordnungsnummer Registernummer code cote référence sygnatura riferimento reference"
    ).split()
)
_ARTICLES = frozenset({"la", "le", "il", "l", "the"})
_LEADING_WORDS = _NUMBER_WORDS | frozenset(
    fold(
        "ist hat trägt führt steht findet läuft sich wird geführt die der das den dem im in mit als systematischen "
        "systematische Rechtssammlung Sammlung heute est a porte figure le la l un du au dans recueil systématique "
        "droit fédéral numérotée numéroté ha porta figura il nella della raccolta sistematica con jest ma nosi to "
        "oznaczona oznaczony została został w z is has was were bears carries the its as at listed found cited "
        "official officially full offizielle offiziellen genaue officiel officielle ufficiale oficjalny "
        "oficjalna oficjalnie sistematico systematic systematyczny"
    ).split()
)
# What needs no further word between the name and a number that says itself what kind of act it is.
_COPULAS = frozenset({"to", "jest", "is", "ist", "est", "è", "="})
_SENTENCE_END = re.compile(r"(?<!\bnr)(?<!\bno)(?<!\bn)[.!?][\"”»*_)]*\Z", re.IGNORECASE)
_BARE = re.compile(
    r"(?:t\.?\s?j\.?[\s:]*)?(?:SR|RS|CELEX|Dz\b|Dz\.|DU/|MP/|W(?:DU|MP)\d|OJ|M\.?\s?P\.?|\d|\w+\.?\s\((?:EU|EC|EEC|UE|CE|WE|EG|EWG)\)"
    r"|(?i:rozporządz|regul|verordn|règlem|regolam|dyrekt|direct|richtl|diretti)\w*\s[^()\d]{0,80}"
    r"(?:\((?:EU|EC|EEC|UE|CE|WE|EG|EWG)\)|\d{1,4}/\d))"
)
_BEHIND = re.compile(
    r"(?:\]\([^()\s]{1,300}\))?\s*(?P<sign>[(\[,;:=–—-])\s*"
    r"(?:(?:(?:also|better|commonly|usually)\s)?(?:known|called|referred to) as\s|hereinafter:?\s|hereafter:?\s|"
    r"(?:besser )?bekannt als\s|(?:kurz|nachfolgend|nachstehend|im Folgenden|abgekürzt):?\s|"
    r"(?:plus )?connue?s? sous le nom de\s|dite?\s|(?:ci-après|abrégée?|en abrégé)(?: :|:)?\s|"
    r"(?:meglio )?not[oa] come\s|dett[oa]\s|(?:di seguito|in breve):?\s|(?:szerzej )?znan[aey] jako\s|"
    r"(?:zwan[aey] )?dalej:?\s|zwan[aey]\s|w skrócie:?\s|tzw\.\s)?"
    r"(?:(?:the|die|der|das|le|la|il|lo)\s|l['’])?(?P<name>[^(),;\]\n|]{1,110})"
)
# In front of a number in the same bracket: a name that the text gives ("(dalej: „ustawa o Odrze”; Dz.U. …)"), or a word
# that only announces the number ("(Fundstelle: SR 734.7)").
_GIVEN_NAME = re.compile(
    r"\(\s?(?:(?:nachfolgend|nachstehend|im Folgenden|fortan|kurz|ci-après|abrégée?|di seguito|in seguito|in breve|"
    r"hereinafter|hereafter|(?:zwan\w{1,3} )?dalej(?: jako)?|w skrócie)\s?:?\s?[^()\n;]{1,60}?[;,]\s|"
    r"(?:Fundstelle|Quelle|Fundort|source|référence|fonte|riferimento|źródło|publikator|reference)\s?:\s)\Z",
    re.IGNORECASE,
)
_FIRST_SENTENCE = re.compile(r"[.!?]\s")
# What makes a name behind a number that of the next one: "SR 954.1, BankG: SR 952.0".
_NEXT_NUMBER = re.compile(
    r"[\s,;:=(\[–—-]{0,5}(?:(?:SR|RS|CELEX|OJ|DU/|MP/|Dz\.)|\w+\.?\s\((?:EU|EC|UE|CE|WE|EG)\)|\d)"
)
# In front of a number that its name follows: nothing, or a word such as "see".
_FRONT = re.compile(
    r"(?:\A|[\n(:;.|\[])[\s*_>•·–—-]*(?:\d{1,2}[.)]\s*)?(?:(?:siehe|vgl\.|s\.|see|cf\.|voir|vedi|v\.|zob\.|por\.|quelle:?)\s)?\[?\Z",
    re.IGNORECASE,
)
_LINK = re.compile(r"\[([^\[\]\n]{1,160})\]\([^()\s]{1,300}\)")
# "Regulation … of 16 April 2014 on market abuse (market abuse regulation)": the day of adoption and a name in brackets.
_TITLE_BEHIND = re.compile(r"\s(?P<title>[^()\n;|]{4,260})\((?P<name>[^()\n]{2,80})\)")
_MARKS = " *_`\"'„”«»"
# "Verordnung zum DSG (SR 235.11)" names an executive act, not the act that it carries out.
_EXECUTIVE = re.compile(
    r"(?:verordnung|ausfuhrung\w*|vollziehung\w*|einfuhrung\w*|anderung\w*|ordonnance|reglement|modifi\w+|ordinanza|regolamento|"
    r"modific\w+|rozporzadzeni\w+|wykonawcz\w+|wprowadzajac\w+|zmieniajac\w+|zmian\w+|ordinance|order|implementing|amend\w+|"
    r"supplementing|regulations?)\W+(?:[^\W\d]+\W+){0,4}\Z"
)
_OF_THE_STATE = re.compile(
    r"\s(?:des bundes|der schweiz|de la confederation|della confederazione|federale?|der eu|de l'ue|dell'ue|of the eu|"
    r"ue|unii europejskiej)\Z"
)
_OF_YEAR = re.compile(r"[\s,]+(?:z|z roku|von|aus dem jahr|de|del|of)\s(?:19|20)\d\d(?:\s?r\.?|\sroku)?\s*\Z")
_NAMES_IN_BRACKETS = re.compile(r"\((?P<names>[^()]{2,120})\)(?P<day>[^()\n;:|]{0,40})[\s,;:=([–—-]*\Z")
# "… ogłoszono w Dz.U. …, a tekst jednolity w Dz.U. …": the second number is of the same act.
_CONSOLIDATED_TOO = re.compile(
    r"\b(?:Dz\.\s?U|DU/)[^()\n;]{1,60}[\s,]+(?:(?:a|oraz|i|zaś)\s)?(?:j(?:ej|ego)\s)?"
    r"(?:tekst jednolity|tekst jedn\.|t\.\s?j\.)\s?"
    r"(?:ogłoszono|opublikowano|znajduje się|jest)?\s?(?:w|to|–|-|:)?\s*\Z"
)
_YEAR_BEHIND = re.compile(r"[\s,]*z\s(?P<year>(?:19|20)\d\d)\s?r")
_JOURNAL_WITHOUT_YEAR = re.compile(
    r"(?:.*\W)?Dz\.?\s?U\.?,?\s*(?:Nr\s?\d+,?\s*)?poz\.?\s*(?P<position>\d+)\W*", re.DOTALL
)
_SHORT_NAME = re.compile(r"\((?P<name>[^()]{2,40})\)[\s,–-]*\Z")
_POLISH = re.compile(r"(DU|MP)/(\d{4})/(\d+)")
_POLISH_JOURNALS = {"DU": "Dz.U.", "MP": "M.P."}
# "trägt das Datenschutzgesetz seit 2023 die Nummer": words that lead nowhere else.
_MOST_UNKNOWN = 2
_CLOSE_BY = 8
_BRACKET_OPENS = re.compile(r"\(\s*(?:[^\s()]{1,16}\s){0,2}\Z")
# An abbreviation, or a word for a text of law that is no act of parliament.
_OTHER_ACT = re.compile(
    r"[A-ZÄÖÜ]\w*[A-ZÄÖÜ]|(?i:abkommen|vertrag|protokoll|konkordat|convention|convenzion|accord|traité|trattato|umow|konwencj|traktat|"
    r"treaty|agreement|reglement|regulamin)"
)
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
    is_carried_out = _is_carried_out(text, citation)
    start = CheckedCitation(citation=citation, result=CheckResult.UNDETERMINED, act_name=(citation.act or number)[:200])
    numbered = inquiry.corpus.numbers.get(number, [])
    named = list(acts_of_id(citation.act, citation, inquiry)) if citation.act and not is_carried_out else []
    if not is_carried_out and (not named or _share(named, numbered)):
        named = acts_named_beside(text, citation, inquiry) or named
    if not named:
        return _of_number(start, number, numbered, _words_beside(text, citation), inquiry)
    act = named[0]
    start = replace(start, act=act, source_url=act.source_url, certainty="established")
    if own := _with_year_of(act, citation, text, inquiry):
        number, numbered = own, inquiry.corpus.numbers.get(own, [])
    if _share(named, numbered):
        return replace(start, result=CheckResult.CONFIRMED, reason="number_agrees")
    right = [act.eli, *inquiry.corpus.numbers_of(act)]
    if numbered:
        return _wrong(start, right, number, reason="number_of_another_act", other=numbered[0].title(inquiry.lang))
    if _is_known_elsewhere(citation, inquiry):
        return _wrong(start, right, number, reason="number_of_another_act")
    if _is_decided(number, [canonical_number(each) for each in right]) or _is_of_next_year(number, act, inquiry):
        return _wrong(start, right, number, reason="number_not_of_this_act")
    return replace(start, reason="number_not_known")


def _is_carried_out(text: str, citation: Citation) -> bool:
    """Whether the name before the number only ends that of another act: "Przepisy wprowadzające Kodeks cywilny"."""
    if _BARE.match(citation.raw):
        return False
    before = re.split(r"[.;:()\n|]", fold(text[max(0, citation.start - 80) : citation.start]))[-1]
    return "," not in before and _EXECUTIVE.search(before) is not None


def _with_year_of(act: Act, citation: Citation, text: str, inquiry: Inquiry) -> str:
    """The journal position of a number without a year: the year is the act's, or the next for one of December."""
    match = (
        _JOURNAL_WITHOUT_YEAR.fullmatch(citation.raw) if "?" in (citation.journal or "?") and act.adopted_on else None
    )
    if match is None or act.adopted_on is None or act.jurisdiction != "PL":
        return ""
    position = int(match["position"])
    if written := _YEAR_BEHIND.match(text, citation.end):
        return f"DU/{written['year']}/{position}"
    year = act.adopted_on.year
    own = _numbers_of(act, inquiry)
    following = f"DU/{year + 1}/{position}"
    return following if following in own else f"DU/{year}/{position}"


def _is_known_elsewhere(citation: Citation, inquiry: Inquiry) -> bool:
    """Whether a bare number is that of an act which the grammar knows and the corpus lacks."""
    known = citation.act if _BARE.match(citation.raw) and not _is_number_id(citation.act) else None
    return known is not None and not acts_of_id(known, citation, inquiry)


def _is_of_next_year(number: str, act: Act, inquiry: Inquiry) -> bool:
    """Whether a journal position is the act's own but for the year before or behind: no consolidated text gets that."""
    match = _POLISH.fullmatch(number)
    if match is None:
        return False
    journal, year, position = match.groups()
    return any(f"{journal}/{int(year) + step}/{position}" in _numbers_of(act, inquiry) for step in (-1, 1))


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
        if issued := _issued_that_day(citation.raw.partition("(")[0], citation, inquiry):
            return issued
        number = _ATTACHED.search(citation.raw)
        title = citation.raw[: number.start()] if number and _is_number_id(citation.act) else ""
        short = acts_of_short_title(title, inquiry)
        return short if len(short) == 1 else act_of_loose_title(title, inquiry)
    before = _LINK.sub(r"\1", text[max(0, citation.start - NAME_REACH) : citation.start])
    before = _GIVEN_NAME.sub("(", before)
    match = _BEFORE.search(before)
    written = match["name"].strip(_MARKS) if match else ""
    if match and "\n" in match["gap"]:
        found = inquiry.corpus.names.get(fold_name(written), [])
    else:
        found = _named_at_end(_without_day(written), inquiry) or _named_in_bracket(before, inquiry)
    if len(found) == 1:
        return found
    return (
        _named_behind(text, citation, inquiry)
        or _named_in_sentence(before, inquiry)
        or _named_in_row(text, citation, inquiry)
        or _titled_behind(text, citation, inquiry)
        or (not _only_ends_a_title(written) and _titled(written, inquiry))
        or _named_close_by(before, citation, inquiry)
        or _named_with_slip(text, citation, inquiry)
        or _issued_that_day(written, citation, inquiry)
    )


def _issued_that_day(written: str, citation: Citation, inquiry: Inquiry) -> list[Act]:
    """The act that a name by kind, issuer and day means, where the number is known to be that of another act."""
    numbered = inquiry.corpus.numbers.get(number_of(citation), [])
    kind = KIND_OF_ACT.search(fold(written)) if numbered else None
    act = act_of_kind_and_day(written[kind.start() :], inquiry) if kind else None
    return [act] if act and not any(_issued_alike(act, other) for other in numbered) else []


def _issued_alike(act: Act, other: Act) -> bool:
    """Whether two acts have the same kind, issuer and day."""
    fronts = [{front_of(title) for title in each.titles.values()} for each in (act, other)]
    return act.adopted_on == other.adopted_on and bool(fronts[0] & fronts[1])


def _named_with_slip(text: str, citation: Citation, inquiry: Inquiry) -> list[Act]:
    """The one act that the sentence names and whose number this unknown one nearly is."""
    number = number_of(citation)
    if (
        scheme_of(number) in {"SR", "other"}
        or number in inquiry.corpus.numbers
        or _is_known_elsewhere(citation, inquiry)
    ):
        return []
    return act_of_slip(text, citation, number, inquiry)


def _numbers_of(act: Act, inquiry: Inquiry) -> set[str]:
    return {canonical_number(each) for each in (act.eli, *inquiry.corpus.numbers_of(act))}


def _named_close_by(before: str, citation: Citation, inquiry: Inquiry) -> list[Act]:
    """The one act named few words in front of a bracket, where the number in it looks like a slip of its own one.

    No other act may be spoken of in between. A longer number that begins with the act's own is that of an ordinance.
    """
    if not _BRACKET_OPENS.search(before):
        return []
    words = re.split(r"[\n;|]", before)[-1].split()
    for _ in range(min(len(words), _CLOSE_BY)):
        if found := _named_before(words, inquiry):
            number = number_of(citation)
            own = [each for each in _numbers_of(found[0], inquiry) if scheme_of(each) == scheme_of(number)]
            return found if any(is_slip(number, each) for each in own) else []
        word = words.pop().strip("(),;:–—-*_\"'«»„”[]")
        if _OTHER_ACT.search(word) or KIND_OF_ACT.search(fold(word)) or (_SENTENCE_END.search(word) and len(word) > 4):
            return []
    return []


def _titled(written: str, inquiry: Inquiry) -> list[Act]:
    return acts_of_short_title(written, inquiry, whole=True) or act_of_loose_title(written, inquiry)


def _only_ends_a_title(written: str) -> bool:
    """Whether the title only ends that of an act which amends, introduces or carries out the one it names."""
    folded = fold_name(written)
    kinds = list(KIND_OF_ACT.finditer(folded))
    return bool(kinds) and _EXECUTIVE.search(folded[: kinds[-1].start()]) is not None


def _named_behind(text: str, citation: Citation, inquiry: Inquiry) -> list[Act]:
    """The one act whose name follows the number, in brackets or where nothing in front can be its name."""
    match = _BEHIND.match(text, citation.end)
    if match is None:
        return []
    if match["sign"] not in "([" and not _FRONT.search(text, max(0, citation.start - 60), citation.start):
        return []
    for name in dict.fromkeys((match["name"], _FIRST_SENTENCE.split(match["name"], maxsplit=1)[0])):
        found = inquiry.corpus.names.get(fold_name(name), [])
        if len(found) == 1:
            return [] if _NEXT_NUMBER.match(text, match.start("name") + len(name)) else found
    return []


def _named_in_bracket(before: str, inquiry: Inquiry) -> list[Act]:
    """The one act of the names in brackets right before the number: "… (Öffentlichkeitsgesetz, BGÖ), SR 152.3"."""
    match = _NAMES_IN_BRACKETS.search(before)
    if match is None or _without_day(f"x{match['day']}").strip(" ,x"):
        return []
    named = [inquiry.corpus.names.get(fold_name(name), []) for name in re.split(r"[,;]", match["names"])]
    acts = {act.pk: act for found in named if len(found) == 1 for act in found}
    return list(acts.values()) if len(acts) == 1 else []


def _named_at_end(words: str, inquiry: Inquiry) -> list[Act]:
    """The one act with whose name the words end, unless they speak of an act that carries it out."""
    name = _OF_THE_STATE.sub("", fold_name(words))
    short = re.sub(r"\b(loi|legge) federale\b", r"\1", name)
    return _suffix_named(name, inquiry) or (_suffix_named(short, inquiry) if short != name else [])


def _suffix_named(name: str, inquiry: Inquiry) -> list[Act]:
    folded = name.split()
    for size in range(min(len(folded), MOST_WORDS), 0, -1):
        found = inquiry.corpus.names.get(" ".join(folded[-size:]), [])
        if len(found) == 1:
            return [] if _EXECUTIVE.search(" ".join(folded[:-size]) + " ") else found
    return []


def _named_in_sentence(before: str, inquiry: Inquiry) -> list[Act]:
    """The one act from whose name the sentence leads to the number: "porte le numéro RS 152.3", "RODO to …"."""
    if again := _CONSOLIDATED_TOO.search(before):
        before = before[: again.start()]
    words = re.split(r"[\n;|]", before)[-1].split()
    led: set[str] = set()
    unknown = 0
    while words and not _SENTENCE_END.search(words[-1]):
        word = words[-1].strip("(),:–-—*_\"'«»„”[]°º")
        plain = word if word in _COPULAS else fold(word).rstrip(".°º")
        if word and plain not in _LEADING_WORDS and plain not in _COPULAS:
            if led and (found := _named_before(words, inquiry)):
                is_led = again or not _NUMBER_WORDS.isdisjoint(led) or (not unknown and _says_what_it_is(led, words))
                return found if is_led else []
            unknown += 1
            if unknown > _MOST_UNKNOWN or word != word.lower() or KIND_OF_ACT.search(plain) or not led:
                break
        led.add(plain)
        words.pop()
    if unknown or not words or (_NUMBER_WORDS.isdisjoint(led) and not _says_what_it_is(led, words) and not again):
        return []
    return _named_before(words, inquiry)


def _named_before(words: Sequence[str], inquiry: Inquiry) -> list[Act]:
    """The one act with whose name, short name in brackets or short title the words end."""
    before = re.sub(r"['’]s\Z", "", " ".join(words))
    bracket = _SHORT_NAME.search(before)
    short = inquiry.corpus.names.get(fold_name(bracket["name"]), []) if bracket else []
    if len(short) == 1:
        return short
    return _named_at_end(before, inquiry) or acts_of_short_title(before, inquiry, whole=True)


def _named_in_row(text: str, citation: Citation, inquiry: Inquiry) -> list[Act]:
    """The one act that the other cells of a row name, where the number fills its cell: "| BGÖ | SR 152.3 |"."""
    start, end = text.rfind("\n", 0, citation.start) + 1, text.find("\n", citation.end)
    before, behind = text[start : citation.start].split("|"), text[citation.end : end if end >= 0 else None].split("|")
    if len(before) + len(behind) < 3 or (before.pop() + behind.pop(0)).strip(_MARKS):
        return []
    named = [_named_at_end(cell.strip(_MARKS), inquiry) for cell in (*before, *behind)]
    acts = {act.pk: act for found in named for act in found}
    return list(acts.values()) if len(acts) == 1 else []


def _titled_behind(text: str, citation: Citation, inquiry: Inquiry) -> list[Act]:
    """The one act whose day of adoption and whose name in brackets follow the number."""
    match = _TITLE_BEHIND.match(text, citation.end)
    found = inquiry.corpus.names.get(fold_name(match["name"]), []) if match else []
    if match is None or len(found) != 1 or found[0].adopted_on is None:
        return []
    days = dates_in(fold(f"{citation.raw} {match['title']}"))
    return found if any(day.iso == found[0].adopted_on.isoformat() for day in days) else []


def _says_what_it_is(led: Set[str], words: Sequence[str]) -> bool:
    """ "RODO to …", "la LTras è la …", and a short name in brackets right before the number: "(SFDR), Regulation …"."""
    if not led:
        return words[-1].rstrip(",–-").endswith(")")
    return led <= _COPULAS | _ARTICLES and not _COPULAS.isdisjoint(led)


def _without_day(name: str) -> str:
    """A name without the day or year of adoption behind it ("Bankengesetz vom 8. November 1934")."""
    name = _OF_YEAR.sub("", name)
    folded = fold(name.rstrip(" ,"))
    day = next((each for each in dates_in(folded) if folded[each.end :] in {"", " r", " r."}), None)
    return _OF.sub("", name[: day.start]) if day else name


def _words_beside(text: str, citation: Citation) -> str:
    before = _BEFORE.search(text[max(0, citation.start - NAME_REACH) : citation.start])
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
