"""Answers, the lawyer's decisions, verdicts and decision log of the demo agree with each other."""

import hashlib
from collections import Counter
from decimal import Decimal

import pytest

from tests.fixtures_demo.reading import answers, document, documents, key_in_force, label_of, review, verdicts

HOSTILE = ("<script>", "javascript:", "onerror=", "Ignore previous instructions", "<!--")
OFFICIAL_HOSTS = ("https://law.kestria.example/", "https://courts.kestria.example/")
REVIEWED = sorted(review())


def findings():
    return [(name, finding) for name, decided in review().items() for finding in decided["findings"]]


def question_of(identifier):
    return documents("questions")[identifier[:3]]


def test_every_system_answered_every_question_in_both_conditions():
    top = document("benchmark.yaml")
    expected = {
        f"P{number:02d}_{run['system']}_{run['condition']}_r{run['repetition']}"
        for number in range(1, 11)
        for run in top["runs"]
    }

    assert set(answers()) == expected
    assert len(expected) == 80


def test_answer_texts_are_those_that_were_hashed():
    for answer in answers().values():
        assert hashlib.sha256(answer.content).hexdigest() == answer.record["sha256"]
        assert b"\r" not in answer.content


def test_states_and_lengths():
    states = Counter(answer.record["state"] for answer in answers().values())
    lengths = [len(answer.text.split()) for answer in answers().values() if answer.text]

    assert states == {"answered": 77, "empty": 2, "provider_block": 1}
    assert min(lengths) >= 150
    assert max(lengths) <= 500
    assert all(bool(answer.text) == (answer.record["state"] == "answered") for answer in answers().values())


def test_hostile_text_occurs():
    together = "\n".join(answer.text for answer in answers().values())

    assert all(text in together for text in HOSTILE)


def test_cost_is_exact_and_a_lower_bound_where_search_fees_are_unknown():
    for answer in answers().values():
        record = answer.record

        assert Decimal(record["cost_usd"]) > 0
        assert record["cost_is_lower_bound"] == ((record["system"], record["condition"]) == ("cedar-mini", "W1"))
        assert all(isinstance(number, int) for number in record["usage"].values())


def test_traces_belong_to_the_condition_with_tools():
    for answer in answers().values():
        trace = answer.record["trace"]

        assert [step["order"] for step in trace] == list(range(1, len(trace) + 1))
        assert answer.record["condition"] == "W1" or not trace
        for step in trace:
            assert ("query" in step) == (step["kind"] == "search")
            assert ("address" in step) == (step["kind"] == "open")
            assert step["official"] == step.get("address", "").startswith(OFFICIAL_HOSTS)


def test_eight_cards_of_different_questions_and_every_system_stay_open():
    open_cards = sorted(set(answers()) - set(review()))

    assert len(REVIEWED) == 72
    assert len({name[:3] for name in open_cards}) == 8
    assert Counter(answers()[name].record["system"] for name in open_cards) == {
        "argon-4": 2,
        "borealis": 2,
        "cedar-mini": 2,
        "dune-2": 2,
    }


@pytest.mark.parametrize("identifier", REVIEWED)
def test_claims_and_citations_stand_in_the_answer(identifier):
    text, decided = answers()[identifier].text, review()[identifier]

    assert all(finding["claim"] in text for finding in decided["findings"])
    assert all(raw in text for raw in decided["citations"])
    assert set(decided["citations"].values()) <= {"confirmed", "error", "cant_establish"}
    assert not decided["findings"] or "error" in decided["citations"].values()


@pytest.mark.parametrize("identifier", REVIEWED)
def test_scores_are_those_that_apply_and_lie_within_the_key(identifier):
    question, key, decided = question_of(identifier), key_in_force(identifier[:3]), review()[identifier]
    highest = {
        "A-R": 2,
        "A1": sum(element["points"] for element in key["rubric"]),
        "A2": len(key["bases"]),
        "P": len(key["penalties"]),
        "B1": 2,
        "B2": 1,
    }
    highest |= {"A3": 1} if question["trap"] else {}
    highest |= {"A4": 1} if question["type"] != "closed" else {}
    highest |= {"A5": 1} if key["disputed"] else {}

    assert set(decided["scores"]) == set(highest)
    assert all(0 <= points <= highest[code] for code, points in decided["scores"].items())
    assert all(decided["evidence"][code].strip() for code in highest)
    assert set(decided["penalties"]) <= {penalty["code"] for penalty in key["penalties"]}
    assert decided["scores"]["P"] == len(decided["penalties"])
    worth = {"A1": {each["code"]: each["points"] for each in key["rubric"]}, "A2": {b["code"]: 1 for b in key["bases"]}}
    for code, elements in worth.items():
        named = decided.get("elements", {}).get(code, [])
        assert sum(elements[each] for each in named) == decided["scores"][code]


