"""The house of ARCHITECTURE: rooms in their order, writes in their place, names that say something."""

import ast
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.db.models import Field, ForeignObjectRel, Model

PROJECT = Path(settings.BASE_DIR)
PACKAGE = PROJECT / "lexreview"

PLANTED = {
    "law imports review": ("law", "from lexreview.review import models"),
    "core imports django": ("core", "from django.db import models"),
    "public imports review": ("public", "import lexreview.review.models"),
    "answers imports reports": ("answers", "from lexreview.reports import apps"),
    "periods import methods": ("core/periods.py", "from lexreview.core.methods import reference_card"),
}
NAMES_THAT_SAY_NOTHING = {"utils", "util", "helpers", "helper", "services", "service", "common", "misc", "tools"}

WRITES = {"save", "create", "bulk_create", "bulk_update", "get_or_create", "update_or_create", "update", "delete"}
# Modules outside actions, migrations and commands that may write, each with its reason.
WRITERS = {
    "ledger/storing.py": "creates or changes a row together with its event; actions of all rooms store rows through it",
    "review/changing.py": "the frame of every action on a card: lock, check, recompute, save and record",
    "verification/restoring.py": "stores exported results inside the import's transaction and records its own event",
    "accounts/admin.py": "the administration's own forms, with an event for every write",
}
# Calls that look like a write to the database and are none.
NO_WRITES = {
    ("celery.py", "update"): "options of the Celery application",
}


def lint_imports(folder: Path) -> "subprocess.CompletedProcess[str]":
    program = Path(sys.executable).parent / "lint-imports"
    return subprocess.run([program, "--no-cache"], cwd=folder, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("house")
    shutil.copytree(PACKAGE, folder / "lexreview", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(PROJECT / "pyproject.toml", folder)
    return folder


def test_every_import_keeps_the_order_of_the_rooms(copied: Path) -> None:
    result = lint_imports(copied)

    assert result.returncode == 0, result.stdout + result.stderr
    assert "0 broken" in result.stdout


@pytest.mark.parametrize("planted", PLANTED)
def test_planted_import_against_the_order_is_found(copied: Path, planted: str) -> None:
    place, line = PLANTED[planted]
    path = copied / "lexreview" / place
    if path.is_dir():
        path = path / "planted.py"
    before = path.read_text() if path.exists() else None
    path.write_text(f"{before or ''}\n{line}\n")

    try:
        result = lint_imports(copied)
    finally:
        path.unlink() if before is None else path.write_text(before)

    module = "lexreview." + place.removesuffix(".py").replace("/", ".") + ("" if before else ".planted")
    assert result.returncode != 0
    assert "BROKEN" in result.stdout
    assert module in result.stdout


def test_no_import_is_exempted_from_a_contract() -> None:
    contracts = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]

    assert contracts
    assert not [contract["name"] for contract in contracts if "ignore_imports" in contract]


def heights() -> dict[str, int]:
    """Room to height; rooms on one line of the contract have one height and may not refer to each other."""
    contracts = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["name"] == "Rooms, upper imports lower")
    return {
        room.strip().removeprefix("lexreview."): height
        for height, line in enumerate(reversed(layers))
        for room in line.split("|")
    }


def our_models() -> list[type[Model]]:
    return [model for model in apps.get_models(include_auto_created=True) if model.__module__.startswith("lexreview.")]


def relations(model: type[Model]) -> Iterator[tuple[Field, type[Model]]]:
    for field in model._meta.get_fields():
        if not isinstance(field, ForeignObjectRel) and field.is_relation and field.related_model is not None:
            yield field, field.related_model


def test_every_room_of_the_project_has_its_place_in_the_order() -> None:
    rooms = {config.label for config in apps.get_app_configs() if config.name.startswith("lexreview.")}

    assert rooms <= set(heights())


def test_foreign_keys_keep_the_order_of_the_rooms() -> None:
    height = heights()
    seen = 0
    for model in our_models():
        for field, target in relations(model):
            room, other = model._meta.app_label, target._meta.app_label
            if other not in height:
                continue
            seen += 1
            assert room == other or height[other] < height[room], f"{model.__name__}.{field.name} points up at {other}"
    assert seen > 20


def test_no_model_has_an_ordering_of_its_own() -> None:
    assert our_models()
    assert [model.__name__ for model in our_models() if model._meta.ordering] == []


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE).as_posix(), ast.parse(path.read_text(), filename=str(path))


def may_write(name: str) -> bool:
    parts = Path(name).parts
    if {"migrations", "management", "actions"} & set(parts[:-1]) or parts[-1] == "actions.py":
        return True
    return name in WRITERS


def calls(tree: ast.Module) -> Iterator[tuple[ast.Call, ast.Attribute]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield node, node.func


def looks_like_a_write(call: ast.Call, function: ast.Attribute) -> bool:
    """`super().save(...)` of a model is the save of its caller; a QuerySet's update takes names only, a dict's not."""
    if function.attr not in WRITES:
        return False
    owner = function.value
    if isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name) and owner.func.id == "super":
        return False
    return function.attr != "update" or (not call.args and bool(call.keywords))


def writes_outside_actions(name: str, tree: ast.Module) -> list[str]:
    if may_write(name):
        return []
    return [
        f"{name}:{call.lineno} {function.attr}"
        for call, function in calls(tree)
        if looks_like_a_write(call, function) and (name, function.attr) not in NO_WRITES
    ]


def test_only_actions_write() -> None:
    found = [line for name, tree in modules() for line in writes_outside_actions(name, tree)]

    assert found == []


def test_modules_that_may_write_exist_and_do() -> None:
    trees = dict(modules())

    for name in WRITERS:
        found = [function.attr for call, function in calls(trees[name])]
        assert {"save_model", "delete_model", *WRITES} & set(found), f"{name} writes nothing: take it off the list"
    for name, attribute in NO_WRITES:
        assert attribute in [
            function.attr for call, function in calls(trees[name]) if looks_like_a_write(call, function)
        ]


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("card.save()", 1),
        ("Card.objects.filter(pk=1).update(state='x')", 1),
        ("Card.objects.filter(pk=1).delete()", 1),
        ("Card.objects.bulk_create(rows)", 1),
        ("super().save(*args)", 0),
        ("seen.update(others)", 0),
        ("saved = card.saved", 0),
    ],
)
def test_writes_are_recognised(code: str, count: int) -> None:
    assert len(writes_outside_actions("review/views.py", ast.parse(code))) == count
    assert writes_outside_actions("review/actions.py", ast.parse(code)) == []


def test_messages_to_workers_leave_through_jobs_only() -> None:
    """Elsewhere a task could start before its row is committed, or run in a room above."""
    found = [
        f"{name}:{call.lineno} {function.attr}"
        for name, tree in modules()
        for call, function in calls(tree)
        if function.attr in {"delay", "apply_async", "send_task", "delay_on_commit"} and not name.startswith("jobs/")
    ]

    assert found == []


def test_no_module_is_named_after_nothing() -> None:
    names = [path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*") if path.stem in NAMES_THAT_SAY_NOTHING]

    assert names == []


def test_only_settings_read_the_environment() -> None:
    readers = {"environment.py", "settings.py"}
    # They only name the settings, and tell Django's own file watcher from the server it starts.
    named = {"celery.py", "wsgi.py", "asgi.py", "jobs/apps.py"}
    found = {
        name
        for name, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in {"environ", "getenv"} and ast.unparse(node.value) == "os"
    }

    assert found <= readers | named
