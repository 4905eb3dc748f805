"""How fast requests go out, against servers on loopback that are fast, slow, or limited in ways they do not say.

    python benchmarks/endpoint.py [--instances 3000] [--seconds 180]
    PEER_PYTHON=/path/python INSPECT_PYTHON=/path/python python benchmarks/endpoint.py --only-peers

Each figure is of a whole `helm-run` in a process of its own, with cache and results written; the server is another process.
With PEER_PYTHON (of a venv with `crfm-helm` and `openai`) and INSPECT_PYTHON (with `inspect-ai` and `openai`) the same questions
go to the same server through these, with caches and many requests in flight.
"""

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

import phases

BODY = json.dumps(
    {
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "A"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 1, "total_tokens": 8},
    }
).encode()


CONTENT_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


def _response(status: str, body: bytes) -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


async def serve(latency_s: float, most_at_once: int, per_minute: int) -> None:
    """Prints its port. `GET /log` gives the time of every request and whether it was accepted."""
    log: list[tuple[float, bool]] = []
    answer, refusal = _response("200 OK", BODY), _response("429 Too Many Requests", b"{}")
    state = {"in_flight": 0, "level": float(per_minute), "at": time.monotonic()}

    def admit() -> bool:
        now = time.monotonic()
        if most_at_once and state["in_flight"] >= most_at_once:
            return False
        if per_minute:
            state["level"] = min(per_minute, state["level"] + (now - state["at"]) * per_minute / 60)
            state["at"] = now
            if state["level"] < 1:
                return False
            state["level"] -= 1
        return True

    class Connection(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            self.transport, self.data = transport, b""

        def data_received(self, data: bytes) -> None:
            self.data += data
            while b"\r\n\r\n" in self.data:
                head, _, rest = self.data.partition(b"\r\n\r\n")
                found = CONTENT_LENGTH.search(head)
                length = int(found[1]) if found else 0
                if len(rest) < length:
                    return
                self.data = rest[length:]
                self.request(head.startswith(b"GET"))

        def request(self, wants_log: bool) -> None:
            if wants_log:
                self.transport.write(_response("200 OK", json.dumps(log).encode()))
                return
            log.append((time.monotonic(), admit()))
            if not log[-1][1]:
                self.transport.write(refusal)
                return
            state["in_flight"] += 1
            if latency_s:
                asyncio.get_running_loop().call_later(latency_s, self.done)
            else:
                self.done()

        def done(self) -> None:
            state["in_flight"] -= 1
            self.transport.write(answer)

    server = await asyncio.get_running_loop().create_server(Connection, "127.0.0.1", 0, backlog=2048)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


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


def our_command(folder: Path, origin: str, number: int, python: str = sys.executable) -> Command:
    entry = f"custom_mcqa:path={folder}/questions.jsonl,model=openai-compat/m"
    return [python, "-m", "helm.benchmark.run", "-r", entry, "-m", str(number)], {"OPENAI_BASE_URL": f"{origin}/v1"}


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
    """Accepted requests per second between the first and the last one, the share that was refused, and the seconds of the
    whole command.

    With `seconds` the run is stopped after so long, and only its second half is looked at.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        phases.write_questions(folder / "questions.jsonl", number)
        arguments = [str(latency_s), str(most_at_once), str(per_minute)]
        server = subprocess.Popen([sys.executable, __file__, "serve", *arguments], stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            origin = f"http://127.0.0.1:{server.stdout.readline().strip()}"
            program, settings = command(folder, origin, number)
            limit = ["--max-time", f"{seconds}s"] if seconds else []
            started = time.monotonic()
            done = subprocess.run(
                [*program, *limit], cwd=folder, env={**os.environ, **settings}, capture_output=True, text=True
            )
            command_s = time.monotonic() - started
            with urllib.request.urlopen(f"{origin}/log") as answer:
                log = json.load(answer)
        finally:
            server.kill()
            server.wait()
    if done.returncode and not seconds or not log:
        raise RuntimeError(f"{' '.join(program)} failed:\n{(done.stdout + done.stderr)[-2000:]}")
    if seconds:
        log = [entry for entry in log if entry[0] > log[-1][0] - seconds / 2]
    span_s = log[-1][0] - log[0][0]
    accepted = sum(admitted for _, admitted in log)
    refused = 1 - accepted / len(log)
    return {"per_second": accepted / span_s, "seconds": span_s, "refused": refused, "command_s": command_s}


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
    if sys.argv[1:2] == ["serve"]:
        asyncio.run(serve(float(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--instances", type=int, default=3000)
    parser.add_argument(
        "--seconds", type=int, default=180, help="for the limit of requests per minute; 0: leave it out"
    )
    parser.add_argument("--peer-instances", type=int, default=1000)
    parser.add_argument("--only-peers", action="store_true", help="the comparison alone")
    args = parser.parse_args()
    compare(args.peer_instances)
    if args.only_peers:
        return
    found = measure(args.instances)
    print(f"no latency, no limit:        {found['per_second']:.0f} requests/s")
    found = measure(1000, latency_s=0.2)
    print(f"200 ms, no limit:            1,000 requests in {found['seconds']:.2f} s")
    found = measure(args.instances, latency_s=0.2, most_at_once=50)
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
