"""Answers made elsewhere: every file is read whole before anything is written, every fault has its place."""

import json
import zipfile
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from lexreview.answers.importing import CannotImport, read_answers
from lexreview.answers.models import Answer, Run
from lexreview.core.workflow import AnswerState
from lexreview.ledger.models import Event
from tests.answers.collecting import Collection, collection, model_server, running_server

__all__ = ["collection", "model_server", "running_server"]
AT = "2026-10-12T09:30:00Z"


def faults_of(path: Path) -> list[str]:
    with pytest.raises(CannotImport) as refusal:
        read_answers(path)
    return [str(fault) for fault in refusal.value.faults]


def write(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def sample(**changes: Any) -> dict[str, Any]:
    output = {
        "model": "argon-4-2026-09",
        "choices": [{"message": {"role": "assistant", "content": "Seven days."}, "stop_reason": "stop"}],
        "usage": {"input_tokens": 120, "output_tokens": 40, "input_tokens_cache_read": 100, "total_tokens": 160},
    }
    return {"id": "P01", "epoch": 2, "input": "?", "output": output, "completed_at": AT, **changes}


def test_markdown_is_the_text_to_the_letter(tmp_path: Path) -> None:
    write(tmp_path, "P01_r2.md", "\ufeffSeven days.\r\n\r\n---\r\nŻółć \U0001f9d0\n")
    write(
        tmp_path,
        "P02.md",
        f"---\nserved_model: argon-4-cli\nanswered_at: {AT}\nusage: {{input: 5, output: 6}}\n---\nNo.\n",
    )

    first, second = read_answers(tmp_path)

    assert (first.question, first.repetition, first.text) == ("P01", 2, "Seven days.\r\n\r\n---\r\nŻółć \U0001f9d0\n")
    assert (second.served_model, second.usage, second.text) == ("argon-4-cli", {"input": 5, "output": 6}, "No.\n")
    assert second.answered_at == datetime(2026, 10, 12, 9, 30, tzinfo=UTC)


def test_csv_with_mark_semicolons_and_quoted_lines(tmp_path: Path) -> None:
    text = (
        "\ufeffTask ID;Risposta;repetition;input_tokens;output_tokens;cost_usd;answered_at\n"
        f'P01;"Seven days;\nno more.";1;120;40.0;0.0012;{AT}\n'
        "\n"
        f"P02;No.;nan;;;;{AT}\n"
    )

    first, second = read_answers(write(tmp_path, "answers.csv", text))

    assert (first.question, first.text, first.line) == ("P01", "Seven days;\nno more.", 3)
    assert (first.usage, first.cost_usd) == ({"input": 120, "output": 40}, Decimal("0.0012"))
    assert (second.repetition, second.usage, second.cost_usd) == (None, {}, None)


@pytest.mark.parametrize("cell", ["", "  ", "nan", "NaN", "None", "#N/A"])
def test_cell_without_an_answer_is_a_fault_and_no_answer(tmp_path: Path, cell: str) -> None:
    path = write(tmp_path, "answers.csv", f"question,answer\nP01,Yes.\nP02,{cell}\n")

    (fault,) = faults_of(path)

    assert fault.startswith("answers.csv, line 3: answer: is ")
    assert "state empty" in fault


def test_empty_answer_that_is_meant_is_one(tmp_path: Path) -> None:
    (found,) = read_answers(write(tmp_path, "a.csv", "question,answer,state\nP01,nan,empty\n"))

    assert (found.state, found.text) == (AnswerState.EMPTY, "")


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("a.csv", "question\nP01\n", "a.csv, line 1: no column for the answer; name it 'answer'"),
        ("a.csv", "question,answer,response\nP01,a,b\n", "a.csv, line 1: more than one column for the answer"),
        ("a.csv", "question,answer\nP01,a,b\n", "a.csv, line 2: has 3 cells, the head has 2"),
        ("a.csv", 'question,answer\nP01,"a\n', "a.csv, line 2: is no table"),
        ("a.csv", "question,answer\nnan,a\n", "a.csv, line 2: question: is missing"),
        ("a.csv", "question,answer,repetition\nP01,a,0\n", "a.csv, line 2: repetition: must be a whole number from 1"),
        ("a.csv", "question,answer,cost_usd\nP01,a,-1\n", "a.csv, line 2: cost_usd: must be an amount of USD"),
        ("a.csv", "question,answer,answered_at\nP01,a,12.10.2026\n", "a.csv, line 2: answered_at: must be a date"),
        ("a.csv", "question,answer,state\nP01,a,failed\n", "a.csv, line 2: state: cannot be 'failed'"),
        ("a.csv", "question,answer,state\nP01,a,provider_block\n", "a.csv, line 2: block_reason: is missing"),
        ("a.csv", "question,answer,trace\nP01,a,[1]\n", "a.csv, line 2: trace: step 1 must be"),
        ("a.csv", b"question,answer\nP01,\xff\n", "a.csv: cannot be read"),
        ("P01.json", '{"text": "a",\n}', "P01.json, line 2: is no JSON"),
        ("a.json", '[{"question": "P01", "text": 5}]', "a.json: text: must be a text"),
        ("P01.json", '{"text": "a", "usage": {"input": -1}}', "P01.json: usage: input must be a whole number"),
        ("P01.md", "", "P01.md: answer: is empty"),
        ("P01.md", "---\n: [\n---\nYes.\n", "P01.md, line 1: the head is no YAML"),
        ("P01.docx", "", "P01.docx: cannot be read as answers; known are .csv, .eval"),
        ("a.eval", "no zip", "a.eval: cannot be read"),
        ("P01.md", "---\nanswered_at: 2026-13-45\n---\nYes.\n", "P01.md, line 1: the head is no YAML: month must be"),
        ("P01.md", f"---\nx: {'[' * 3000}\n---\nYes.\n", "P01.md, line 1: the head is no YAML"),
        ("P01.json", "[" * 100_000, "P01.json: is no JSON that can be read"),
        ("P01.json", f'{{"text": "a", "repetition": {"9" * 5000}}}', "P01.json: is no JSON that can be read"),
        ("P01.json", '{"text": "a", "repetition": 9999999999}', "P01.json: repetition: must be a whole number from 1"),
        ("P01.json", '{"text": "a", "cost_usd": 1e30}', "P01.json: cost_usd: must be an amount of USD"),
        ("P01.json", '{"text": "a", "usage": {"input": 1e400}}', "P01.json: usage: input must be a whole number"),
        ("P01.json", '{"text": "a\\ud800"}', "P01.json: text: holds a NUL or half a pair"),
        ("P01.json", '{"text": "a\\u0000"}', "P01.json: text: holds a NUL or half a pair"),
        ("P01.json", '{"text": "a", "answered_at": "9999-12-31T23:59:59-23:00"}', "P01.json: answered_at: is beyond"),
        ("a.csv", f"question,answer,settings\nP01,a,{'[' * 60_000}\n", "a.csv, line 2: settings: is no JSON"),
        ("a.json", '{"eval": 5, "samples": [1]}', "a.json: is no log of Inspect: it has no head"),
        ("a.json", '{"eval": {}, "samples": 5}', "a.json: is no log of Inspect: it has no head"),
        ("a.json", '{"eval": {}, "samples": [1]}', "a.json, sample 1: has not the form of a sample"),
        ("a.json", '{"eval": {}, "samples": [{"output": {"choices": [5]}}]}', "a.json, sample 1: has not the form"),
    ],
)
def test_faults_name_file_line_and_field(tmp_path: Path, name: str, text: str | bytes, fault: str) -> None:
    (found,) = faults_of(write(tmp_path, name, text))

    assert found.startswith(fault)


