"""The demo's law holds together, and its keys quote it word for word."""

from datetime import timedelta
from itertools import pairwise

import pytest

from tests.fixtures_demo.reading import (
    BUNDLE,
    LEGAL_STATE_DAY,
    act_of,
    articles,
    document,
    documents,
    edition_on,
    key_in_force,
    unit_text,
)

ACTS = sorted(documents("law/acts"))
BASES = [
    pytest.param(key, base, id=f"{name}-{base['code']}")
    for name, key in documents("keys").items()
    for base in key["bases"]
]


def language_of(key):
    return documents("questions")[key["question"]]["language"]


@pytest.mark.parametrize(("key", "base"), BASES)
def test_base_is_quoted_verbatim_from_the_source_in_force(key, base):
    language = language_of(key)
    if base["kind"] == "provision":
        edition = edition_on(act_of(base["act"]), day=LEGAL_STATE_DAY, language=language)

        assert base["edition"] == edition["valid_from"]
        assert base["source"] == edition["source"]
        assert base["quotation"] in unit_text(edition["file"], base["unit"])
    else:
        (ruling,) = [each for each in documents("law/rulings").values() if each["docket"] == base["docket"]]
        spoken = ruling if ruling["language"] == language else ruling["translations"][language]

        assert (base["court"], base["decided_on"]) == (ruling["court"], ruling["decided_on"])
        assert base["source"] == ruling["source"]
        assert base["quotation"] in spoken["theses"]
        assert base["quotation"] in spoken["text"]


@pytest.mark.parametrize("name", ACTS)
def test_editions_follow_each_other_without_gap_in_both_languages(name):
    act = documents("law/acts")[name]
    periods = {
        language: [(e["valid_from"], e["valid_to"]) for e in act["editions"] if e["language"] == language]
        for language in ("en", "pl")
    }

    assert periods["en"] == periods["pl"]
    for (_, ends), (begins, _) in pairwise(periods["en"]):
        assert begins == ends + timedelta(days=1)
    assert periods["en"][-1][1] is None
    assert act["adopted_on"] <= act["in_force_on"] <= periods["en"][0][0]


@pytest.mark.parametrize("name", ACTS)
def test_the_languages_of_an_edition_have_the_same_units(name):
    act = documents("law/acts")[name]
    for edition in act["editions"]:
        if edition["language"] == "en":
            english, polish = articles(edition["file"]), articles(edition["file"].replace(".en.md", ".pl.md"))

            assert list(english) == list(polish)
            assert [len(lines) for lines in english.values()] == [len(lines) for lines in polish.values()]
            assert 15 <= len(english) <= 40


def test_acts_editions_and_rulings_are_as_many_as_the_demo_needs():
    editions = {name: len(act["editions"]) for name, act in documents("law/acts").items()}
    rulings = list(documents("law/rulings").values())

    assert len(editions) == 5
    assert sorted(editions.values()) == [2, 2, 4, 6, 6]
    assert len(rulings) == 14
    assert {ruling["court"] for ruling in rulings} == {"Supreme Court", "Court of Appeal in Vesna"}
    assert all(ruling["theses"] and ruling["text"] for ruling in rulings)
    assert all(ruling["decided_on"] < LEGAL_STATE_DAY for ruling in rulings)


def test_superscript_repealed_and_transitional_units_occur():
    current = articles("CPA/2026-09-01.en.md")

    assert {"21^1", "118^1", "385^2"} <= set(articles("CC/2020-01-01.en.md")) | set(current)
    assert current["23"] == ["(repealed)"]
    assert articles("CPA/2026-09-01.pl.md")["23"] == ["(uchylony)"]
    assert articles("CPA/2019-01-01.en.md")["23"] != ["(repealed)"]
    assert "dis/1" in current


def test_amended_units_differ_from_the_edition_before_and_others_do_not():
    for act in documents("law/acts").values():
        for before, after in pairwise(e for e in act["editions"] if e["language"] == "en"):
            old, new = articles(before["file"]), articles(after["file"])
            named = {
                unit.removeprefix("art=")
                for amendment in after["amended_by"]
                if amendment["in_force_on"] == after["valid_from"]
                for unit in amendment["units"]
            }
            between = {
                unit.removeprefix("art=")
                for amendment in before["amended_by"]
                if amendment["in_force_on"] > before["valid_from"]
                for unit in amendment["units"]
            }
            changed = {article for article in old if old[article] != new[article]}

            assert changed == named | between


def test_an_amendment_enters_into_force_between_two_editions():
    between = {
        (name, amendment["in_force_on"])
        for name, act in documents("law/acts").items()
        for edition in act["editions"]
        for amendment in edition["amended_by"]
        if edition["valid_to"] and edition["valid_from"] < amendment["in_force_on"] <= edition["valid_to"]
    }

    assert {name for name, _ in between} == {"FA"}


def test_ten_questions_are_published_and_one_stays_in_reserve():
    questions = documents("questions")
    published = {code: each for code, each in questions.items() if each["disclosure"] == "published"}

    assert sorted(questions) == [f"P{number:02d}" for number in range(1, 12)]
    assert sorted(set(questions) - set(published)) == ["P11"]
    assert questions["P11"]["set"] == "reserve"
    kinds = [each["type"] for each in published.values()]
    assert (kinds.count("closed"), kinds.count("calculation"), kinds.count("verification")) == (8, 1, 1)
    assert (questions["P01"]["type"], questions["P08"]["type"]) == ("calculation", "verification")
    assert sum(each["trap"] is not None for each in published.values()) == 6
    assert {code for code, each in published.items() if each["benchmark_text"]} == {"P01", "P04", "P09"}
    assert sum(each["language"] == "pl" for each in published.values()) == 3
    assert (questions["P09"]["mirror"], questions["P10"]["mirror"]) == ("P10", "P09")
    assert questions["P09"]["language"] == questions["P10"]["language"]


def test_the_reserve_question_stands_nowhere_but_in_its_own_files():
    own = {"questions/P11.yaml", "keys/P11.v1.yaml"}
    named = {
        path.relative_to(BUNDLE).as_posix()
        for path in BUNDLE.rglob("*")
        if path.is_file() and ("Zirkonhalle" in path.read_text() or "P11" in path.read_text())
    }

    assert named == own


def test_every_question_has_one_approved_key_fixed_before_the_answers():
    first_answer = min(document("benchmark.yaml")["runs"], key=lambda run: run["started_on"])["started_on"]
    for code in documents("questions"):
        key = key_in_force(code)

        assert key["rubric"]
        assert key["bases"]
        assert key["departure"] == (key["approved_on"] >= first_answer)
        assert (key["calibration"] == "conditional") == bool(key["condition"])


def test_one_key_changed_after_collection_with_its_decision():
    departures = {name: key for name, key in documents("keys").items() if key["departure"]}

    assert list(departures) == ["P09.v2"]
    assert departures["P09.v2"]["reason"]
    assert "P09.v2" in documents("decisions")["004"]["touches"]["key_versions"]
    assert documents("keys")["P09.v1"]["state"] == "superseded"


def test_one_key_is_disputed():
    assert [code for code in documents("questions") if key_in_force(code)["disputed"]] == ["P07"]
