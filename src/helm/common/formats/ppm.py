"""Prediction by partial matching: an adaptive model of bytes that learns only from the preceding text.

The next symbol is predicted from the longest context that has occurred before; symbols unseen in that context are predicted
from the next shorter one, and so on down to a uniform distribution. Details:

- Symbols: the 256 bytes and `END`. `END` is never learned, so it only ever gets the share of unseen symbols.
- Escape method D (Howard, "The design and analysis of efficient lossless data compression systems", 1993): in a context
  with counts c summing to n over q distinct symbols, a symbol has probability (2c - 1) / 2n and the escape q / 2n.
- Exclusion (Cleary and Witten, "Data compression using adaptive coding and partial string matching", 1984): symbols of
  longer contexts do not count in the shorter ones, so that every distribution sums to one.
- Update exclusion (Moffat, "Implementing the PPM data compression scheme", 1990): a symbol is counted in the contexts
  that failed to predict it and in the one that succeeded, not in shorter ones.
"""

from collections.abc import Iterator
from math import log

END = 256
"""The symbol after the last byte."""

NUM_SYMBOLS = 257

DEFAULT_ORDER = 6
"""The longest context, in bytes."""

_Counts = int | dict[int, int]
"""The counts of symbols that followed a context. A bare int is a symbol seen once, which saves a dict for most contexts."""


class PPMModel:
    """The adaptive model. `learn` appends text to its history; probabilities are those of the next symbol.

    The history can be rewound (`rewind`), so that prompts with a common prefix share the work. Not thread-safe.
    """

    def __init__(self, order: int = DEFAULT_ORDER):
        if order < 0:
            raise ValueError(f"The order of a PPM model must not be negative, got {order}.")
        self.order = order
        self.history = b""
        """All bytes learned, in order."""
        self._contexts: dict[bytes, _Counts] = {}
        self._depths = bytearray()
        """The number of contexts (the longest first) in which each byte of the history was counted."""

    def learn(self, data: bytes) -> None:
        """Append bytes to the history and count them. A byte takes about 2 microseconds, less in repetitive text."""
        order, contexts, depths = self.order, self._contexts, self._depths
        get = contexts.get
        start = len(self.history)
        self.history = history = self.history + data
        for position in range(start, len(history)):
            symbol = history[position]
            longest = history[position - order : position] if position >= order else history[:position]
            skipped = -1
            for skipped in range(len(longest) + 1):
                context = longest[skipped:]
                counts = get(context)
                if counts is None:
                    contexts[context] = symbol
                elif counts.__class__ is int:
                    if counts == symbol:
                        contexts[context] = {symbol: 2}
                        break
                    contexts[context] = {counts: 1, symbol: 1}
                elif symbol in counts:  # type: ignore[operator]
                    counts[symbol] += 1  # type: ignore[index]
                    break
                else:
                    counts[symbol] = 1  # type: ignore[index]
            depths.append(skipped + 1)

    def rewind(self, length: int) -> None:
        """Forget all but the first `length` bytes of the history, as if they had never been learned."""
        history, contexts = self.history, self._contexts
        for position in range(len(history) - 1, length - 1, -1):
            symbol = history[position]
            longest = history[max(0, position - self.order) : position]
            for skipped in range(self._depths[position]):
                context = longest[skipped:]
                counts = contexts[context]
                if isinstance(counts, int):
                    del contexts[context]
                elif counts[symbol] > 1:
                    counts[symbol] -= 1
                elif len(counts) > 1:
                    del counts[symbol]
                else:
                    del contexts[context]
        del self._depths[length:]
        self.history = history[:length]

    def become(self, history: bytes) -> None:
        """Change to exactly this history, reusing its common prefix with the present one."""
        present = self.history
        common, end = 0, min(len(present), len(history))
        while common < end:  # bisect the length of the common prefix: comparing slices is cheap
            middle = (common + end + 1) // 2
            if present[common:middle] == history[common:middle]:
                common = middle
            else:
                end = middle - 1
        self.rewind(common)
        self.learn(history[common:])

    def _levels(self) -> Iterator[list[tuple[int, int]]]:
        """Yield (symbol, count) pairs of each known context at the history's end, longest first, without exclusions."""
        history, get = self.history, self._contexts.get
        for start in range(max(0, len(history) - self.order), len(history) + 1):
            counts = get(history[start:])
            if counts is not None:
                yield [(counts, 1)] if isinstance(counts, int) else list(counts.items())

    def probability(self, symbol: int) -> float:
        """Return the probability that `symbol` (a byte or `END`) comes next; it is always positive."""
        share = 1.0
        excluded: set[int] = set()
        for level in self._levels():
            total = distinct = count = 0
            for seen, times in level:
                if seen not in excluded:
                    total += times
                    distinct += 1
                    if seen == symbol:
                        count = times
            if count:
                return share * (2 * count - 1) / (2 * total)
            if distinct:
                share *= distinct / (2 * total)
                excluded.update([seen for seen, _ in level])
        return share / (NUM_SYMBOLS - len(excluded))

    def distribution(self) -> list[float]:
        """Return the probabilities of all symbols, by number: the 256 bytes, then `END`. They sum to one."""
        probabilities = [0.0] * NUM_SYMBOLS
        share = 1.0
        excluded: set[int] = set()
        for level in self._levels():
            fresh = [(seen, times) for seen, times in level if seen not in excluded]
            if fresh:
                total = sum([times for _, times in fresh])
                for seen, times in fresh:
                    probabilities[seen] = share * (2 * times - 1) / (2 * total)
                    excluded.add(seen)
                share *= len(fresh) / (2 * total)
        rest = share / (NUM_SYMBOLS - len(excluded))
        for symbol in range(NUM_SYMBOLS):
            if symbol not in excluded:
                probabilities[symbol] = rest
        return probabilities

    def most_likely(self) -> tuple[int, float]:
        """Return the most likely symbol (the lowest of equally likely ones) and its probability.

        Shorter contexts are only examined while their remaining share could exceed the best of the longer ones.
        """
        best, best_probability, share = END + 1, 0.0, 1.0
        excluded: set[int] = set()
        for level in self._levels():
            fresh = [(seen, times) for seen, times in level if seen not in excluded]
            if not fresh:
                continue
            total = sum([times for _, times in fresh])
            most = max([times for _, times in fresh])
            symbol = min([seen for seen, times in fresh if times == most])
            probability = share * (2 * most - 1) / (2 * total)
            if probability > best_probability or (probability == best_probability and symbol < best):
                best, best_probability = symbol, probability
            excluded.update([seen for seen, _ in fresh])
            share *= len(fresh) / (2 * total)
            if share < best_probability:
                return best, best_probability
        rest = share / (NUM_SYMBOLS - len(excluded))
        if rest >= best_probability:
            symbol = next(symbol for symbol in range(NUM_SYMBOLS) if symbol not in excluded)
            if rest > best_probability or symbol < best:
                return symbol, rest
        return best, best_probability

    def score(self, data: bytes) -> list[float]:
        """Return the natural log-probability of each byte given all before it; the bytes are learned on the way."""
        logprobs = []
        for position in range(len(data)):
            logprobs.append(log(self.probability(data[position])))
            self.learn(data[position : position + 1])
        return logprobs


def bits_per_byte(data: bytes, order: int = DEFAULT_ORDER) -> float:
    """Return how many bits per byte the model needs for a text it has not seen; 0.0 for an empty text."""
    return -sum(PPMModel(order).score(data)) / (log(2) * len(data)) if data else 0.0
