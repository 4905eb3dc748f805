"""In which order requests are sent, so that those whose beginnings are equal follow each other.

Servers that remember the beginnings of prompts (vLLM, SGLang, llama.cpp, OpenAI, Anthropic and others) compute a shared
beginning once, as long as they have not forgotten it when the next request comes. The order in the files of a run is not
touched.
"""

import threading
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from helm.common.concurrency import is_stop_requested

_BLOCK_BYTES = 256
"""About 64 tokens. Beginnings are compared by such blocks: what is shared beyond the last whole one is not worth an order."""
_WORTH_WAITING_BYTES = 4096
"""About 1,024 tokens, the least that hosted models remember."""
_WAIT_S = 0.5


class PrefixOrder:
    """Texts in groups with equal beginnings, groups within groups; groups and their members in the order in which they came.

    So texts that share nothing, or all the same, stay as they are. Takes time in proportion to the length of what is shared.

    Args:
        texts: of the requests; equal ones stay together.
    """

    def __init__(self, texts: Sequence[bytes]):
        self.positions: list[int] = []
        """Positions in `texts`, in the order in which to send."""
        self.waits_for: dict[int, int] = {}
        """For a text whose long beginning (4 KB) another one has before it: the position of that other one."""
        head_bytes = _shared_by_all(texts)
        for position, leader in _walk(_build(texts, head_bytes), head_bytes):
            self.positions.append(position)
            if leader is not None:
                self.waits_for[position] = leader


def _shared_by_all(texts: Sequence[bytes]) -> int:
    """The length in bytes of the beginning that all texts have, in whole blocks: what the first and the last one by alphabet
    share."""
    if not texts:
        return 0
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
    """A tree of blocks behind the head, with positions for leaves. A text goes down only as far as others share its way."""
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
                    node[block, position] = position  # equal texts
                    break
                further = start + _BLOCK_BYTES
                there = node[block] = {texts[there][further : further + _BLOCK_BYTES]: there}
            node, start = there, start + _BLOCK_BYTES
    return root


def _walk(root: dict[Any, Any], head_bytes: int) -> Iterator[tuple[int, int | None]]:
    """The leaves in order; with each the first leaf of the deepest node above it that is deep enough, if it is another."""
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
    """Hands out positions: of each group with a long common beginning the first one, and when that is answered the others.

    Groups do not wait for each other. What follows an answered one goes before what begins another group, while the server
    still remembers. When there is nothing else to hand out, those whose first one is not answered yet go too, unless
    `waits`: then whoever asks waits until there is one.

    Threads may call everything at the same time.
    """

    def __init__(self, order: PrefixOrder, waits: bool = False):
        self._waits = waits
        self._condition = threading.Condition()
        self._held: dict[int, deque[int]] = {}
        """By the one they wait for; in the order in which those go."""
        for position in order.positions:
            if position in order.waits_for:
                self._held.setdefault(order.waits_for[position], deque()).append(position)
        self._begins: deque[int] = deque(p for p in order.positions if p not in order.waits_for)
        self._ready: deque[int] = deque()
        self._error: BaseException | None = None

    def next(self) -> int:
        """The next position. To be called as often as there are positions.

        Raises: KeyboardInterrupt when Ctrl-C was pressed inside `drain_on_interrupt`; what `failed` was told.
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
        """Nothing more is handed out."""
        with self._condition:
            self._error = error
            self._condition.notify_all()
