"""A run with many pictures: 10,000 of 100 KB each go to a model that sees, or come from a model that paints.

    python benchmarks/media.py [--pictures 10000] [--kills 20] [--only in|out|text]

Three rows: a run of texts, one whose data set has a column of pictures (Parquet, as data sets of the Hub have them), and one
that asks for pictures. Each is a whole `helm-run` in a process of its own with cache and results; the server is another
process, which takes `--at-once` requests at a time of `--latency` seconds each and refuses more. Then the last two once more
in fresh folders, with `kill -9` among the requests, as often as `--kills` says.

- *of the endpoint*: answers a second between the first and the last one, as a share of what the server could give.
- *memory*: the largest of the process.
- *stored*: bytes of all new files, each content of a picture counted as one picture.
- *unrecorded*: answers that the server had sent when the process was killed, without being in its journal yet: unread, or
  read and not yet handed to the operating system. Nobody can keep those.
- *paid twice*: answers that were asked for again although they were recorded.
"""

import argparse
import asyncio
import base64
import hashlib
import json
import os
import random
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request
import zlib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

TEXT, IN, OUT = "text", "in", "out"
NAMES = {TEXT: "texts only", IN: "pictures in", OUT: "pictures out"}
ROWS_OF_A_GROUP = 100  # as the Hub writes files with pictures
CONTENT_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


@cache
def noise_pixels(side: int) -> bytes:
    """Return the end of a PNG of so many pixels a side, which cannot be compressed: about three bytes for each."""
    drawn = random.Random(side).randbytes(3 * side * side)
    rows = b"".join(b"\0" + drawn[start : start + 3 * side] for start in range(0, len(drawn), 3 * side))
    return chunk(b"IDAT", zlib.compress(rows, level=0)) + chunk(b"IEND", b"")


def noise(name: bytes, side: int) -> bytes:
    """Return a PNG. The pixels are always the same, so that the server has little to do; a comment makes the files differ."""
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    comment = chunk(b"tEXt", b"Title\0" + hashlib.sha256(name).hexdigest().encode())
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + comment + noise_pixels(side)


