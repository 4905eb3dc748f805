"""Episodes of agents a second, paired with inspect_ai: the same scripted model over HTTP, the same loop, a tool of this process.

    python benchmarks/agents.py --peer PYTHON --episodes 1000 --rounds 3
    python benchmarks/agents.py --memory --episodes 10000
    python benchmarks/agents.py --sandboxes 64

`PYTHON` is the interpreter of an environment with inspect_ai and openai; it is only run. Each round runs both, in turns. The
model answers at once with a call of a tool, and at the last turn with `submit`: everything around that is measured. Times
are of the whole command, with its start.
"""

import argparse
import asyncio
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time

TASKS = """
defaults:
  environment:
    class_name: helm.agents.environments.python_domain.PythonDomain
    args: {class_name: shop.Shop, data: {pears: 2}}
  agent: {class_name: helm.agents.agents.ReactLoop}
  answer: "2"
tasks:
"""
BOX_TASKS = """
defaults:
  environment:
    class_name: helm.agents.environments.bubblewrap_box.BubblewrapBox
    args: {memory_mb: 256, storage_mb: 16}
  agent: {class_name: helm.agents.agents.ReactLoop}
  answer: "2"
tasks:
"""
SHOP = '''
from helm.agents.tools.tool import tool


class Shop:
    def __init__(self, pears):
        self.pears = pears

    @tool
    def count(self, item: str) -> int:
        """Count an item.

        Args:
            item: its name.
        """
        return self.pears
'''
PEER = '''
import sys
from inspect_ai import Task, eval
from inspect_ai.agent import react
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import get_model
from inspect_ai.scorer import match
from inspect_ai.tool import tool


@tool
def count():
    async def execute(item: str) -> str:
        """Count an item.

        Args:
            item: its name.
        """
        return "2"

    return execute


url, episodes, width = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
samples = [Sample(input=f"How many pears are there? ({number})", target="2", id=number) for number in range(episodes)]
task = Task(dataset=MemoryDataset(samples), solver=react(tools=[count()]), scorer=match())
model = get_model("openai/m", base_url=url, api_key="x", responses_api=False)
(log,) = eval(
    task, model=model, display="none", log_dir="logs", max_samples=width, max_connections=width, message_limit=100,
)
assert log.status == "success", log.error
print(log.results.scores[0].metrics["accuracy"].value)
'''


class ScriptedModel(asyncio.Protocol):
    """Answers chat completions: a call at each turn, and `submit` at the last one."""

    def __init__(self, turns, tool):
        self._turns, self._tool, self._data = turns, tool, b""

    def connection_made(self, transport):
        self._transport = transport

    def data_received(self, data):
        self._data += data
        while b"\r\n\r\n" in self._data:
            head, _, rest = self._data.partition(b"\r\n\r\n")
            length = re.search(rb"(?i)content-length: *(\d+)", head)
            size = int(length[1]) if length else 0
            if len(rest) < size:
                return
            self._data = rest[size:]
            self._transport.write(self._answer(head, rest[:size]))

    def _answer(self, head, body):
        if head.startswith(b"GET"):
            value = {"object": "list", "data": [{"id": "m", "max_model_len": 65536}]}
        else:
            turn = len(re.findall(rb'"role": ?"assistant"', body))
            name, arguments = ("submit", {"answer": "2"}) if turn >= self._turns - 1 else self._tool
            call = {
                "id": f"c{turn}",
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(arguments)},
            }
            message = {"role": "assistant", "content": None, "tool_calls": [call]}
            usage = {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25}
            choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
            value = {
                "id": "r",
                "object": "chat.completion",
                "created": 0,
                "model": "m",
                "choices": [choice],
                "usage": usage,
            }
        data = json.dumps(value).encode()
        return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(data), data)


def serve(turns, tool):
    """Start the server; return its address."""
    ready = threading.Event()
    found = []

    def run():
        async def main():
            server = await asyncio.get_running_loop().create_server(
                lambda: ScriptedModel(turns, tool), "127.0.0.1", 0, backlog=1024
            )
            found.append(server.sockets[0].getsockname()[1])
            ready.set()
            await server.serve_forever()

        asyncio.run(main())

    threading.Thread(target=run, daemon=True).start()
    ready.wait()
    return f"http://127.0.0.1:{found[0]}/v1"


