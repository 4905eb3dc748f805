"""A server on loopback that speaks the chat protocol and knows how often it was asked what."""

import asyncio
import hashlib
import json
import random
import re
import threading
import time
from collections import Counter


class CountingServer:
    """Answers every prompt with a digest of it after `delay_s`, or a random time of at most `max_delay_s`. Knows how
    often each prompt came, and when it was answered.

    One thread and few instructions for a request, so that many may be in flight.
    """

    TOKENS = 10

    def __init__(self, delay_s: float, max_delay_s: float | None = None, padding: str = ""):
        self.counts: Counter = Counter()
        self.answered_at: dict[str, float] = {}
        self.num_answered = 0
        self._padding = padding
        self._age_at_kill_s: dict[str, float] = {}
        self.repeats_after_s: list[float] = []
        """For each request that comes again: so long before the client was killed its answer had been sent."""
        self._delays, self._delay_s, self._max_delay_s = random.Random(1), delay_s, max_delay_s
        self._loop = asyncio.new_event_loop()
        started = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(started,), daemon=True)
        self._thread.start()
        started.wait()

    def _run(self, started):
        async def begin():
            server = await self._loop.create_server(lambda: _Connection(self), "127.0.0.1", 0, backlog=1024)
            self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
            started.set()

        self._loop.run_until_complete(begin())
        self._loop.run_forever()

    def receive(self, connection, body):
        prompt = json.loads(body)["messages"][0]["content"]
        self.counts[prompt] += 1
        if self.counts[prompt] > 1:
            self.repeats_after_s.append(self._age_at_kill_s.get(prompt, 0.0))
        delay_s = self._delay_s if self._max_delay_s is None else self._delays.uniform(0, self._max_delay_s)
        self._loop.call_later(delay_s, self._answer, connection, prompt)

    def _answer(self, connection, prompt):
        text = hashlib.sha256(prompt.encode()).hexdigest()[:8] + self._padding
        message = {"role": "assistant", "content": text}
        answer = {
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": self.TOKENS},
        }
        data = json.dumps(answer).encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        if not connection.is_lost:
            connection.transport.write(head.encode() + data)
            self.answered_at[prompt] = time.monotonic()
            self.num_answered += 1

    def client_was_killed(self):
        """And will be started anew."""
        killed_at = time.monotonic()
        for prompt, answered_at in list(self.answered_at.items()):
            self._age_at_kill_s.setdefault(prompt, killed_at - answered_at)

    def close(self):
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()


class _Connection(asyncio.Protocol):
    def __init__(self, server):
        self.server, self.data, self.is_lost = server, b"", False

    def connection_made(self, transport):
        self.transport = transport

    def connection_lost(self, error):
        self.is_lost = True

    def data_received(self, data):
        self.data += data
        while b"\r\n\r\n" in self.data:
            head, _, rest = self.data.partition(b"\r\n\r\n")
            length = int(re.search(rb"content-length: *(\d+)", head.lower())[1])
            if len(rest) < length:
                return
            self.data = rest[length:]
            self.server.receive(self, rest[:length])