def serve(latency_s: float, at_once: int, side: int) -> None:
    """Print the port. `GET /log` gives what was asked and answered."""
    answers: Counter[bytes] = Counter()
    times: list[float] = []
    state = {"in_flight": 0, "refused": 0}

    def answer(path: bytes, body: bytes) -> dict[str, Any]:
        if b"images" in path:
            return {"data": [{"b64_json": base64.b64encode(noise(body, side)).decode()}]}
        message = {"role": "assistant", "content": hashlib.sha256(body).hexdigest()[:8]}
        usage = {"prompt_tokens": 7, "completion_tokens": 1, "total_tokens": 8}
        return {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": usage}

    def report() -> dict[str, Any]:
        return {"refused": state["refused"], "answers": len(times), "distinct": len(answers), "times": times}

    class Connection(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            self.transport, self.data, self.wanted, self.is_lost = transport, bytearray(), 0, False

        def connection_lost(self, error: Exception | None) -> None:
            self.is_lost = True

        def data_received(self, data: bytes) -> None:
            self.data += data
            while len(self.data) >= self.wanted and b"\r\n\r\n" in self.data:
                head, _, _ = self.data.partition(b"\r\n\r\n")
                found = CONTENT_LENGTH.search(head)
                self.wanted = len(head) + 4 + (int(found[1]) if found else 0)
                if len(self.data) < self.wanted:
                    return
                body = bytes(self.data[len(head) + 4 : self.wanted])
                del self.data[: self.wanted]
                self.wanted = 0
                self.request(bytes(head.split(b" ", 2)[1]), body)

        def request(self, path: bytes, body: bytes) -> None:
            if path == b"/log":
                self.send("200 OK", report())
            elif path.endswith(b"/models"):
                self.send("200 OK", {"data": [{"id": "m"}]})
            elif state["in_flight"] >= at_once:
                state["refused"] += 1
                self.send("429 Too Many Requests", {})
            else:
                state["in_flight"] += 1
                asyncio.get_running_loop().call_later(latency_s, self.done, path, body)

        def done(self, path: bytes, body: bytes) -> None:
            state["in_flight"] -= 1
            if self.is_lost:
                return  # nobody gets it, and nobody pays
            digest = hashlib.sha256(body).digest()
            self.send("200 OK", answer(path, body))
            answers[digest] += 1
            times.append(time.monotonic())

        def send(self, status: str, value: dict[str, Any]) -> None:
            body = json.dumps(value).encode()
            head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            self.transport.write(head.encode() + body)  # type: ignore[attr-defined]

    async def run() -> None:
        server = await asyncio.get_running_loop().create_server(Connection, "127.0.0.1", 0, backlog=2048)
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()

    asyncio.run(run())


ENTRY: dict[str, Any] = {
    "description": "Noise, and a question about each.",
    "split": "test",
    "references": {"answers": ["answer"]},
    "metadata": {"main_metric": "exact_match", "main_split": "test", "display_name": "Noise"},
}
ADAPTER = {"preset": "none", "max_train_instances": 0, "max_tokens": 5, "temperature": 0.0, "num_outputs": 1}
DEPLOYMENTS = """
model_deployments:
  - name: mine/painter
    window_service_spec: {{class_name: helm.benchmark.window_services.no_tokenizer_window_service.NoTokenizerWindowService}}
    client_spec:
      class_name: helm.clients.image_generation.openai_images_client.OpenAICompatibleImagesClient
      args: {{base_url: "{url}"}}
  - name: mine/eyes
    tokenizer_name: simple/tokenizer1
    max_sequence_length: 100000
    capabilities: {{images: true, messages: true}}
    client_spec:
      class_name: helm.clients.openai_compatible_client.OpenAICompatibleClient
      args: {{base_url: "{url}", openai_model_name: m}}
"""


def write_entry(folder: Path, kind: str, number: int, side: int) -> str:
    """Write what a run needs into a folder, and return the run entry."""
    import pyarrow
    import pyarrow.parquet

    entry: dict[str, Any] = {**ENTRY, "name": f"noise_{kind}"}
    rows = [{"question": f"What is number {index}?", "answer": "-"} for index in range(number)]
    schema = {"question": pyarrow.string(), "answer": pyarrow.string()}
    if kind == IN:
        schema["image"] = pyarrow.struct({"bytes": pyarrow.binary(), "path": pyarrow.string()})
        entry.update(media={"picture": {"from": "image"}}, input=["{picture}", "{question}"])
    else:
        entry.update(input="{question}")
    with pyarrow.parquet.ParquetWriter(
        folder / "rows.parquet", pyarrow.schema(schema.items()), compression="none"
    ) as writer:
        for start in range(0, number, ROWS_OF_A_GROUP):
            batch = [dict(row) for row in rows[start : start + ROWS_OF_A_GROUP]]
            if kind == IN:
                for row in batch:
                    row["image"] = {"bytes": noise(row["question"].encode(), side), "path": "a.png"}
            writer.write_table(pyarrow.Table.from_pylist(batch, pyarrow.schema(schema.items())))
    entry["source"] = {"files": [{"path": "rows.parquet"}]}
    adapter: dict[str, Any] = {**ADAPTER, "method": "generation_multimodal" if kind == IN else "generation"}
    metrics: list[Any] = ["exact_match"]
    if kind == OUT:
        adapter["max_tokens"] = 0
        metrics = [{"class": "helm.benchmark.metrics.image_generation.efficiency_metrics.EfficiencyMetric"}]
    adapter.update({name: "" for name in ("input_prefix", "input_suffix", "output_prefix", "output_suffix")})
    entry["run"] = {"adapter": adapter, "metrics": metrics}
    (folder / "noise.yaml").write_text(json.dumps(entry))
    return f"noise_{kind}:model=mine/{'painter' if kind == OUT else 'eyes'}"


class Server:
    """The endpoint, in a process of its own."""

    def __init__(self, latency_s: float, at_once: int, side: int):
        command = [sys.executable, __file__, "serve", str(latency_s), str(at_once), str(side)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.origin = f"http://127.0.0.1:{self._process.stdout.readline().strip()}"

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(f"{self.origin}/{path}", timeout=60) as answer:
            return json.load(answer)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()


class Ran(NamedTuple):
    share: float
    """Answers a second, as a share of what the server could give."""
    memory_mib: float
    cpu_s: float
    stored_bytes: int
    num_pictures: int
    log: dict[str, Any]
    unrecorded: int
    """Answers that were sent before a kill, and are not in the journal after it."""

    @property
    def paid_twice(self) -> int:
        return max(0, self.log["answers"] - self.log["distinct"] - self.unrecorded)


def start(folder: Path, entry: str, number: int) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "helm.benchmark.run", "-r", entry, "--plugins", "noise.yaml", "-m", str(number)]
    with open(folder / "run.log", "ab") as log:
        return subprocess.Popen([*command, "--suite", "s"], cwd=folder, stdout=log, stderr=subprocess.STDOUT)


def run(kind: str, number: int, side: int, latency_s: float, at_once: int, kills: int) -> Ran:
    """One command, or as many as are killed and one more. Raises: RuntimeError if the last one fails."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = Server(latency_s, at_once, side)
        try:
            # In another process: the memory that is measured below includes that of this process when it starts the command.
            writer = [sys.executable, __file__, "write", str(folder), kind, str(number), str(side)]
            entry = subprocess.run(writer, check=True, capture_output=True, text=True).stdout.strip()
            (folder / "prod_env").mkdir()
            (folder / "prod_env/model_deployments.yaml").write_text(DEPLOYMENTS.format(url=f"{server.origin}/v1"))
            given = sum(path.stat().st_size for path in files(folder))
            draws, unrecorded = random.Random(0), 0
            for kill in range(kills):
                process = start(folder, entry, number)
                goal = int(number * (kill + draws.random()) / kills)
                while process.poll() is None and server.get("log")["distinct"] < goal:
                    time.sleep(0.05)
                time.sleep(draws.uniform(0, latency_s))
                process.send_signal(signal.SIGKILL)
                if process.wait() != -signal.SIGKILL:
                    break  # it was done already
                unrecorded += server.get("log")["distinct"] - num_recorded(folder)
            process = start(folder, entry, number)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            log = server.get("log")
            if process.returncode:
                raise RuntimeError(f"{entry} failed:\n{(folder / 'run.log').read_text()[-3000:]}")
            stored = sum(path.stat().st_size for path in files(folder)) - given
            pictures = [path for path in files(folder) if path.suffix == ".png"]
            span_s = log["times"][-1] - log["times"][0]
            share = len(log["times"]) / span_s / (at_once / latency_s)
            cpu_s = usage.ru_utime + usage.ru_stime
            return Ran(share, usage.ru_maxrss / 1024, cpu_s, stored, len(pictures), log, unrecorded)
        finally:
            server.close()


def num_recorded(folder: Path) -> int:
    """Return how many results the run of a killed command has."""
    from helm.common.processes.append_log import read_lines

    for path in folder.glob("benchmark_output/runs/s/noise_*/requests.journal"):
        with open(path, "rb") as file:
            return len({entry[0] for entry in map(json.loads, read_lines(file)[1:]) if len(entry) == 2})
    return 0


def files(folder: Path) -> Iterator[Path]:
    """Each file once, whatever names it has; without the program's own log."""
    seen = set()
    for path in folder.rglob("*"):
        if path.is_file() and path.name != "run.log" and path.stat().st_ino not in seen:
            seen.add(path.stat().st_ino)
            yield path


def main() -> None:
    if sys.argv[1:2] == ["serve"]:
        serve(float(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
        return
    if sys.argv[1:2] == ["write"]:
        print(write_entry(Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]), int(sys.argv[5])))
        return
    from tabulate import tabulate

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=10_000)
    parser.add_argument("--side", type=int, default=184, help="pixels; the bytes are about three times its square")
    parser.add_argument("--kills", type=int, default=20, help="0: leave this part out")
    parser.add_argument("--latency", type=float, default=2.0, help="seconds")
    parser.add_argument("--at-once", type=int, default=100)
    parser.add_argument("--only", choices=list(NAMES), help="one row")
    args = parser.parse_args()
    kinds = [args.only] if args.only else list(NAMES)
    size = args.pictures * len(noise(b"", args.side))
    print(f"{args.pictures:,} pictures of {len(noise(b'', args.side)) / 1e3:.0f} KB, {size / 1e9:.2f} GB")

    rows, texts = [], None
    for kind in kinds:
        ran = run(kind, args.pictures, args.side, args.latency, args.at_once, kills=0)
        texts = ran if kind == TEXT else texts
        above = f"{ran.memory_mib - texts.memory_mib:+.0f} MiB" if texts else ""
        stored = f"{ran.stored_bytes / size:.3f} x" if kind != TEXT else f"{ran.stored_bytes / 1e6:.0f} MB"
        row = [NAMES[kind], f"{ran.share:.0%}", f"{ran.log['refused'] / len(ran.log['times']):.1%}"]
        rows.append([*row, f"{ran.cpu_s:.0f} s", f"{ran.memory_mib:.0f} MiB", above, stored, ran.num_pictures])
    names = ["run", "of the endpoint", "refused", "CPU", "memory", "above texts", "stored", "files"]
    print(tabulate(rows, names, disable_numparse=True))

    rows = []
    for kind in [kind for kind in kinds if kind != TEXT and args.kills]:
        ran = run(kind, args.pictures, args.side, args.latency, args.at_once, args.kills)
        log = ran.log
        found = [log["distinct"], log["answers"], ran.unrecorded, ran.paid_twice]
        rows.append([NAMES[kind], args.kills, *found, f"{ran.stored_bytes / size:.3f} x", ran.num_pictures])
    if rows:
        print()
        names = ["killed", "times", "pictures", "answers", "unrecorded", "paid twice", "stored", "files"]
        print(tabulate(rows, names))


if __name__ == "__main__":
    main()
