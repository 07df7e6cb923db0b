"""The theme read from its style sheet: text at 4.5 to its ground in both themes, edges of controls at 3."""

import re
from itertools import product
from pathlib import Path

import pytest
from django.conf import settings

CSS = Path(settings.BASE_DIR) / "static" / "css"
PAIR = re.compile(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)")
COLOURS = {name: (light, dark) for name, light, dark in PAIR.findall((CSS / "lexreview.css").read_text())}
CLASSES = ["ok", "open", "t", "w", "f", "s"]
GROUNDS = ["paper", "sheet", "sunk"]
TEXT = [
    *product(["ink", "ink-2", "ink-3", "accent", *CLASSES], GROUNDS),
    *product(["ink", "ink-2", "ink-3"], ["open-soft"]),
    *product(["ink", "ink-2"], ["accent-soft", *(f"{name}-soft" for name in CLASSES)]),
    *((name, f"{name}-soft") for name in CLASSES),
    *(("on-mark", name) for name in CLASSES),
    ("on-accent", "accent"),
]


def luminance(colour: str) -> float:
    """Relative luminance of "#rrggbb" as WCAG 2.2 defines it."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_of_black_and_white_is_21() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize(("theme", "index"), [("light", 0), ("dark", 1)])
@pytest.mark.parametrize(("front", "ground"), TEXT)
def test_text_stands_out_from_its_ground(front: str, ground: str, theme: str, index: int) -> None:
    assert contrast(COLOURS[front][index], COLOURS[ground][index]) >= 4.5, theme


@pytest.mark.parametrize("index", [0, 1])
@pytest.mark.parametrize(("front", "ground"), [*product(["edge", "focus"], ["paper", "sheet"])])
def test_edges_of_controls_and_focus_are_seen(front: str, ground: str, index: int) -> None:
    assert contrast(COLOURS[front][index], COLOURS[ground][index]) >= 3


def test_no_colour_is_written_outside_the_theme() -> None:
    """White alone is allowed: the page that is printed and the ground of a code to scan are white in both themes."""
    sheets = [path for path in CSS.glob("*.css") if path.name not in {"report.css", "fonts.css"}]

    strays = {stray for path in sheets for stray in re.findall(r"#[0-9a-fA-F]{3,6}\b", PAIR.sub("", path.read_text()))}

    assert strays == {"#fff"}
