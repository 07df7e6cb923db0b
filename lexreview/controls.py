"""Signs of a text that show nothing and steer what is shown around them, made visible where they stand.

An override of the direction in a law, a key or an answer lets a page show other words than are stored. Each run of such
signs is put into an element of its own, which ends its effect there and says what it is. The text keeps every sign, so
that places counted in it hold.
"""

import re

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

CONTROLS = re.compile(
    "[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff"
    "\ufff9-\ufffb]+"
    # Tags after a flag belong to its picture.
    "|(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0000-\U000e007f]+"
)
"""Directions, signs without width, control characters and tags; not the soft hyphen and the joiners, which belong to
ordinary words."""


def with_controls(text: object) -> SafeString:
    """The text as HTML, escaped, with each run of such signs in a `bdi` that says which the first is, and how many."""
    said = escape(str(text))
    return mark_safe(CONTROLS.sub(_visible, said))  # noqa: S308 - escaped, and what is added is ours


def _visible(found: re.Match[str]) -> str:
    run = found[0]
    several = f" × {len(run)}" if len(run) > 1 else ""
    return f'<bdi class="control" data-sign="U+{ord(run[0]):04X}{several}">{run}</bdi>'
