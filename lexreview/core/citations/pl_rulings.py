"""Rulings of Polish courts: docket grammars of the Supreme Court, common and administrative courts, TK and KIO."""

from __future__ import annotations

import re
from collections.abc import Callable

from lexreview.core.citations import cjeu
from lexreview.core.citations.rulings import Docket, RulingRules

SUPREME = frozenset(
    [
        "CSK",
        "CSKP",
        "CZP",
        "CZ",
        "CNP",
        "CNPP",
        "CO",
        "CKN",
        "CK",
        "CKU",
        "CR",
        "CRN",
        "CSP",
        "CZPU",
        "KK",
        "KKN",
        "KZP",
        "KO",
        "KZ",
        "KS",
        "KSP",
        "KRN",
        "UK",
        "PK",
        "UZP",
        "PZP",
        "USK",
        "USKP",
        "PSK",
        "PSKP",
        "USKN",
        "PSKN",
        "URN",
        "PRN",
        "UKN",
        "PKN",
        "UZ",
        "PZ",
        "UO",
        "PO",
        "NSNc",
        "NSNk",
        "NSNu",
        "NSNp",
        "NSNP",
        "NSNZP",
        "NKRS",
        "NSW",
        "NZP",
        "NSK",
        "NSKP",
        "NOZP",
        "NO",
        "NWW",
        "ZSK",
        "DSK",
        "SNO",
        "DO",
        "DSI",
        "DK",
        "DSS",
        "ZO",
        "ZZ",
        "ZI",
        "ZIZ",
        "KKP",
        "KPZ",
        "KAS",
        "ASK",
        "SW",
        "SK",
        "SZP",
        "SZ",
        "SO",
        "SPP",
        "NSZP",
        "CRNP",
        "CNPK",
    ]
)
COMMON = frozenset(
    [
        "C",
        "Ca",
        "Cz",
        "ACa",
        "ACz",
        "ACo",
        "ACzo",
        "Ns",
        "Nc",
        "Nc-e",
        "NcE",
        "Co",
        "RC",
        "RNs",
        "RCo",
        "RNsm",
        "Nsm",
        "NsRej",
        "Cps",
        "C-upr",
        "Cgg",
        "GC",
        "Ga",
        "GNc",
        "Gz",
        "GCo",
        "GCgg",
        "AGa",
        "AGz",
        "AGzo",
        "GU",
        "GUp",
        "GUo",
        "GUk",
        "GUu",
        "GUz",
        "GR",
        "GRp",
        "GRz",
        "GRk",
        "GRs",
        "GRu",
        "GReu",
        "GNs",
        "K",
        "Ka",
        "Kz",
        "Kp",
        "Ko",
        "Kow",
        "Kzw",
        "Ks",
        "Kk",
        "AKa",
        "AKz",
        "AKo",
        "AKzw",
        "W",
        "Wz",
        "WKs",
        "P",
        "Pa",
        "Pz",
        "APa",
        "APz",
        "APo",
        "Np",
        "Po",
        "U",
        "Ua",
        "Uz",
        "AUa",
        "AUz",
        "AUo",
        "Uo",
        "Nkd",
        "Now",
        "Opm",
        "Zs",
        "ZsN",
        "Ts",
        "Ama",
        "AmC",
        "AmE",
        "AmT",
        "AmK",
        "AmA",
        "AmZ",
        "XVII",
        "AVa",
        "Cgw",
        "GWo",
        "GWzt",
        "GW",
        "GWa",
        "Ds",
        "XW",
    ]
) - {"Ds", "XW", "XVII"}
ADMINISTRATIVE = re.compile(r"[FGO](?:SK|SKP|Z|PS|W|PP|NP|ZP)$")
_VOIVODESHIP = re.compile(r"(?:SA|SAB|SO|SPP|SAA)$")
SEATS = {
    "Wa": "Warszawa",
    "Gl": "Gliwice",
    "Kr": "Kraków",
    "Po": "Poznań",
    "Wr": "Wrocław",
    "Gd": "Gdańsk",
    "Łd": "Łódź",
    "Ld": "Łódź",
    "Lu": "Lublin",
    "Bk": "Białystok",
    "Bd": "Bydgoszcz",
    "Ol": "Olsztyn",
    "Op": "Opole",
    "Rz": "Rzeszów",
    "Ke": "Kielce",
    "Sz": "Szczecin",
    "Go": "Gorzów Wielkopolski",
    "Ka": "Katowice",
}
_CITIES = {
    "gdansku": "Gdańsk",
    "krakowie": "Kraków",
    "warszawie": "Warszawa",
    "wroclawiu": "Wrocław",
    "poznaniu": "Poznań",
    "lodzi": "Łódź",
    "katowicach": "Katowice",
    "lublinie": "Lublin",
    "bialymstoku": "Białystok",
    "rzeszowie": "Rzeszów",
    "szczecinie": "Szczecin",
    "gliwicach": "Gliwice",
    "kielcach": "Kielce",
    "opolu": "Opole",
    "olsztynie": "Olsztyn",
    "bydgoszczy": "Bydgoszcz",
    "toruniu": "Toruń",
    "czestochowie": "Częstochowa",
    "radomiu": "Radom",
    "tarnowie": "Tarnów",
    "gdyni": "Gdynia",
    "gorzowie": "Gorzów Wielkopolski",
    "zielonej": "Zielona Góra",
    "koszalinie": "Koszalin",
    "slupsku": "Słupsk",
    "elblagu": "Elbląg",
    "legnicy": "Legnica",
    "swidnicy": "Świdnica",
    "siedlcach": "Siedlce",
    "plocku": "Płock",
    "lomzy": "Łomża",
    "nowym": "Nowy Sącz",
    "przemyslu": "Przemyśl",
    "krosnie": "Krosno",
    "zamosciu": "Zamość",
    "kaliszu": "Kalisz",
    "koninie": "Konin",
    "sieradzu": "Sieradz",
    "ostrolece": "Ostrołęka",
    "suwalkach": "Suwałki",
    "rybniku": "Rybnik",
    "bielsku": "Bielsko-Biała",
    "sosnowcu": "Sosnowiec",
    "piotrkowie": "Piotrków Trybunalski",
}