@pytest.mark.parametrize(
    ("step", "fault"),
    [
        ({"order": "x"}, "order must be a whole number from 1; it is 'x'"),
        ({"order": 0}, "order must be a whole number from 1; it is 0"),
        ({"order": True}, "order must be a whole number from 1; it is True"),
        ({"address": ["x"]}, "address must be a text; it is ['x']"),
        ({"official": "no"}, "official must be true or false; it is 'no'"),
    ],
)
def test_steps_of_a_trace_that_no_page_could_show_are_refused(tmp_path: Path, step: dict[str, Any], fault: str) -> None:
    text = json.dumps({"text": "a", "trace": [{"kind": "open", **step}]})

    assert faults_of(write(tmp_path, "P01.json", text)) == [f"P01.json: trace: step 1: {fault}"]


def test_all_faults_of_a_folder_are_found_at_once(tmp_path: Path) -> None:
    write(tmp_path, "P01.md", "nan")
    write(tmp_path, "P02.json", "[")
    write(tmp_path, "P03.md", "Yes.")

    assert len(faults_of(tmp_path)) == 2


def test_logs_of_inspect(tmp_path: Path) -> None:
    blocked = sample(id="P02", epoch=1)
    blocked["output"] = {
        **blocked["output"],
        "choices": [{"message": {"content": ""}, "stop_reason": "content_filter"}],
    }
    head = {"eval": {"model": "noble/argon-4", "model_generate_config": {"temperature": 0, "seed": None}}}
    write(tmp_path, "log.json", json.dumps({**head, "samples": [sample(), blocked]}))
    with zipfile.ZipFile(tmp_path / "other.eval", "w") as archive:
        archive.writestr("header.json", json.dumps(head))
        archive.writestr("samples/P01_epoch_3.json", json.dumps(sample(epoch=3)))

    first, second, third = read_answers(tmp_path)

    assert (first.question, first.repetition, first.text) == ("P01", 2, "Seven days.")
    assert first.usage == {"input": 120, "output": 40, "cached": 100}
    assert (first.served_model, first.settings) == ("argon-4-2026-09", {"temperature": 0})
    assert (second.state, second.block_reason) == (AnswerState.PROVIDER_BLOCK, "content_filter")
    assert third.repetition == 3


