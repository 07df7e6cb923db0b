import io
import json
import shutil
import zipfile
from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import yaml
from django.apps import apps
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import JSONField
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from lexreview.accounts.actions import grant_role
from lexreview.accounts.models import User
from lexreview.accounts.rules import NotAllowed
from lexreview.answers.models import Answer, Run
from lexreview.core.workflow import Role
from lexreview.judging.actions import VerdictDraft, store_verdicts
from lexreview.judging.models import Judge, Panel, Verdict
from lexreview.ledger.actions import record_event
from lexreview.ledger.models import Event
from lexreview.methodology.models import Decision
from lexreview.questions.models import Benchmark, KeyVersion, Question
from lexreview.reports.bundle import files as bundle_files
from lexreview.reports.bundle import loading
from lexreview.reports.bundle.files import UnsafeBundle, read_files, write_files
from lexreview.reports.bundle.loading import import_bundle, read_bundle
from lexreview.reports.bundle.records import FaultyBundle
from lexreview.reports.bundle.writing import export_files
from lexreview.reports.demonstration import DemoReview
from lexreview.review.actions import ask_ruling, give_ruling, open_cards, prefill_card
from lexreview.review.actions.adjudicating import begin_adjudication, choose
from lexreview.review.actions.restoring import CardDiffers
from lexreview.review.actions.second_review import select_for_second_review
from lexreview.review.adjudication_page import AdjudicationPage
from lexreview.review.models import Attendance, Card, CardCitation, ItemKind
from lexreview.review.rounds import Sampling
from lexreview.review.snapshot import LOT, ROWS
from lexreview.verification.actions import verify_answer
from tests.factories import LONG_AGO, make_user
from tests.remembering import remembered
from tests.review.factories import again, make_many_cards, show_every_prefill
from tests.review.rounds import review

DEMO = Path(settings.BASE_DIR) / "fixtures/demo/bundle"
SLUG = "kestria-01"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the demo's bundle to plant faults in."""
    return Path(shutil.copytree(DEMO, tmp_path / "bundle"))


def load(path: Path, by: User | None = None) -> Any:
    return import_bundle(bundle=read_bundle(path), by=by, now=timezone.now())


def change(path: Path, edit: Callable[[Any], None]) -> None:
    record = yaml.safe_load(path.read_text())
    edit(record)
    path.write_text(yaml.safe_dump(record, allow_unicode=True, sort_keys=False))


def faults_of(path: Path) -> list[str]:
    with pytest.raises(FaultyBundle) as caught:
        load(path)
    return [str(fault) for fault in caught.value.faults]


@remembered
def loaded_demo() -> None:
    load(DEMO)


@remembered
def reviewed_demo(now: datetime) -> Benchmark:
    """The demo imported, six of its answers checked and pre-filled, two cards approved."""
    loaded_demo()
    benchmark = show_every_prefill(Benchmark.objects.get(slug=SLUG))
    person = User.objects.get(username="lead")
    person.is_active = True
    person.save()
    grant_role(user=person, benchmark_slug=SLUG, role=Role.LEAD, by=None, now=now)
    answers = list(Answer.objects.of_benchmark(benchmark).with_run().in_order()[:6])
    for answer in answers:
        verify_answer(answer=answer, by=None, now=now)
    open_cards(benchmark=benchmark, by=None, now=now)
    records = yaml.safe_load((DEMO.parent / "review.yaml").read_text())
    for position, answer in enumerate(answers):
        card = prefill_card(card=Card.objects.with_answer().get(answer=answer), by=None, now=now)
        if position < 2:
            DemoReview(card=card, record=records[answer.identifier], by=person, now=now).run()
    return benchmark


@pytest.mark.django_db
def test_demo_is_imported_whole_and_a_second_time_changes_nothing() -> None:
    first = load(DEMO)
    events = Event.objects.count()

    second = load(DEMO)

    assert (Question.objects.count(), Answer.objects.count(), Verdict.objects.count()) == (11, 80, 160)
    assert first.events > 100
    assert second.events == 0
    assert Event.objects.count() == events


