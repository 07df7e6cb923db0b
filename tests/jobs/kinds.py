"""Kinds of jobs that exist only in tests. Each item leaves lines in a file, so that every begin and end is seen."""

import asyncio
import os
import signal
import time
from pathlib import Path
from typing import Any

from django.db import connection

from lexreview.core.workflow import Role
from lexreview.jobs.kinds import Elsewhere, Failed, Hold, JobKind, Later, Stop, StopJob, register
from lexreview.jobs.models import Job, JobItem


def note(params: dict[str, Any], word: str, key: str = "") -> None:
    line = f"{word} {key} {os.getpid()}\n"
    descriptor = os.open(params["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(descriptor, line.encode())
    os.close(descriptor)


def noted(log: Path, word: str) -> list[str]:
    lines = log.read_text().splitlines() if log.exists() else []
    return [line.split()[1] for line in lines if line.split()[0] == word]


def keys(params: dict[str, Any]) -> list[str]:
    return [f"item-{number:03d}" for number in range(params["count"])]


def process(key: str, params: dict[str, Any], job: Job) -> None:
    note(params, "begin", key)
    time.sleep(params.get("seconds", 0))
    if key in params.get("failing", []) and not (repaired := Path(params["log"] + ".repaired")).exists():
        raise ValueError(f"{key} is bad until {repaired.name} exists")
    if key == params.get("quota"):
        raise StopJob("the quota of today is used up")
    if key == params.get("deadly"):
        os.kill(os.getpid(), signal.SIGKILL)
    note(params, "end", key)


def finish(job: Job) -> None:
    note(job.params, "finish", "-")
    if job.params.get("bad_end"):
        raise ValueError("no good end")


REHEARSAL = register(JobKind(name="rehearsal", label="Rehearsal", items=keys, process=process, on_finish=finish))
DUET = register(JobKind(name="duet", label="Duet", items=keys, process=process, role=Role.LEAD, exclusive=False))


def prepare(item: JobItem, params: dict[str, Any], job: Job) -> Any:
    note(params, "prepare", item.key)
    if item.key in params.get("nothing", []):
        return None
    if item.key == params.get("bad_prepare"):
        raise ValueError("no good beginning")
    if item.key == params.get("stop"):
        return Stop(reason="the quota of today is used up")

    async def wait() -> str:
        note(params, "begin", item.key)
        if item.key == params.get("thief"):
            await asyncio.to_thread(steal, job)
        await asyncio.sleep(params.get("seconds", 0))
        if item.key == params.get("bad_call"):
            raise ValueError("no good call")
        return f"result of {item.key}"

    return wait


def steal(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(turn="another worker's")
    connection.close()


def store(item: JobItem, result: str, params: dict[str, Any], job: Job) -> Any:
    assert result == f"result of {item.key}"
    if item.key == params.get("bad_store"):
        raise ValueError("no good end")
    if item.tries < params.get("again", {}).get(item.key, 0):
        return Later(seconds=params.get("pause", 0.05), reason="busy")
    if item.key in params.get("held", []):
        return Hold(reason="no credit", prefix=params.get("prefix", item.key))
    if item.key in params.get("failing", []) and not Path(params["log"] + ".repaired").exists():
        return Failed(reason="refused")
    note(params, "end", item.key)
    return None


CHOIR = register(
    JobKind(
        name="choir",
        label="Choir",
        items=keys,
        elsewhere=Elsewhere(prepare=prepare, store=store, at_once=lambda params: params.get("at_once", 4)),
        on_finish=finish,
    )
)


def prepare_all(items: list[JobItem], params: dict[str, Any], job: Job) -> list[Any]:
    note(params, "prepare-together", str(len(items)))
    return [prepare(item, params, job) for item in items]


def store_all(arrived: list[tuple[JobItem, str]], params: dict[str, Any], job: Job) -> list[Any]:
    if any(item.key == params.get("bad_store") for item, _ in arrived):
        raise ValueError("one of these cannot be stored")
    note(params, "store-together", str(len(arrived)))
    return [store(item, result, params, job) for item, result in arrived]


CHORUS = register(
    JobKind(
        name="chorus",
        label="Chorus",
        items=keys,
        elsewhere=Elsewhere(
            prepare=prepare,
            store=store,
            at_once=lambda params: params.get("at_once", 4),
            prepare_all=prepare_all,
            store_all=store_all,
        ),
    )
)
