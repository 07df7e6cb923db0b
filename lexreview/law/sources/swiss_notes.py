"""Amendment notes that a conversion of Swiss law left inside the running text, told from the law by their wording."""

import re

from lexreview.law.folding import fold_space

_OPENINGS = (
    r"Fassung (?:gemäss|des|dieses|der)|Eingefügt (?:durch|gemäss)|Aufgehoben (?:durch|gemäss)|Ursprünglich|"
    r"(?:Die )?Berichtigung|(?:La )?[Cc]orrezion|(?:La )?[Rr]ectification|Berichtigt|Bereinigt|Angenommen in|"
    r"Ausdruck gemäss|Bezeichnung gemäss|Titel gemäss|Gegenstandslos|"
    r"(?:Erster|Zweiter|Dritter|Letzter) Satz|Satz (?:eingefügt|gemäss|aufgehoben)|In Kraft (?:seit|gesetzt|getreten)|"
    r"Heute:|Betrag gemäss|Entschädigung gemäss|Prämie|Ansatz gemäss|"
    r"Die Bezeichnung|Der Name der|Die Änderung|"
    r"Nouvelle (?:teneur|expression|dénomination)|Introduit(?:e?s?) par|Abrogé(?:e?s?) par|Anciennement|Rectifi|"
    r"Erratum|Mis(?:e?s?) à jour|Accept(?:é|ée|és) |Phrase (?:introduite|abrogée)|Dénomination selon|Anciennement|"
    r"(?:Première|Deuxième|Dernière) phrase|En vigueur (?:depuis|jusqu)|Montant selon|La désignation|Le nom|"
    r"Actuellement|"
    r"Nuov[oae] (?:testo|espressione|denominazione)|Introdott[oaie] d|Abrogat[oaie] d|Originari[oa]|Corrett[oaie]|"
    r"Correzion|Accettat[oaie] |Per(?:\.|iodo) |(?:Primo|Secondo|Ultimo) per|In vigore (?:dal|fino)|Importo giusta|"
    r"La designazione|Il nome|Espressione giusta|Aggiornato|Ora:|"
    r"[A-ZÄÖÜ]\w+ (?:(?:adapté|fixé|modifié)e?s? )?(?:gemäss|giusta|selon) "
    r"(?:Art|Ziff|Anhang|der|dem|l[’' ]|la |le |il |art)|"
    r"Nuov[oae] espr|Part(?:ie|e) (?:de phrase|di per)|Testo rettificato|Das Gesetz ist am|Cette loi est entrée|"
    r"Questa L|Dat(?:um|a|e) de[sl]"
)
# What only points elsewhere ends before the next note: the law goes on between the two.
_POINTERS = r"Siehe (?:auch|heute)|Vgl\. (?:auch|heute)|Vedi (?:anche|ora)|Voir (?:auj|actuellement)"
_AMENDED = (
    r"\b(?:Fassung (?:gemäss|des)|Eingefügt (?:durch|gemäss)|Aufgehoben (?:durch|gemäss)|Nouvelle teneur|"
    r"Introduit(?:e?s?) par|Abrogé(?:e?s?) par|Nuov[oae] testo|Introdott[oaie] d|Abrogat[oaie] d)"
)
_BRACKET_TEXT = r"(?:[^()]|\([^()]*\)){0,240}"
_JOURNAL = rf"\({_BRACKET_TEXT}?\b(?:AS|RO|RU|BS|RS|CS|BBl|FF)\b\s+(?:\d{{4}}|[IVX]+|\d+){_BRACKET_TEXT}\)"
_SENTENCE_NOTE = re.compile(
    rf"(?<=[\s.;:)…»\d])\s*(?P<note>(?:(?:{_POINTERS})(?:(?!{_JOURNAL}|{_AMENDED})[^\n]){{0,600}}?|"
    rf"(?:{_OPENINGS})(?:(?!{_JOURNAL})[^\n]){{0,600}}?){_JOURNAL}\s?[.;]?"
    r"(?:\s(?:Aufgehoben|Abrogé\w*|Abrogat\w)\s[^\n]{0,400}?\([^()]*\)\.?)?"
    r"(?:\s(?:Diese Änd\.|Il a été tenu compte|Di (?:detta|tale) mod\.)[^\n.]{0,120}(?:disp\.[^\n.]{0,80})?\.)?)"
)
_INDENTED_NOTE = re.compile(r"\n\t\t ?(?P<note>[^\n]*)(?:\n\t(?!\t) ?|(?=\n)|$)")
_COLLECTION_NUMBER = re.compile(r"\s?\b(?P<note>(?:SR|RS) \d[\d.]*\d)(?=\s|[,.;)]|$)")
_BRACKETED = re.compile(r"\s?(?P<note>\[(?:AS|RO|RU|BS|RS|CS)\s[^\]\n]{0,300}\]\.?)")
_AT_THE_END = re.compile(
    r"\s(?P<note>(?:Siehe auch die (?:SchlB|UeB|ÜB)|Voir aussi (?:la|les) disp\.|Vedi anche (?:la|le) disp\.)"
    r"[^\n;:]{0,90}?(?:am (?:Ende|Schluss) (?:dieses|des) \w+|à la fin (?:du|de ce) texte|"
    r"alla fine del (?:presente )?testo)\.)"
)
_ONE_LANGUAGE = re.compile(
    r"\s(?P<note>Betrifft nur den \w+ Text\.|Ne concerne que le texte \w+\.|"
    r"Concerne (?:sol(?:o|tanto)|unicamente) il testo \w+\.)"
)
_CONSULTED = re.compile(
    r"(?P<note>(?:Die Änderung(?:en)? (?:kann|können) unter|Les? mod\w* peu\w+ être consulté\w*|"
    r"Le? modific\w* (?:può|possono) essere consultat\w)[^\n]{0,200}?(?:konsultiert werden|(?:RO|RU)\s\d{4}\s\d+)\.?)"
)


_IN_TURN = (
    _INDENTED_NOTE,
    _CONSULTED,
    _BRACKETED,
    _SENTENCE_NOTE,
    _AT_THE_END,
    _ONE_LANGUAGE,
    _COLLECTION_NUMBER,
)


def split_notes(text: str) -> tuple[str, list[str]]:
    """The text without amendment notes, and the notes. Indented ones are sure, others are known by their wording."""
    notes: list[str] = []

    def take(match: re.Match[str]) -> str:
        notes.append(fold_space(match["note"]))
        return "" if match.string[match.end() : match.end() + 1] in {".", ",", ";", ")"} else " "

    for pattern in _IN_TURN:
        text = pattern.sub(take, text)
    return text, [note for note in notes if note]
