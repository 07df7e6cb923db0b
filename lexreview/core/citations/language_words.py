"""The words with which five languages cite law: fragments of patterns over folded text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

LEVEL_ORDER = ("art", "par", "ust", "pkt", "lit", "tiret", "zd")


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageWords:
    """Pattern fragments of one language; every fragment is matched on folded text and has bounded repeats.

    ``levels``: words that introduce a unit. ``conjunctions``: between members of a list. ``ranges``: words like
    "to". ``open_range``: "and following". ``noise``: phrases between a unit and the act's name. ``links``: what
    joins two citations so that an act named later serves both. ``of``: from an inner unit to its outer one.
    ``articles``: what may stand before an act's name. ``same_act`` / ``own_article``: anaphora to an act, to the
    article just cited. ``private``: nouns whose paragraphs are not law. ``stop_after_number``: what shows that a
    number is not a unit. ``alias``: "hereinafter". ``act_noun``: a bare noun for an act cited before.
    ``abroad``: phrases that move a clause to the law of another state. ``papers``: private nouns that a clause on
    procedure names too ("the request"). ``wording_hints``: folded text that ``former_wording`` and ``until`` need.
    ``several``: how a word for more than one article ends ("les art."). ``foreign_front``: adjectives of other
    states in front of an act's name.
    """

    levels: Mapping[str, str]
    conjunctions: str
    ranges: str
    open_range: str
    noise: str
    links: str
    of: str
    articles: str
    same_act: str
    own_article: str
    possessive: str
    private: str
    act_noun: str
    alias: str
    stop_after_number: str
    foreign: str
    former_wording: str
    until: str
    title_end: str
    ordinals: Mapping[str, int] = field(default_factory=dict)
    endings: tuple[str, ...] = ()
    point_start: str = r"(?!)"
    abroad: str = r"(?!)"
    papers: str = r"(?!)"
    wording_hints: tuple[str, ...] = ()
    several: str = r"(?!)"
    foreign_front: str = r"(?!)"


_COMMON_NOISE = (
    r"in\s(?:fine|principio|initio)|ab\sinitio|a\scontrario|e\scontrario|per\sanalogiam|a\smaiori(?:\sad\sminus)?"
    r"|a\sfortiori|ante\somnia|mutatis\smutandis|sensu\slargo|sensu\sstricto|analog"
)
_UNITS_OF_MEASURE = r"%|‰|°|€|\$|zl\b|pln\b|eur\b|chf\b|usd\b|fr\.|m2\b|m²|km\b|kg\b|cm\b|mm\b|tys\b|mln\b|mld\b"

POLISH = LanguageWords(
    levels={
        "art": r"art(?:t|ykul(?:u|owi|em|ach|y|ow|ami|om|e)?)?\b\.?",
        "par": r"§§?|par(?:agraf(?:u|ie|em|y|ach|ow|om|ami)?)?\b\.?",
        "ust": r"ust(?:ep(?:u|ie|em|y|ach|ow|om|ami|owi)?)?\b\.?",
        "pkt": r"p(?:unkt(?:u|cie|em|y|ach|ow|om|ami|owi)?|kt|\.(?=\s?\d))\b\.?|pp(?:kt)?\b\.?",
        "lit": r"lit(?:er(?:a|y|ze|e|ach|ami|om))?\b\.?",
        "tiret": r"(?:podwojn\w{1,4}\s)?tiret\b",
        "zd": r"zd(?:ani(?:e|a|u|em|ach))?\b\.?",
        "akapit": r"akapit(?:u|cie|em|ach|y)?\b|akap\.|ak\.(?=\s?\d)",
        "motyw": r"motyw(?:u|ie|em|y|ow|ach|ami)?\b",
    },
    point_start=r"p(?:unkt(?:u|cie|em|y|ach|ow)?|kt)\b\.?",
    conjunctions=r"i|oraz|lub|albo|ani|badz|a\stakze|a|jak\si|jak\srowniez|wzglednie|ewentualnie|czy|tudziez|i/lub",
    ranges=r"do",
    open_range=r"i\sn(?:ast(?:epn\w{1,3})?)?\b\.?|oraz\snast(?:epn\w{1,3})?\b\.?|nast(?:epn\w{1,3})?\b\.?|nn\.",
    noise=(
        _COMMON_NOISE + r"|odpowiednio|stosowan\w{1,3}|w\spoprzednim\sbrzmieniu|w\sdotychczasowym\sbrzmieniu"
        r"|w\sdawnym\sbrzmieniu|w\sobecnym\sbrzmieniu|w\snowym\sbrzmieniu|\(?a\scontrario\)?|na\swstepie"
        r"|zdanie\s(?:wstepne|ostatnie)|wprowadzeni\w\sdo\swyliczenia"
    ),
    links=(
        r"w\sszczegolnosci|w\szw\.?\s?z|w\szwiazku\sz|w\szb\.?\s?z|w\szbiegu\sz|w\spowiazaniu\sz|w\spolaczeniu\sz"
        r"|stosowan\w{1,3}\sodpowiednio\sna\smocy|na\smocy|przy\szast(?:osowaniu|\.)|na\spodstawie|a\stakze"
        r"|oraz|jak\srowniez|jak\si"
        r"|i|lub|albo|ani|badz|wzglednie|ewentualnie|tudziez|czy|a|w\szestawieniu\sz|lacznie\sz|z\suwzglednieniem"
        r"|od|do|po|obok|ze"
    ),
    of=r"",
    articles=r"(?:polskie(?:go|j)|obowiazujace(?:go|j)|nowe(?:go|j)|dawne(?:go|j)|unijne(?:go|j)|przepisow|tekstu)",
    same_act=(
        r"(?:tej(?:ze|\ssamej)?|te(?:go|goz|gosamego)(?:\ssamego)?|ww\.?|w/w|wyzej\s(?:wymienion|wskazan"
        r"|powolan)\w{2,3}"
        r"|cyt\.?|cytowan(?:ej|ego)|powolan(?:ej|ego)|przywolan(?:ej|ego)|wskazan(?:ej|ego)|wspomnian(?:ej|ego)"
        r"|omawian(?:ej|ego)|wymienion(?:ej|ego)|rzeczon(?:ej|ego)|niniejsz(?:ej|ego)|przedmiotow(?:ej|ego)"
        r"|ow(?:ej|ego))"
        r"\s{1,3}(?:ustaw\w{1,2}|kodeks\w{0,2}|akt(?:u|cie)\b|rozporzadzeni\w{1,2}|dyrektyw\w{1,2}"
        r"|konwencj\w|konstytucj\w"
        r"|ordynacj\w|praw(?:a|ie)\b|traktat\w{1,2})"
    ),
    own_article=(
        r"(?:tego|tegoz|powyzszego|wskazanego|omawianego|cytowanego)\s(?:artykulu|przepisu|paragrafu|ustepu)"
        r"|tamze"
    ),
    possessive=r"(?:jej|jego|ich)",
    private=(
        r"umow\w{0,3}|kontrakt\w{0,3}|regulamin\w{0,3}|cennik\w{0,3}|statut\w{0,3}|ug(?:od\w{1,3}|ody)|aneks\w{0,3}"
        r"|zalacznik\w{0,3}|porozumieni\w{1,3}|polis\w{1,2}|owu|o\.w\.u|ogoln\w{2,3}\swarunk\w{1,3}"
        r"|norm\w{1,2}|pn(?:-en)?"
        r"|iso|agend\w{1,2}|tabel\w{1,2}|opini\w{1,2}|uzasadnieni\w{1,2}|pism\w{1,2}|pozw\w{1,2}"
        r"|wnios\w{2,4}|instrukcj\w"
        r"|procedur\w{1,2}|ofert\w{1,2}|protokol\w{1,3}|taryf\w{1,2}|decyzj\w|swz|siwz|opz|formularz\w{0,2}"
        r"|raport\w{0,3}"
        r"|sprawozdani\w{1,2}|polityk\w{1,2}|wytyczn\w{1,3}|rekomendacj\w|listu|wyroku|postanowienia"
        r"|uchwal\w{1,2}|memorandum"
        r"|menu|kart\w\s(?:klient|gwarancyj|produkt|katalogow|zgloszen|oceny|etyki|kibic|miejsk|bankow|kredytow)\w{0,5}|(?:zarzadzeni|rozporzadzeni)\w{1,2}\s(?:dyrektora|rektora|kierownika|prezesa\szarzadu)|kodeks\w{0,2}\setyki|kodeks\w{0,2}\sdobrych\spraktyk|planu|ordynacji\sturnieju|spec\w{5,9}|warunkow\s\w{3,15}"
    ),
    papers=r"(?:pism|pozw|opini|uzasadnieni|wnios|decyzj|ofert|protokol|raport|uchwal)\w{0,4}|wyroku|postanowienia",
    act_noun=(
        r"(?:ustaw(?:y|ie|a|e)|kodeks(?:u|ie|em)?|rozporzadzeni(?:a|u|em|e)|dyrektyw(?:y|ie|a|e)|konwencji|konstytucji)"
    ),
    alias=(
        r"(?:zwan\w{1,3}\s)?dalej(?:\s(?:jako|tez|takze))?\s?:?|w\sskrocie\s?:?|zw\.\sdalej\s?:?"
        r"|zwan\w{1,3}\s(?:tu|dalej)\s?:?|skrot\s?:?"
    ),
    stop_after_number=(
        _UNITS_OF_MEASURE + r"|lat(?:a|ach)?\b|rok(?:u|iem)?\b|r\.|dni(?:a|ach)?\b|dzien\b|miesi\w{2,6}|tygodni\w{0,3}"
        r"|godz\w{0,4}|minut\w{0,3}"
        r"|zlot\w{1,3}|euro\b|procent\w{0,2}|proc\.|osob\w{0,3}|sztuk\w{0,2}|szt\.|razy|raz\b|stron\w{0,3}"
        r"|metr\w{0,3}|tysi\w{2,4}"
        r"|grosz\w{0,2}|gr\b|milion\w{0,2}|krotn\w{2,4}|-krotn\w{2,4}|sedzi\w{1,3}|sadow\b|spraw\w?\b"
        r"|wyrok\w{0,2}|orzecze\w{1,4}"
    ),
    foreign=(
        r"(?:niemieck|francusk|wlosk|austriack|szwajcarsk|angielsk|czesk|slowack|hiszpansk|ukrainsk|litewsk"
        r"|holendersk|belgijsk"
        r"|amerykansk|rosyjsk|szwedzk|brytyjsk|portugalsk|wegiersk)i(?:ego|ej|m)"
    ),
    wording_hints=("brzmieniu",),
    former_wording=r"w\s(?:poprzednim|dawnym|dotychczasowym|wczesniejszym|uprzednim)\sbrzmieniu",
    until=r"w\sbrzmieniu\s(?:obowiazujacym|sprzed|do)(?:\sprzed|\sdo)?(?:\sdnia)?",
    title_end=(
        r"(?:w\sbrzmieniu|stanowi\w{0,2}|przewid\w{2,5}|okresla\w{0,2}|wynika|nie|jest|sa|ktor\w{1,3}|w\szw|brzmi|mowi|dotyczy"
        r"|regul\w{2,4}|wymaga\w{0,2}|nakazuj\w|zakazuj\w|nakazal|naklada\w{0,2}|pozwala\w{0,2}|daj\w|dopisa\w{1,3}|doda\w{1,3}"
        r"|wprowadz\w{1,4}|definiuj\w|wskazuj\w|zawiera\w{0,2}|zosta\w{1,4}|obowiazuj\w|wesz\w{2,3}|wchodz\w|przyznaj\w"
        r"|uprawnia\w{0,2}|gwarantuj\w|rozstrzyga\w{0,2}|ustala\w{0,2}|uchyl\w{1,4}|zmieni\w{1,3}|moze|musi|bedzie|wyraznie|juz"
        r"|(?:(?:i|lub|oraz|do|z|w|na|od|po|a)\s)?(?:art|par|ust|pkt)|(?:(?:i|oraz|do|z|w)\s)?§)"
    ),
    foreign_front=(
        r"(?:niemieck|francusk|wlosk|austriack|szwajcarsk|angielsk|czesk|slowack|hiszpansk|ukrainsk|litewsk|holendersk"
        r"|belgijsk|amerykansk|rosyjsk|szwedzk|brytyjsk|portugalsk|wegiersk)(?:i|a|ie|iego|iemu|im|iej)"
    ),
    several=r"artykul(?:y|ow|om|ach|ami)",
    ordinals={
        **dict.fromkeys(("pierwsze", "pierwszy", "pierwszego", "pierwszym", "pierwsza"), 1),
        **dict.fromkeys(("drugie", "drugi", "drugiego", "drugim", "druga"), 2),
        **dict.fromkeys(("trzecie", "trzeci", "trzeciego", "trzecim", "trzecia"), 3),
        **dict.fromkeys(("czwarte", "czwarty", "czwartego", "czwartym", "czwarta"), 4),
        **dict.fromkeys(("piate", "piaty", "piatego", "piatym", "piata"), 5),
        **dict.fromkeys(("szoste", "szosty", "szostego", "szostym"), 6),
        **dict.fromkeys(("siodme", "siodmy", "siodmego", "siodmym"), 7),
        **dict.fromkeys(("osme", "osmy", "osmego", "osmym"), 8),
    },
    endings=(
        "iego",
        "iemu",
        "ego",
        "emu",
        "ymi",
        "imi",
        "iach",
        "ach",
        "iami",
        "ami",
        "owi",
        "iem",
        "iej",
        "iom",
        "ych",
        "ich",
        "em",
        "ie",
        "ej",
        "ym",
        "im",
        "om",
        "ow",
        "ia",
        "iu",
        "io",
        "ii",
        "ji",
        "ja",
        "je",
        "ju",
        "a",
        "u",
        "y",
        "i",
        "e",
        "o",
    ),
)

ENGLISH = LanguageWords(
    levels={
        "art": r"art(?:icle|icles|s)?\b\.?",
        "par": r"§§?|sec(?:tions?|s)?\b\.?|ss?\.(?=\s?\d)",
        "ust": r"para(?:graphs?|s)?\b\.?|subsections?\b|subs?\.(?=\s?\(?\d)",
        "pkt": r"(?:sub)?points?\b|pts?\b\.?|items?\b|no\b\.?(?=\s?\d)",
        "lit": r"lit\b\.?|letters?\b|let\.",
        "tiret": r"indents?\b",
        "zd": r"sentences?\b",
        "akapit": r"subparagraphs?\b",
        "motyw": r"recitals?\b",
    },
    point_start=r"(?:sub)?points?\b",
    conjunctions=r"and|or|as\swell\sas|and/or|nor",
    ranges=r"to|through|until",
    open_range=r"et\sseqq?\b\.?|ff\b\.?|and\sfollowing|and\sff\.",
    noise=_COMMON_NOISE
    + r"|first\ssentence|second\ssentence|last\ssentence|as\samended|in\sits\sformer\swording|above|below",
    links=(
        r"in\sparticular|in\sconjunction\swith|in\sconnection\swith|read\s(?:together\s|in\sconjunction\s)?with"
        r"|together\swith|taken\stogether\swith"
        r"|as\swell\sas|and\salso|and|or|nor|to|by\svirtue\sof|as\sapplied\sby|cf\."
    ),
    of=r"of|in|under",
    articles=r"of\sthe|of|in\sthe|the|under\sthe|in|to\sthe|(?:of\s)?its",
    same_act=(
        r"(?:(?:of|in|under)\s)?(?:that|this|the\ssame|the\ssaid|said|the\saforementioned|the\scited"
        r"|the\sabove-mentioned)\s"
        r"(?:act|code|law|statute|regulation|directive|ordinance|convention|treaty|constitution|decree)\b|thereof\b"
    ),
    own_article=r"(?:of\s)?(?:that|this|the\ssame)\s(?:article|provision|section|paragraph)\b",
    possessive=r"its",
    private=(
        r"agreements?|contracts?|house\srules|terms(?:\sand\sconditions)?|general\sterms|lease|policy"
        r"|settlement|standard|by-?laws"
        r"|articles\sof\sassociation|statutes\sof\sthe|annex(?:es)?|schedule|appendix|memorandum"
        r"|price\slist|rules\sof\sthe\s(?:house|association|game)"
        r"|tenancy|offer|invoice|plan|manual|guidelines?|charter\sparty|minutes|internal\s\w{4,12}"
        r"|menu|partnership\s\w{4,12}|iso|en\sstandard|deed"
    ),
    act_noun=r"(?:the\s)(?:act|code|law|statute|regulation|directive|convention|constitution|ordinance)\b",
    alias=(
        r"hereinafter(?:\s(?:referred\sto\sas|called))?\s?:?|hereafter\s?:?|the\sso-called|below\s?:?"
        r"|abbreviated\s?:?"
    ),
    stop_after_number=(
        _UNITS_OF_MEASURE
        + r"|years?\b|days?\b|months?\b|weeks?\b|hours?\b|minutes?\b|marks\b|crowns\b|euros?\b|per\scent"
        r"|percent|pages?\b"
        r"|people\b|persons\b|times\b|of\sthem\b|others\b|million\b|thousand\b|judges\b|metres\b"
        r"|(?:business|working|calendar)\sdays"
    ),
    foreign=(
        r"(?:of\sthe\s)?(?:german|french|italian|austrian|swiss|polish|english|dutch|spanish|belgian|czech"
        r"|u\.?s\.?|uk)(?=\s)"
    ),
    wording_hints=("wording", "version", "until"),
    former_wording=r"in\s(?:its|the)\s(?:former|previous|earlier|old)\s(?:wording|version)",
    until=r"(?:as|in\sthe\swording|in\sthe\sversion)\s(?:in\sforce|applicable)\suntil",
    title_end=(
        r"(?:and|or|which|that|says|provides|states|applies|is|was|does|requires|sets|as|in\sthe\s(?:wording"
        r"|version))\b"
    ),
    foreign_front=(r"german|french|italian|austrian|swiss|polish|english|dutch|spanish|belgian|czech"),
    several=r"articles|arts\.?",
    ordinals={"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6},
    endings=("'s", "s"),
)

GERMAN = LanguageWords(
    levels={
        "art": r"[an]?art(?:t|ikel(?:n|s)?)?\b\.?",
        "par": r"§§?|paragraph(?:en)?\b",
        "ust": r"abs(?:atz(?:es)?|atze?n?)?\b\.?",
        "pkt": r"z(?:iff(?:er[n]?)?\b\.?|iff)|nr\b\.?|nummern?\b",
        "lit": r"lit\b\.?|b(?:uch)?st\b\.?|buchstaben?\b|let\b\.?|litera\b",
        "tiret": r"(?:gedanken)?strich\b|lemma\b",
        "zd": r"satz(?:es)?\b|s\.(?=\s?[12]\b)",
        "akapit": r"u(?:nter)?abs(?:atz(?:es)?)?\b\.?|ua\b\.?",
        "motyw": r"erwagungsgrund(?:e|s|es)?\b|erwgr?\b\.?",
    },
    point_start=r"nr\.(?=\s?\d{1,3}\s(?:von|des|zu)\sart)|z(?:iff(?:er[n]?)?\b\.?|iff)",
    conjunctions=r"und|oder|sowie|bzw\.?|beziehungsweise|u\.|wie\sauch|respektive|resp\.",
    ranges=r"bis",
    open_range=r"ff\b\.?|f\.|f\b(?=\s[a-z])|und\sfolgende|u\.\sff\.|fortfolgende",
    noise=_COMMON_NOISE
    + r"|analog|sinngemass|e\scontrario|(?:erster|zweiter|letzter|dritter)\ssatz|am\sende|a\.\s?e\.",
    links=(
        r"insbesondere|namentlich|i\.?\s?v\.?\s?m\.?|in\sverbindung\smit|in\sverb\.\smit|und|sowie|oder|bzw\.?|beziehungsweise|auch|zusammen\smit"
        r"|nach\smassgabe\svon|gestutzt\sauf|i\.?\s?s\.?\s?v\.?|im\ssinne\svon|je|resp\.|mit|bis"
    ),
    of=r"von|des|der|zu|in",
    articles=(
        r"(?:des|der|dem|den|das|die|im|in\sder|von|vom|zum|zur|nach|gemass|aus)(?:\s(?:schweizerischen|schweizer|neuen|revidierten|alten|geltenden))?"
        r"|schweizerische[sn]?|revidierte[sn]?|alte[sn]?"
    ),
    same_act=(
        r"(?:dieses|desselben|jenes|(?:des\s)?(?:genannten|zitierten|vorgenannten|erwahnten|gleichen|nämlichen|namlichen))\s"
        r"(?:gesetzes|erlasses|kodex|bundesgesetzes|ubereinkommens|abkommens|vertrages|gesetzbuch(?:e?s)?)\b"
        r"|(?:dieser|derselben|jener|der\s(?:genannten|gleichen|erwahnten|zitierten))\s(?:verordnung|richtlinie|verfassung)\b|ebd\.|ebenda"
    ),
    own_article=r"(?:dieses|desselben|des\sgenannten|des\sgleichen)\s(?:artikels|absatzes|paragraphen)|dieser\sbestimmung|derselben\sbestimmung",
    possessive=r"dessen|deren",
    private=(
        r"agb|(?:allgemeine[nr]?\s)?geschaftsbedingungen|hausordnung|reglements?|statuten|vereinbarung|police|offerte|anhangs?|anhang"
        r"|\w{0,14}vertrag(?:e?s)?|\w{2,14}vereinbarung|vergleichs?|norm|sia|din(?:-norm)?|iso|weisung|richtlinien\sder|protokolls?|traktandenliste"
        r"|\w{2,16}reglements?|\w{2,12}bedingungen|\w{2,12}statuten|hausregeln|preisliste|leitfadens?|merkblatts?|pflichtenhefts?|angebots?"
        r"|(?:betriebs|schul|platz|bade|park|spiel|wasch|garten|benutzungs|heim|lager|sitzungs)ordnung|verhaltenskodex|standesregeln|(?:speise|sprach)?menus?|\w{0,16}satzung|nutzungsbedingungen|klausel|rechnung|traktanden"
    ),
    abroad=(
        r"(?:im|nach|gemass)\s(?:deutschem|deutschen|franzosischem|franzosischen|italienischem|italienischen"
        r"|osterreichischem|osterreichischen)\srecht|in\s(?:deutschland|frankreich|italien|osterreich)(?![^\W_])"
    ),
    act_noun=r"(?:des\sgesetzes|dieses\sgesetzes|des\serlasses|der\sverordnung|des\skodex|des\sbundesgesetzes|der\srichtlinie)\b",
    alias=r"(?:nachfolgend|nachstehend|fortan|im\sfolgenden|kurz|hiernach|abgekurzt|abk\.)\s?:?",
    stop_after_number=(
        _UNITS_OF_MEASURE
        + r"|jahren?\b|jahre\b|tagen?\b|tage\b|monaten?\b|monate\b|wochen?\b|stunden?\b|uhr\b|franken\b|rappen\b|euro\b"
        r"|prozent\b|personen\b|seiten?\b|mal\b|(?:arbeits|kalender|werk|sitzungs)tag\w{0,3}|mio\b|mia\b|stimmen\b|meter\b|mitglied\w{0,3}|falle\b|urteilen?\b"
    ),
    foreign=(
        r"(?:des\s|der\s)?(?:deutsch|franzosisch|italienisch|osterreichisch|liechtensteinisch|polnisch|englisch|amerikanisch)e[nrs](?=\s)"
    ),
    wording_hints=("fassung", "aor", "azgb", "abv", "adsg", "bis"),
    former_wording=r"in\sder\s(?:fruheren|alten|damaligen|bisherigen)\s(?:fassung)|(?<![^\W_])a(?:or|zgb|bv|dsg)\b",
    until=r"in\sder\sbis(?:\szum)?",
    title_end=r"(?:und|oder|welche[rs]?|regelt|ist|gilt|sieht|verlangt|nicht|sowie|in\sder\sfassung)\b",
    foreign_front=(
        r"(?:deutsch|franzosisch|italienisch|osterreichisch|liechtensteinisch|polnisch|englisch|amerikanisch)e[nrsm]?"
    ),
    several=r"(?:die|den|der)\sart\.|artt\.",
    ordinals={
        **dict.fromkeys(("erster", "erste", "ersten", "erstes"), 1),
        **dict.fromkeys(("zweiter", "zweite", "zweiten", "zweites"), 2),
        **dict.fromkeys(("dritter", "dritte", "dritten"), 3),
        **dict.fromkeys(("vierter", "vierte"), 4),
    },
    endings=("es", "en", "er", "em", "n", "s", "e"),
)

FRENCH = LanguageWords(
    levels={
        "art": r"art(?:icles?|s)?\b\.?",
        "par": r"§§?",
        "ust": r"al(?:ineas?|s)?\b\.?|par(?:agraphes?)?\b\.?",
        "pkt": r"ch(?:iffres?|s)?\b\.?|n(?:[o°]s?|umeros?)\b\.?|n[°º]|points?\b|pts?\b\.?",
        "lit": r"let(?:tres?|t)?\b\.?|lit\b\.?|sous(?=\s[a-z]\))",
        "tiret": r"tirets?\b",
        "zd": r"phr(?:ases?)?\b\.?|ph\.",
        "akapit": r"sous-alineas?\b",
        "motyw": r"considerants?\b|cons\.(?=\s?\d)",
    },
    point_start=r"ch(?:iffres?|s)?\b\.?|points?\b",
    conjunctions=r"et|ou|ainsi\sque|ainsi\squ'a|et/ou|voire|ni|puis|et\saussi|resp\.|respectivement",
    ranges=r"a|au|jusqu'a",
    open_range=r"et\ss(?:s|uiv(?:ants?)?)?\b\.?|ss\b\.?|s\.|suiv\b\.?|sqq\b\.?|et\ssuivants?",
    noise=_COMMON_NOISE
    + r"|par\sanalogie|in\sinitio|(?:premiere|seconde|deuxieme|derniere|1re|2e|3e)\s(?:phrase|hypothese)|precite[es]?"
    + r"|ancien(?:ne)?s?|nouveau|nouvelle",
    links=(
        r"en\sparticulier|notamment|en\s(?:relation|lien|liaison|combinaison|correlation)\savec|en\srel\.\savec|cum|combines?\s(?:a|avec|aux?)|lu\s(?:en\srelation\s)?avec"
        r"|ainsi\sque|et|ou|voire|conjointement\savec|par\srenvoi\sde|mis\sen\srelation\savec|ni|a|en\sapplication\sde|selon|puis|comme"
    ),
    of=r"de\sl'|de\sla|du|de|des|a\sl'|de\scet",
    articles=(
        r"(?:de\sla|de\sl'|du|des|de|dans\sla|dans\sle|a\sla|au|le|la|l'|aux)(?:\s(?:nouveau|nouvelle|ancien|ancienne))?"
    ),
    same_act=(
        r"(?:du\smeme\scode|du\smeme\sreglement|du\smeme\stexte|de\sla\smeme\s(?:loi|directive|ordonnance|convention)"
        r"|de\s(?:cette|ladite)\s(?:loi|directive|ordonnance|convention)|de\sce(?:t)?\s(?:code|reglement|texte|acte)"
        r"|dudit\s(?:code|reglement)|de\scette\smeme\sloi|de\sla\s(?:loi|directive)\s(?:precitee|susmentionnee)"
        r"|du\s(?:code|reglement)\s(?:precite|susmentionne)|du\scode\ssusmentionne)\b"
    ),
    own_article=r"(?:du\smeme|de\scet|dudit|de\sce\smeme)\s(?:article|alinea)|de\scette\sdisposition|de\sla\smeme\sdisposition",
    possessive=r"son|ses",
    private=(
        r"contrat(?:s)?|code\sde\s(?:deontologie|conduite|bonne\spratique)|reglement\s(?:de\smaison|interne|interieur|d'immeuble|de\scopropriete|de\sla\s\w{3,12}|du\s\w{3,12}|communal)|conditions\sgenerales|cgv?|bail"
        r"|convention(?:\scollective)?|statuts|police|annexe|accord|transaction|norme|sia|iso|offre|devis|facture|proces-verbal|ordre\sdu\sjour"
        r"|menu|cahier\sdes\scharges|protocole|avenant|charte\s(?:d'|du\s|de\s(?:bonne|conduite|deontologie|la\s(?:maison|societe))|informatique|ethique|interne|qualite)|contrat\sde\s\w{3,12}|bareme|mode\sd'emploi|cct|contrat-cadre|guide|reglement\sprive"
    ),
    abroad=r"en\s(?:droit\s(?:francais|italien|allemand)|france|italie|allemagne)(?![^\W_])|le\sdroit\s(?:francais|italien)",
    act_noun=r"(?:de\sla\sloi|de\sl'ordonnance|du\scode|du\sreglement|de\sla\sdirective|de\sla\sconvention)\b",
    alias=r"(?:ci-apres|ci-dessous|abrege[e]?|abr\.)\s?:?",
    stop_after_number=(
        _UNITS_OF_MEASURE
        + r"|ans?\b|annees?\b|jours?\b|mois\b|semaines?\b|heures?\b|h\b|francs?\b|centimes?\b|euros?\b"
        r"|pour\scent|personnes?\b"
        r"|pages?\b|fois\b|metres?\b|millions?\b|mille\b|voix\b|membres\b|arrets?\b|jours\souvrables"
    ),
    foreign=(r"(?<=[^\W\d_])\sfrancais\b|(?<=[^\W\d_])\sitalien\b|(?<=[^\W\d_])\sallemand\b"),
    wording_hints=("teneur", "version", "ancien"),
    former_wording=r"dans\s(?:son|sa|l')\s?(?:ancienne|precedente)\s(?:teneur|version)|ancien(?=\sart)",
    until=r"dans\s(?:sa|la)\s(?:teneur|version)\s(?:en\svigueur\s)?jusqu'au",
    title_end=r"(?:et|ou|qui|que|prevoit|dispose|est|ne|regle|s'applique|dans\ssa)\b",
    several=r"(?:les|des|aux|ces)\sart\.|articles|arts\.",
    ordinals={
        **dict.fromkeys(("premiere", "premier", "1re", "1er", "1ere"), 1),
        **dict.fromkeys(("deuxieme", "seconde", "second", "2e", "2eme"), 2),
        **dict.fromkeys(("troisieme", "3e", "3eme"), 3),
        **dict.fromkeys(("quatrieme", "4e"), 4),
    },
    endings=("es", "e", "s", "x"),
)

ITALIAN = LanguageWords(
    levels={
        "art": r"art(?:t|icol[oi])?\b\.?",
        "par": r"§§?",
        "ust": r"cpv\b\.?|capovers[oi]\b|par(?:agraf[oi])?\b\.?|comm[ai]\b|co\.(?=\s?\d)",
        "pkt": r"n(?:umer[oi]|[n]?)\b\.?|n[°º]|cifr[ae]\b|cif\b\.?|punt[oi]\b",
        "lit": r"lett(?:er[ae])?\b\.?|let\b\.?|lit\b\.?",
        "tiret": r"trattin[oi]\b|lineett[ae]\b",
        "zd": r"fras[ei]\b|period[oi]\b",
        "akapit": r"sottocomma\b",
        "motyw": r"considerand[oi]\b|cons\.(?=\s?\d)",
    },
    point_start=r"n(?:\.|umero)(?=\s?\d{1,3}\sdell'art)|cifr[ae]\b|cif\b\.?|punt[oi]\b",
    conjunctions=r"e|ed|o|od|oppure|nonche|e/o|ovvero|ne|come\spure|cosi\scome|rispettivamente|risp\.",
    ranges=r"a|al|ad",
    open_range=r"e\ss(?:s|egg?|eguenti)\b\.?|segg?\b\.?|ss\b\.?|s\.|e\sseguent[ei]",
    noise=_COMMON_NOISE
    + r"|per\sanalogia|(?:prima|seconda|ultima|terza)\sfrase|(?:primo|secondo|ultimo|terzo)\speriodo|citat[oa]|cit\.",
    links=(
        r"in\sparticolare|segnatamente|in\scombinato\sdisposto\scon|in\sc\.?\s?d\.?\scon|in\srelazione\s(?:con|a)|in\scombinazione\scon|in\sunione\scon|combinato\scon"
        r"|in\scollegamento\scon|letto\s(?:in\scombinato\s)?con|cum|unitamente\sa|e|ed|o|od|nonche|ovvero|con|a|oppure|ne|secondo|come\spure"
    ),
    of=r"dell'|dello|della|del|di|all'|degli",
    articles=(
        r"(?:della|dello|dell'|del|dei|delle|degli|di|nella|nel|nell'|alla|al|il|la|lo|l')(?:\s(?:nuovo|nuova|vecchio|vecchia))?"
    ),
    same_act=(
        r"(?:dello\sstesso|del\smedesimo|di\s(?:tale|questo|detto)|del\s(?:predetto|citato|suddetto))\s(?:codice|regolamento|testo|decreto|atto)\b"
        r"|(?:della\sstessa|della\smedesima|di\s(?:tale|questa|detta)|della\s(?:predetta|citata|suddetta))\s(?:legge|direttiva|ordinanza|convenzione)\b"
        r"|(?:della\slegge|del\scodice)\scitat[oa]\b"
    ),
    own_article=r"(?:dello\sstesso|del\smedesimo|di\stale|di\squesto)\s(?:articolo|capoverso|comma)|di\stale\s(?:disposizione|norma)|della\sstessa\snorma",
    possessive=r"suo|sua|suoi",
    private=(
        r"contratt[oi]|regolament[oi]\s(?:condominiale|aziendale|interno|della\s\w{3,12}|del\s\w{3,12}|di\s(?:casa|condominio|istituto|gara)|comunale)"
        r"|condizioni\sgenerali|cga?|statut[oi]|accord[oi]|polizza|convenzione|capitolato|bando|(?<!\bdi\s)(?<!\bda\s)(?<!\ba\s)(?<!\bper\s)(?<!puo\s)(?<!possono\s)(?<!dev[eo]\s)(?<!devono\s)disciplinare|transazione|allegat[oi]|norma\s(?:iso|sia|uni)|iso|sia"
        r"|menu|verbale|ordine\sdel\sgiorno|fattura|offerta|protocollo|listino|ccl|manuale|lettera\sd'incarico|patto|locazione|carta\sdei|codice\s(?:etico|deontologico|di\scondotta)"
    ),
    abroad=(
        r"(?:nel|secondo\sil|per\sil)\sdiritto\s(?:italiano|francese|tedesco)"
        r"|(?:in|per\sla|per\sl')\s?(?:francia|italia|germania)(?![^\W_])"
    ),
    act_noun=r"(?:della\slegge|del\scodice|dell'ordinanza|del\sregolamento|della\sdirettiva|della\sconvenzione|del\sdecreto)\b",
    alias=r"(?:di\sseguito|in\sseguito|qui\sdi\sseguito|nel\sseguito|in\sappresso|d'ora\sin\spoi|abbreviat[oa]|in\sbreve)(?:\sanche)?\s?:?",
    stop_after_number=(
        _UNITS_OF_MEASURE + r"|ann[oi]\b|giorn[oi]\b|mes[ei]\b|settiman[ae]\b|or[ae]\b|franch[oi]\b|euro\b|centesimi\b"
        r"|per\scento|person[ae]\b|pagin[ae]\b"
        r"|volt[ae]\b|metr[oi]\b|milion[ei]\b|mila\b|vot[oi]\b|membri\b|sentenze\b|giorni\slavorativi"
    ),
    foreign=r"(?<=[^\W\d_])\s(?:italian[oa]|frances[ei]|tedesc[oa]|austriac[oa]|spagnol[oa])\b",
    wording_hints=("testo", "versione"),
    former_wording=r"nel\stesto\s(?:previgente|anteriore)|nella\s(?:precedente|vecchia)\sversione",
    until=r"nella\sversione\s(?:in\svigore\s)?fino\sal",
    title_end=r"(?:e|o|che|prevede|dispone|stabilisce|non|si|e'|vale|nella\sversione)\b",
    several=r"(?:gli|(?:de|da|ne|a|su)gli)\sart\.|artt\.?|articoli",
    ordinals={
        **dict.fromkeys(("primo", "prima", "1°", "1º"), 1),
        **dict.fromkeys(("secondo", "seconda", "2°", "2º"), 2),
        **dict.fromkeys(("terzo", "terza", "3°"), 3),
        **dict.fromkeys(("quarto", "quarta", "4°"), 4),
        **dict.fromkeys(("quinto", "quinta"), 5),
        **dict.fromkeys(("sesto", "sesta"), 6),
        **dict.fromkeys(("settimo", "settima"), 7),
        **dict.fromkeys(("ottavo", "ottava"), 8),
        **dict.fromkeys(("nono", "nona"), 9),
        **dict.fromkeys(("decimo", "decima"), 10),
        **{roman: at for at, roman in enumerate(["ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"], start=2)},
        "undicesimo": 11,
        "dodicesimo": 12,
    },
    endings=("e", "a", "o", "i"),
)

LANGUAGES: Mapping[str, LanguageWords] = {"pl": POLISH, "en": ENGLISH, "de": GERMAN, "fr": FRENCH, "it": ITALIAN}


def words_of(lang: str) -> LanguageWords:
    """The words of a language by code ("de-CH" reads as "de"); English where the language is not known."""
    return LANGUAGES.get(lang.lower().replace("_", "-").split("-")[0], ENGLISH)
