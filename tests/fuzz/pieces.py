"""Fragments from which texts are put together: what each grammar looks for, and what gets in its way."""

from __future__ import annotations


def _texts(joined: str) -> tuple[str, ...]:
    return tuple(joined.split("¦"))


def _bytes(joined: bytes) -> tuple[bytes, ...]:
    return tuple(joined.split(b"\x1f"))


NUMBERS = _texts("1¦7¦12¦268a¦385¹¦22^1a¦5bis¦16n¦XIV¦iv¦0¦00¦999999999999¦٣¦²¦1.000")
SIGNS = _texts(
    " ¦, ¦; ¦.¦–¦-¦‑¦/¦ i ¦ oraz ¦ und ¦ et ¦ e ¦ and ¦ bis ¦ à ¦ a ¦ do ¦ to ¦(¦)¦[¦]¦„¦”¦«¦»¦“¦\"¦'¦’"
    "¦:¦§¦§§ ¦\n¦\n\n¦\r\n¦\t"
)
MARKUP = _texts(
    "**¦*¦_¦`¦<sup>1</sup>¦<b>¦</b>¦<a¦&nbsp;¦&sect;¦&#8209;¦&¦[^1]¦](u/v)¦![¦| ¦|---|\n¦> ¦- ¦### ¦~~"
    "¦https://a.example/art.5?x=1¦x@y.example¦\\_¦\\¦```\n"
)
ODD = _texts("\x00¦\ud7ff¦\u200f¦\u200b¦\xad¦\xa0¦\u2009¦é¦ß¦İ¦ſ¦🦊¦👩\u200d⚖️¦\u0378¦\ufeff¦𝟙¦Ⅳ")
POLISH = _texts(
    "art. ¦Art. ¦ustęp ¦ ust. ¦ pkt ¦ lit. ¦ tiret drugie¦ zd. 2¦ k.c.¦ KPA¦ k.p.c.¦ w zw. z ¦ i n."
    "¦ w związku z art. ¦tej ustawy¦ww. ustawy¦ustawy z dnia 23 kwietnia 1964 r.¦(dalej: „u.k.”)"
    "¦ – Prawo wodne¦Dz.U. ¦(Dz. U. z 2024 r. poz. 1061 ze zm.)¦M.P. 2019 poz. 5"
    "¦wyrok SN z dnia 5 maja 2010 r., ¦III CZP 25/22¦I C 1/23¦uchwała NSA ¦II FSK 12/21"
    "¦postanowienie TK ¦K 3/21¦SA w Gdańsku ¦KIO 12/24¦§ 3 umowy¦ustawy o ¦RODO¦rozporządzenia 2016/679"
)
SWISS = _texts(
    "Art. ¦Artikel ¦ Abs. ¦ Bst. ¦ lit. ¦ Ziff. ¦ Satz 2¦ ff.¦ f.¦ i.V.m. ¦ OR¦ ZGB¦ BV¦ BGÖ¦SR 152.3"
    "¦ des Bundesgesetzes über den Datenschutz (DSG)¦BGE 140 III 86 E. 2.1¦4A_1/2020"
    "¦Urteil vom 3. März 2021 ¦art. ¦ al. ¦ let. ¦ ch. ¦ CO¦ CC¦ Cst.¦ LTrans¦RS 210"
    "¦ de la loi fédérale sur ¦ATF 120 II 5 consid. 3¦ cpv. ¦ lett. ¦ n. ¦ della legge federale "
    "¦DTF 119 II 1¦A-1234/2019¦ABl. 2020 L 1¦ Ingress¦ Schlusstitel"
)
EUROPEAN = _texts(
    "Article ¦Articles ¦Art. ¦(1)¦(a)¦ GDPR¦ TFEU¦ of Regulation (EU) 2016/679¦Directive 95/46/EC"
    "¦recital 47¦Recitals (3) and (4)¦point (b) of ¦C-260/18¦T-1/20 P¦ECLI:EU:C:2019:819¦ECLI:"
    "¦CELEX 32016R0679¦first subparagraph¦ annex III¦ AI Act¦judgment of 3 October 2019, ¦motyw 4 "
    "¦Richtlinie 93/13/EWG¦Reg. UE 2016/679"
)
ITALIAN = _texts(
    "Cass. ¦Cass. civ., ¦sez. un., ¦Sez. III, ¦sez. lav. ¦n. 1234/2020¦ n. 77 del 2021¦14 gennaio 2020"
    "¦sent. ¦ord. ¦ud. 3/2/2019, dep. ¦TAR Lazio, Roma, ¦Cons. Stato, ¦Ad. plen. ¦Corte cost. "
    "¦Trib. Milano ¦App. Torino ¦CGT II grado ¦ABF ¦Corte conti ¦ECLI:IT:CASS:2020:1234CIV¦Rv. 650123"
    "¦R.G. 12/2019¦art. ¦comma 2¦ c.c.¦ c.p.p.¦d.lgs. 231/2001¦l. 7 agosto 1990, n. 241¦ lett. b)¦ ss."
    "¦-bis¦Id.¦cit.¦ e ¦C.G.U.E. ¦L.R. Toscana 1/2005"
)
INVENTED = _texts(
    "Art. ¦Article ¦ CPA¦ CC¦ UPC¦ KC¦ of the Civil Procedure Act¦ ustawy o postępowaniu cywilnym"
    "¦ para. ¦ point ¦OJ 2024, 118¦OJ 2011, item 9¦Dz.Urz. 2011, poz. 9¦II Civ 44/24¦Supreme Court"
    "¦Sąd Najwyższy¦judgment of 4 March 2025, ¦ (“CPA”)¦ (hereinafter: “the Act”)¦that Act¦ Kestrian"
)

