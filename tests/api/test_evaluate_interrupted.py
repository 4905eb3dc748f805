"""Ctrl-C, a cancelled task, a kill: what was answered is kept, and the same call asks only for the rest."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import helm

PROGRAM = """
import sys, time
import helm

def answer(prompt):
    with open("asked.txt", "a") as file:
        file.write(prompt + "\\n")
    time.sleep({pause_s})
    return prompt.upper()

rows = [{{"input": f"question {{i}}", "target": f"QUESTION {{i}}"}} for i in range(40)]
try:
    results = helm.evaluate({{"asked": rows}}, {model}, {arguments})
except KeyboardInterrupt:
    sys.exit(7)
print(results.scores()["score"][0], results.scores()["answered"][0])
"""


def asked(folder):
    path = folder / "asked.txt"
    return path.read_text().splitlines() if path.exists() else []


def start(folder, pause_s, model="answer", arguments=""):
    program = PROGRAM.format(pause_s=pause_s, model=model, arguments=arguments)
    return subprocess.Popen(
        [sys.executable, "-c", program], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def wait_until(condition, process):
    deadline = time.monotonic() + 60
    while not condition():
        assert process.poll() is None and time.monotonic() < deadline, process.communicate()
        time.sleep(0.01)


@pytest.mark.parametrize(
    "how, arguments", [(signal.SIGINT, ""), (signal.SIGKILL, ""), (signal.SIGINT, "num_threads=4")]
)
def test_the_same_call_asks_only_for_the_rest(tmp_path, how, arguments):
    process = start(tmp_path, 0.05, arguments=arguments)
    wait_until(lambda: len(asked(tmp_path)) >= 5, process)
    process.send_signal(how)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == (7 if how == signal.SIGINT else -signal.SIGKILL), errors
    before = len(asked(tmp_path))
    assert before < 40
    second = start(tmp_path, 0.05, arguments=arguments)
    # The digest of the function's name includes its code, so the pause is the same.
    output, errors = second.communicate(timeout=120)
    assert output.split() == ["1.0", "40"], errors
    repeated = len(asked(tmp_path)) - 40
    assert repeated == 0 if how == signal.SIGINT else repeated <= 1


def test_a_changed_function_is_asked_for_everything(tmp_path):
    process = start(tmp_path, 0.05)
    wait_until(lambda: len(asked(tmp_path)) >= 5, process)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    before = len(asked(tmp_path))
    output, errors = start(tmp_path, 0.0).communicate(timeout=120)
    assert output.split() == ["1.0", "40"], errors
    assert len(asked(tmp_path)) == before + 40


def test_ctrl_c_in_a_process_leaves_it_usable():
    calls = []

    def answer(prompt):
        calls.append(prompt)
        if len(calls) == 3:
            os.kill(os.getpid(), signal.SIGINT)
        return prompt.upper()

    rows = [{"input": f"question {i}", "target": f"QUESTION {i}"} for i in range(10)]
    handler, threads = signal.getsignal(signal.SIGINT), threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        helm.evaluate(rows, answer, progress="none")
    assert len(calls) < 10
    assert signal.getsignal(signal.SIGINT) == handler and threading.active_count() <= threads
    results = helm.evaluate(rows, answer, progress="none")
    assert len(calls) == 10 and results.scores()["score"][0] == 1.0


def test_a_cancelled_task_finishes_what_is_in_flight_and_continues_later():
    calls = []
    rows = [{"input": f"question {i}", "target": f"QUESTION {i}"} for i in range(60)]

    async def answer(prompt: str) -> str:
        await asyncio.sleep(0.02)
        calls.append(prompt)
        return prompt.upper()

    async def cancel():
        task = asyncio.create_task(helm.evaluate_async(rows, answer, num_threads=2, progress="none"))
        while len(calls) < 4:
            await asyncio.sleep(0.005)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    async def finish():
        return await helm.evaluate_async(rows, answer, num_threads=20, progress="none")

    threads = threading.active_count()
    asyncio.run(cancel())
    assert 4 <= len(calls) < 60 and threading.active_count() <= threads
    results = asyncio.run(finish())
    assert len(calls) == 60 and results.scores()["score"][0] == 1.0


def test_asynchronous_evaluation_leaves_the_loop_to_others_and_runs_functions_in_it():
    loops, ticks = set(), []

    async def answer(prompt: str) -> str:
        loops.add(asyncio.get_running_loop())
        await asyncio.sleep(0.01)
        return prompt.upper()

    async def tick():
        while True:
            ticks.append(1)
            await asyncio.sleep(0.001)

    async def main():
        ticking = asyncio.create_task(tick())
        rows = [{"input": "a", "target": "A"}] * 30
        first, second = await asyncio.gather(
            helm.evaluate_async({"one": rows}, answer, progress="none"), helm.evaluate_async({"two": rows}, answer)
        )
        ticking.cancel()
        assert loops == {asyncio.get_running_loop()}
        return first, second

    first, second = asyncio.run(main())
    assert first.scores()["score"][0] == second.scores()["score"][0] == 1.0
    assert len(ticks) > 5
    with pytest.raises(helm.ConfigError, match="Did you mean 'limit'"):
        asyncio.run(helm.evaluate_async([{"input": "a"}], answer, limt=3))


def test_the_plain_call_works_where_a_loop_is_running():
    async def answer(prompt: str) -> str:
        await asyncio.sleep(0)
        return prompt.upper()

    async def cell():
        return helm.evaluate([{"input": "a", "target": "A"}], answer, progress="none")

    assert asyncio.run(cell()).scores()["score"][0] == 1.0