@pytest.mark.django_db
def test_what_others_write_meanwhile_is_none_of_the_import(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded_demo()
    read = loading._Loader.law

    def law(loader: Any) -> None:
        record_event(by=None, verb="note", object_type="card", object_id="elsewhere", now=LONG_AGO)
        read(loader)

    monkeypatch.setattr(loading._Loader, "law", law)

    assert load(DEMO).events == 0
    assert not Event.objects.filter(verb="import_benchmark", after__events=1).exists()


@pytest.mark.django_db
def test_export_import_export_gives_identical_bytes(now: datetime) -> None:
    benchmark = reviewed_demo(now)
    confirmed = CardCitation.objects.filter(card__state="approved", state="confirmed").order_by("pk").first()
    assert confirmed is not None
    CardCitation.objects.filter(pk=confirmed.pk).update(in_bulk=True)
    Attendance.objects.create(
        card=confirmed.card, person=confirmed.card.approved_by, active_seconds=312, open_until=now, beat_at=now
    )
    first = export_files(benchmark=benchmark, by=None, now=now)
    assert sum(content.count(b"active_seconds: 312") for content in first.values()) == 1
    assert sum(content.count(b"approved_as: ") for content in first.values()) >= 1
    assert sum(content.count(b"in_bulk: true") for content in first.values()) == 1
    assert len([name for name in first if name.startswith("cards/")]) == 80
    assert b"state: approved" in first["cards/P01_argon-4_W0_r1.yaml"]

    _empty_database()
    second = _reimport(first, now)

    assert sorted(first) == sorted(second)
    assert [name for name in first if first[name] != second[name]] == []
    Attendance.objects.update(active_seconds=400)
    assert _import_files(first, now).events == 0, "time of work is no content of a card"


@pytest.mark.django_db
def test_bytes_of_an_export_do_not_hang_on_the_order_of_fields_in_the_database(now: datetime) -> None:
    """PostgreSQL's jsonb keeps no order: the same benchmark is the same bundle on both databases."""
    benchmark = reviewed_demo(now)
    first = export_files(benchmark=benchmark, by=None, now=now)

    turned = 0
    for model in apps.get_models():
        columns = [field.name for field in model._meta.fields if isinstance(field, JSONField)]
        if not columns or model is Event:
            continue
        for row in model._base_manager.all():
            values = {name: turned_round(getattr(row, name)) for name in columns}
            turned += model._base_manager.filter(pk=row.pk).update(**values)

    assert turned > 300
    again = export_files(benchmark=Benchmark.objects.get(), by=None, now=now)
    assert [name for name in first if first[name] != again[name]] == []


def turned_round(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: turned_round(value[name]) for name in reversed(value)}
    return [turned_round(each) for each in value] if isinstance(value, list) else value


@pytest.mark.django_db
@pytest.mark.parametrize("packed", ["kestria", "deep/er"])
def test_a_bundle_packed_with_its_folder_says_where_it_lies_and_nothing_else(
    folder: Path, tmp_path: Path, packed: str
) -> None:
    around = tmp_path / "around"
    shutil.copytree(folder, around / packed)

    with pytest.raises(FaultyBundle) as refused:
        read_bundle(around)

    assert [fault.file for fault in refused.value.faults] == ["benchmark.yaml"]
    assert f"one lies in {packed}/" in str(refused.value)


@pytest.mark.django_db
def test_f9_number_of_queries_of_an_export_grows_with_lots_of_cards_and_not_with_cards(now: datetime) -> None:
    """SQLite takes only so many parameters in a query, and a query per card makes an export of thousands an hour."""
    make_many_cards(LOT // 2)
    few = queries_of_an_export(now)
    copy_answers(times=10)

    many = queries_of_an_export(now)

    assert Card.objects.count() == 11 * LOT // 2
    assert many - few <= 5 * len(ROWS)


def queries_of_an_export(now: datetime) -> int:
    with CaptureQueriesContext(connection) as captured:
        files = export_files(benchmark=Benchmark.objects.get(), by=None, now=now)
    assert len([name for name in files if name.startswith("cards/")]) == Card.objects.count()
    return len(captured)


def copy_answers(*, times: int) -> None:
    """Every answer with its card again, as further repetitions of its run."""
    run = Run.objects.get()
    for repetition in range(2, times + 2):
        repeated = again(run, repetition=repetition)
        repeated.save()
        answers = [
            again(answer, run=repeated, identifier=f"{answer.question.code}_argon-4_W0_r{repetition}")
            for answer in Answer.objects.filter(run=run).select_related("question")
        ]
        cards = {
            card.answer.question_id: card for card in Card.objects.filter(answer__run=run).select_related("answer")
        }
        made = Answer.objects.bulk_create(answers)
        Card.objects.bulk_create([again(cards[answer.question_id], answer=answer) for answer in made])


@pytest.mark.django_db
def test_rounds_choices_rulings_and_lots_survive_export_and_import(now: datetime) -> None:
    """A second review that differed, its adjudication, a ruling, a blind card and one that is to come back."""
    benchmark = reviewed_demo(now)
    first = Card.objects.with_answer().filter(state="approved").order_by("pk")[0]
    lead, second = User.objects.get(username="lead"), make_user("second", roles=(Role.REVIEWER,))
    sampling = Sampling(share=Decimal(1), reviewers=(second,))
    select_for_second_review(benchmark=benchmark, sampling=sampling, by=lead, now=now)
    seat = Card.objects.with_answer().get(answer=first.answer, round=2)
    review(seat, by=second, now=now, points={"B1": 0})
    judge = make_user("judge", roles=(Role.LEAD,))
    made = begin_adjudication(card=Card.objects.with_answer().get(pk=first.pk), by=judge, now=now)
    item = next(each for each in AdjudicationPage(first, user=judge).differences if each.kind == "criterion")
    choose(
        card=made, kind=ItemKind.CRITERION, target=item.target, review=first, reason="Right.", version=made.version,
        by=judge, now=now,
    )  # fmt: skip
    open_card = Card.objects.with_answer().filter(state="prefilled", round=1).first()
    asked = ask_ruling(card=open_card, question="?", version=open_card.version, by=second, now=now)
    give_ruling(card=asked, decision=Decision.objects.first(), version=asked.version, by=judge, now=now)
    Card.objects.filter(pk=first.pk).update(to_repeat=True, blind=True, withheld={"scores": {}, "findings": []})
    files = export_files(benchmark=benchmark, by=None, now=now)
    record = yaml.safe_load(files[f"cards/{first.answer.identifier}.round3.yaml"])
    assert [each["card"] for each in record["reviews"]] == [first.identifier, seat.identifier]
    assert record["choices"][0]["taken_from"] == first.identifier
    assert f"cards/{first.answer.identifier}.round2.yaml" in files

    _empty_database()
    again = _reimport(files, now)

    assert [name for name in files if files[name] != again.get(name)] == []
    assert sorted(files) == sorted(again)
    assert Card.objects.get(round=3).adjudicated_reviews.count() == 2


@pytest.mark.django_db
def test_a_card_written_before_there_were_rounds_is_read(now: datetime) -> None:
    files = export_files(benchmark=reviewed_demo(now), by=None, now=now)
    name = "cards/P01_argon-4_W0_r1.yaml"
    record = yaml.safe_load(files[name])
    for later in ("seat", "reviews", "choices", "rulings", "blind", "withheld", "to_repeat"):
        del record[later]
    files[name] = yaml.safe_dump(record, allow_unicode=True).encode()

    assert _import_files(files, now).events == 0


@pytest.mark.django_db
def test_sets_of_a_run_survive_export_and_import_and_stand_only_where_there_are_some(
    folder: Path, now: datetime
) -> None:
    change(folder / "benchmark.yaml", lambda record: record["runs"][0].update(sets=["reserve", "pilot"]))
    load(folder)
    first = export_files(benchmark=Benchmark.objects.get(slug=SLUG), by=None, now=now)

    _empty_database()
    second = _reimport(first, now)

    assert [name for name in first if first[name] != second[name]] == []
    written = yaml.safe_load(second["benchmark.yaml"])["runs"]
    assert [run.get("sets") for run in written] == [["reserve", "pilot"], *[None] * (len(written) - 1)]
    assert sorted(run.sets for run in Run.objects.all())[-1] == ["reserve", "pilot"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("sets", "words"),
    [
        (["pilot", "none"], "runs[0].sets: expected one of extension, pilot, reserve, found none"),
        (["pilot", "pilot"], "runs[0].sets: expected codes of question sets, each once"),
        ([], "runs[0].sets: expected something, not nothing"),
    ],
)
def test_sets_of_a_run_that_cannot_be_are_faults(folder: Path, sets: list[str], words: str) -> None:
    change(folder / "benchmark.yaml", lambda record: record["runs"][0].update(sets=sets))

    assert faults_of(folder)[0].startswith(f"benchmark.yaml: {words}")


@pytest.mark.django_db
def test_export_imported_over_itself_changes_nothing(now: datetime) -> None:
    benchmark = reviewed_demo(now)
    files = export_files(benchmark=benchmark, by=None, now=now)

    assert _import_files(files, now).events == 0


@pytest.mark.django_db
def test_stored_card_is_never_overwritten_by_an_import(now: datetime) -> None:
    benchmark = reviewed_demo(now)
    files = export_files(benchmark=benchmark, by=None, now=now)
    name = "cards/P01_argon-4_W0_r1.yaml"
    record = yaml.safe_load(files[name])
    record["note"] = "Changed outside."
    files[name] = yaml.safe_dump(record, allow_unicode=True).encode()

    with pytest.raises(FaultyBundle, match=r"cards/P01_argon-4_W0_r1.yaml: the card of .* other content") as caught:
        _import_files(files, now)
    assert isinstance(caught.value.__cause__, CardDiffers)


@pytest.mark.django_db
def test_ten_planted_faults_are_listed_all_at_once(folder: Path) -> None:
    change(folder / "benchmark.yaml", lambda r: r.pop("canary"))
    change(folder / "questions/P02.yaml", lambda r: r.update(type="open"))
    change(folder / "questions/P03.yaml", lambda r: r.update(surprise=1))
    change(folder / "keys/P04.v1.yaml", lambda r: r["rubric"][0].update(points="one"))
    change(folder / "keys/P05.v1.yaml", lambda r: r.update(approved_on="2026-13-40"))
    change(folder / "decisions/001.yaml", lambda r: r.update(reason=""))
    (folder / "answers/P01_argon-4_W0_r1.json").write_text("{")
    (folder / "answers/P01_argon-4_W1_r1.md").write_bytes(b"\xff\xfe")
    with (folder / "verdicts").joinpath(next((folder / "verdicts").iterdir()).name).open("a") as stream:
        stream.write('{"answer": 3}\n')
    (folder / "cards.txt").write_text("")

    faults = faults_of(folder)

    for expected in (
        "benchmark.yaml: canary: is missing",
        'questions/P02.yaml: type: expected one of closed, calculation, verification, found "open"',
        "questions/P03.yaml: surprise: unknown field",
        "keys/P04.v1.yaml: rubric[0].points: expected",
        'keys/P05.v1.yaml: approved_on: expected a date, YYYY-MM-DD, found "2026-13-40"',
        "decisions/001.yaml: reason: expected something, not nothing",
        "answers/P01_argon-4_W0_r1.json: not JSON",
        "answers/P01_argon-4_W1_r1.md: expected UTF-8",
        "verdicts/",
        "cards.txt: does not belong to a bundle",
    ):
        assert [fault for fault in faults if fault.startswith(expected)], (expected, faults)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("file", "edit", "expected"),
    [
        ("questions/P01.yaml", {"mirror": "P99"}, "mirror: expected one of"),
        ("questions/P02.yaml", {"set": "nowhere"}, "set: expected one of extension, pilot, reserve, found nowhere"),
        ("questions/P02.yaml", {"code": "P22"}, "code: expected a file of the name P22"),
        ("keys/P09.v2.yaml", {"reason": None}, "reason: expected a reason"),
        ("keys/P02.v1.yaml", {"decision": 77}, "decision: expected one of"),
        ("keys/P02.v1.yaml", {"approved_on": None}, "approved_on: expected a date"),
        ("decisions/002.yaml", {"supersedes": 5}, "supersedes: expected the number of an earlier decision"),
        ("benchmark.yaml", {"specification": {"name": "reference-card", "version": "9.9.9"}}, "specification.version"),
    ],
)
def test_records_that_contradict_each_other_are_named(
    folder: Path, file: str, edit: dict[str, Any], expected: str
) -> None:
    change(folder / file, lambda record: record.update(edit))

    assert [fault for fault in faults_of(folder) if fault.startswith(f"{file}: {expected}")]


@pytest.mark.django_db
def test_answer_text_that_does_not_fit_its_hash_is_refused(folder: Path) -> None:
    path = folder / "answers/P01_argon-4_W0_r1.md"
    path.write_text(path.read_text() + " ")

    assert faults_of(folder)[0].startswith("answers/P01_argon-4_W0_r1.json: sha256: expected that of the .md file")


@pytest.mark.django_db
def test_number_longer_than_any_number_is_a_fault_of_its_line(folder: Path) -> None:
    path = next((folder / "verdicts").glob("*.jsonl"))
    path.write_text(f'{{"answer": {"9" * 5000}}}\n')

    assert faults_of(folder)[0].startswith(f"verdicts/{path.name}: line 1: not JSON")


@pytest.mark.django_db
def test_faulty_bundle_leaves_the_database_as_it_was(folder: Path) -> None:
    (folder / "law/acts/CPA.yaml").write_text("eli: 3\n")

    assert any("law/acts/CPA.yaml" in fault for fault in faults_of(folder))
    assert not Benchmark.objects.exists()
    assert not Event.objects.exists()


@pytest.mark.django_db
def test_changed_frozen_key_is_refused_and_nothing_else_is_taken_over(folder: Path) -> None:
    loaded_demo()
    change(folder / "keys/P02.v1.yaml", lambda record: record.update(core_answer="Something else."))
    change(folder / "benchmark.yaml", lambda record: record["title"].update(en="New title"))

    assert faults_of(folder)[0].startswith("keys/P02.v1.yaml: key P02 v1 is approved and cannot change in core_answer")
    assert Benchmark.objects.get().titles["en"] != "New title"


@pytest.mark.django_db
def test_new_key_version_after_the_answers_is_a_departure_with_an_entry_of_its_own(folder: Path) -> None:
    loaded_demo()
    record = yaml.safe_load((folder / "keys/P02.v1.yaml").read_text())
    (folder / "keys/P02.v2.yaml").write_text(
        yaml.safe_dump({**record, "version": 2, "reason": "Case law changed.", "core_answer": "Other."})
    )
    change(folder / "keys/P02.v1.yaml", lambda old: old.update(state="superseded"))
    assert "mark it as a departure" in faults_of(folder)[0]

    change(folder / "keys/P02.v2.yaml", lambda new: new.update(departure=True))
    load(folder)

    key = KeyVersion.objects.get(question__code="P02", number=2)
    assert (key.state, key.departure) == ("approved", True)
    assert key.decision is not None
    assert key.decision.reason == "Case law changed."
    assert key.decision.touches["key_versions"] == ["P02.v2"]


@pytest.mark.django_db
def test_changed_answer_is_refused(folder: Path) -> None:
    loaded_demo()
    path = folder / "answers/P01_argon-4_W0_r1.json"
    record = json.loads(path.read_text())
    path.write_text(json.dumps({**record, "served_model": "another"}))

    assert "answer P01_argon-4_W0_r1 is stored and differs in: served_model" in faults_of(folder)[0]


@pytest.mark.django_db
def test_import_in_somebodys_name_needs_both_roles(lead: User, operator: User) -> None:
    for person in (lead, operator):
        with pytest.raises(NotAllowed):
            load(DEMO, by=person)


@pytest.mark.django_db
def test_check_reads_and_changes_nothing(folder: Path) -> None:
    out = io.StringIO()

    call_command("import_benchmark", str(folder), "--check", stdout=out)

    assert "holds together" in out.getvalue()
    assert not Benchmark.objects.exists()


@pytest.mark.django_db
def test_zip_made_of_the_folder_is_the_same_bundle(folder: Path, tmp_path: Path) -> None:
    archive = shutil.make_archive(str(tmp_path / "demo"), "zip", root_dir=folder.parent, base_dir="bundle")
    out = io.StringIO()

    call_command("import_benchmark", archive, stdout=out)

    assert "11 questions, 80 answers" in out.getvalue()


@pytest.mark.django_db
def test_export_command_writes_a_zip_that_is_the_same_every_time(tmp_path: Path) -> None:
    loaded_demo()
    for name in ("one.zip", "two.zip"):
        call_command("export_benchmark", SLUG, str(tmp_path / name), stdout=io.StringIO())

    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    with pytest.raises(CommandError, match="exists"):
        call_command("export_benchmark", SLUG, str(tmp_path / "one.zip"), stdout=io.StringIO())
    with pytest.raises(CommandError, match="no benchmark"):
        call_command("export_benchmark", "nothing", str(tmp_path / "three.zip"), stdout=io.StringIO())


def make_zip(path: Path, entries: dict[str, bytes], edit: Callable[[zipfile.ZipInfo], None] | None = None) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            if edit:
                edit(entry)
            archive.writestr(entry, content)
    return path


@pytest.mark.parametrize("name", ["../evil.yaml", "/etc/evil.yaml", "a/../../evil", "C:/evil", "a\\..\\b"])
def test_path_out_of_the_zip_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnsafeBundle, match=r"leaves the bundle|stands twice"):
        read_files(make_zip(tmp_path / "evil.zip", {name: b"x", "benchmark.yaml": b"x"}))


