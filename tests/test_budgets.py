"""A budget of money holds: one request over it at the most, over all threads and processes, and what is printed is the truth.

The subject is a server on loopback that counts what it has answered: seven and three tokens each.
"""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from datetime import date

import pytest

from counting_server import CountingServer
from helm.benchmark import run
from helm.benchmark.price_registry import Price, give_prices
from helm.clients.pacing.limiter import forget_limiters
from helm.common.budgets.spending import Budget, BudgetExceeded, Ledger, Spent
from helm.common.budgets.spending_file import SpendingFile
from helm.common.codec import dump_json
from helm.common.errors import ConfigError
from helm.common.request import AUTH, SERVER, Request, RequestResult, Usage

ENTRY = "synthetic_reasoning:mode=pattern_match,model=openai-compat/loopback"


@pytest.fixture
def server():
    server = CountingServer(0.0, max_delay_s=0.05)
    yield server
    server.close()


def start(folder, url, *flags):
    command = [sys.executable, "-m", "helm.benchmark.run", "-r", ENTRY, "-m", "100", "-n", "64"]
    return subprocess.Popen(
        [*command, "--disable-cache", *flags],
        cwd=folder,
        env={**os.environ, "OPENAI_BASE_URL": url},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def finish(process, status):
    output = process.communicate(timeout=120)[0]
    assert process.returncode == status, output
    return output


def in_file(folder):
    """Dollars, by the ledger's file."""
    (path,) = (folder / "benchmark_output/runs/default").glob("spending-*.jsonl")
    return sum(json.loads(line)[2] for line in path.read_text().splitlines())


def printed(output):
    (figure,) = re.findall(r"stopped: \$([0-9.]+) are spent", output)
    return float(figure)


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def helm(tmp_path, server, monkeypatch, capfd):
    """Runs `helm-run` in this process; returns its exit status and what it said."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    forget_limiters()

    def helm(*flags):
        status = 0
        try:
            run.main(["-r", ENTRY, "-m", "100", "-n", "64", "--disable-cache", *flags])
        except SystemExit as e:
            status = e.code
        said = capfd.readouterr()
        return status, said.out + said.err

    yield helm
    forget_limiters()
    give_prices([])


def test_64_in_flight_go_one_request_over_at_the_most(helm, tmp_path, server):
    status, output = helm("--price", "100000,100000", "--max-cost", "20.5")
    assert status == 3, output
    assert sum(server.counts.values()) == server.num_answered == 21, "a dollar each"
    assert printed(output) == in_file(tmp_path) == pytest.approx(21)
    (progress,) = tmp_path.glob("benchmark_output/runs/default/progress.json")
    assert "$21.0000 are spent" in progress.read_text()


def test_no_price_no_request(helm, server):
    status, output = helm("--max-cost", "1")
    assert status == 1
    advice = (
        "no price is known for 'openai-compat/loopback'. Give it with --price openai-compat/loopback=IN,OUT (dollars"
    )
    assert advice in output
    status, output = helm("--max-cost", "1", "--price", "openai-compat/loopbak=1,2")
    assert status == 1 and "--price: no run asks for 'openai-compat/loopbak'. Did you mean" in output
    assert not server.counts
    assert helm("--price", "openai-compat/loopback=100000,100000", "--max-cost", "1.5")[0] == 3
    assert server.num_answered == 2


@pytest.mark.parametrize(
    "flags, message",
    [
        *[([f"--price={text}"], "--price takes IN,OUT or MODEL=IN,OUT") for text in ("1", "a=b,c", "-1,2", "m=1,2,3")],
        (["--max-cost=1", "--server-url=http://127.0.0.1:1"], "leave out --server-url"),
    ],
)
def test_flags_that_cannot_be(helm, server, flags, message):
    status, output = helm(*flags)
    assert status == 1 and message in output
    assert not server.counts


@pytest.mark.slow
def test_two_processes_have_one_budget(tmp_path, server):
    flags = ("--price", "0,100000", "--max-cost", "15.2")
    processes = [start(tmp_path, server.url, *flags) for _ in range(2)]
    outputs = [finish(process, 3) for process in processes]
    assert sum(server.counts.values()) == server.num_answered == 51, "30 cents each"
    assert in_file(tmp_path) == pytest.approx(15.3)
    assert max(map(printed, outputs)) == pytest.approx(15.3)


@pytest.mark.slow
def test_what_a_killed_process_had_in_flight_holds_nobody_up(tmp_path, server):
    flags = ("--price", "100000,100000", "--max-cost", "5.5")
    silent = CountingServer(600.0)
    try:
        process = start(tmp_path, silent.url, *flags)
        deadline = time.monotonic() + 60
        while not silent.counts and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    finally:
        silent.close()
    assert sum(silent.counts.values()) == 1, "it was alone, with no room for a second one"
    finish(start(tmp_path, server.url, *flags), 3)
    assert server.num_answered == 6
    assert in_file(tmp_path) == pytest.approx(6)


# --- the ledger -------------------------------------------------------------------------------------------------------

REQUEST = Request(model_deployment="a/b", prompt="x" * 84, max_tokens=100)  # at most 100 and 100 tokens


def price(**more):
    return Price("a/b", 1_000_000, 1_000_000, date(2026, 1, 1), "-", **more)


def answer(prompt_tokens, completion_tokens, **more):
    usage = None if prompt_tokens is None else Usage(prompt_tokens, completion_tokens)
    return RequestResult(
        **{"success": True, "cached": False, "completions": [], "embedding": [], "usage": usage, **more}
    )


def make_ledger(max_cost, **more):
    return Ledger(Budget(max_cost=max_cost), lambda deployment: price(**more))


def test_many_go_at_once_as_long_as_there_is_room_for_them():
    ledger, lock, sent, now, most = make_ledger(2000.5), threading.Lock(), [], 0, 0

    def work():
        nonlocal now, most
        try:
            while True:
                with ledger.paying(REQUEST):
                    ledger.check()
                    with lock:
                        now += 1
                        most = max(most, now)
                        sent.append(1)
                    time.sleep(0.001)
                    with lock:
                        now -= 1
                    ledger.record("a/b", answer(10, 10))
        except BudgetExceeded:
            pass

    threads = [threading.Thread(target=work) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 1 < most <= 10, "200 dollars each at the most"
    assert ledger.spent().cost == 20 * len(sent) == 2020


def test_room_is_given_back_by_whatever_ends_a_request():
    ledger = make_ledger(300)
    for end in (answer(1, 1), answer(1, 1, cached=True), answer(None, None, success=False), KeyError, BaseException):
        try:
            with ledger.paying(REQUEST):
                assert ledger.take_room() and ledger.take_room(), "a second try has it already"
                assert not ledger.hold(150, 0)
                if isinstance(end, RequestResult):
                    ledger.record("a/b", end)
                else:
                    raise end
        except BaseException as e:
            assert e.__class__ is end
        assert ledger.hold(150, 0), end
        ledger.let_go(150, 0)


def test_what_fails_and_is_counted_all_the_same_is_paid():
    ledger = make_ledger(1000)
    with ledger.paying(REQUEST):
        ledger.check()
        ledger.note_failed_try(Usage(5, 0))
        ledger.check()
        ledger.record("a/b", answer(7, 1, success=False, outcome=SERVER))
    assert ledger.spent().cost == 13 and ledger.spent().outcomes == {SERVER: 1}


def test_an_answer_without_a_count_is_taken_for_the_most():
    ledger = make_ledger(1000)
    with ledger.paying(REQUEST):
        assert ledger.take_room(is_sent=True)
        ledger.record("a/b", answer(None, None))
    assert ledger.spent().cost == 200 and ledger.spent().tokens == 200


def test_who_counts_more_than_the_most_is_believed_the_next_time():
    ledger = make_ledger(1000)
    with ledger.paying(REQUEST):
        ledger.check()
        ledger.record("a/b", answer(100, 400))
    with ledger.paying(REQUEST):
        ledger.check()
        assert not ledger.hold(1, 0), "500 are spent, and 500 in flight"


def test_prompts_beyond_the_range_of_a_price_stop_at_the_first(tmp_path):
    ledger = make_ledger(1000, up_to_prompt_tokens=50)
    with ledger.paying(REQUEST):
        assert ledger.take_room(is_sent=True), "84 characters may be fewer tokens"
        ledger.record("a/b", answer(60, 1))
    assert ledger.spent().cost == 61, "at least"
    with (
        ledger.paying(REQUEST),
        pytest.raises(ConfigError, match="had 60 tokens.*up to 50 only. Give it with --price a/b="),
    ):
        ledger.take_room(is_sent=True)


HOLDS = """
import sys
from helm.common.budgets.spending import Budget, Ledger
from helm.common.budgets.spending_file import SpendingFile
ledger = Ledger(Budget(max_cost=1.0), earlier=SpendingFile(sys.argv[1]))
assert ledger.hold(0.75, 0)
print("held", flush=True)
sys.stdin.read()
"""


def test_the_room_of_another_process_is_taken_until_it_dies(tmp_path):
    path = str(tmp_path / "spending.jsonl")
    process = subprocess.Popen([sys.executable, "-c", HOLDS, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"held\n"
    ledger = Ledger(Budget(max_cost=1.0), earlier=SpendingFile(path))
    assert not ledger.hold(0.5, 0)
    assert ledger.hold(0.125, 0)
    assert not ledger.hold(0.25, 0)
    process.kill()
    process.communicate()
    assert ledger.hold(0.5, 0)
    assert not ledger.hold(0.5, 0)
    assert ledger.all_spent() == (0.0, 0)


def test_the_time_of_a_command_ends_while_it_waits_for_room():
    now = [0.0]
    ledger = Ledger(Budget(max_cost=1.0, max_seconds=10), clock=lambda: now[0])
    assert ledger.hold(1.0, 0)
    now[0] = 11.0
    with pytest.raises(BudgetExceeded, match="--max-time is 10 s"):
        ledger.wait_for_room()


def test_what_other_processes_spent_is_merged():
    now = [100.0]
    ledger = Ledger(Budget(max_cost=10.0, max_seconds=60), clock=lambda: now[0])
    ledger.add(Spent(3, 2, 50, 7, 1.5, 1, {SERVER: 2}, 20.0))
    ledger.add(Spent(10, 20, 500, 70, 4.25, 4, {SERVER: 1, AUTH: 1}, 5.0))
    now[0] = 101.0
    assert ledger.spent() == Spent(13, 22, 550, 77, 5.75, 5, {SERVER: 3, AUTH: 1}, 21.0), "as old as the oldest"
    ledger.check()
    ledger.add(Spent(1, 0, 1, 1, 4.25, 0, {}, 0.0))
    with pytest.raises(BudgetExceeded, match=r"\$10.0000 are spent"):
        ledger.check()


def test_the_hub_gives_back_what_a_lost_worker_held():
    from helm.benchmark.cluster.hub import Hub, HubLedger, no_spending

    hub = Hub(dump_json(Budget(max_cost=500)), dump_json(no_spending()), "")

    def worker(name):
        return HubLedger(
            lambda deployment: price(), Budget(max_cost=500), lambda method, *args: getattr(hub, method)(*args), name
        )

    first, second = worker("first"), worker("second")
    with second.paying(REQUEST):
        assert first.hold(200, 0) and second.take_room()
        assert not first.hold(200, 0), "400 of 500 are in flight"
        hub.forget("first")
        assert second.hold(200, 0)
        assert not second.hold(200, 0)
        second.record("a/b", answer(100, 150))
    assert second.hold(20, 0) and not second.hold(40, 0), "250 are spent, 220 in flight"
    hub.spend(dump_json(replace(no_spending(), completion_tokens=300, cost=300.0)))
    with pytest.raises(BudgetExceeded, match=r"\$550.0000 are spent"):
        second.check()


def test_batches_and_other_processes_know_of_each_other(tmp_path):
    path = str(tmp_path / "spending.jsonl")
    one, other = (Ledger(Budget(max_cost=1.0), earlier=SpendingFile(path)) for _ in range(2))
    one.reserve("batch", 0.5, 10)
    with pytest.raises(BudgetExceeded, match=r"to roughly \$1.1250"):
        other.check_room(0.625, 0)
    assert other.hold(0.25, 0) and not other.hold(0.375, 0)
    one.release("batch")
    assert other.hold(0.375, 0)
    one.note(Spent(0, 0, 1, 1, 0.25, 0, {}, 0.0))
    with pytest.raises(BudgetExceeded, match=r"to roughly \$1.1250"):
        other.check_room(0.25, 0)
