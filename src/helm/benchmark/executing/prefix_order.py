"""The order in which requests are sent, chosen so that requests with equal prefixes follow each other.

Servers that cache prompt prefixes (vLLM, SGLang, llama.cpp, OpenAI, Anthropic and others) compute a shared prefix once,
provided that it is still cached when the next request arrives. The order in the files of a run is unaffected.
"""

import threading
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from helm.common.concurrency import is_stop_requested

_BLOCK_BYTES = 256
"""About 64 tokens. Prefixes are compared in whole blocks: reordering for a shorter shared remainder is not worthwhile.
"""
_WORTH_WAITING_BYTES = 4096
"""About 1,024 tokens, the minimum that hosted models cache."""
# How soon Ctrl-C is noticed while nothing is ready.
_WAIT_S = 0.5


class PrefixOrder:
    """Groups texts by equal prefixes, recursively; groups and their members keep their original order.

    Texts that share nothing, or all share the same prefix, therefore stay in place. The time is proportional to the
    length of the shared prefixes.

    Args:
        texts: the serialized requests; equal ones stay together.
    """

    def __init__(self, texts: Sequence[bytes]):
        self.positions: list[int] = []
        """Positions in `texts`, in the order in which to send them."""
        self.waits_for: dict[int, int] = {}
        """Maps a text to the earlier text with which it shares a long prefix (4 KB)."""
        head_bytes = _shared_by_all(texts)
        for position, leader in _walk(_build(texts, head_bytes), head_bytes):
            self.positions.append(position)
            if leader is not None:
                self.waits_for[position] = leader


def _shared_by_all(texts: Sequence[bytes]) -> int:
    """Return the length in bytes of the prefix common to all texts, rounded down to whole blocks."""
    if not texts:
        return 0
    # Every other text sorts between these two, so it shares at least the prefix that they share.
    first, last = min(texts), max(texts)
    most = min(len(first), len(last))
    low, high = 0, most // _BLOCK_BYTES
    while low < high:
        middle = (low + high + 1) // 2
        if first[: middle * _BLOCK_BYTES] == last[: middle * _BLOCK_BYTES]:
            low = middle
        else:
            high = middle - 1
    return low * _BLOCK_BYTES


def _build(texts: Sequence[bytes], head_bytes: int) -> dict[Any, Any]:
    """Build a tree of the blocks after the common head, with positions as leaves.

    A text descends only while others share its path.
    """
    root: dict[Any, Any] = {}
    for position, text in enumerate(texts):
        node, start = root, head_bytes
        while True:
            block: Any = text[start : start + _BLOCK_BYTES]
            there = node.get(block)
            if there is None:
                node[block] = position
                break
            if isinstance(there, int):
                if start >= len(text) and start >= len(texts[there]):
                    node[block, position] = position  # a key that no block can have: equal texts are all kept
                    break
                further = start + _BLOCK_BYTES
                there = node[block] = {texts[there][further : further + _BLOCK_BYTES]: there}
            node, start = there, start + _BLOCK_BYTES
    return root


def _walk(root: dict[Any, Any], head_bytes: int) -> Iterator[tuple[int, int | None]]:
    """Yield the leaves in order, each with the first leaf of its deepest ancestor that is deep enough, unless that is itself."""
    stack: list[tuple[Iterator[Any], int]] = [(iter(root.values()), head_bytes)]
    leaders: list[int | None] = [None]
    while stack:
        children, depth_bytes = stack[-1]
        child = next(children, None)
        if child is None:
            stack.pop()
            leaders.pop()
        elif isinstance(child, int):
            level = len(stack) - 1
            while level >= 0 and stack[level][1] >= _WORTH_WAITING_BYTES and leaders[level] is None:
                leaders[level] = child
                level -= 1
            yield child, leaders[level] if level >= 0 else None
        else:
            stack.append((iter(child.values()), depth_bytes + _BLOCK_BYTES))
            leaders.append(None)


class PrefixSchedule:
    """Hands out positions: the first of each group with a long common prefix, and the others once that is answered.

    Groups do not wait for each other. What follows an answered one goes before what begins another group, while the server
    still remembers. When there is nothing else to hand out, those whose first one is not answered yet go too, unless
    `waits`: then whoever asks waits until there is one.

    Threads may call everything at the same time.
    """

    def __init__(self, order: PrefixOrder, waits: bool = False):
        self._waits = waits
        self._condition = threading.Condition()
        self._held: dict[int, deque[int]] = {}
        """Held positions by the one they wait for, in sending order."""
        for position in order.positions:
            if position in order.waits_for:
                self._held.setdefault(order.waits_for[position], deque()).append(position)
        self._begins: deque[int] = deque(p for p in order.positions if p not in order.waits_for)
        self._ready: deque[int] = deque()
        self._error: BaseException | None = None

    def next(self) -> int:
        """Return the next position. Call it once per position.

        Raises: KeyboardInterrupt after Ctrl-C inside `drain_on_interrupt`; the error passed to `failed`.
        """
        with self._condition:
            while True:
                if self._error is not None:
                    raise self._error
                if self._ready:
                    return self._ready.popleft()
                if self._begins:
                    return self._begins.popleft()
                if not self._waits:
                    return self._next_held()
                if is_stop_requested():
                    raise KeyboardInterrupt
                self._condition.wait(_WAIT_S)

    def _next_held(self) -> int:
        leader = next(iter(self._held))
        followers = self._held[leader]
        position = followers.popleft()
        if not followers:
            del self._held[leader]
        return position

    def answered(self, position: int) -> None:
        with self._condition:
            followers = self._held.pop(position, None)
            if followers:
                self._ready.extend(followers)
                self._condition.notify_all()

    def failed(self, error: BaseException) -> None:
        """Record an error; every later call of `next` raises it."""
        with self._condition:
            self._error = error
            self._condition.notify_all()