_ROMAN = (
    r"(?<![^\W_])(?<![/.\-])(?P<roman>[IVX]{1,7}?)\s{0,3}(?:(?P<section>\d{1,2})\s{1,2})?(?P<register>[A-Z](?:\.?[A-Za-z\-]){0,7})\.?"
    r"(?:\s?/\s?(?P<seat>[A-ZŁ][a-zł]))?\s{0,3}(?P<number>\d{1,7})\s?/\s?(?P<year>\d{4}"
    r"|\d{2})(?P<part>/[A-Z]{1,2})?(?![\d/]|\w)"
)
_WITH_DIVISION = re.compile(_ROMAN)
_SEAT_ONLY = re.compile(
    r"(?<![^\W_])(?<![/.\- ][IVX])(?<![IVX]\s)(?P<register>SA"
    r"|SAB)/(?P<seat>[A-ZŁ][a-zł])\s{1,2}(?P<number>\d{1,5})/(?P<year>\d{2})(?![\d/]|\w)"
)
_TRIBUNAL = re.compile(
    r"(?<![^\W_])(?<![/.\-])(?<![IVX]\s)(?<![IVX]\s\s)(?P<register>Kpt|Kp|Kw|Uw|K|P|SK|U|Pp|Ts|Tw|S"
    r"|W)\s{1,2}(?P<number>\d{1,3})/(?P<year>\d{2})(?![\d/]|\w|-\d)"
)
_DISCIPLINARY = re.compile(
    r"(?<![^\W_])(?<![/.\-])(?P<register>SNO|SDI)\s{1,2}(?P<number>\d{1,4})/(?P<year>\d{2})(?![\d/]|\w)"
)
_CHAMBER = re.compile(
    r"(?<![^\W_])(?P<register>KIO(?:/UZP|/KD|/W|/KU)?)\s{1,2}(?:\d{1,5}/\d{2}(?![\d/])(?:\s{0,2}(?:,|i|oraz)\s{0,2})?){1,12}"
)
_CHAMBER_NUMBER = re.compile(r"\d{1,5}/\d{2}")
LATEST_YEAR = 40


