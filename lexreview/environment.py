"""Typed readers of environment variables; each refuses a value it cannot read and names the variable."""

import os
from decimal import Decimal, InvalidOperation
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit
from zoneinfo import available_timezones

from django.core.exceptions import ImproperlyConfigured

TRUE_WORDS = {"1", "true", "yes", "on"}
FALSE_WORDS = {"0", "false", "no", "off", ""}
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
DATABASE_FORMS = "it must be like postgresql://user:password@host:5432/name or sqlite:///path"


def read_text(name: str, default: str = "") -> str:
    return os.environ.get(name, default).strip()


def read_bool(name: str, default: bool = False) -> bool:
    value = os.environ.get(name)
    if value is None:
        return default
    folded = value.strip().lower()
    if folded in TRUE_WORDS:
        return True
    if folded in FALSE_WORDS:
        return False
    raise ImproperlyConfigured(f"{name} must be one of 1/0, true/false, yes/no, on/off; it is {value!r}")


def read_int(name: str, default: int) -> int:
    value = os.environ.get(name)
    if value is None or not value.strip():
        return default
    try:
        return int(value)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must be a whole number; it is {value!r}") from error


def read_amount(name: str, default: str) -> Decimal:
    """An amount of USD that is not negative."""
    value = os.environ.get(name, "").strip() or default
    try:
        amount = Decimal(value)
    except InvalidOperation as error:
        raise ImproperlyConfigured(f"{name} must be an amount of USD; it is {value!r}") from error
    if not amount.is_finite() or amount < 0:
        raise ImproperlyConfigured(f"{name} must be an amount of USD that is not negative; it is {value!r}")
    return amount


def read_time_zone(name: str, default: str) -> str:
    value = os.environ.get(name, "").strip() or default
    if value not in available_timezones():
        raise ImproperlyConfigured(f"{name} must be a time zone such as Europe/Warsaw; it is {value!r}")
    return value


def read_log_level(name: str, default: str) -> str:
    value = (os.environ.get(name, "").strip() or default).upper()
    if value not in LOG_LEVELS:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(LOG_LEVELS)}; it is {value!r}")
    return value


def read_limits(name: str) -> dict[str, tuple[int, int]]:
    """Limits a minute by provider, `openai=500/200000,local=60`: calls, then tokens; 0 or left out: none."""
    limits = {}
    for part in read_list(name):
        provider, _, amounts = part.partition("=")
        calls, _, tokens = amounts.partition("/")
        if not (provider.strip() and calls.strip().isdecimal() and (tokens.strip() or "0").isdecimal()):
            raise ImproperlyConfigured(f"{name} must be like openai=500/200000,local=60; it has {part!r}")
        limits[provider.strip()] = (int(calls), int(tokens or 0))
    return limits


def read_list(name: str, default: str = "") -> list[str]:
    return [part.strip() for part in os.environ.get(name, default).split(",") if part.strip()]


def read_path(name: str, default: Path) -> Path:
    value = os.environ.get(name, "").strip()
    return Path(value) if value else default


def read_database(name: str, default_path: Path) -> dict[str, object]:
    """Settings of the default database from a URL: `postgresql://user:password@host:port/name` or `sqlite:///path`.

    Empty: SQLite at `default_path`. SQLite runs in WAL mode and takes its write lock at the start of a transaction,
    so two writers queue instead of failing half-way. PostgreSQL compiles no plans (JIT): for lists of a million cards
    that took seconds where the query takes milliseconds. `?options=` in the URL says otherwise.
    """
    url = os.environ.get(name, "").strip()
    if not url:
        return _sqlite(default_path)
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        # The error may quote a part of the password.
        raise ImproperlyConfigured(f"{name} is no address of a database: {DATABASE_FORMS}") from None
    if parts.scheme == "sqlite":
        return _sqlite(Path(unquote(parts.path[1:] if parts.path.startswith("/") else parts.path) or default_path))
    if parts.scheme in {"postgres", "postgresql"}:
        if not parts.path.strip("/"):
            raise ImproperlyConfigured(f"{name} names no database: {DATABASE_FORMS}")
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": unquote(parts.path.lstrip("/")),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": unquote(parts.hostname or ""),
            "PORT": str(port or ""),
            "OPTIONS": {"options": "-c jit=off", **dict(parse_qsl(parts.query))},
            "CONN_MAX_AGE": 60,
            "CONN_HEALTH_CHECKS": True,
        }
    raise ImproperlyConfigured(f"{name} must begin with postgresql:// or sqlite:///; it begins with {parts.scheme!r}")


def _sqlite(path: Path) -> dict[str, object]:
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 30,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
        },
    }
