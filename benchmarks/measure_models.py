"""What a call of a model costs beside the call itself, how many run at once, and what is lost when workers are killed.

On a machine that others use too, processor time per call is the figure to go by: of the worker as a whole, of the
thread that keeps the rows, of the event loop that waits for the calls, and of the server of the tests beside it.

Against the server of the tests, in a process of its own, over real HTTP; on SQLite in `var/bench`, or on DATABASE_URL
(PostgreSQL) where MODELS_DATABASE_URL is set. Figures go to `var/bench/models.json`. `--short` measures a tenth, for
machines that are shared. Run it from the project's folder: `.venv/bin/python benchmarks/measure_models.py`.
"""

import argparse
import asyncio
import math
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.results import bench_folder, figure, write_figures  # noqa: E402

# Asked for before the variable names the folder that is thrown away.
FIGURES = bench_folder()
folder = tempfile.TemporaryDirectory(prefix="models-", dir=FIGURES)
os.environ["LEXREVIEW_VAR"] = folder.name
os.environ["DATABASE_URL"] = os.environ.get("MODELS_DATABASE_URL") or f"sqlite:///{folder.name}/models.sqlite3"
os.environ["BROKER_URL"] = ""
os.environ["PROVIDER_LIMITS"] = ""
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.answers.worker_settings"
QUESTIONS = 10
MIB = 1024 * 1024


class Server(NamedTuple):
    address: str
    pid: int

    @property
    def busy(self) -> float:
        """Seconds of processor time that it has taken."""
        user, system = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


@contextmanager
def model_server() -> Iterator[Server]:
    """The server of the tests in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.providers.server"], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        yield Server(f"http://127.0.0.1:{int(process.stdout.readline())}", process.pid)
    finally:
        process.kill()
        process.wait()


def prepared(model: str) -> str:
    """A benchmark of QUESTIONS questions whose system is `model`; its slug."""
    from tests.answers.driver import prepare

    slug = f"bench-{model.replace('.', '-')}"
    prepare(slugs=[slug], model=model, questions=QUESTIONS)
    return slug


def started(slug: str, *, calls: int, concurrency: int) -> Any:
    from lexreview.answers.actions import start_collecting
    from lexreview.answers.collecting import make_plan
    from lexreview.questions.models import Benchmark

    plan = make_plan(
        benchmark=Benchmark.objects.get(slug=slug), systems=["argon"], conditions=["W0"],
        repetitions=min(calls // QUESTIONS, 100),
    )  # fmt: skip
    return start_collecting(plan=plan, concurrency=concurrency, confirmed=True, by=None, now=timezone.now())


class Watched:
    """Time on the wall and on processors of a block, by who took it."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def __enter__(self) -> "Watched":
        self._begin = self._now()
        return self

    def __exit__(self, *exc: object) -> None:
        spent = {name: now - self._begin[name] for name, now in self._now().items()}
        self.wall = spent.pop("wall")
        self.busy = spent

    def _now(self) -> dict[str, float]:
        async def on_the_loop() -> float:
            return time.thread_time()

        return {
            "wall": time.perf_counter(),
            "worker": time.process_time(),
            "rows": time.thread_time(),
            "loop": asyncio.run_coroutine_threadsafe(on_the_loop(), background_loop()).result(),
            "server": self._server.busy,
        }

    def figures(self, what: str, calls: int) -> list[dict[str, Any]]:
        return [
            figure(f"processor time per call, {name}, {what}, ms", seconds / calls * 1000, n=calls)
            for name, seconds in self.busy.items()
        ]


def overhead(calls: int, server: Server) -> list[dict[str, Any]]:
    """One call after the other: the time of an item, from the end of the one before, less that of its call."""
    from lexreview.jobs.running import run_to_end
    from lexreview.providers.models import Call

    job = started(prepared("slow-20"), calls=calls, concurrency=1)
    with Watched(server) as watched:
        job = run_to_end(job)
    ended = list(job.items.order_by("finished_at").values_list("key", "finished_at"))
    latency = dict(Call.objects.of_job(job).values_list("item_key", "latency_ms"))
    beside = [(later - earlier).total_seconds() * 1000 - latency[key] for (_, earlier), (key, later) in pairwise(ended)]
    p50, p95 = statistics.median(beside), statistics.quantiles(beside, n=20)[18]
    inside = statistics.median(latency.values()) - 20
    return [
        figure("overhead per call, p50, ms", p50, target="<= 15", n=len(beside), met=p50 <= 15),
        figure("overhead per call, p95, ms", p95, target="<= 40", n=len(beside), met=p95 <= 40),
        figure("inside the client and on the wire, p50, ms", inside, n=len(latency)),
        *watched.figures("one at a time", calls),
    ]


def throughput(calls: int, server: Server) -> list[dict[str, Any]]:
    from lexreview.jobs.running import run_to_end

    concurrency = 32
    job = started(prepared("slow-500"), calls=calls, concurrency=concurrency)
    with Watched(server) as watched:
        job = run_to_end(job)
    assert (job.done, job.failed) == (calls, 0), job
    # As many rounds of half a second as the calls need, the last one not full: 16 s for 1,000 calls, 32 at once.
    ideal = math.ceil(calls / concurrency) * 0.5
    share = ideal / watched.wall
    return [
        figure(
            "share of the ideal wall at concurrency 32", share, target=">= 0.9", n=calls, met=share >= 0.9,
            wall_seconds=round(watched.wall, 2), ideal_seconds=ideal,
        ),
        *watched.figures("32 at a time", calls),
    ]  # fmt: skip


