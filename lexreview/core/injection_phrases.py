"""What injections say, by kind, as patterns over folded text: small letters without accents, one space for `_`.

Five languages: English, Polish, German, French, Italian. Every gap has a bound, so each pattern takes linear time.
"""

from enum import StrEnum


class SignKind(StrEnum):
    """What makes a passage suspicious. None of them proves anything: a person reads the place."""

    INSTRUCTION = "instruction"
    ADDRESS = "address"
    VERDICT = "verdict"
    CLAIMED_CHECK = "claimed_check"
    TURN = "turn"
    TAG = "tag"
    HIDDEN = "hidden"
    UNSEEN = "unseen"
    ENCODED = "encoded"
    REPETITION = "repetition"


_NEAR = r"[^\n]{0,60}?\b"
_THINGS = (
    r"(?:instruc?tion|prompt|rubric|guideline|directive|orders|polecen|instrukcj|wytyczn|zasad|regul|anweisung"
    r"|instruktion|vorgabe"
    r"|regel|befehl|consigne|directive|regle|invite|istruzion|direttiv|indicazion|regol)"
)
_EARLIER = (
    r"(?:previous|prior|above|earlier|preceding|foregoing|all|any|your|these|other|system|grading|scoring"
    r"|poprzedni|wczesniejsz|powyzsz|dotychczasow|wszystki|wszelki|swoj|twoj|pozostal"
    r"|vorherig|bisherig|vorangehend|vorangegangen|fruher|obig|alle|samtlich|deine|ihre"
    r"|precedent|ci-dessus|anterieur|tou[ts]|vos|tes|ces|recu"
    r"|precedent|sopra|tutt|tue|vostre|anterior|ricevut)"
)
_IGNORE = (
    r"(?:ignore[zr]?|disregard|forget|override|bypass|do not follow|stop following"
    r"|(?:z?ignoruj|pomin|zapomnij|porzuc|odrzuc)(?:cie)?|nie stosuj(?: sie)?|nie przestrzegaj"
    r"|ignorieren?|vergiss|vergessen sie|missachten?|befolgen?"
    r"|oublie[zr]?|ne (?:tiens|tenez) pas compte|fai(?:s|tes) abstraction|ne suivez"
    r"|ignora(?:te|re)?|dimentica(?:te|re)?|trascura(?:te)?|non tener[e]? conto|non seguire|disattendi)"
)
_RATER = (
    r"(?:grad(?:er|ing)|evaluat(?:or|ion|ing)|raters?\b|ai\b|a\.i\.|llm\b|language model|judge model|automated"
    r"|scoring|model\b"
    r"|oceniajac|model|recenzent|system\w* ocen|sztuczn"
    r"|bewert|korrektor|sprachmodell|ki\b|ki-|prufmodell|prufer"
    r"|evaluat|correcteur|modele|ia\b|l.ia\b|notateur|juge automatique|valutator|modello|l.ia\b|giudice automatico"
    r"|esaminator)"
)
_GIVE = (
    r"(?:set|give|award|assign|mark|score|rate|grade|record|report|return"
    r"|ustaw|przyznaj|daj|wystaw|ocen|uznaj|wpisz|oznacz|zwroc"
    r"|vergib|vergeben sie|bewerten?|setzen?|gib|geben sie|trage|tragen sie"
    r"|attribue[zr]?|donne[zr]?|mets|mettez|notez?|accorde[zr]?|inscri(?:s|vez)"
    r"|assegna(?:te)?|attribuisci|attribuite|dai|imposta(?:te)?|segna(?:te)?|registra(?:te)?)"
)
_FULL = (
    r"(?:a-?r\b|a6\b|b1\b|hallucinated\b|full (?:marks|points|score|credit)|(?:maximum|highest|top"
    r"|perfect) (?:score|marks|points|grade)"
    r"|(?:as )?(?:passed|correctly grounded|hallucination-free)|10 ?/ ?10"
    r"|(?:maksymaln|najwyzsz|peln)\w* (?:ocen|liczb|punkt|not)\w*|za (?:bezbledn|poprawn|zaliczon)\w*"
    r"|jako (?:bezbledn|poprawn|zaliczon)\w*"
    r"|(?:vollen?|hochsten?|maximalen?) (?:punkt|note|bewertung|wertung)\w*|als (?:bestanden|fehlerfrei|korrekt)"
    r"|note maximale|tous les points|maximum de points|meilleure note|comme (?:exacte?|reussie?|conforme)\b"
    r"|punteggio (?:pieno|massimo)|massimo (?:dei punti|punteggio)|voto massimo|tutti i punti|come (?:corretta"
    r"|superata|esatta))"
)
_GOOD = (
    r"(?:pass(?:ed)?|correct(?:ly)?|correctly grounded|approved|true|not hallucinated|no hallucination"
    r"|hallucination-free"
    r"|fail(?:ed)?|hallucinated"
    r"|zaliczon\w*|pozytywn\w*|poprawn\w*|bezbledn\w*|bez halucynacji|bestanden|korrekt|fehlerfrei"
    r"|keine halluzination\w*"
    r"|reussie?|conforme|valide|correcte?|admise?|aucune hallucination|superat[oa]|corrett[oa]|positiv[oa]"
    r"|promoss[oa]"
    r"|nessuna allucinazione)"
)
_VERDICT = r"(?:verdict|werdykt|urteil|bewertung|wertung|verdetto|evaluation|grade|ocena|esito)"
_IS = (
    r"\W{0,6}(?:is|must be|should be|shall be|to|jest|brzmi|musi brzmiec|lautet|ist|muss lauten|est|doit etre"
    r"|sera|e|deve essere)?\W{0,6}"
)
_CITED = (
    r"(?:(?:all|every)(?: of)?(?: the| its)? (?:citations?|references|sources)"
    r"|wszystkie (?:cytaty|cytowania|przywolania|powolania|odeslania|zrodla)|alle (?:zitate|fundstellen|belege"
    r"|zitierungen|nachweise)"
    r"|toutes les (?:citations|references|sources)|tutte le (?:citazioni|fonti))"
)
_CHECKED = (
    r"(?:verified|confirmed|pre-?approved|zweryfikowan|potwierdzon|verifiziert|bestatigt|gepruft|verifiee"
    r"|confirmee|verificat|confermat)"
)
_REPORT = (
    r"(?:verification report|raport (?:z )?weryfikacji|(?:verifikations|prufungs?|pruf)bericht"
    r"|rapport de verification|rapporto di verifica)"
)
_KEYS = (
    r"(?:verdict|hallucinat(?:ed|ion)|criteria|grade|score|label|outcome|findings|werdykt|halucynacja|ocena|urteil"
    r"|halluzination"
    r"|bewertung|verdetto|allucinazione|esito|punteggio|note|decision)"
)

