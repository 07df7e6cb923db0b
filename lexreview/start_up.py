"""What stands in the way of a start, in words that name the place and the remedy. The folders are made before there
are settings."""

import errno
import os
import re
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured, PermissionDenied

WRITE_REFUSED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT})
NO_TABLE = re.compile(r'no such (table|column)|(relation|column) ".*" does not exist')
NO_FILE = re.compile("unable to open database file|readonly database|attempt to write a readonly|disk I/O error")
NO_ANSWER = re.compile(
    'connect|could not translate|authentication|server closed|(database|role) ".*" does not exist', re.DOTALL
)


def made_folder(path: Path, *, remedy: str) -> Path:
    """The folder, made where it is missing. Raises ImproperlyConfigured, with the remedy, where it cannot be made."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(f"The folder {path} cannot be made: {error.strerror}. {remedy}") from error
    return path


def writable_folder(path: Path, *, remedy: str) -> Path:
    """The same for a folder in which files are written from the start on."""
    if not os.access(made_folder(path, remedy=remedy), os.W_OK | os.X_OK):
        raise ImproperlyConfigured(f"The folder {path} cannot be written. {remedy}")
    return path


def explained(error: BaseException) -> str:
    """The sentence for a person who started a command, "" for an error that is neither of the set-up nor a refusal
    to somebody in whose name it was started.

    Addresses are named without user and password.
    """
    if isinstance(error, ImproperlyConfigured | PermissionDenied):
        return str(error)
    if _is_of_the_database(error):
        return _of_the_database(error)
    if _is_of_the_broker(error):
        where = _place_of_the_broker()
        return f"The broker at {where} does not answer ({_first_line(error)}). Start it, or correct BROKER_URL."
    if isinstance(error, OSError) and error.errno in WRITE_REFUSED and error.filename:
        return (
            f"{error.filename} cannot be written: {error.strerror}. Give this account the right to write there, or set"
            " LEXREVIEW_VAR to a folder that it may write."
        )
    return ""


def _is_of_the_database(error: BaseException) -> bool:
    from django.db import OperationalError, ProgrammingError

    return isinstance(error, OperationalError | ProgrammingError)


def _is_of_the_broker(error: BaseException) -> bool:
    from kombu.exceptions import OperationalError

    return isinstance(error, OperationalError)


def _of_the_database(error: BaseException) -> str:
    from django.db import OperationalError

    said = str(error)
    if NO_TABLE.search(said):
        return f"The database lacks tables or columns ({said.splitlines()[0]}). Run: manage.py migrate"
    if not isinstance(error, OperationalError):
        return ""
    if NO_FILE.search(said):
        return (
            f"The file of the database cannot be opened or written ({said}). Its folder must be there, and this account"
            " must be allowed to write in it: see DATABASE_URL and LEXREVIEW_VAR."
        )
    if NO_ANSWER.search(said):
        where = _place_of_the_database()
        return f"The database at {where} cannot be reached ({_last_line(said)}). Start it, or correct DATABASE_URL."
    return ""


def _place_of_the_database() -> str:
    from django.conf import settings

    named = settings.DATABASES["default"]
    port = f":{named['PORT']}" if named.get("PORT") else ""
    return f"{named.get('HOST') or 'this machine'}{port}/{named['NAME']}"


def _place_of_the_broker() -> str:
    from django.conf import settings

    try:
        parts = urlsplit(settings.BROKER_URL)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "its address"
    return f"{parts.hostname or 'this machine'}{port}{parts.path}"


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _last_line(said: str) -> str:
    return said.strip().splitlines()[-1].strip()