@pytest.mark.parametrize("identifier", REVIEWED)
def test_official_source_is_what_the_trace_shows(identifier):
    record, noted = answers()[identifier].record, review()[identifier]["official_source"]
    opened = [step["official"] for step in record["trace"] if step["kind"] == "open"]

    if record["condition"] == "W0":
        assert noted is None
    elif noted == "not_recorded":
        assert not record["trace"]
    else:
        assert noted == ("opened" if any(opened) else "secondary_only" if opened else "none")


def test_origins_fit_the_condition_and_the_trace():
    for name, finding in findings():
        record = answers()[name].record
        opened = [step["official"] for step in record["trace"] if step["kind"] == "open"]

        assert record["condition"] == "W1" or finding["origin"] == "memory"
        assert finding["origin"] != "source_read" or any(opened)
        assert finding["origin"] != "secondary_source" or not all(opened)


def test_every_class_origin_and_scope_occurs():
    classes = {cell["code"] for cell in document("specification/reference-card-1.0.1.yaml")["error_classes"]}

    assert {finding["class"] for _, finding in findings()} == classes == set("TWFS")
    assert {finding["origin"] for _, finding in findings()} == {
        "memory",
        "source_read",
        "secondary_source",
        "undetermined",
    }
    assert {finding["scope"] for _, finding in findings()} == {"core", "peripheral"}
    assert all(finding["source_says"] and finding["checked"]["address"] for _, finding in findings())


def test_labels_are_spread_as_in_real_runs():
    labels = Counter(label_of(name) for name in REVIEWED)
    uncited = [name for name in REVIEWED if answers()[name].text and not review()[name]["citations"]]

    assert 0.45 <= labels["hallucinated"] / len(REVIEWED) <= 0.55
    assert 0.25 <= labels["correctly_grounded"] / len(REVIEWED) <= 0.35
    assert labels["no_hallucination"] >= 5
    assert len(uncited) == 2


def test_search_helps_and_the_systems_differ():
    def share(*, label, **where):
        names = [
            name for name in REVIEWED if all(answers()[name].record[field] == value for field, value in where.items())
        ]
        return sum(label_of(name) == label for name in names) / len(names)

    assert share(label="correctly_grounded", condition="W1") > share(label="correctly_grounded", condition="W0")
    assert share(label="hallucinated", condition="W1") < share(label="hallucinated", condition="W0")
    by_system = [share(label="hallucinated", system=code) for code in ("argon-4", "borealis", "dune-2")]
    assert by_system == sorted(by_system)


def test_verdicts_cover_all_answers_with_three_failed_votes():
    failed = [row for rows in verdicts().values() for row in rows if row["hallucinated"] is None]

    assert set(verdicts()) == {judge["code"] for judge in document("benchmark.yaml")["judges"]}
    assert len(failed) == 3
    for rows in verdicts().values():
        assert [row["answer"] for row in rows] == sorted(answers())
        for row in rows:
            text = answers()[row["answer"]].text
            assert all(finding["claim"] in text for finding in row["findings"])
            assert all(raw in text for raw in row["citations_checked"])
            assert row["hallucinated"] in (None, bool(row["findings"]))


@pytest.mark.parametrize(("judge", "lowest", "highest"), [("lynx-5", 0.8, 0.9), ("meridian-pro", 0.73, 0.83)])
def test_judges_agree_mostly_with_misses_and_false_alarms(judge, lowest, highest):
    counts: Counter[tuple[bool, bool]] = Counter()
    for row in verdicts()[judge]:
        if row["answer"] in review() and row["hallucinated"] is not None and answers()[row["answer"]].text:
            counts[label_of(row["answer"]) == "hallucinated", row["hallucinated"]] += 1

    agreed = (counts[True, True] + counts[False, False]) / counts.total()
    assert lowest <= agreed <= highest
    assert counts[True, False] > counts[False, True] > 0


def test_one_judge_is_of_the_family_of_systems_under_test():
    top = document("benchmark.yaml")
    families = Counter(system["family"] for system in top["systems"])

    assert sorted(families[judge["family"]] for judge in top["judges"]) == [0, 2]
    assert {judge["variant"] for judge in top["judges"]} == {"plain", "with_report"}


def test_decision_log_has_published_entries_a_draft_and_a_superseding_one():
    decisions = list(documents("decisions").values())

    assert [decision["number"] for decision in decisions] == list(range(1, len(decisions) + 1))
    assert [decision["decided_on"] for decision in decisions] == sorted(d["decided_on"] for d in decisions)
    assert Counter(decision["state"] for decision in decisions) == {"published": 6, "draft": 1}
    assert [d["supersedes"] for d in decisions if d["supersedes"]] == [2]
    assert all(card in answers() for decision in decisions for card in decision["touches"]["cards"])
