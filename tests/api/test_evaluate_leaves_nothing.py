"""After `helm.evaluate`, its process is as it was before: no threads, files, sockets, settings."""

import asyncio
import contextvars
import gc
import logging
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import helm
from counting_server import CountingServer

ROWS = [{"input": f"question {i}", "target": f"QUESTION {i}"} for i in range(20)]


def open_files():
    """What the process holds open: descriptors with what they lead to."""
    found = {}
    for number in os.listdir("/proc/self/fd"):
        try:
            found[int(number)] = os.readlink(f"/proc/self/fd/{number}")
        except OSError:  # the one with which the folder was read
            pass
    return found


def settled(condition):
    """Whether it holds soon: the server, which is in this process, too, closes its ends a moment after the client."""
    deadline = time.monotonic() + 20
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)
    return condition()


def sockets():
    return sum(path.startswith("socket") for path in open_files().values())


def state():
    """What a call could leave changed."""
    from helm.benchmark.price_registry import given_price_names
    from helm.clients.pacing import limiter
    from helm.common.budgets.spending import get_ledger
    from helm.common.commands.output_path import get_benchmark_output_path
    from helm.common.data.data_session import current_session
    from helm.common.live_functions import current_live

    logger = logging.getLogger("helm")
    return {
        "threads": {thread.name for thread in threading.enumerate()},
        "folder": os.getcwd(),
        "environment": dict(os.environ),
        "collector": gc.get_threshold(),
        "interrupt": signal.getsignal(signal.SIGINT),
        "logging": (logger.level, list(logger.handlers), logger.propagate, list(logging.getLogger().handlers)),
        "output": get_benchmark_output_path(),
        "ledger": get_ledger(),
        "session": current_session(),
        "prices": given_price_names(),
        "limiters": limiter.all_limiters(),
        "window": limiter._max_window,
        "live": current_live(),
        "context": {variable.name: value for variable, value in contextvars.copy_context().items()},
    }


async def answer_async(prompt: str) -> str:
    await asyncio.sleep(0.001)
    return prompt.upper()


def answer_batches(prompts: list[str]) -> list[str]:
    threading.Event().wait(0.005)
    return [prompt.upper() for prompt in prompts]


def broken(prompt):
    raise ValueError("no luck")


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs /proc")
@pytest.mark.parametrize("kind", ["address", "async", "batches", "broken", "tool"])
def test_nothing_is_left(kind):
    gc.collect()  # servers of other tests
    server = CountingServer(delay_s=0.001)
    idle = sockets()
    try:
        models = {
            "address": f"{server.url}#tiny", "async": answer_async, "batches": answer_batches, "broken": broken,
            "tool": "gradbench/numpy",
        }  # fmt: skip
        tasks = "gradbench_hello" if kind == "tool" else ["simple_mcqa", ROWS]
        arguments = {
            "limit": 8,
            "on_error": "return",
            "price": ["1,2"],
            "base_url": "http://127.0.0.1:9/v1",
            "num_threads": 3,
        }
        helm.evaluate(
            tasks, models[kind], suite="first", **arguments
        )  # imports, and whatever is made once in a process
        assert settled(lambda: sockets() <= idle)
        before, files = state(), open_files()
        for suite in ("second", "third"):
            results = helm.evaluate(tasks, models[kind], suite=suite, cache=suite == "second", **arguments)
            assert bool(results.failures) == (kind == "broken")
            assert state() == before
        after = open_files()
        assert {n: path for n, path in after.items() if files.get(n) != path and "socket" not in path} == {}
        assert settled(lambda: sockets() <= idle)
    finally:
        server.close()


def test_python_finds_nothing_unclosed(tmp_path):
    program = """
import gc, helm
rows = [{"input": "a", "target": "A"}] * 3
assert helm.evaluate([rows, "simple_mcqa"], str.upper, progress="none").scores() is not None
async def answer(prompt: str) -> str:
    return "A"
helm.evaluate([rows, "simple_mcqa"], answer, limit=2, progress="none")
gc.collect()
"""
    done = subprocess.run(
        [
            sys.executable,
            "-X",
            "dev",
            "-W",
            "error::ResourceWarning",
            "-W",
            "ignore::DeprecationWarning",
            "-c",
            program,
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_calls_of_two_threads_run_one_after_another():
    inside, most, found = [0], [0], {}

    def answer(prompt):
        inside[0] += 1
        most[0] = max(most[0], inside[0])
        threading.Event().wait(0.005)
        inside[0] -= 1
        return prompt.upper()

    def call(name):
        found[name] = helm.evaluate({name: ROWS}, answer, progress="none").scores()["score"][0]

    threads = [threading.Thread(target=call, args=(name,)) for name in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {"one": 1.0, "two": 1.0} and most == [1]


def test_a_call_inside_a_call_is_refused():
    def answer(prompt):
        return repr(helm.evaluate(ROWS, str.upper))

    with pytest.raises(helm.EvaluationError, match="was called by a function that helm.evaluate itself is calling"):
        helm.evaluate(ROWS[:1], answer, progress="none")


def test_logging_is_the_users(caplog):
    with caplog.at_level(logging.INFO):
        helm.evaluate(ROWS, str.upper, progress="none")
    assert any("Running rows-" in record.message for record in caplog.records)


def test_nothing_is_printed(capfd):
    helm.evaluate(ROWS, str.upper)
    assert capfd.readouterr() == ("", "")