def test_text_that_repeats_itself_is_no_bomb(tmp_path: Path) -> None:
    """What an export holds can be imported again, also a long row of the same letter that somebody typed."""
    path = make_zip(tmp_path / "row.zip", {"benchmark.yaml": b"W" * 500_000})

    assert read_files(path) == {"benchmark.yaml": b"W" * 500_000}


def test_bomb_is_refused_before_it_unfolds(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "bomb.zip", {"benchmark.yaml": b"\0" * 40_000_000})

    with pytest.raises(UnsafeBundle, match="unfolds to more than"):
        read_files(path)


def test_sizes_and_numbers_of_files_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {f"answers/{number}.md": b"x" * 100 for number in range(10)}
    write_files(files, tmp_path / "many")
    monkeypatch.setattr(bundle_files, "MAX_FILES", 5)
    with pytest.raises(UnsafeBundle, match="more than 5 files"):
        read_files(tmp_path / "many")
    monkeypatch.setattr(bundle_files, "MAX_FILES", 50)
    monkeypatch.setattr(bundle_files, "MAX_TOTAL_BYTES", 500)
    with pytest.raises(UnsafeBundle, match="more than 500 bytes"):
        read_files(tmp_path / "many")


def test_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x")
    (tmp_path / "bundle").mkdir()
    (tmp_path / "bundle/benchmark.yaml").symlink_to(tmp_path / "secret")
    with pytest.raises(UnsafeBundle, match="link"):
        read_files(tmp_path / "bundle")

    def as_link(entry: zipfile.ZipInfo) -> None:
        entry.external_attr = 0o120777 << 16

    with pytest.raises(UnsafeBundle, match="links"):
        read_files(make_zip(tmp_path / "link.zip", {"benchmark.yaml": b"/etc/passwd"}, as_link))


