"""No container engine is needed: the files are read, and what they name must exist."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.core.management import get_commands

PROJECT = Path(settings.BASE_DIR)
OURS = {"migrate", "web", "worker", "backup"}


@pytest.fixture(scope="module")
def compose() -> Any:
    return yaml.safe_load((PROJECT / "docker" / "compose.yaml").read_text())


def names_in(path: Path) -> set[str]:
    return set(re.findall(r"^([A-Z][A-Z0-9_]*)=", path.read_text(), re.MULTILINE))


def test_every_variable_of_our_services_is_one_that_the_settings_read(compose: Any) -> None:
    known = names_in(PROJECT / ".env.example")
    offered = names_in(PROJECT / "docker" / "env.example")

    for service in OURS:
        assert set(compose["services"][service]["environment"]) <= known
    assert offered - {"POSTGRES_PASSWORD"} <= known
    assert {"SECRET_KEY", "ALLOWED_HOSTS"} <= offered


def test_every_variable_that_compose_fills_in_is_in_the_example(compose: Any) -> None:
    text = (PROJECT / "docker" / "compose.yaml").read_text()

    used = set(re.findall(r"(?<!\$)\$\{([A-Z_]+)", text))

    assert used == {"POSTGRES_PASSWORD"}
    assert used <= names_in(PROJECT / "docker" / "env.example")


def test_no_secret_is_written_into_the_files() -> None:
    for name in ("SECRET_KEY", "POSTGRES_PASSWORD"):
        assert f"{name}=\n" in (PROJECT / "docker" / "env.example").read_text()
    assert "SECRET_KEY" not in (PROJECT / "docker" / "Dockerfile").read_text()


def test_services_volumes_and_conditions_that_are_named_exist(compose: Any) -> None:
    services, volumes = compose["services"], set(compose["volumes"])

    assert set(services) == {*OURS, "database", "broker"}
    for service in services.values():
        for needed, rule in service.get("depends_on", {}).items():
            assert needed in services
            if rule["condition"] == "service_healthy":
                assert "healthcheck" in services[needed]
        assert {mount.split(":")[0] for mount in service.get("volumes", [])} <= volumes


def test_all_our_services_are_one_image_and_two_wait_for_the_migration(compose: Any) -> None:
    services = compose["services"]

    assert len({services[name]["image"] for name in OURS}) == 1
    assert (PROJECT / "docker" / services["web"]["build"]["context"]).resolve() == PROJECT
    assert (PROJECT / services["web"]["build"]["dockerfile"]).is_file()
    for name in ("web", "worker"):
        assert services[name]["depends_on"]["migrate"]["condition"] == "service_completed_successfully"


def test_commands_of_the_services_exist(compose: Any) -> None:
    commands = {name: compose["services"][name]["command"] for name in OURS}

    assert commands["web"][:3] == ["python", "manage.py", "serve"]
    assert commands["migrate"][:3] == ["python", "manage.py", "migrate"]
    assert {"serve", "migrate"} <= set(get_commands())
    assert commands["worker"][:4] == ["celery", "-A", "lexreview", "worker"]


def test_site_is_published_on_loopback_only(compose: Any) -> None:
    ports = [port for service in compose["services"].values() for port in service.get("ports", [])]

    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_image_copies_what_it_installs_from_and_does_not_run_as_root() -> None:
    lines = (PROJECT / "docker" / "Dockerfile").read_text().splitlines()

    copied = [line.split()[1] for line in lines if line.startswith("COPY") and "--from" not in line]
    assert all((PROJECT / name).exists() for name in copied)
    assert "USER lexreview" in lines
    assert lines.index("USER lexreview") > max(n for n, line in enumerate(lines) if line.startswith("RUN"))


@pytest.mark.parametrize("name", [".git", ".env", "var", ".venv"])
def test_what_must_not_be_in_the_image_is_left_out(name: str) -> None:
    assert name in (PROJECT / ".dockerignore").read_text().splitlines()
