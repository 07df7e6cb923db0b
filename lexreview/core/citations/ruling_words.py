"""The words around rulings in five languages: kinds of decision, glue between the parts, positions behind, context."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lexreview.core.citations import pl_rulings


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingWords:
    """Folded pattern fragments of one language; see ``RulingRules`` for their meaning."""

    forms: str
    glue: str
    tail: str
    context: str


_CONSIDERATION = r"(?P<consid>\d{1,2}(?:\.\d{1,2}){0,5}(?:\.?[a-z]{1,2}(?![^\W_]))?)"
_PAGE = r"(?:s\.|p\.|pp\.|pag\.|seite|f\.|ff\.|ss)\s?\d{1,4}(?:\s?(?:ff?\.|s{1,2}\.?|segg?\.))?"
_CONSIDERATION_WORD = r"e\.|erw\.|erwagung(?:en)?|consid\.|c\.|cons\.|considerants?|considerando"


def _tail(*words: str) -> str:
    """Considerations, paragraphs and pages behind a ruling."""
    before = "|".join((_CONSIDERATION_WORD, *words))
    more = r"(?:\s?(?:und|et|e|and|-|–)\s?\d{1,2}(?:\.\d{1,2}){0,4}(?![\w/.])|\s(?:ff?\.|ss\.?(?!\w)))?"
    return rf"(?:{before})\s?{_CONSIDERATION}{more}|{_PAGE}"


ENGLISH = RulingWords(
    forms=r"judge?ments?|decisions?|orders?|rulings?|resolutions?|opinions?\sof\sadvocate\sgeneral|opinions?",
    glue=(
        r"of|the|in|dated|on|case|cases|no\.?|joined|docket|file|ref\.?|reference|delivered|given|and|by"
        r"|in\sthe\scase\sof|in\scase"
        r"|in\sthe\scase\s[^,;\n()]{2,70},"
        r"|[^\W\d_][\w.'-]{1,20}(?:\s[\w.'-]{1,20}){0,3}\sv\.?\s[^,;\n()]{2,50}|application|grand\schamber"
        r"|chamber"
    ),
    tail=_tail(r"para(?:graph)?s?\.?", "point", "recital"),
    context=r"case|judgment|ruling|decision|see|cf\.|held|docket|order|court",
)
GERMAN = RulingWords(
    forms=(
        r"urteil(?:e[ns]?|s)?|urt\.|beschl\.|entscheid(?:e[ns]?|s|ung(?:en)?)?|beschluss(?:es)?|verfugung|schlussantrage[n]?"
        r"|leitentscheid\w{0,2}|zwischenentscheid\w{0,2}"
    ),
    glue=(
        r"des|der|vom|v\.|von|in|im|am|den|sache[n]?|rechtssachen?|rs\.|verfahren|nr\.?|az\.|geschaftsnummer"
        r"|und|i\.\s?s\.|die|das|beim|zu|gegen"
        r"|[^\W\d_][\w.'-]{1,20}\s(?:gegen|c\.)\s[^,;\n()]{2,40}"
        r"|publiziert|als|\w{1,3}\.\s\w{1,3}\.|abteilung|kammer|(?:i{1,3}|iv|v)\.\s\w{4,20}(?:\sabteilung)?"
    ),
    tail=_tail(r"rz\.", r"rn\.", r"randnr\."),
    context=r"urteil|entscheid|verfahren|sache|vgl|siehe|so\b|gemass|bger|bundesgericht|beschluss|gericht",
)
FRENCH = RulingWords(
    forms=r"arrets?|jugements?|decisions?|ordonnances?|conclusions",
    glue=(
        r"du|de|la|le|des|dans|l'affaire|les\saffaires\sjointes|affaires?|aff\.|n[°ºo]\.?|no\.?|numero|en"
        r"|date|et|rendu[e]?|cause|causes|jointes|rendue\sle"
        r"|de\sl'|l'|requete|prononce|c\.|contre|[^\W\d_][\w.'-]{1,20}\s(?:c\.|contre)\s[^,;\n()]{2,40}|(?:i{1,3}|iv"
        r"|v)e?\scour\sde\sdroit\s\w{4,10}"
    ),
    tail=_tail("pt", "point", "§"),
    context=r"arret|jugement|decision|affaire|cause|cf\.|voir|selon|tribunal|cour",
)
ITALIAN = RulingWords(
    forms=r"sentenz[ae]|decision[ei]|ordinanz[ae]|decreto|conclusioni|giudizi[o]?",
    glue=(
        r"del|della|dello|dell'|nella|nel|di|il|la|causa|cause|riunite|n[.°º]?|nr\.?|numero|in|data|e"
        r"|pronunciat[ao]|emess[ao]|incarto|inc\.|depositata|il"
        r"|c\.|contro|ricorso|ric\.|l'|(?:i{1,3}|iv|v)\scorte\sdi\sdiritto\s\w{4,12}"
        r"|[^\W\d_][\w.'-]{1,20}\s(?:c\.|contro)\s[^,;\n()]{2,40}"
    ),
    tail=_tail("punto"),
    context=r"sentenza|decisione|ordinanza|causa|cfr|vedi|secondo|tribunale|corte|incarto",
)
POLISH = RulingWords(
    forms=pl_rulings.FORMS, glue=pl_rulings.GLUE, tail=f"{pl_rulings.TAIL}|{_tail()}", context=pl_rulings.CONTEXT
)

LANGUAGES: Mapping[str, RulingWords] = {"pl": POLISH, "en": ENGLISH, "de": GERMAN, "fr": FRENCH, "it": ITALIAN}


def ruling_words_of(lang: str) -> RulingWords:
    """The words of a language by code; English where the language is not known."""
    return LANGUAGES.get(lang.lower().replace("_", "-").split("-")[0], ENGLISH)
