"""How fast requests go out, against servers on loopback that are fast, slow, or limited in ways they do not say.

    python benchmarks/endpoint.py [--instances 10000] [--processes 2] [--seconds 180] [--only-pace]
    PEER_PYTHON=/path/python INSPECT_PYTHON=/path/python python benchmarks/endpoint.py --only-peers

Each figure is of a whole `helm-run` in a process of its own, with cache and results written. The server is `loopback_server.c`,
one process that the machine's C compiler makes: it takes some 10 microseconds for a request, so that it neither sets the pace
nor takes the processors. Processor time for a request is printed, too (of the command with its workers, and of the server),
since a wall clock says little on a busy machine.

With PEER_PYTHON (of a venv with `crfm-helm` and `openai`) and INSPECT_PYTHON (with `inspect-ai` and `openai`) the same questions
go to the same server through these, with caches and many requests in flight.
"""

import argparse
import atexit
import json
import os
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path

import phases

BODY = json.dumps(
    {
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "A"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 1, "total_tokens": 8},
    }
).encode()


def _response(status: str, body: bytes) -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


@cache
def server_program() -> Path:
    """The compiled server."""
    source = Path(__file__).with_name("loopback_server.c")
    compiler = next((path for name in ("cc", "gcc", "clang") if (path := shutil.which(name))), None)
    if compiler is None:
        raise SystemExit("The server needs a C compiler: cc, gcc or clang.")
    program = Path(tempfile.mkdtemp(prefix="loopback-server-")) / "server"
    atexit.register(shutil.rmtree, program.parent)
    subprocess.run([compiler, "-O2", "-D_GNU_SOURCE", "-o", str(program), str(source)], check=True)
    return program


