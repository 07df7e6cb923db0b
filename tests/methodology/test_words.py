"""The names of the classes of errors in the reader's language."""

import pytest
from django.template import Context, Template
from django.utils import translation

from lexreview.methodology.words import CLASS_NAMES, Named, class_name

BOTH = {"en": "Content", "pl": "Treść"}
OWN = {"en": "Missing premise", "pl": "Brak przesłanki"}


@pytest.mark.parametrize(
    ("names", "language", "said"),
    [
        (BOTH, "pl", Named("Treść", "pl")),
        (BOTH, "de", Named("Inhalt", "de")),
        (BOTH, "fr-ch", Named("Contenu", "fr")),
        ({"en": "Content", "de": "Gehalt"}, "de", Named("Gehalt", "de")),
        (OWN, "it", Named("Missing premise", "en")),
        ({"pl": "Brak przesłanki"}, "it", Named("Brak przesłanki", "pl")),
        ({}, "it", Named("", "")),
    ],
)
def test_a_class_is_named_in_the_readers_language_or_as_the_specification_does(
    names: dict[str, str], language: str, said: Named
) -> None:
    assert class_name(names, language) == said
    with translation.override(language):
        assert class_name(names) == said


@pytest.mark.parametrize("language", ["pl", "de", "fr", "it"])
def test_every_usual_class_has_a_name_in_every_language(language: str) -> None:
    assert all(class_name({"en": name}, language).language == language for name in CLASS_NAMES)


def test_pages_mark_what_is_not_in_their_language() -> None:
    page = Template(
        "{% load published %}{{ own|name_of_class }} {{ both|name_of_class }} {{ texts|in_own_language:'en' }}"
    )
    texts = {"en": "<b>Half</b>"}

    with translation.override("de"):
        said = page.render(Context({"own": OWN, "both": BOTH, "texts": texts}))

    assert said == '<span lang="en">Missing premise</span> Inhalt <span lang="en">&lt;b&gt;Half&lt;/b&gt;</span>'
    with translation.override("en"):
        assert "<span" not in page.render(Context({"own": OWN, "both": BOTH, "texts": texts}))
