# ruff: noqa: E501
import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from lexreview.law.models import Act, Edition
from tests.law.files import article, edition, fedlex, paragraph, parsed_act, stored_act, unit
from tests.law.test_plain import RULING, TEXT, act_yaml

pytestmark = pytest.mark.django_db


def law(*arguments: str) -> str:
    out = StringIO()
    call_command("law", *arguments, stdout=out, stderr=out)
    return out.getvalue()


@pytest.fixture
def swiss(tmp_path: Path) -> Path:
    for day, text in (("2022-01-01", "Alt."), ("2024-01-01", "Neu.")):
        content = fedlex(article("1", paragraph("1", text)) + article("2", paragraph("", "Gleich.")), day=day)
        (tmp_path / f"{day}.xml").write_bytes(content)
    return tmp_path


def test_files_are_imported_with_the_days_that_they_do_not_carry(swiss: Path) -> None:
    law("import", str(swiss / "2022-01-01.xml"), "--to", "2023-12-31")
    again = law("import", str(swiss / "2022-01-01.xml"), "--to", "2023-12-31")

    assert str(Edition.objects.get().valid_to) == "2023-12-31"
    assert again.strip() == "acts unchanged: 1, editions unchanged: 1"


def test_a_unit_is_printed_with_text_edition_and_source(swiss: Path) -> None:
    law("import", str(swiss / "2022-01-01.xml"), "--to", "2023-12-31")
    law("import", str(swiss / "2024-01-01.xml"))

    printed = law("unit", "Art. 1 Abs. 1 BruG", "--on", "2023-10-31")

    assert "(eli/cc/2020/1), art=1/ust=1" in printed
    assert "found on 2023-10-31, established\nAlt.\n" in printed
    assert "edition: de 2022-01-01..2023-12-31, official" in printed
    assert "source: https://fedlex.data.admin.ch/eli/cc/2020/1/20220101/de/xml sha256 " in printed
    assert "Neu." in law("unit", "art=1/ust=1 BruG", "--on", "2024-10-31")
    assert "not_found on 2024-10-31" in law("unit", "Art. 9 BruG", "--on", "2024-10-31")


def test_diff_and_status(swiss: Path) -> None:
    law("import", str(swiss / "2022-01-01.xml"), "--to", "2023-06-30")
    law("import", str(swiss / "2024-01-01.xml"))

    assert law("diff", "BruG", "2023-01-01", "2024-01-01").splitlines() == [
        "eli/cc/2020/1 de: 2022-01-01 -> 2024-01-01",
        "modified: art=1",
    ]
    assert "gap: eli/cc/2020/1 de 2023-07-01..2023-12-31" in law("status", "BruG")
    assert law("status").startswith("acts 1, editions 2, units ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("unit", "art. 1 BruG", "--lang", "xx"), "eli/cc/2020/1 is stored in de, not in 'xx'"),
        (("diff", "BruG", "2022-01-01", "2023-01-01", "--lang", "fr"), "is stored in de, not in 'fr'"),
        (("diff", "BruG", "2024-01-01", "2022-01-01"), "the earlier day comes first: 2022-01-01 2024-01-01"),
        (("diff", "BruG", "1900-01-01", "2022-01-01"), "begins on or before 1900-01-01"),
    ],
)
def test_a_language_or_day_that_does_not_fit_is_named(swiss: Path, arguments: tuple[str, ...], message: str) -> None:
    law("import", str(swiss / "2022-01-01.xml"))

    with pytest.raises(CommandError, match=message):
        law(*arguments)


def test_what_a_later_edition_lacks_is_not_said_to_have_moved() -> None:
    eli = "eli/xx/1"
    editions = (
        edition(eli, "2020-01-01", unit("art=1", "X."), unit("art=2", "Other words altogether.")),
        edition(eli, "2021-01-01", unit("art=1", "X.")),
    )
    stored_act(parsed_act(eli, *editions, names=()))

    assert law("diff", eli, "2020-01-01", "2021-01-01").splitlines()[1:] == ["removed: art=2"]


def test_a_file_that_says_it_is_rebuilt_claims_no_official_page(swiss: Path) -> None:
    rebuilt = (swiss / "2022-01-01.xml").rename(swiss / "2022-01-01.RECONSTRUCTED.xml")

    law("import", str(rebuilt))

    assert [(each.standing, each.source_url) for each in Edition.objects.all()] == [("reconstructed", "")]


