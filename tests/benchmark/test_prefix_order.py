"""Requests that share a beginning follow each other; the files of a run do not change."""

import json
import random
import threading
import time
from collections import OrderedDict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path

import pytest

from helm.benchmark import run
from helm.benchmark.executing.prefix_order import PrefixOrder, PrefixSchedule
from helm.clients.pacing.limiter import forget_limiters
from helm.common.concurrency import parallel_map
from helm.common.telemetry.progress_report import read_progress


def shared(a, b):
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def groups_of(rng, num_groups, num_each, head_bytes, group_bytes):
    """Shuffled texts with a common head, and in each group a longer common beginning."""
    head = rng.randbytes(head_bytes)
    bodies = [rng.randbytes(group_bytes) for _ in range(num_groups)]
    texts = [(g, head + bodies[g] + rng.randbytes(20)) for g in range(num_groups) for _ in range(num_each)]
    rng.shuffle(texts)
    return [g for g, _ in texts], [text for _, text in texts]


@pytest.mark.parametrize("seed", range(20))
def test_groups_are_together_in_the_order_of_their_first_members(seed):
    rng = random.Random(seed)
    groups, texts = groups_of(rng, rng.randint(1, 8), rng.randint(1, 6), rng.randint(0, 3000), rng.randint(512, 9000))
    order = PrefixOrder(texts).positions
    assert sorted(order) == list(range(len(texts)))
    seen = [groups[position] for position in order]
    assert seen == [g for g in dict.fromkeys(groups) for _ in range(groups.count(g))]
    for g in set(groups):
        members = [position for position in order if groups[position] == g]
        assert members == sorted(members)


@pytest.mark.parametrize(
    "texts",
    [
        [],
        [b""],
        [b"", b""],
        [b"a", b"a", b"ab"],
        [b"%d" % i for i in range(500)],
        [b"x" * 9000 + b"%d" % i for i in range(99)],
    ],
    ids=["none", "empty", "two empty", "equal", "nothing shared", "all shared"],
)
def test_where_order_does_not_matter_it_stays(texts):
    assert PrefixOrder(texts).positions == list(range(len(texts)))