def _division(match: re.Match[str]) -> list[Docket]:
    roman, register = _apart(match["roman"], match["register"].replace(".", ""))
    year = match["year"][-2:]
    head = f"{roman} {match['section']} " if match["section"] else f"{roman} "
    number = f"{int(match['number'])}/{year}{match['part'] or ''}"
    if match["seat"]:
        if not _VOIVODESHIP.match(register) or match["seat"] not in SEATS:
            return []
        docket = f"{head}{register}/{match['seat']} {number}"
        return [Docket(match.start(), match.end(), docket, f"WSA {SEATS[match['seat']]}")]
    court = _court_of(register)
    if court is None:
        return []
    return [Docket(match.start(), match.end(), f"{head}{register} {number}", court or None)]


def _apart(roman: str, register: str) -> tuple[str, str]:
    """ "IICSK" was written without a blank: the numeral is the longest one that leaves a known register."""
    while _court_of(register) is None and register[:1] in ("I", "V", "X"):
        roman, register = roman + register[0], register[1:]
    return roman, register


def _court_of(register: str) -> str | None:
    """The court that a register belongs to; "" for common courts (not unique), ``None`` for no register at all."""
    if register in SUPREME:
        return "SN"
    if ADMINISTRATIVE.match(register):
        return "NSA"
    return "" if register in COMMON else None


def _seat(match: re.Match[str]) -> list[Docket]:
    if match["seat"] not in SEATS:
        return []
    docket = f"{match['register']}/{match['seat']} {int(match['number'])}/{match['year']}"
    return [Docket(match.start(), match.end(), docket, "NSA")]


def _tribunal(match: re.Match[str]) -> list[Docket]:
    """Constitutional Tribunal: short registers, so a year since 1986 and a word of context are required."""
    if not (int(match["year"]) >= 86 or int(match["year"]) <= LATEST_YEAR):
        return []
    docket = f"{match['register']} {int(match['number'])}/{match['year']}"
    needs = match["register"] not in ("Ts", "Tw", "Kpt")
    return [Docket(match.start(), match.end(), docket, "TK", needs_context=needs)]


def _disciplinary(match: re.Match[str]) -> list[Docket]:
    docket = f"{match['register']} {int(match['number'])}/{match['year']}"
    return [Docket(match.start(), match.end(), docket, "SN")]


def _chamber(match: re.Match[str]) -> list[Docket]:
    """The appeals chamber joins cases: "KIO 922/22, 925/22" are two dockets."""
    numbers = list(_CHAMBER_NUMBER.finditer(match[0]))
    starts = [0, *(number.start() for number in numbers[1:])]
    offset, register = match.start(), match["register"]
    pairs = zip(starts, numbers, strict=True)
    return [Docket(offset + start, offset + number.end(), f"{register} {number[0]}", "KIO") for start, number in pairs]


def _city(match: re.Match[str]) -> str:
    words = re.findall(r"[a-z]+", match[0])
    return next((_CITIES[word] for word in words if word in _CITIES), "")


def _named(short: str) -> Callable[[re.Match[str]], str]:
    def name(match: re.Match[str]) -> str:
        return f"{short} {_city(match)}".strip()

    return name


_IN_CITY = r"(?:\s(?:dla\s[^.,;()\n]{3,40}?\s)?we?\s[^\W\d_]{3,20}(?:\s(?:gorze|wielkopolskim|saczu|trybunalskim))?)?"
_COURTS = (
    (r"sn|s\.n\.|sad(?:u|em|owi|zie)?\snajwyzsz(?:y|ego|ym|emu)", "SN"),
    (r"nsa|naczeln(?:y|ego|ym)\ssad(?:u|em|zie)?\sadministracyjn(?:y|ego|ym)", "NSA"),
    (rf"(?:wsa|wojewodzki(?:ego|m)?\ssad(?:u|em|zie)?\sadministracyjn(?:y|ego|ym)){_IN_CITY}", _named("WSA")),
    (rf"(?:sa|sad(?:u|em|zie)?\sapelacyjn(?:y|ego|ym)){_IN_CITY}", _named("SA")),
    (rf"(?:so|sad(?:u|em|zie)?\sokregow(?:y|ego|ym)){_IN_CITY}", _named("SO")),
    (rf"(?:sr|sad(?:u|em|zie)?\srejonow(?:y|ego|ym)){_IN_CITY}", _named("SR")),
    (r"tk|trybunal(?:u|em|owi|e)?\skonstytucyjn(?:y|ego|ym|emu)", "TK"),
    (r"kio|krajow(?:a|ej)\sizb(?:a|y|ie)\sodwolawcz(?:a|ej)", "KIO"),
    *cjeu.COURTS,
)

