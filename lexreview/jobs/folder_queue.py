"""A broker that is one folder: every message a file, put and taken by renaming, so no reader sees half a message.

Celery's own filesystem transport writes a message in place, where a second process may read it before it is written;
docs/adr/0001 has the measurement. Bindings live in memory: every process declares its queue before it uses it.
"""

import os
import time
import uuid
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.transport import virtual
from kombu.utils.json import dumps, loads

SUFFIX = ".message"
LONGEST_WAIT = 0.25


def folder_of(transport: Any) -> Path:
    return Path(transport.client.transport_options["folder"])


class Channel(virtual.Channel):
    """Options of the connection: `folder`, which must exist and be on one file system."""

    @property
    def folder(self) -> Path:
        return folder_of(self.connection)

    def _put(self, queue: str, message: dict[str, Any], **kwargs: Any) -> None:
        name = f"{time.time_ns():020d}.{uuid.uuid4().hex}"
        unfinished = self.folder / f"{name}.writing"
        unfinished.write_text(dumps(message))  # type: ignore[no-untyped-call]
        unfinished.rename(self.folder / f"{name}.{queue}{SUFFIX}")

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        for name in self._names(queue):
            taken = self.folder / f"{name}.taken"
            try:
                (self.folder / name).rename(taken)
            except FileNotFoundError:
                continue
            text = taken.read_text()
            taken.unlink()
            return loads(text)  # type: ignore[no-untyped-call]
        raise Empty

    def _size(self, queue: str) -> int:
        return len(self._names(queue))

    def _purge(self, queue: str) -> int:
        names = self._names(queue)
        for name in names:
            (self.folder / name).unlink(missing_ok=True)
        return len(names)

    def _names(self, queue: str) -> list[str]:
        """Messages of the queue, oldest first; the name begins with the time of putting."""
        return sorted(name for name in os.listdir(self.folder) if name.endswith(f".{queue}{SUFFIX}"))


class Transport(virtual.Transport):
    Channel = Channel
    global_state = virtual.BrokerState()  # type: ignore[no-untyped-call]
    driver_type = "folder"
    driver_name = "folder"
    polling_interval = 0.1
    # A folder that is away (another disk, say) is a broker that does not answer: waited for, and never made anew.
    connection_errors = (OSError,)
    implements = virtual.Transport.implements.extend(
        asynchronous=False, exchange_type=frozenset(["direct", "topic"]), heartbeats=False
    )

    def __init__(self, client: Any, **kwargs: Any) -> None:
        super().__init__(client, **kwargs)  # type: ignore[no-untyped-call]
        self.state = self.global_state

    def establish_connection(self) -> Any:
        os.listdir(folder_of(self))
        return super().establish_connection()  # type: ignore[no-untyped-call]

    def drain_events(self, connection: Any, timeout: float | None = None, **kwargs: Any) -> None:
        """Celery's loop waits two seconds for a message before it looks whether to end; a quarter is enough here."""
        wait = None if timeout is None else min(timeout, LONGEST_WAIT)
        super().drain_events(connection, timeout=wait, **kwargs)  # type: ignore[no-untyped-call]

    def driver_version(self) -> str:
        return "1"
