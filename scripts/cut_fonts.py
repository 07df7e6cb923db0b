"""Cut the fonts of the pages from the packages named in static/vendor/VERSIONS.md: `cut_fonts.py <node_modules>`.

A first view of a card may take 150 kB, so the files keep what the pages use: weights 400 to 600, no instructions for
coarse screens, kerning, tabular and lining figures; letters split into those of English, German, French, Italian and
Spanish, what Polish has beside them, other letters of the West with the accents that stand alone, and the rest.
Families whose licence reserves their name get another, as it asks of what is changed.
"""

import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

FONTS = Path(__file__).resolve().parent.parent / "static" / "fonts"
FEATURES = ["kern", "mark", "mkmk", "ccmp", "locl", "tnum", "liga", "lnum"]
# Without accents that stand alone there is nothing to be put together.
PLAIN = ["kern", "locl", "tnum", "liga", "lnum"]
# What the texts of the pages are written in, with the signs of legal texts; rarer letters are in a file that is seldom
# asked for, with the accents that stand alone.
COMMON = set(range(0x20, 0x7F)) | {
    ord(letter)
    for letter in "äöüßÄÖÜàâæçéèêëîïôœùûüÿÀÂÆÇÉÈÊËÎÏÔŒÙÛÜŸìíòóúÌÍÒÓÚáñÁÑ"
    "\u00a0\u00ad§°©®·«»±×÷£¶¡¿´¨¹²³½¼¾ªº\u2002\u2009\u200b–—‘’‚“”„•…′″‹›€™↑↓−"
}
POLISH = {ord(letter) for letter in "ąćęłńśźżĄĆĘŁŃŚŹŻ"}
# Ticks, arrows, keys and comparison signs of the pages themselves; Greek and the rest are in the file beside it.
MARKS = {ord(sign) for sign in "\u2011№←↑→↓↗⇧⌘⏎∞≈≠≤≥▲▶▼◀○●✓✗"}
SERIF, MONO = ("Source Serif 4", "Lexreview Serif"), ("IBM Plex Mono", "Lexreview Mono")
NAMES_SHOWN = {1, 3, 4, 6, 16, 17, 25}


def main() -> None:
    packages = Path(sys.argv[1])
    serif = packages / "@fontsource-variable/source-serif-4/files"
    for style in ("normal", "italic"):
        _split(
            serif / f"source-serif-4-{{}}-wght-{style}.woff2", f"lexreview-serif/lexreview-serif-{{}}-{style}", SERIF
        )
    _split(
        packages / "@fontsource/ibm-plex-mono/files/ibm-plex-mono-{}-400-normal.woff2",
        "lexreview-mono/lexreview-mono-{}",
        MONO,
    )
    _split(packages / "@fontsource-variable/inter/files/inter-{}-wght-normal.woff2", "inter/inter-{}-wght-normal")
    symbols = FONTS / "inter" / "inter-symbols-wght-normal.woff2"
    marks = FONTS / "inter" / "inter-marks-wght-normal.woff2"
    if not marks.exists():
        _cut(symbols, marks, _letters(symbols) & MARKS)
        _cut(symbols, symbols, _letters(symbols) - MARKS)


def _split(source: Path, name: str, renamed: tuple[str, str] | None = None) -> None:
    latin, rest = Path(str(source).format("latin")), Path(str(source).format("latin-ext"))
    _cut(latin, FONTS / f"{name.format('latin')}.woff2", _letters(latin) & COMMON, renamed, features=PLAIN)
    _cut(latin, FONTS / f"{name.format('latin-rare')}.woff2", _letters(latin) - COMMON, renamed)
    _cut(rest, FONTS / f"{name.format('latin-pl')}.woff2", _letters(rest) & POLISH, renamed)
    _cut(rest, FONTS / f"{name.format('latin-ext')}.woff2", _letters(rest) - POLISH, renamed)


def _letters(source: Path) -> set[int]:
    with TTFont(source) as font:
        return set(font.getBestCmap())


def _cut(
    source: Path,
    target: Path,
    letters: set[int],
    renamed: tuple[str, str] | None = None,
    features: list[str] = FEATURES,
) -> None:
    font = TTFont(source)
    options = Options(layout_features=features, hinting=False, notdef_outline=True, name_IDs=["*"])
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=letters)
    subsetter.subset(font)
    if "fvar" in font:
        font = instantiateVariableFont(font, {"wght": (400, 600)})
    if renamed:
        _rename(font, *renamed)
    font.flavor = "woff2"
    target.parent.mkdir(exist_ok=True)
    font.save(target)
    print(f"{target.relative_to(FONTS)}: {target.stat().st_size / 1000:.1f} kB")


def _rename(font: TTFont, old: str, new: str) -> None:
    for record in font["name"].names:
        if record.nameID in NAMES_SHOWN:
            shown = record.toUnicode().replace(old, new)
            record.string = shown.replace(old.replace(" ", ""), new.replace(" ", ""))


if __name__ == "__main__":
    main()