def run_helm(folder, url, episodes, width, tasks=TASKS):
    """Run the episodes with helm-run; return wall time, processor time, and the largest memory in MiB."""
    lines = [f"  - {{id: t{number}, instruction: How many pears are there? ({number})}}" for number in range(episodes)]
    with open(os.path.join(folder, "tasks.yaml"), "w") as file:
        file.write(tasks + "\n".join(lines))
    with open(os.path.join(folder, "shop.py"), "w") as file:
        file.write(SHOP)
    command = [
        sys.executable, "-m", "helm.benchmark.run", "-m", str(episodes), "--suite", "s", "--disable-cache", "--no-probe",
        "-n", str(width), "--progress", "none", "-r", f"agent_tasks:path=tasks.yaml,model={url}#m",
    ]  # fmt: skip
    return measure(command, folder)


def run_peer(python, folder, url, episodes, width):
    """Run the episodes with inspect_ai; return wall time, processor time, and the largest memory in MiB."""
    with open(os.path.join(folder, "peer.py"), "w") as file:
        file.write(PEER)
    return measure([python, "peer.py", url, str(episodes), str(width)], folder)


def measure(command, folder):
    """Run a command, whose only score has to be 1."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=folder, env={**os.environ, "PYTHONPATH": folder}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )  # fmt: skip
    output = process.communicate()[0]
    wall_s = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode or not re.search(r"\b1(\.0)?\b", output):
        raise SystemExit(f"{' '.join(command)} failed:\n{output}")
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall_s, cpu_s, after.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--peer",
        metavar="PYTHON",
        default=os.environ.get("INSPECT_PYTHON"),
        help="interpreter with inspect_ai and openai",
    )
    parser.add_argument("--episodes", type=int, default=1000)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--width", type=int, default=32, help="episodes at once")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--memory", action="store_true", help="the memory of helm-run for a tenth, and for all episodes"
    )
    parser.add_argument("--sandboxes", type=int, metavar="N", help="N episodes in bubblewrap, all at once")
    args = parser.parse_args()
    tool = ("bash", {"command": "echo 2"}) if args.sandboxes else ("count", {"item": "pear"})
    url = serve(args.turns, tool)
    if args.sandboxes:
        with tempfile.TemporaryDirectory() as folder:
            wall_s, cpu_s, _ = run_helm(folder, url, args.sandboxes, args.sandboxes, BOX_TASKS)
        print(f"{args.sandboxes} sandboxes at once: {wall_s:.1f} s, {cpu_s:.1f} s of processors, no failures")
        return
    if args.memory:
        for episodes in (args.episodes // 10, args.episodes):
            with tempfile.TemporaryDirectory() as folder:
                wall_s, _, memory = run_helm(folder, url, episodes, args.width)
            print(f"{episodes} episodes: at most {memory:.0f} MiB so far, {episodes / wall_s:.0f} episodes/s")
        return
    ratios = []
    for number in range(args.rounds):
        with tempfile.TemporaryDirectory() as folder:
            ours = run_helm(folder, url, args.episodes, args.width)
            line = (
                f"round {number + 1}: helm-run {args.episodes / ours[0]:.1f} episodes/s, {ours[1]:.1f} s of processors"
            )
            if args.peer:
                theirs = run_peer(args.peer, folder, url, args.episodes, args.width)
                ratios.append(theirs[0] / ours[0])
                line += (
                    f"; inspect_ai {args.episodes / theirs[0]:.1f} episodes/s, {theirs[1]:.1f} s; "
                    f"{ratios[-1]:.1f} times as many, {theirs[1] / ours[1]:.1f} times by processor time"
                )
        print(line, flush=True)
    if ratios:
        print(
            f"median of {len(ratios)} rounds: {statistics.median(ratios):.1f} times the episodes a second of inspect_ai"
        )


if __name__ == "__main__":
    main()