def killing(calls: int, kills: int, address: str) -> list[dict[str, Any]]:
    """Workers killed at moments spread over the whole run at random; the last one ends the job."""
    import httpx

    from lexreview.answers.models import Answer
    from lexreview.jobs.models import Job
    from lexreview.providers.models import Call

    concurrency = 8
    slug = prepared("slow-150")
    job = started(slug, calls=calls, concurrency=concurrency)
    chance = random.Random(20261129)
    # The run must not end before the last kill: a worker that starts takes whatever is left at its pace.
    reached = sorted(chance.sample(range(1, calls - 8 * concurrency), kills))
    before = len(httpx.get(f"{address}/seen").json()["seen"])
    at_work = []
    for answers_there in reached:
        worker = spawn_worker()
        wait(lambda n=answers_there: Call.objects.of_job(job).exclude(latency_ms=None).count() >= n)
        time.sleep(chance.uniform(0, 0.3))
        assert is_live(job), "the run ended before all kills"
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()
        at_work.append(Call.objects.of_job(job).at_work().count())
    worker = spawn_worker()
    wait(lambda: not is_live(job))
    os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()
    job = Job.objects.get(pk=job.pk)
    seen = [each for each in httpx.get(f"{address}/seen").json()["seen"][before:] if each["model"] == "slow-150"]
    asked = Counter((each["prompt"]) for each in seen)
    answers = Answer.objects.filter(run__benchmark__slug=slug)
    lost, repeated = calls - answers.count(), sum(asked.values()) - calls
    doubled = answers.count() - answers.values("question_id", "run_id").distinct().count()
    return [
        figure("answers lost", lost, target="0", n=calls, met=lost == 0, kills=kills, job=job.state),
        figure("answers doubled", doubled, target="0", n=calls, met=doubled == 0),
        figure(
            "calls repeated in all", repeated, target=f"<= {concurrency} per kill", n=kills,
            met=repeated <= concurrency * kills,
        ),
        figure(
            "calls at work at one kill, most", max(at_work), target=f"<= {concurrency}", n=kills,
            met=max(at_work) <= concurrency,
        ),
    ]  # fmt: skip


def spawn_worker() -> "subprocess.Popen[bytes]":
    log = (Path(folder.name) / "worker.log").open("ab")
    return subprocess.Popen(
        [sys.executable, "manage.py", "worker"], cwd=ROOT, start_new_session=True,
        stdout=log, stderr=log,
    )  # fmt: skip


def is_live(job: Any) -> bool:
    return bool(type(job).objects.get(pk=job.pk).is_live)


def wait(happened: Any, seconds: float = 300) -> None:
    limit = time.monotonic() + seconds
    while not happened():
        if time.monotonic() > limit:
            raise SystemExit("waited in vain")
        time.sleep(0.05)


def memory(calls: int) -> list[dict[str, Any]]:
    """Growth of this process after a tenth of the calls, when everything is imported and connected."""
    from lexreview.jobs.running import run_to_end

    warm = max(calls // 10, 100)
    slugs = [prepared(f"plain.{number}") for number in range(max(calls // 1000, 1))]
    run_to_end(started(prepared("plain.warm"), calls=warm, concurrency=32))
    begin = resident()
    done = 0
    for slug in slugs:
        done += run_to_end(started(slug, calls=min(calls, 1000), concurrency=32)).done
    grown = (resident() - begin) / MIB
    return [figure("growth of a worker, MiB", grown, target="<= 50", n=done, met=grown <= 50)]


def resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="a tenth of everything")
    parser.add_argument("--only", choices=["overhead", "throughput", "killing", "memory"], nargs="+")
    options = parser.parse_args()
    part = 10 if options.short else 1
    with model_server() as server:
        os.environ["LOCAL_BASE_URL"] = f"{server.address}/v1"
        setup()
        from lexreview.jobs.running import run_to_end

        run_to_end(started(prepared("plain.first"), calls=QUESTIONS, concurrency=1))  # imports, first connections
        chosen = {
            "overhead": lambda: overhead(1000 // part, server),
            "throughput": lambda: throughput(1000 // (4 if options.short else 1), server),
            "killing": lambda: killing(
                500 // (5 if options.short else 1), 20 // (5 if options.short else 1), server.address
            ),
            "memory": lambda: memory(10_000 // part),
        }
        figures = [
            row for name, measure in chosen.items() if not options.only or name in options.only for row in measure()
        ]
    if not options.only:
        print(write_figures("models", figures, folder=FIGURES, short=options.short))


def setup() -> None:
    global timezone, background_loop
    import django

    django.setup()
    from django.core.management import call_command
    from django.utils import timezone

    from lexreview.jobs.elsewhere import background_loop

    call_command("migrate", verbosity=0)


if __name__ == "__main__":
    main()