OF_GRAMMAR = {
    "pl": (*POLISH, *EUROPEAN),
    "ch": (*SWISS, *EUROPEAN),
    "eu": EUROPEAN,
    "it": (*ITALIAN, *EUROPEAN, *SWISS),
    "auto": (*POLISH, *SWISS, *EUROPEAN, *ITALIAN),
    "QK": INVENTED,
}
COMMON = (*NUMBERS, *NUMBERS, *SIGNS, *MARKUP, *ODD)

AMENDING = _texts(
    "w art. ¦art. ¦§ 1 ¦ust. 2 ¦pkt 3 ¦lit. a ¦tiret drugie ¦otrzymuje brzmienie:¦otrzymują brzmienie:"
    "¦uchyla się ¦skreśla się ¦dodaje się ¦po § 1 dodaje się § 1a w brzmieniu:¦po wyrazach „¦wyrazy „"
    "¦” zastępuje się wyrazami „¦”¦w zdaniu pierwszym ¦kropkę zastępuje się przecinkiem ¦w art. 5–9 "
    "¦użyte w różnej liczbie i różnym przypadku ¦oznacza się jako ¦1)¦2)¦a)¦b)¦, ¦;¦–¦-¦ i ¦ oraz "
    "¦ w brzmieniu:¦zdanie drugie ¦w tytule ¦rozdział 2 ¦dział II "
)
TAGS = _bytes(
    b"<\x1f>\x1f</\x1f/>\x1f<p>\x1f</p>\x1f<article>\x1f</article>\x1f<paragraph>\x1f<num>\x1f</num>"
    b"\x1f<content>\x1f<heading>\x1f<blockList>"
    b'\x1f<item>\x1f<level>\x1f<authorialNote>\x1f<sup>\x1f<br/>\x1f<table><tr><td>\x1f<div class="unit unit_arti">'
    b'\x1f<div class="unit unit_para" id="arti_1-para_2">\x1f<h3>\x1f<span class="no-parag">'
    b'\x1f<p class="oj-ti-art">\x1f<p class="oj-normal">\x1f eId="art_1"\x1f eId=""\x1f id=""\x1f class=""'
    b"\x1f&amp;\x1f&#0;\x1f&#x110000;\x1f&x;\x1f<![CDATA[\x1f]]>\x1f<!--\x1f-->\x1f<?x?>"
    b"\x1f<!DOCTYPE a [<!ENTITY x 'y'>]>\x1fxmlns=\"\""
    b"\x1fArt. \x1fArt. 1\x1f1bis\x1f28d-28f\x1f(uchylony)\x1f...\x1f\xe2\x80\xa6\x1f\xc2\xa7 1.\x1f\xff"
    b"\x1f\x00\x1f\xed\xa0\x80"
    b"\x1f\xef\xbb\xbf\x1f2024-02-30\x1f9999-12-31\x1f0000-00-00"
)
LINES = _bytes(
    b"\n\x1f---\n\x1f# \x1f## \x1f### Art. 1. X\n\x1f### Art. 21^1. Y\n\x1f**Art. 1** \x1f\xc2\xa7 1. "
    b"\x1f1) \x1fa) \x1f(repealed)"
    b"\x1f[^1]\x1f[^1]: x\n\x1fsr_number: \x1flanguage: de\n\x1fversion_date: 2024-01-31\n\x1fkey: [a, b\n"
    b"\x1f!!python/object:x \x1f&a *a\x1f\t\x1f\x00\x1f\xff\x1f|\x1f> \x1f<sup>1</sup>\x1f...\x1f2024-02-30"
    b"\x1f## Transitional provisions\n\x1f#######\x1f\\\x1f\r"
)
JSON_TOKENS = _bytes(
    b'{\x1f}\x1f[\x1f]\x1f,\x1f:\x1fnull\x1ftrue\x1f0\x1f-1\x1f1e999\x1fNaN\x1fInfinity\x1f""\x1f"x"\x1f[]\x1f{}\x1f[null]\x1f"2024-02-30"\x1f"ELI":'
    b'\x1f"data":\x1f"children":\x1f"items":\x1f"hits":\x1f"id":\x1f"title":\x1f"\\ud800"\x1f\xff\x1f\x00\x1f"<p>"'
    b'\x1f{"value":"x"}'
)