@pytest.mark.parametrize("content", [b"", b"no zip at all", b"PK\x03\x04 broken"])
def test_file_that_is_no_bundle_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bundle.zip"
    path.write_bytes(content)

    with pytest.raises(UnsafeBundle):
        read_files(path)


@pytest.mark.parametrize(
    "text",
    ["a: &x [1]\nb: *x\n", "a: 1\na: 2\n", "a: !!python/object/apply:os.system ['true']\n", "a: [1\n", "- 1\n", "\n"],
)
@pytest.mark.django_db
def test_yaml_that_is_more_or_less_than_plain_records_is_refused(folder: Path, text: str) -> None:
    (folder / "questions/P01.yaml").write_text(text)

    assert any(fault.startswith("questions/P01.yaml") for fault in faults_of(folder))


def _import_files(files: dict[str, bytes], now: datetime) -> Any:
    with TemporaryDirectory() as name:
        write_files(files, Path(name))
        return import_bundle(bundle=read_bundle(Path(name)), by=None, now=now)


def _reimport(files: dict[str, bytes], now: datetime) -> dict[str, bytes]:
    _import_files(files, now)
    return export_files(benchmark=Benchmark.objects.get(slug=SLUG), by=None, now=now)


def _empty_database() -> None:
    connection.check_constraints()  # PostgreSQL empties no table that still has deferred checks to run.
    call_command("flush", interactive=False, verbosity=0)


