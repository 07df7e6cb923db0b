"""Guesses the language of a text that comes without one."""

from __future__ import annotations

import re

READ = 3_000
_EVERYDAY = {
    "pl": "i w z na do nie się jest że oraz przez od dla jako zgodnie zob por który ustawy wyrok sąd ust pkt a o ma"
    " albo",
    "en": "the of and to in is that for with under this by shall article see not are be case which on an a",
    "de": "der die das und ist nicht von des den dem mit nach eine für gemäss siehe vgl abs wird sind auf in im"
    " vom zum ein",
    "fr": "le la les des du et est que dans une par pour selon au aux voir al l'art d'un sur n'est ou en un il de ne",
    "it": "il lo gli di che della del è con per secondo nella non una degli cpv comma dell'art l'art sono dal la le un"
    " in e al dei delle dello dalla si ha anche vedi da i",
}
# What texts about law are full of where they have few everyday words: abbreviations, courts, months, letters.
_TELLING = {
    "pl": r"[ąęłńśźż]|\bk\.\s?[cphkrswo](?:\.|\b)|\bdz\.\s?u|\bsygn|\bust\.|\bpkt\b|\bustaw|\bwyrok|\brodo\b|\bkodeks"
    r"|\bpoz\.\s|\bskarg[aię]|\bspraw[aiy]|\bklauzul|(?-i:\b(?:KC|KP|KPC|KSH|KPA|KPK|SN|KIO|NSA|WSA)\b)",
    "en": r"\barticle\s|\bregulation\b|\brecitals?\b|\bparagraph\b|\bdirective\s\d|\bcourt\b|\bjudgment\b",
    "de": r"[äöüß]|\babs\.|\bziff\.|\bbst\.|\bbge\s|\bbv?ger\b|\bbstger\b|\burteil|\bdsgvo\b|\bzgb\b|\bstgb\b|\bgesetz"
    r"|\bartikel\b|\brechtsprechung|\be\.\s\d|\bi\.\s?v\.\s?m|\bverordnung|\bnr\.\s"
    r"|(?-i:\b(?:OR|StG|DSG|BGFA|IPRG|DBG|SchKG|StPO|ZPO|VwVG|SR)\b)",
    "fr": r"[êçœâîû]|\bal\.|\batf\s|\barrêt|\brgpd\b|\bloi\b|\balinéa|\blet\.|\bconsid\b"
    r"|\barticles?\s\d+[^.]{0,20}\bd[eu]\b|\bparagraphe|\bdirective\s\d|(?-i:\bRO\s\d{4})|\s[;:]\s",
    "it": r"\bcass\b|\bcassazione|\btrib\.|\btribunale\b|\bcomm[ai]\b|\bco\.\s\d|\bd\.\s?lgs|\bd\.\s?[lp]\."
    r"|\bsez(?:\.|ion)|\bc\.\s?[cp]\.(?!\s?u)|\bsent(?:enz[ae]\b|\.)|\bordinanz|\bcorte\b|\bstato\b|\bcpv\.|\bcost\.|\bnn?\.\s\d"
    r"|\blegge\b|\bartt\.|\bt\.?a\.?r\b|\bctp\b|\bctr\b|\bdtf\s|\bcivile?\b|\bgennaio|\bfebbraio|\bmarzo|\baprile"
    r"|\bmaggio|\bgiugno|\bluglio|\bagosto|\bsettembre|\bottobre|\bnovembre|\bdicembre|\babf\b|\bcgue\b|\bpreleggi\b"
    r"|\bcod\.|\bl\.\s?n?\.?\s?\d|\bcedu\b|\bdirettiv|\bpag\.|\blett\.|\bpar\.|\bseg\."
    r"|\bmessaggio|(?-i:\bRU\s\d{4})|\bsull'|\bnell'|\bdell'|\bdall'|\ball'|\bregolament|\barticol[oi]\b",
}
_WEIGHT = 1.5
_OWNERS: dict[str, list[str]] = {}
for _language, _words in _EVERYDAY.items():
    for _word in _words.split():
        _OWNERS.setdefault(_word, []).append(_language)
_MARKS = {code: re.compile(pattern, re.IGNORECASE) for code, pattern in _TELLING.items()}
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def language_of(text: str, *, given: str, default: str) -> str:
    """The two-letter code of the given language where there is one, else the likeliest language of the text.

    Everyday words decide, and with more weight what citations of a language look like; a text with neither gets
    ``default``.
    """
    code = given.lower().replace("_", "-").split("-")[0]
    if code:
        return code
    counts = dict.fromkeys(_EVERYDAY, 0.0)
    read = text[:READ].replace("’", "'")
    for word in _WORD.findall(read.lower()):
        owners = _OWNERS.get(word, ())
        for owner in owners:
            counts[owner] += 1 / len(owners)
    for language, marks in _MARKS.items():
        counts[language] += _WEIGHT * len(marks.findall(read))
    best = max(counts, key=counts.__getitem__)
    return best if counts[best] else default
