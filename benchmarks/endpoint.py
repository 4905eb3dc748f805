"""How fast requests go out, against servers on loopback that are fast, slow, or limited in ways they do not say.

    python benchmarks/endpoint.py [--instances 3000] [--seconds 180]

Each figure is of a whole `helm-run` in a process of its own, with cache and results written; the server is another process.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Dict, List, Tuple

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


async def serve(latency_s: float, most_at_once: int, per_minute: int) -> None:
    """Prints its port. `GET /log` gives the time of every request and whether it was accepted."""
    log: List[Tuple[float, bool]] = []
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
                lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
                length = int(lengths[0].partition(b":")[2]) if lengths else 0
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


def measure(number: int, latency_s: float = 0.0, most_at_once: int = 0, per_minute: int = 0, seconds: int = 0) -> Dict:
    """Accepted requests per second between the first and the last one, and the share that was refused.

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
            entry = f"custom_mcqa:path={folder}/questions.jsonl,model=openai-compat/m"
            limit = ["--max-time", f"{seconds}s"] if seconds else []
            subprocess.run(
                [sys.executable, "-m", "helm.benchmark.run", "-r", entry, "-m", str(number), *limit],
                cwd=folder,
                env={**os.environ, "OPENAI_BASE_URL": f"{origin}/v1"},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=not seconds,
            )
            log = json.load(urllib.request.urlopen(f"{origin}/log"))
        finally:
            server.kill()
            server.wait()
    if seconds:
        log = [entry for entry in log if entry[0] > log[-1][0] - seconds / 2]
    span_s = log[-1][0] - log[0][0]
    accepted = sum(admitted for _, admitted in log)
    return {"per_second": accepted / span_s, "seconds": span_s, "refused": 1 - accepted / len(log)}


def main() -> None:
    if sys.argv[1:2] == ["serve"]:
        asyncio.run(serve(float(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--instances", type=int, default=3000)
    parser.add_argument(
        "--seconds", type=int, default=180, help="for the limit of requests per minute; 0: leave it out"
    )
    args = parser.parse_args()
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
