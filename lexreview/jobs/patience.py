"""A database that is away for a while is waited for: what has arrived meanwhile was paid for."""

import logging
import time
from collections.abc import Callable
from typing import TypeVar

from django.db import DatabaseError, InterfaceError, OperationalError, connection

logger = logging.getLogger(__name__)
T = TypeVar("T")

# Longer than that, the worker gives up.
PATIENCE = 600.0
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0


def patiently(action: Callable[[], T]) -> T:
    """The result of `action`, tried again while the database cannot be reached; it must be safe to repeat."""
    pause, limit = FIRST_PAUSE, time.monotonic() + PATIENCE
    while True:
        try:
            return action()
        except (OperationalError, InterfaceError) as error:
            if connection.in_atomic_block or time.monotonic() > limit:
                raise
            logger.warning("the database does not answer; trying again in %.1f s: %s", pause, error)
            forget_connection()
            time.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)


def forget_connection() -> None:
    """This thread's next query opens a new one: one that broke stays broken."""
    try:
        connection.close()
    except DatabaseError:
        logger.info("a lost connection could not be closed", exc_info=True)