@pytest.mark.parametrize(
    ("header", "encrypted", "fault"),
    [
        ("[1]", False, "log.eval: is no log of Inspect: it has no head"),
        ("[" * 100_000, False, "log.eval: is no log of Inspect that can be read"),
        ("{}", True, "log.eval: is no log of Inspect that can be read (File 'header.json' is encrypted"),
    ],
)
def test_log_in_a_zip_that_cannot_be_read_is_a_fault(tmp_path: Path, header: str, encrypted: bool, fault: str) -> None:
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", header)
    if encrypted:
        content = bytearray(path.read_bytes())
        content[6] |= 1
        content[content.find(b"PK\x01\x02") + 8] |= 1
        path.write_bytes(content)

    (found,) = faults_of(path)

    assert found.startswith(fault)


def test_failed_sample_of_a_log_is_a_fault(tmp_path: Path) -> None:
    log = {"eval": {}, "samples": [sample(error={"message": "timeout"}, output=None)]}

    (fault,) = faults_of(write(tmp_path, "log.json", json.dumps(log)))

    assert fault == "log.json, sample P01: error: the sample failed: timeout"


@pytest.mark.django_db
class TestStoring:
    def command(self, path: Path, **more: Any) -> None:
        chosen = {"benchmark": "kestria-01", "system": "argon-4", "condition": "W0", **more}
        call_command("import_answers", path, **chosen)

    def test_answers_are_matched_by_code_or_text_and_priced(self, collection: Collection, tmp_path: Path) -> None:
        collection.system("argon-4")
        collection.price("plain")
        path = write(
            tmp_path, "a.csv",
            "question,answer,input_tokens,output_tokens,answered_at,model\n"
            f"P01,Yes.,120,40,{AT},argon-4-cli\n"
            f'"Was  the payment of case p02 in time?",No.,,,{AT},\n',
        )  # fmt: skip

        self.command(path)
        self.command(path)

        first, second = Answer.objects.order_by("identifier")
        assert (first.identifier, first.text, first.served_model) == ("P01_argon-4_W0_r1", "Yes.", "argon-4-cli")
        # 120 x 3 / 1e6 + 40 x 15 / 1e6
        assert (first.cost_usd, first.cost_is_lower_bound) == (Decimal("0.00096"), False)
        assert (second.identifier, second.cost_usd, second.served_model) == ("P02_argon-4_W0_r1", None, "plain")
        assert Event.objects.filter(verb="store_answer").count() == 2
        assert Run.objects.get().started_on.isoformat() == "2026-10-12"

    def test_run_of_certain_sets_gains_those_of_the_files(self, collection: Collection, tmp_path: Path) -> None:
        collection.system("argon-4")
        collection.question("P03", of_set="reserve")
        at = {"answered_at": datetime(2026, 10, 12, tzinfo=UTC)}
        write(tmp_path, "P01_r1.md", "Yes.")
        write(tmp_path, "P01_r2.md", "Yes.")
        self.command(tmp_path, **at)
        assert [run.sets for run in Run.objects.all()] == [[], []]
        Run.objects.update(sets=["pilot"])
        write(tmp_path, "P03_r2.md", "No.")

        self.command(tmp_path, **at)

        assert {run.repetition: run.sets for run in Run.objects.all()} == {1: ["pilot"], 2: ["pilot", "reserve"]}

    def test_nothing_is_stored_when_something_is_wrong(self, collection: Collection, tmp_path: Path) -> None:
        collection.system("argon-4")
        write(tmp_path, "P01.md", "Yes.")
        self.command(tmp_path, answered_at=datetime(2026, 10, 12, tzinfo=UTC))
        write(tmp_path, "P01.md", "No.")
        write(tmp_path, "P02.md", "No.")

        with pytest.raises(CommandError, match=r"P01\.md: .*is stored and differs in: text"):
            self.command(tmp_path, answered_at=datetime(2026, 10, 12, tzinfo=UTC))

        assert list(Answer.objects.values_list("text", flat=True)) == ["Yes."]

    def test_unknown_double_and_undated_answers_are_faults(self, collection: Collection, tmp_path: Path) -> None:
        collection.system("argon-4")
        path = write(tmp_path, "a.csv", f"question,answer,answered_at\nP09,a,{AT}\nP01,a,{AT}\nP01,b,{AT}\nP02,c,\n")

        with pytest.raises(CommandError) as refusal:
            self.command(path)

        words = str(refusal.value).splitlines()
        assert words == [
            "a.csv, line 2: question: 'P09' is none of kestria-01",
            "a.csv, line 4: P01: is answered in a.csv, line 3 already",
            "a.csv, line 5: answered_at: is missing; give it in the file, or for all with --answered-at",
        ]
        assert Answer.objects.count() == Run.objects.count() == 0

    def test_dry_run_stores_nothing(
        self, collection: Collection, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        collection.system("argon-4")
        write(tmp_path, "P01.md", "Yes.")

        self.command(tmp_path, answered_at=datetime(2026, 10, 12, tzinfo=UTC), dry_run=True)

        assert "1 answer can be imported." in capsys.readouterr().out
        assert Answer.objects.count() == 0

    def test_unknown_names_are_errors(self, collection: Collection, tmp_path: Path) -> None:
        collection.system("argon-4")
        for wrong in [{"benchmark": "nowhere"}, {"system": "xenon"}, {"condition": "W9"}]:
            with pytest.raises(CommandError, match=next(iter(wrong.values()))):
                self.command(tmp_path, **wrong)