FORMS = (
    r"wyrok(?:u|iem|i|ach|ow)?|wyr\.|postanowieni(?:e|a|u|em|ami|ach)|post\.|uchwal(?:a|y|e|ie|ach)|uchw\."
    r"|orzeczeni(?:e|a|u|em)|orz\.|zarzadzeni(?:e|a|u)"
    r"|nakaz(?:u|em|ie)?\szaplaty|opini(?:a|i|e|ach)\srzecznika\sgeneralnego"
)
GLUE = (
    r"z\sdnia|z\sdn\.|z|w\sdniu|dnia|r\.|roku|r(?=\s)|w\ssprawie|w\ssprawach?(?:\s(?:o\ssygn\w{0,8}\.?|polaczonych))?"
    r"|w\ssprawie\s[^;\n()]{2,90}?(?:,|przeciwko\s[^,;\n()]{2,40})"
    r"|(?:o\s)?sygn(?:atur\w{1,2}|\.)?(?:\sakt)?|akt|o\snr|nr|we?|skarg\w{1,2}|i|oraz|(?:7"
    r"|siedmiu)\ssedziow|sklad(?:u|zie)?|skladzie|poszerzon\w{2,3}"
    r"|pelnego\sskladu(?:\sizby(?:\s\w{4,12})?)?|pelny\ssklad\sizby|polaczonych\sizb|izb\w{1,2}\s\w{4,12}"
    r"|\(7\)|-|zasad\w\sprawn\w|wydan\w{1,3}|zapadl\w{1,2}"
    r"|przeciwko\s[^,;\n()]{2,40}|sadu"
)
TAIL = (
    r"(?:lex|legalis|system\sinformacji\sprawnej\slex)(?:\s(?:nr|numer|/el\.?))?\s?(?:nr\s)?\d{3,8}"
    r"|orzeczenia\.ms\.gov\.pl"
    r"|(?:osn[cpkaikw]{0,5}(?:\s?zd\.?\s?\w|-zd)?|otk(?:-?\s?[abzu]{1,3})?|onsa(?:iwsa)?|osp|osa|osab?"
    r"|oski?a|ospika|osnkw|osnapius|pal|monitor\sprawniczy|pp|krs)\s?"
    r"(?:z\s)?(?:\d{4}(?:\sr\.?)?[/,\s]{1,2}(?:z\.\s|nr\s"
    r"|z\.)?(?:\d{1,2}(?:[-–/]\d{1,2})?)(?:/[a-z])?(?:[/,\s]{1,2}(?:poz\.?\s)?\d{1,4})?)"
    r"|biul\.\ssn\s(?:z\s)?\d{4}(?:\sr\.)?(?:[/,\s]{1,3}(?:nr\s)?\d{1,2})?(?:[/,\s]{1,3}(?:poz\.|s\.)?\s?\d{1,3})?"
)
CONTEXT = (
    r"w\ssprawach?|sygn|spraw|wyrok|postanowieni|uchwal|orzeczeni|tk\b|trybuna|skarg\w{1,2}\skonst"
    r"|pytani\w\sprawn|zob\.|por\.|tak\stez|orzecznictw"
)


def rules() -> RulingRules:
    """The rules for rulings in Polish texts, courts of the EU and Strasbourg included."""
    return RulingRules(
        code="PL",
        dockets=(
            (_WITH_DIVISION, _division),
            (_SEAT_ONLY, _seat),
            (_TRIBUNAL, _tribunal),
            (_CHAMBER, _chamber),
            (_DISCIPLINARY, _disciplinary),
            *cjeu.DOCKETS,
        ),
        courts=_COURTS,
        forms=FORMS,
        glue=GLUE,
        tail=TAIL,
        context=CONTEXT,
        celex_of=cjeu.celex_of_case,
        date_only=True,
    )
