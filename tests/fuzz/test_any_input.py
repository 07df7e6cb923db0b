"""A little of what `make fuzz` does for long: any input gives an answer or a refusal, and no reader breaks."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.fuzz_record import SLOW_SECONDS, FuzzRecord, TooSlow, signature_of
from tests.fuzz import seeds, strategies, targets
from tests.fuzz.editing import edited, restructured

BRIEFLY = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize("target", targets.TEXTS)
@BRIEFLY
@given(data=st.data())
def test_any_text_is_read(target: str, data: st.DataObject) -> None:
    targets.run_text(target, data.draw(strategies.texts(target, shared=None)))


@pytest.mark.parametrize("parser", targets.FILES)
@BRIEFLY
@given(data=st.data())
def test_any_file_is_read_or_refused(parser: str, data: st.DataObject) -> None:
    targets.run_file(parser, data.draw(strategies.files(parser, shared=None)))


@pytest.mark.parametrize("parser", seeds.PARSERS)
def test_every_seed_is_a_file_that_its_parser_reads(parser: str) -> None:
    targets.FILES[parser](seeds.invented(parser))


def test_edits_leave_the_rest_as_it_was() -> None:
    assert edited("abcdef", [("out", 1, 2, "")]) == "adef"
    assert edited("abcdef", [("in", 1, 0, "X"), ("over", 0, 0, "YY")]) == "YYbcdef"
    assert edited("abcdef", [("twice", 2, 2, "")]) == "abcdcdef"


@pytest.mark.parametrize("parser", ["saos", "fedlex", "bundle_act"])
def test_a_changed_tree_is_still_well_formed(parser: str) -> None:
    before = seeds.invented(parser)

    after = restructured(before, [(3, 5, 7), (2, 1, 4), (0, 3, 1)])

    assert after != before
    assert restructured(after, [])


def test_a_fault_is_kept_with_its_shortest_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEXREVIEW_VAR", str(tmp_path))
    record = FuzzRecord("test")

    new = [record.fault("grammar pl", text, _fault()) for text in ("longer", "short", "longest of all")]
    record.count("grammar pl", SLOW_SECONDS)
    total = record.save()
    FuzzRecord("test").save()

    assert new == [True, False, False]
    (fault,) = record.faults.values()
    assert (tmp_path / "bench" / "fuzz-faults" / fault["file"]).read_text() == "short"
    assert total == 1
    assert record.report("here") == 1


def test_faults_from_one_line_are_one_fault() -> None:
    assert signature_of("x", _fault()) == signature_of("x", _fault())
    assert signature_of("x", _fault()) != signature_of("y", _fault())


def _fault() -> BaseException:
    try:
        raise TooSlow("3 s")
    except TooSlow as error:
        return error