def test_a_bundle_folder_is_imported_whole(tmp_path: Path) -> None:
    for name, content in (
        ("acts/WA.yaml", act_yaml()),
        ("acts/WA/2020.en.md", TEXT),
        ("rulings/a.yaml", RULING),
        ("jurisdiction.yaml", b"code: XX"),
    ):
        path = tmp_path / "law" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    printed = law("import", str(tmp_path))

    assert "acts added: 1" in printed
    assert "rulings added: 2" in printed
    assert "This Act governs wells." in law("unit", "art=1 Wells Act", "--on", "2021-01-01")


def manifest(tmp_path: Path, **changes: object) -> Path:
    entry = {"act": "eli/cc/2020/1", "other_ids": ["SR 999.1"], "abbreviations": {"de": ["BruG", "Brunnengesetz"]}, "editions": [
        {"first_day": "2022-01-01", "last_day": "2023-12-31", "language": "de", "kind": "akn", "file": "2022-01-01.xml"},
        {"first_day": "2024-01-01", "last_day": None, "language": "de", "kind": "akn-reconstructed", "file": "2024-01-01.xml"},
    ]} | changes  # fmt: skip
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps([entry]))
    return path


def test_a_manifest_gives_acts_days_and_standing(swiss: Path) -> None:
    printed = law("import", "--manifest", str(manifest(swiss)), "--root", str(swiss))

    assert "editions added: 2" in printed
    assert [(e.standing, str(e.valid_to)) for e in Edition.objects.in_time_order()] == [
        ("official", "2023-12-31"),
        ("reconstructed", "None"),
    ]
    assert [bool(e.source_url) for e in Edition.objects.in_time_order()] == [True, False]
    assert "found on 2024-05-05, reconstructed" in law("unit", "Art. 1 Abs. 1 BruG", "--on", "2024-05-05")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"surprise": 1}, "surprise"),
        ({"editions": []}, "editions"),
        ({"editions": [{"first_day": "soon", "language": "de", "kind": "akn", "file": "2022-01-01.xml"}]}, "first_day"),
        (
            {"editions": [{"first_day": "2022-01-01", "language": "de", "kind": "pdf", "file": "2022-01-01.xml"}]},
            "kind",
        ),
        (
            {"editions": [{"first_day": "2022-01-01", "language": "de", "kind": "akn", "file": "lost.xml"}]},
            "lost.xml: cannot be read",
        ),
        (
            {"editions": [{"first_day": "2022-01-01", "language": "de", "kind": "akn", "file": "../out.xml"}]},
            "outside the root",
        ),
        (
            {"editions": [{"first_day": "2022-01-01", "language": "de", "kind": "md", "file": "2022-01-01.xml"}]},
            "front matter",
        ),
    ],
)
def test_faults_of_a_manifest_are_named_and_nothing_is_stored(
    swiss: Path, changes: dict[str, object], message: str
) -> None:
    with pytest.raises(CommandError, match=message):
        law("import", "--manifest", str(manifest(swiss, **changes)), "--root", str(swiss))

    assert not Act.objects.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("import",), "give a path"), (("import", "/no/such"), "no such file"), (("unit", "Art. 1 BruG"), "names no unit"),
        (("unit", "art=1 BruG"), "no stored act"), (("diff", "XX1", "2020-01-01", "2021-01-01"), "no stored act"), (("status", "XX1"), "no stored act"),
    ],
)  # fmt: skip
def test_refusals_say_why(arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        law(*arguments)


@pytest.mark.parametrize("arguments", [("sync", "sejm"), ("unit",), ("status",)])
def test_an_argument_that_is_not_utf8_is_refused(arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError, match="not UTF-8"):
        law(*arguments, "DU/1964\udcff")


def test_a_name_of_several_acts_is_not_guessed() -> None:
    for eli in ("eli/xx/1", "eli/xx/2"):
        stored_act(parsed_act(eli, edition(eli, "2020-01-01", unit("art=1", "X.")), names=()))
    call = pytest.raises(CommandError, match="no stored act")

    with call:
        law("status", "nobody")


def test_a_truncated_file_gives_a_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "cut.xml"
    path.write_bytes(fedlex(article("1", "x"))[:900])

    with pytest.raises(
        CommandError, match=r"cut\.xml: expected an Akoma Ntoso act of Fedlex, but the XML is not well-formed"
    ):
        law("import", str(path))


@pytest.mark.parametrize("name", ["act.json", "manifest"])
def test_json_that_nests_too_deeply_is_refused_like_all_that_is_none(tmp_path: Path, name: str) -> None:
    (tmp_path / "act.json").write_text("[" * 100_000)
    arguments = ("--manifest", str(tmp_path / "act.json")) if name == "manifest" else (str(tmp_path / name),)

    with pytest.raises(CommandError, match=r"act\.json: expected (a )?JSON"):
        law("import", *arguments)
