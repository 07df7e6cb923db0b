import pytest

from lexreview.judging.prompts import JudgePrompt, UnknownPrompt, prompt_named, register_prompt, versions

# Of every version that verdicts may have been asked with. A changed text needs a new version, never a new sum here.
REGISTERED = {"verdict-1": "0378e06525903bf235eaf0c648e97ac65e5bd23e47c196f842c7667fd650a2bd"}


def test_text_of_a_registered_version_never_changes() -> None:
    assert {version: prompt_named(version).sha256 for version in versions()} == REGISTERED


def test_unknown_version_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UnknownPrompt, match=r"'1'.*verdict-1"):
        prompt_named("1")


def test_version_cannot_be_taken_by_another_text() -> None:
    old = prompt_named("verdict-1")

    assert register_prompt(JudgePrompt(**old.__dict__)) == old
    with pytest.raises(ValueError, match="new version"):
        register_prompt(JudgePrompt(**{**old.__dict__, "prompt": "{answer}"}))


def test_hash_covers_every_part() -> None:
    old = prompt_named("verdict-1")

    changed = {JudgePrompt(**{**old.__dict__, name: "x"}).sha256 for name in old.__dict__}
    assert len(changed | {old.sha256}) == len(old.__dict__) + 1