@pytest.mark.django_db
def test_verdicts_that_a_job_asked_for_survive_export_and_import(now: datetime) -> None:
    """Two tries and a repeat of one judge on an answer, beside the verdicts made elsewhere; the judge has settings."""
    loaded_demo()
    benchmark = Benchmark.objects.get(slug=SLUG)
    judge = Judge.objects.select_related("benchmark").get(code="lynx-5")
    Judge.objects.filter(pk=judge.pk).update(settings={"endpoint": "local", "max_tokens": 300})
    answer = Answer.objects.with_run().get(identifier="P01_argon-4_W0_r1")
    common: dict[str, Any] = {
        "answer": answer, "specification_version": "1.0.1", "judged_at": now, "request_sha256": "e" * 64,
        "key_version": answer.question.key_versions.get(number=1), "prompt_version": "verdict-1",
        "prompt_sha256": "f" * 64, "served_model": "lynx-5-2026-10",
    }  # fmt: skip
    dropped = [{"class": "T", "claim": "not there", "source_says": "-", "reason": "not_in_the_answer"}]
    drafts = [
        VerdictDraft(**common, hallucinated=None, failure="not the JSON that was asked for"),
        VerdictDraft(**common, hallucinated=True, attempt=2, dropped=dropped, flags=["verdict"]),
        VerdictDraft(**common, hallucinated=False, repeat=2),
    ]
    store_verdicts(judge=judge, drafts=drafts, by=None, now=now)
    first = export_files(benchmark=benchmark, by=None, now=now)

    _empty_database()
    second = _reimport(first, now)

    assert [name for name in first if first[name] != second[name]] == []
    again = Verdict.objects.filter(judge__code="lynx-5").exclude(address="").order_by("repeat", "attempt")
    assert [(row.hallucinated, row.attempt, row.repeat) for row in again] == [
        (None, 1, 1), (True, 2, 1), (False, 1, 2),
    ]  # fmt: skip
    assert again[1].dropped == dropped


