"""Refusing JSON in which a field is of another kind than its reader expects."""

from collections.abc import Iterator
from contextlib import contextmanager

from lexreview.law.parsed import UnreadableSource

_OTHER_KIND = (AttributeError, IndexError, KeyError, TypeError, ValueError, RecursionError)


@contextmanager
def expecting(what: str) -> Iterator[None]:
    """Refuse with a reason where reading fails on a list in place of a record, or on words in place of a number.

    For code that does nothing but take apart a JSON value from elsewhere. Raises UnreadableSource.
    """
    try:
        yield
    except UnreadableSource:
        raise
    except _OTHER_KIND as error:
        raise UnreadableSource(f"expected {what}, found a field of another kind: {error}") from error
