"""The files of a bundle, from a folder or a .zip: nothing outside it, nothing that unfolds to gigabytes."""

import stat
import zipfile
from pathlib import Path, PurePosixPath

MAX_FILES = 20_000
MAX_FILE_BYTES = 50_000_000
MAX_TOTAL_BYTES = 500_000_000
MAX_RATIO = 200
HARMLESS_BYTES = 2_000_000
ZIP_DATE = (1980, 1, 1, 0, 0, 0)


class UnsafeBundle(ValueError):
    """The bundle is no folder or .zip that may be read; the text says why and what is allowed."""


def read_files(path: Path) -> dict[str, bytes]:
    """Every file of the bundle by its path below the bundle, in order of path. Raises UnsafeBundle."""
    if path.is_dir():
        return _read_folder(path)
    if path.is_file() and zipfile.is_zipfile(path):
        return _read_zip(path)
    raise UnsafeBundle(f"{path}: expected a folder or a .zip file")


def write_files(files: dict[str, bytes], path: Path) -> None:
    """Write a bundle: a .zip where the name ends so, else a folder. The same files give the same bytes."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", compression=zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for name in sorted(files):
                entry = zipfile.ZipInfo(name, date_time=ZIP_DATE)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = (stat.S_IFREG | 0o644) << 16
                archive.writestr(entry, files[name])
        return
    for name, content in sorted(files.items()):
        target = path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def _read_folder(folder: Path) -> dict[str, bytes]:
    root = folder.resolve()
    files: dict[str, bytes] = {}
    total = 0
    for path in sorted(folder.rglob("*")):
        if path.is_dir() or _is_ignored(path.relative_to(folder).parts):
            continue
        name = path.relative_to(folder).as_posix()
        if path.is_symlink() or not path.resolve().is_relative_to(root):
            raise UnsafeBundle(f"{name}: a link that leaves the bundle is not read")
        total += _check_size(name, path.stat().st_size, count=len(files) + 1, total=total)
        files[name] = path.read_bytes()
    return files


def _read_zip(path: Path) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    total = 0
    try:
        with zipfile.ZipFile(path) as archive:
            for entry in sorted(archive.infolist(), key=lambda each: each.filename):
                parts = PurePosixPath(entry.filename).parts
                _check_entry(entry, parts, known=files)
                if entry.is_dir() or _is_ignored(parts):
                    continue
                total += _check_size(entry.filename, entry.file_size, count=len(files) + 1, total=total)
                files[entry.filename] = _read_entry(archive, entry)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise UnsafeBundle(f"{path.name}: not a .zip file that can be read: {error}") from error
    return _without_top_folder(files)


def _check_entry(entry: zipfile.ZipInfo, parts: tuple[str, ...], *, known: dict[str, bytes]) -> None:
    outside = not parts or entry.filename.startswith("/") or ".." in parts or ":" in parts[0]
    if outside or "\\" in entry.orig_filename:
        raise UnsafeBundle(f"{entry.filename}: a path that leaves the bundle is refused")
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise UnsafeBundle(f"{entry.filename}: links are not read from a .zip")
    if entry.filename in known:
        raise UnsafeBundle(f"{entry.filename}: stands twice in the .zip")
    if entry.file_size > max(MAX_RATIO * entry.compress_size, HARMLESS_BYTES):
        raise UnsafeBundle(f"{entry.filename}: unfolds to more than {MAX_RATIO} times its size")


def _read_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """The content, never more than the entry announces: the header of a bomb may lie."""
    with archive.open(entry) as stream:
        content = stream.read(entry.file_size + 1)
    if len(content) > entry.file_size:
        raise UnsafeBundle(f"{entry.filename}: holds more than it announces")
    return content


def _check_size(name: str, size: int, *, count: int, total: int) -> int:
    if count > MAX_FILES:
        raise UnsafeBundle(f"the bundle has more than {MAX_FILES} files")
    if size > MAX_FILE_BYTES:
        raise UnsafeBundle(f"{name}: {size} bytes; a file of a bundle has at most {MAX_FILE_BYTES}")
    if total + size > MAX_TOTAL_BYTES:
        raise UnsafeBundle(f"the bundle has more than {MAX_TOTAL_BYTES} bytes")
    return size


def _is_ignored(parts: tuple[str, ...]) -> bool:
    """Leftovers of file managers and editors."""
    return any(part.startswith(".") or part == "__MACOSX" for part in parts)


def _without_top_folder(files: dict[str, bytes]) -> dict[str, bytes]:
    """A .zip made of a folder holds that folder; its content is the bundle."""
    tops = {name.split("/", 1)[0] for name in files}
    if "benchmark.yaml" in files or len(tops) != 1 or any("/" not in name for name in files):
        return files
    return {name.split("/", 1)[1]: content for name, content in files.items()}