@pytest.mark.django_db
def test_verdict_that_names_a_key_that_is_not_there_is_refused_with_its_file(folder: Path) -> None:
    path = folder / "verdicts/lynx-5.jsonl"
    record = json.loads(path.read_text().splitlines()[0])
    asked = {
        "key": 9, "request_sha256": "e" * 64, "prompt_version": "verdict-1", "prompt_sha256": "f" * 64,
        "served_model": "", "repeat": 1, "attempt": 1, "dropped": [], "flags": [], "failure": "",
    }  # fmt: skip
    path.write_text(path.read_text() + json.dumps({**record, "asked": asked}) + "\n")

    assert faults_of(folder) == ["verdicts/lynx-5.jsonl: asked.key: P01.v9 is not in the bundle"]


PANEL = {
    "code": "two", "name": "Two and a third", "strategy": "single", "judges": ["lynx-5"],
    "items": ["hallucinated", "A-R"],
}  # fmt: skip


@pytest.mark.django_db
def test_panels_survive_export_and_import(folder: Path, now: datetime) -> None:
    change(folder / "benchmark.yaml", lambda record: record.update(panels=[PANEL]))
    load(folder)
    first = export_files(benchmark=Benchmark.objects.get(slug=SLUG), by=None, now=now)

    _empty_database()
    second = _reimport(first, now)

    assert first["benchmark.yaml"] == second["benchmark.yaml"]
    panel = Panel.objects.with_judges().get()
    assert (panel.judge_a.code, panel.items) == ("lynx-5", ["hallucinated", "A-R"])


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"judges": ["nobody"]}, "panels[0].judges: expected one of lynx-5, meridian-pro, found nobody"),
        ({"strategy": "majority"}, "One judge alone, or three judges"),
        ({"items": ["Z9"]}, "A panel decides on one or more of these"),
    ],
)
def test_panel_that_cannot_be_is_refused_with_its_file(folder: Path, wrong: dict[str, Any], words: str) -> None:
    change(folder / "benchmark.yaml", lambda record: record.update(panels=[{**PANEL, **wrong}]))

    fault = faults_of(folder)[0]

    assert words in fault
    assert fault.startswith("benchmark.yaml")