@contextmanager
def serving(folder: Path, latency_s: float, most_at_once: int, per_minute: int) -> Iterator[str]:
    """Yields the address of a server. `GET /log` gives the time of every request and whether it was accepted."""
    answers = []
    for name, response in (("ok", _response("200 OK", BODY)), ("refused", _response("429 Too Many Requests", b"{}"))):
        answers.append(folder / f"answer-{name}")
        answers[-1].write_bytes(response)
    arguments = [latency_s, most_at_once, per_minute, *answers]
    server = subprocess.Popen([server_program(), *map(str, arguments)], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        yield f"http://127.0.0.1:{server.stdout.readline().strip()}"
    finally:
        server.kill()
        server.wait()


Command = tuple[list[str], dict[str, str]]
"""Arguments and further environment variables."""

PEER_DEPLOYMENT = """
model_deployments:
  - name: loopback/m
    model_name: loopback/m
    tokenizer_name: simple/tokenizer1
    max_sequence_length: 100000
    client_spec:
      class_name: helm.clients.openai_client.OpenAIClient
      args: {{base_url: "{origin}/v1", api_key: x}}
"""
PEER_MODEL = """
models:
  - name: loopback/m
    display_name: m
    description: m
    creator_organization_name: loopback
    access: open
    release_date: 2024-01-01
    tags: [TEXT_MODEL_TAG, FULL_FUNCTIONALITY_TEXT_MODEL_TAG]
"""
INSPECT_TASK = """
import json
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import match
from inspect_ai.solver import generate

@task
def questions(number):
    lines = [json.loads(line) for line in open("questions.jsonl")]
    samples = [Sample(input=line["input"]["text"], target="A") for line in lines if line["split"] == "test"]
    return Task(dataset=MemoryDataset(samples[:number]), solver=generate(cache=True), scorer=match())
"""


def our_command(folder: Path, origin: str, number: int, processes: int = 1) -> Command:
    entry = f"custom_mcqa:path={folder}/questions.jsonl,model=openai-compat/m"
    flags = ["-r", entry, "-m", str(number), "--processes", str(processes)]
    return [sys.executable, "-m", "helm.benchmark.run", *flags], {"OPENAI_BASE_URL": f"{origin}/v1"}


def peer_command(folder: Path, origin: str, number: int) -> Command:
    (folder / "prod_env").mkdir()
    (folder / "prod_env/model_deployments.yaml").write_text(PEER_DEPLOYMENT.format(origin=origin))
    (folder / "prod_env/model_metadata.yaml").write_text(PEER_MODEL)
    entry = f"custom_mcqa:path={folder}/questions.jsonl,model=loopback/m"
    flags = ["-m", str(number), "-n", "64", "--suite", "default"]
    return [os.environ["PEER_PYTHON"], "-m", "helm.benchmark.run", "-r", entry, *flags], {}


def inspect_command(folder: Path, origin: str, number: int) -> Command:
    (folder / "task.py").write_text(INSPECT_TASK)
    program = Path(os.environ["INSPECT_PYTHON"]).parent / "inspect"
    flags = [
        "--model",
        "openai-api/loopback/m",
        "--max-connections",
        "256",
        "--display",
        "none",
        "-T",
        f"number={number}",
    ]
    settings = {
        "LOOPBACK_API_KEY": "x",
        "LOOPBACK_BASE_URL": f"{origin}/v1",
        "INSPECT_CACHE_DIR": str(folder / "cache"),
        "INSPECT_LOG_DIR": str(folder / "logs"),
    }
    return [str(program), "eval", "task.py", *flags], settings


def measure(
    number: int,
    latency_s: float = 0.0,
    most_at_once: int = 0,
    per_minute: int = 0,
    seconds: int = 0,
    command: Callable[[Path, str, int], Command] = our_command,
) -> dict[str, float]:
    """Accepted requests per second between the first and the last one, the share that was refused, the seconds of the whole
    command, and processor time in microseconds for a request: of the command with all its processes, and of the server.

    With `seconds` the run is stopped after so long, and only its second half is looked at.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        phases.write_questions(folder / "questions.jsonl", number)
        with serving(folder, latency_s, most_at_once, per_minute) as origin:
            program, settings = command(folder, origin, number)
            limit = ["--max-time", f"{seconds}s"] if seconds else []
            started, used_s = time.monotonic(), _children_s()
            done = subprocess.run(
                [*program, *limit], cwd=folder, env={**os.environ, **settings}, capture_output=True, text=True
            )
            command_s, used_s = time.monotonic() - started, _children_s() - used_s
            with urllib.request.urlopen(f"{origin}/log") as answer:
                log = json.load(answer)
            with urllib.request.urlopen(f"{origin}/cpu") as answer:
                server_s = json.load(answer)
    if done.returncode and not seconds or not log:
        raise RuntimeError(f"{' '.join(program)} failed:\n{(done.stdout + done.stderr)[-2000:]}")
    num_requests = len(log)
    if seconds:
        log = [entry for entry in log if entry[0] > log[-1][0] - seconds / 2]
    span_s = log[-1][0] - log[0][0]
    accepted = sum(admitted for _, admitted in log)
    refused = 1 - accepted / len(log)
    return {
        "per_second": accepted / span_s,
        "seconds": span_s,
        "refused": refused,
        "command_s": command_s,
        "used_s": used_s,
        "server_us": server_s / num_requests * 1e6,
    }


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def bare_loop(number: int) -> tuple[float, float]:
    """Requests a second, and processor time in microseconds for each, of a loop that does nothing but exchange bytes.

    It sends requests of the usual size, one after the other, over one connection: what Python and this machine can do at most.
    """
    with tempfile.TemporaryDirectory() as name, serving(Path(name), 0.0, 0, 0) as origin:
        host, _, port = origin.partition("://")[2].partition(":")
        body = json.dumps({"model": "m", "messages": [{"role": "user", "content": "word " * 200}]}).encode()
        head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Type: application/json\r\n"
        request = f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
        with socket.create_connection((host, int(port))) as connection:
            started, used_s = time.monotonic(), time.process_time()
            for _ in range(number):
                connection.sendall(request)
                connection.recv(1 << 14)
            return number / (time.monotonic() - started), (time.process_time() - used_s) / number * 1e6


def paces(number: int, processes: int) -> None:
    """Requests a second without latency, by one process and by several, and what a request costs beyond the first tenth."""
    per_second, used_us = bare_loop(number)
    print(f"a bare loop over one connection: {per_second:.0f} exchanges/s; processor time for each: {used_us:.0f} µs")
    for count in (1, processes):
        command = partial(our_command, processes=count)
        few, many = measure(number // 10, command=command), measure(number, command=command)
        used_us = (many["used_s"] - few["used_s"]) / (number - number // 10) * 1e6
        which = "one process" if count == 1 else f"{count} processes"
        print(
            f"no latency, {which}: {many['per_second']:.0f} requests/s; processor time for each, with scores and files: "
            f"{used_us:.0f} µs; of the server {many['server_us']:.0f} µs"
        )


def compare(number: int) -> None:
    """The same questions by all that are installed, in turn.

    The pace is that of the requests beyond the first tenth, from the whole command to its results: some send in bursts, and
    what they do before and after would not be seen by the server.
    """
    from tabulate import tabulate

    sides = {"helm-evals": our_command}
    if os.environ.get("PEER_PYTHON"):
        sides["crfm-helm"] = peer_command
    if os.environ.get("INSPECT_PYTHON"):
        sides["inspect-ai"] = inspect_command
    ours: tuple[float, float, float] | None = None
    rows = []
    for side, command in sides.items():
        few = number // 10
        start_s = measure(few, command=command)["command_s"]
        command_s = measure(number, command=command)["command_s"]
        slow_s = measure(number, latency_s=0.2, command=command)["command_s"]
        found = ((number - few) / max(command_s - start_s, 1e-3), command_s, slow_s)
        ours = ours or found
        ratios = [ours[0] / found[0], found[1] / ours[1], found[2] / ours[2]]
        row = [f"{found[0]:.0f}/s", f"{found[1]:.1f} s", f"{found[2]:.1f} s", *(f"{ratio:.1f}" for ratio in ratios)]
        rows.append([side, *row])
    names = ["requests, written", "whole command", "the same, 200 ms", "we are faster by", "command by", "200 ms by"]
    print(tabulate(rows, [f"{number} requests", *names], disable_numparse=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--instances", type=int, default=10000)
    parser.add_argument(
        "--seconds", type=int, default=180, help="for the limit of requests per minute; 0: leave it out"
    )
    parser.add_argument("--peer-instances", type=int, default=1000)
    parser.add_argument("--only-peers", action="store_true", help="the comparison alone")
    parser.add_argument("--only-pace", action="store_true", help="requests a second without latency alone")
    parser.add_argument("--processes", type=int, default=2)
    args = parser.parse_args()
    if not args.only_pace:
        compare(args.peer_instances)
    if args.only_peers:
        return
    paces(args.instances, args.processes)
    if args.only_pace:
        return
    found = measure(1000, latency_s=0.2)
    print(f"200 ms, no limit:            1,000 requests in {found['seconds']:.2f} s")
    found = measure(3000, latency_s=0.2, most_at_once=50)
    print(
        f"200 ms, 50 at once:          {found['per_second'] / 250:.0%} of what is possible, {found['refused']:.1%} refused"
    )
    if args.seconds:
        found = measure(30 * args.seconds, latency_s=0.2, per_minute=500, seconds=args.seconds)
        share = found["per_second"] * 60 / 500
        print(
            f"200 ms, 500 in a minute:     {share:.0%} of what is possible, {found['refused']:.1%} refused (second half)"
        )


if __name__ == "__main__":
    main()