@pytest.mark.parametrize("seed", range(20))
def test_one_waits_for_another_exactly_when_that_one_brings_its_long_beginning(seed):
    rng = random.Random(seed)
    head = rng.choice([0, 100, 5000])
    groups, texts = groups_of(rng, 5, 4, head, rng.choice([300, 4096 + 256, 12_000]))
    order = PrefixOrder(texts)
    sent: list[int] = []
    for position in order.positions:
        best = max((shared(texts[position], texts[other]) // 256 * 256 for other in sent), default=0)
        leader = order.waits_for.get(position)
        if best >= 4096:
            assert leader in sent and shared(texts[position], texts[leader]) // 256 * 256 == best
        else:
            assert leader is None
        sent.append(position)


def test_it_takes_time_in_proportion_to_the_texts():
    def seconds(n):
        texts = [b"x" * 5000 + b"%d" % (i % 50) * 200 + b"%d" % i for i in range(n)]
        started = time.thread_time()
        PrefixOrder(texts)
        return time.thread_time() - started

    seconds(500)
    assert seconds(8000) < 16 * max(seconds(1000), 0.002)


def test_very_long_texts():
    texts = [b"x" * 2_000_000 + b"a", b"x" * 2_000_000 + b"b"]
    assert PrefixOrder(texts).waits_for == {1: 0}


@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize("num_threads", [1, 3, 16])
@pytest.mark.parametrize("seed", range(5))
def test_nobody_goes_before_the_one_that_brings_the_beginning_and_nobody_is_forgotten(seed, num_threads, waits):
    rng = random.Random(seed)
    _, texts = groups_of(rng, 6, 5, rng.choice([0, 5000]), 6000)
    order = PrefixOrder(texts)
    schedule, done, lock = PrefixSchedule(order, waits), [], threading.Lock()

    def work(_):
        position = schedule.next()
        with lock:
            assert not waits or order.waits_for.get(position) in [None, *done]
        time.sleep(rng.random() * 0.002)
        with lock:
            done.append(position)
        schedule.answered(position)

    parallel_map(work, range(len(texts)), num_threads)
    assert sorted(done) == list(range(len(texts)))


def test_those_that_go_early_are_the_ones_next_in_order():
    schedule = PrefixSchedule(PrefixOrder([b"x" * 9000 + b"%d" % i for i in range(6)]))
    assert [schedule.next() for _ in range(3)] == [0, 1, 2], "nobody waits when there is nothing else to do"
    schedule.answered(0)
    assert [schedule.next() for _ in range(3)] == [3, 4, 5]


def test_what_follows_an_answer_goes_before_what_begins_another_group():
    texts = [letter * 9000 + b"%d" % i for letter in (b"a", b"b", b"c") for i in range(3)]
    schedule = PrefixSchedule(PrefixOrder(texts))
    assert [schedule.next(), schedule.next()] == [0, 3]
    schedule.answered(3)
    assert [schedule.next() for _ in range(4)] == [4, 5, 6, 1]


def test_when_the_first_one_fails_nobody_waits_for_ever():
    schedule = PrefixSchedule(PrefixOrder([b"x" * 9000 + b"%d" % i for i in range(50)]), waits=True)

    def work(_):
        position = schedule.next()
        time.sleep(0.05)
        error = ValueError(f"request {position}")
        schedule.failed(error)
        raise error

    with pytest.raises(ValueError, match="request 0"):
        parallel_map(work, range(50), 8)


# --- against a server that remembers beginnings


class RememberingServer:
    """Speaks the chat protocol; remembers the blocks of prompts it has answered, as many as `capacity_blocks`, those used
    longest ago going first. A beginning can be used from the moment when the first request that has it is answered."""

    BLOCK = 64

    def __init__(self, capacity_blocks, latency_s):
        self.lock, self.blocks = threading.Lock(), OrderedDict()
        self.num_blocks = self.num_hits = 0
        self.prompts = []
        self.may_answer = threading.Event()
        self.may_answer.set()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                prompt = body["messages"][0]["content"]
                keys = [prompt[:end] for end in range(outer.BLOCK, len(prompt), outer.BLOCK)]
                with outer.lock:
                    outer.prompts.append(prompt)
                    hits = next((i for i, key in enumerate(keys) if key not in outer.blocks), len(keys))
                    for key in keys[:hits]:
                        outer.blocks.move_to_end(key)
                time.sleep(latency_s)
                outer.may_answer.wait(60)
                with outer.lock:
                    outer.num_blocks += len(keys)
                    outer.num_hits += hits
                    for key in keys:
                        outer.blocks[key] = True
                        outer.blocks.move_to_end(key)
                    while len(outer.blocks) > capacity_blocks:
                        outer.blocks.popitem(last=False)
                message = {"role": "assistant", "content": f"{len(prompt)}"}
                answer = {
                    "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                    "usage": {
                        "prompt_tokens": len(prompt) // 4,
                        "completion_tokens": 1,
                        "prompt_tokens_details": {"cached_tokens": hits * outer.BLOCK // 4},
                    },
                }
                data = json.dumps(answer).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args):
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 512

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    @property
    def hit_rate(self):
        return self.num_hits / self.num_blocks

    def close(self):
        self._server.shutdown()
        self._server.server_close()


NUM_PASSAGES, NUM_QUESTIONS = 30, 8


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """300 questions on 30 passages, in an order that mixes them, as a scenario's sample is."""
    rng = random.Random(1)
    words = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"]
    passages = [f"Passage {p}. " + " ".join(rng.choices(words, k=900)) for p in range(NUM_PASSAGES)]
    questions = [f"{passage}\nQuestion {q}?" for passage in passages for q in range(NUM_QUESTIONS)]
    rng.shuffle(questions)
    references = [{"output": {"text": "yes"}, "tags": ["correct"]}]
    lines = [json.dumps({"input": {"text": text}, "references": references, "split": "test"}) for text in questions]
    (tmp_path / "q.jsonl").write_text("\n".join(lines) + "\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HELM_RETRIES", "0")
    forget_limiters()
    yield tmp_path
    forget_limiters()


def evaluate(folder, server, suite, monkeypatch, remembers=False, order=True):
    """Runs all questions; returns the files that hold no times."""
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    name = "lab/remembering"
    deployment = {
        "name": name,
        "client_spec": {"class_name": "helm.clients.openai_compatible_client.OpenAICompatibleClient"},
        "prefix_cache": remembers,
    }
    (folder / "prod_env").mkdir(exist_ok=True)
    (folder / "prod_env/model_deployments.yaml").write_text(json.dumps({"model_deployments": [deployment]}))
    with monkeypatch.context() as patch:
        if not order:

            class AsTheyCome:
                def __init__(self, texts):
                    self.positions, self.waits_for = list(range(len(texts))), {}

            patch.setattr("helm.benchmark.executing.journaled_run.PrefixOrder", AsTheyCome)
        entry = f"custom_mcqa:path={folder}/q.jsonl,num_train_instances=0,model={name}"
        run.main(["-r", entry, "-m", "1000", "--suite", suite, "--disable-cache", "-n", "16"])
    (path,) = Path("benchmark_output/runs", suite).glob("custom*")
    state = json.loads((path / "scenario_state.json").read_text())
    for request_state in state["request_states"]:
        for field in ("request_time", "request_datetime", "usage"):
            del request_state["result"][field]
    return state


def test_a_server_that_remembers_beginnings_finds_them(folder, monkeypatch, capsys):
    states, rates, seconds = [], {}, {}
    for name, remembers, order in (
        ("as they come", False, False),
        ("ordered", False, True),
        ("first alone", True, True),
    ):
        server = RememberingServer(capacity_blocks=1500, latency_s=0.03)
        started = time.monotonic()
        states.append(evaluate(folder, server, name.replace(" ", "_"), monkeypatch, remembers, order))
        seconds[name] = time.monotonic() - started
        rates[name] = server.hit_rate
        assert len(server.prompts) == NUM_PASSAGES * NUM_QUESTIONS
        server.close()
        forget_limiters()
    assert states[0] == states[1] == states[2], "the files do not show in which order requests were sent"
    best = 1 - 1 / NUM_QUESTIONS
    with capsys.disabled():
        shown = ", ".join(f"{name} {rate:.0%} ({seconds[name]:.1f} s)" for name, rate in rates.items())
        print(f"\n  share of the prompts that the server remembered: {shown}; the most there is {best:.0%}")
    assert rates["as they come"] < 0.6
    assert rates["ordered"] > best - 0.15
    assert rates["first alone"] > best - 0.06


def test_order_is_no_slow_start(folder, monkeypatch):
    """What does not share a long beginning is not held back: sixteen in as few waves as the limiter begins with."""
    server = RememberingServer(capacity_blocks=10_000, latency_s=0.3)
    text = (folder / "q.jsonl").read_text().splitlines()
    short = [{**json.loads(line), "input": {"text": f"{i}: short"}} for i, line in enumerate(text[:32])]
    (folder / "q.jsonl").write_text("".join(json.dumps(line) + "\n" for line in short))
    times = []
    prompts = server.prompts

    class Noting(list):
        def append(self, prompt):
            times.append(time.monotonic())
            super().append(prompt)

    server.prompts = Noting(prompts)
    evaluate(folder, server, "short", monkeypatch, remembers=True)
    server.close()
    shown = [round(t - times[0], 2) for t in times]
    assert sum(b - a > 0.25 for a, b in pairwise(sorted(times)[:17])) <= 3, shown


# --- equal requests on their way


def answer_when_all_have_asked(server, suite):
    """All eight runs have sent their requests, or wait for those of another run."""

    def are_all_waiting():
        report = read_progress(f"benchmark_output/runs/{suite}")
        return report and [run.stage for run in report.commands[0].runs] == ["execution"] * 8

    deadline = time.monotonic() + 60
    while not are_all_waiting() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(1)
    server.may_answer.set()


def test_equal_requests_of_several_runs_and_deployments_are_sent_once(folder, monkeypatch):
    """Two deployments of one server and four runs of each ask the same things at the same moment."""
    lines = (folder / "q.jsonl").read_text().splitlines()[:6]
    for copy in range(4):
        (folder / f"copy{copy}.jsonl").write_text("\n".join(lines) + "\n")
    deployments = [
        {
            "name": f"{host}/m",
            "client_spec": {"class_name": "helm.clients.openai_compatible_client.OpenAICompatibleClient"},
        }
        for host in ("one", "two")
    ]
    (folder / "prod_env").mkdir()
    (folder / "prod_env/model_deployments.yaml").write_text(json.dumps({"model_deployments": deployments}))
    for suite, flags in (("cached", []), ("uncached", ["--disable-cache"])):
        server = RememberingServer(capacity_blocks=10, latency_s=0.5)
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        server.may_answer.clear()
        threading.Thread(target=answer_when_all_have_asked, args=(server, suite), daemon=True).start()
        entries = [
            f"custom_mcqa:path={folder}/copy{copy}.jsonl,num_train_instances=0,model={host}/m"
            for copy in range(4)
            for host in ("one", "two")
        ]
        run.main(["-r", *entries, "-m", "10", "--suite", suite, *flags])
        assert len(server.prompts) == len(set(server.prompts)) == 6, suite
        server.close()
        forget_limiters()
        paths = list(Path("benchmark_output/runs", suite).glob("*/scenario_state.json"))
        assert len(paths) == 8
        for path in paths:
            states = json.loads(path.read_text())["request_states"]
            assert [s["result"]["completions"][0]["text"] for s in states] == [
                f"{len(s['request']['prompt'])}" for s in states
            ]
