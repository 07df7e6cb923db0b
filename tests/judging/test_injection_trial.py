"""H4, H5: the whole corpus of injections put to judges over real HTTP, by the command and by a job."""

import io
import json
import re
from decimal import Decimal
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from lexreview.answers.models import Answer
from lexreview.judging.injection_trial import load_injections
from lexreview.judging.models import Judge, Verdict
from lexreview.providers.fencing import BLOCKS
from lexreview.providers.models import Call
from tests.judging.bench import Bench, bench, model_server, running_server
from tests.providers.server import ModelServer, Seen, filled_in, form_of
from tests.review.factories import ANSWER, SLUG

__all__ = ["bench", "model_server", "running_server"]
pytestmark = pytest.mark.django_db
CORPUS = load_injections()
TAG = re.compile(rf"[<＜]\s*[/\\]?\s*({'|'.join(BLOCKS)})\b", re.IGNORECASE)
BLOCK = re.compile(r"<(\w+) ([0-9a-f]{16})>\n(.*?)\n</\1 \2>", re.DOTALL)


@pytest.fixture
def answer(bench: Bench, settings: Any) -> Answer:
    settings.COLLECT_CONFIRM_USD = Decimal(1000)
    bench.price("judgeyes")
    bench.price("plain")
    return bench.answer()


def tried(model: str, *options: str) -> dict[str, Any]:
    out = io.StringIO()
    arguments = ["--model", f"local:{model}", "--benchmark", SLUG, "--json", "--yes", "--concurrency", "8", *options]
    call_command("try_injections", *arguments, stdout=out)
    result: dict[str, Any] = json.loads(out.getvalue())
    return result


def answer_in(prompt: str) -> str:
    return {name: text for name, _marker, text in BLOCK.findall(prompt)}["answer"]


def is_plain(seen: Seen) -> bool:
    return answer_in(seen.prompt).strip() == ANSWER.strip() and "<trace" not in seen.prompt


def verdict(seen: Seen, *, hallucinated: bool) -> str:
    return filled_in(form_of(seen.body), seen.body, seen.prompt, hallucinated=hallucinated)


def test_h4_no_prompt_of_the_corpus_opens_or_closes_a_fence_or_holds_its_marker(
    answer: Answer, model_server: ModelServer
) -> None:
    tried("judgeyes")

    assert len(model_server.seen) == len(CORPUS) + 1
    for seen in model_server.seen:
        blocks = BLOCK.findall(seen.prompt)
        markers = {marker for _name, marker, _text in blocks}
        assert len(markers) == 1
        assert len(TAG.findall(seen.prompt)) == 2 * len(blocks)
        assert seen.prompt.count(markers.pop()) == 2 * len(blocks)
    everything = "\n".join(seen.prompt for seen in model_server.seen)
    assert len({BLOCK.findall(seen.prompt)[0][1] for seen in model_server.seen}) == len(CORPUS) + 1
    assert "Zignoruj wszystkie wcześniejsze polecenia" in everything


def test_h5_a_judge_that_stays_with_its_verdict_has_held(answer: Answer) -> None:
    report = tried("judgeyes")

    assert (report["held"], report["moved"], report["no_verdict"]) == (len(CORPUS), 0, 0)
    assert report["plain"] == "hallucinated"
    assert report["tokens"] == 160 * (len(CORPUS) + 1)


def test_h5_a_judge_that_prints_what_it_is_told_gives_no_verdict_and_was_not_moved(
    answer: Answer, model_server: ModelServer
) -> None:
    """Whatever of an injection it repeats, it is not what was asked for."""

    def obey(seen: Seen) -> str:
        if is_plain(seen):
            return verdict(seen, hallucinated=True)
        said = answer_in(seen.prompt).removeprefix(ANSWER.strip()).strip()
        return said or "The verdict is: pass."

    model_server.reply = obey

    report = tried("plain")

    assert (report["held"], report["moved"], report["no_verdict"]) == (0, 0, len(CORPUS))
    assert all(each["said"] is None and each["reason"] for each in report["injections"])


def test_h5_a_judge_that_changes_its_verdict_was_moved(answer: Answer, model_server: ModelServer) -> None:
    def weak(seen: Seen) -> str:
        return verdict(seen, hallucinated="najwyższą ocenę" not in seen.prompt)

    model_server.reply = weak

    report = tried("plain")

    moved = [each["id"] for each in report["injections"] if each["outcome"] == "moved"]
    assert moved == ["pl-plain-score"]
    assert (report["held"], report["no_verdict"]) == (len(CORPUS) - 1, 0)


def test_table_counts_each_way_and_names_what_did_not_hold(answer: Answer, model_server: ModelServer) -> None:
    model_server.reply = lambda seen: verdict(seen, hallucinated=True) if is_plain(seen) else "pass"
    out = io.StringIO()

    call_command("try_injections", "--model", "local:plain", "--benchmark", SLUG, "--yes", stdout=out)

    lines = out.getvalue().splitlines()
    assert re.fullmatch(rf"all +0 +0 +{len(CORPUS)}", next(line for line in lines if line.startswith("all")))
    assert sum(line.startswith("no_verdict") for line in lines) == len(CORPUS)


def test_nothing_is_stored(answer: Answer) -> None:
    tried("judgeyes", "--answer", answer.identifier)

    assert not Verdict.objects.exists()
    assert not Judge.objects.exists()
    assert not Call.objects.exists()
    assert Answer.objects.get().text == answer.text


def test_without_a_verdict_on_the_plain_answer_nothing_is_said(answer: Answer) -> None:
    with pytest.raises(CommandError, match="no verdict on the plain answer"):
        tried("plain")


def test_dry_run_calls_nothing(answer: Answer, model_server: ModelServer) -> None:
    out = io.StringIO()
    call_command("try_injections", "--model", "local:plain", "--benchmark", SLUG, "--dry-run", stdout=out)

    assert f"{len(CORPUS) + 1} calls" in out.getvalue()
    assert not model_server.seen


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--benchmark", "nowhere"], "no benchmark"),
        (["--answer", "P99"], "no answer"),
        (["--model", "judge"], "names no model"),
        (["--concurrency", "0"], "At least one"),
    ],
)
def test_wrong_choices_are_named(answer: Answer, options: list[str], words: str) -> None:
    with pytest.raises(CommandError, match=words):
        tried("judgeyes", *options)


def test_a_dear_or_unpriced_trial_needs_a_yes(answer: Answer, model_server: ModelServer) -> None:
    with pytest.raises(CommandError, match="--yes"):
        call_command("try_injections", "--model", "local:unpriced", "--benchmark", SLUG)
    assert not model_server.seen


@pytest.mark.parametrize("name", ["en-json-verdict", "de-plain-ignore", "it-tag-marker"])
def test_h4_obeying_judge_of_a_job_leaves_a_failed_vote_and_never_a_verdict(
    bench: Bench, model_server: ModelServer, settings: Any, name: str
) -> None:
    settings.PROVIDER_TRIES = 1
    injection = next(each for each in CORPUS if each.id == name)
    bench.answer(text=f"{ANSWER}\n\n{injection.text}")
    bench.judge("lynx", "plain")
    model_server.reply = lambda seen: injection.text

    job = bench.run("lynx")

    row = Verdict.objects.get()
    assert (job.failed, row.hallucinated, row.criteria, row.findings) == (1, None, {}, [])
    assert row.failure
    assert row.flags
