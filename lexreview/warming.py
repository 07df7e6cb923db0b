"""Doing once, before a server answers, what its first requests would each have to wait for."""

from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.template import TemplateSyntaxError, engines
from django.urls import get_resolver
from django.utils.translation import override


def warm_up() -> None:
    """Load the views with their addresses, the words of each language, and our templates. No database is asked.

    A template of a room that is not installed, whose tags are missing, is left out: nothing shows it.
    """
    for code, _name in settings.LANGUAGES:
        with override(code):
            get_resolver().reverse_dict  # noqa: B018  (it is made for each language when it is first asked for)
    engine = engines["django"]
    for folder in map(Path, engine.dirs):
        for path in sorted(folder.rglob("*.html")):
            with suppress(TemplateSyntaxError):
                engine.get_template(path.relative_to(folder).as_posix())