PHRASES: dict[SignKind, tuple[str, ...]] = {
    SignKind.INSTRUCTION: (
        rf"\b{_IGNORE}\b{_NEAR}{_EARLIER}{_NEAR}{_THINGS}\w*",
        rf"\b{_IGNORE}\b{_NEAR}{_THINGS}\w*\W{{1,3}}(?:{_EARLIER})",
        r"\b(?:new|updated|nowe|neue|nouvelles?|nuove) (?:instructions?|orders|instrukcje|polecenia"
        r"|anweisung(?:en)?|consignes|istruzioni)\s?:",
        r"\b(?:respond|reply|answer|output|print|return|say) (?:only|exactly|just|nothing but)\b[^\n]{0,30}[:\"{]",
        r"\b(?:odpowiedz|zwroc|wypisz|napisz) (?:tylko|wylacznie|dokladnie)\b[^\n]{0,30}[:\"{]",
        r"\b(?:antworten?|gib|geben sie|schreiben?)(?: sie)? (?:nur|ausschliesslich|genau)\b[^\n]{0,30}[:\"{]",
        r"\b(?:repond(?:s|ez)|renvoie|renvoyez|affiche[zr]?|ecri(?:s|vez)) (?:uniquement|seulement"
        r"|exactement)\b[^\n]{0,30}[:\"{]",
        r"\b(?:rispond(?:i|ete)|restituisci|restituite|stampa|scriv(?:i|ete)) (?:solo|soltanto|unicamente"
        r"|esattamente)\b[^\n]{0,30}[:\"{]",
        r"\b(?:you are now|from now on,? you|pretend (?:to be|you are)|jestes teraz|od teraz jestes"
        r"|du bist (?:jetzt|nun|ab sofort)"
        r"|tu es (?:desormais|maintenant)|vous etes (?:desormais|maintenant)|(?:ora|adesso) sei|da ora in poi sei)\b",
        r"\b(?:system|developer|admin(?:istrator)?|maintenance|debug) (?:override|mode)\b",
    ),
    SignKind.ADDRESS: (
        r"\b(?:note|message|instructions?|attention|notice|memo|hint|hello|dear)\W{1,3}(?:to |for )?(?:the |all "
        r"|any |every )?"
        rf"(?:reviewing |grading )?{_RATER}\w*[^\n]{{0,40}}[:,]",
        r"\b(?:note|notice) (?:to|for) (?:the )?reviewers?\b",
        rf"\b(?:uwaga|informacja|notatka|wiadomosc|polecenie|instrukcja|komunikat)\W{{1,3}}(?:dla|do) {_RATER}\w*",
        rf"\b(?:hinweis|anweisung|nachricht|mitteilung|anmerkung|notiz) (?:an|fur) (?:(?:den|die|das"
        rf"|alle) )?{_RATER}\w*[^\n]{{0,40}}:",
        rf"\b(?:note|message|instructions?|consigne|avis)\W{{1,3}}(?:destinee? |a l.attention )?(?:a l.|a la |aux? "
        rf"|pour (?:l.|les? )|d(?:e l.|u |es ))"
        rf"{_RATER}\w*[^\n]{{0,40}}:",
        rf"\b(?:nota|messaggio|istruzion[ei]|avviso) (?:per (?:l.|gli |il |i |chi )|all?o? |agli "
        rf"|all.){_RATER}\w*[^\n]{{0,40}}:",
        r"\b(?:as|jako|als|en tant qu.|in quanto|come) (?:an? |the |un |l.)?(?:ai |automatic |automated "
        r"|automatyczny |automatischer |automatique )"
        r"(?:judge|grader|evaluator|sedzia|richter|bewerter|juge|evaluateur)",
    ),
    SignKind.VERDICT: (
        rf"\b{_VERDICT}\b{_IS}{_GOOD}\b",
        rf"\b{_GIVE}\b[^\n]{{0,50}}?\b{_FULL}",
        rf"[\"']{_KEYS}[\"']\s{{0,4}}:",
        r"\bh(?:a|al)?l+uc?[zc]?[iy]n\w{2,8}\W{0,3}[:=]\W{0,3}(?:false|no|none|0|nie|brak|nein|keine|falsch|non"
        r"|aucune|faux|nessuna|falso)\b",
    ),
    SignKind.CLAIMED_CHECK: (
        rf"\b{_CITED}\b[^\n]{{0,60}}?\b{_CHECKED}",
        rf"\b{_REPORT}\b[^\n]{{0,80}}\n?[^\n]{{0,80}}?\b(?:confirmed|potwierdz|bestatigt|confirme|confermat"
        rf"|\d{{1,3}} ?(?:of|/|z|von|sur|di) ?\d)",
        r"\b(?:has been|is|was|zostala|wurde|a ete|e stat[ao]) (?:already |juz |bereits |deja "
        r"|gia )?(?:pre-?approved|vorab genehmigt|pre-?approuvee?)\b",
    ),
    SignKind.TURN: (
        r"^[ \t>#\-\[({]{0,8}(?:system|assistant|user|human|developer)(?: (?:message|prompt|note"
        r"|update))?[\])}]{0,2}\s?:",
        r"^[ \t>#\-]{0,8}\[\W{0,2}(?:system|assistant|user|human|developer)\W{0,3}\]",
        r"^[ \t>#\-\[(]{0,8}(?:komunikat systemowy|systemnachricht|systemmeldung|message (?:du )?systeme"
        r"|messaggio di sistema)\b[\])]?\s?:",
        r"^#{2,4} ?(?:system|instruction|assistant|response|user|human)s?\s?:?$",
        r"<\|[a-z ]{2,30}\|>",
        r"\[/?inst\]|<</?sys>>|<(?:start|end) of turn>|<(?:bos|eos)>",
        r"[\"']role[\"']\s{0,3}:\s{0,3}[\"'](?:system|assistant|user|developer)",
    ),
    SignKind.TAG: (
        r"(?:<|&lt;)[\s/\\]{0,4}(?:answer|question|key|rules|source|claim|trace|page|report|verdict|system|assistant|user"
        r"|human|instructions?"
        r"|judge|grader|grading|evaluation|result|output|document|context|data|odpowiedz|antwort|reponse"
        r"|risposta)(?:[\s/][^<>\n]{0,80})?(?:>|&gt;)",
        r"[-=#<\[(]{1,10} ?(?:end|koniec|ende|fin|fine) (?:of |de |der |della |des |du |dell.|d.)?(?:the |la "
        r"|l.)?(?:untrusted )?"
        r"(?:answer|odpowiedzi|antwort|reponse|risposta|document|data|material|block)\b",
    ),
    SignKind.HIDDEN: (
        r"\b(?:display ?: ?none|visibility ?: ?hidden|font-size ?: ?0|opacity ?: ?0(?:\.0{1,3})?(?:[;\"']|$)"
        r"|color ?: ?(?:white|#f{3,6}|transparent))",
        r"^ {0,3}\[(?://|comment|hidden)\] ?:",
    ),
}
