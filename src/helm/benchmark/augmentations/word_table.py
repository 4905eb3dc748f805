"""Finds the words of a long list in a text, like a regular expression but much faster."""

import re
from collections.abc import Callable, Sequence

_METACHARACTERS = re.compile(r"[\\.^$*+?{}\[\]|()]")

# Characters that match an ASCII letter when case is ignored, besides its other case.
_FOLD = str.maketrans({"\u0130": "i", "\u0131": "i", "\u017f": "s", "\u212a": "k"})

_Entry = tuple[list[str], list[str]]
"""What follows the first word of an entry: words, and the text before each of them (and after the last, if a sign)."""


def fold(word: str) -> str:
    """Normalize a word: two words, one of them ASCII, are equal if and only if they match with `re.IGNORECASE`."""
    return word.lower() if word.isascii() else word.translate(_FOLD).lower()


class WordTable:
    """Replaces what `re.sub(f"{before}({'|'.join(words)}){after}", ...)` would find, in one pass over the text.

    A regular expression with thousands of alternatives takes long to compile and tries nearly all of them at every
    word. Here words are looked up; if several match at the same position, the first in the list wins, as with the
    expression. Lists for which a look-up does not work (such as words that begin with a sign) use the expression
    itself.
    """

    def __init__(
        self,
        words: Sequence[str],
        word_characters: str = r"\w",
        before: str = r"\b",
        after: str = r"\b",
        ignore_case: bool = False,
        escape: bool = False,
    ):
        r"""Compile the list of words.

        Args:
            word_characters: characters of which `before` and `after` allow none next to the word.
            before: `\b`, or `[^\w-]` and the like: one other character, part of the match.
            after: `\b`, `\b ` (a space follows, and is part of the match), or as `before`.
            escape: whether signs in the words are literal; otherwise they are regular expressions.
        """
        other = rf"[^{word_characters}]"
        assert before in (r"\b", other) and after in (r"\b", r"\b ", other) and (before == other) == (after == other)
        self._takes_both_neighbours = before == other
        self._takes_space = after == r"\b "
        self._fold: Callable[[str], str] = fold if ignore_case else str
        self._split = re.compile(f"({other}+)").split
        self._entries: dict[str, list[_Entry]] = {}
        self._regex: re.Pattern | None = None
        if not words:
            return
        if all(self._is_plain(word, ignore_case, escape) for word in words):
            for word in words:
                pieces = self._split(word)
                first, *more_words = [self._fold(piece) for piece in pieces[::2]]
                if more_words and not more_words[-1]:
                    more_words.pop()  # a sign at the end
                self._entries.setdefault(first, []).append((more_words, pieces[1::2]))
        else:
            alternatives = "|".join(map(re.escape, words) if escape else words)
            self._regex = re.compile(f"{before}({alternatives}){after}", re.IGNORECASE if ignore_case else 0)

    def _is_plain(self, word: str, ignore_case: bool, escape: bool) -> bool:
        pieces = self._split(word)
        ends_well = pieces[-1] != "" or not (self._takes_both_neighbours or self._takes_space)
        readable = (escape or not _METACHARACTERS.search(word)) and (word.isascii() or not ignore_case)
        return pieces[0] != "" and ends_well and readable

    def substitute(self, text: str, replacement: Callable[[str], str]) -> str:
        """Replace each word found, as written in the text, from left to right."""
        if self._regex is not None:
            return self._regex.sub(lambda match: match[0].replace(match[1], replacement(match[1])), text)
        entries = self._entries
        pieces = self._split(text)  # words at even positions, separators at odd ones
        words, gaps = list(map(self._fold, pieces[::2])), pieces[1::2]
        free = 0
        for number in [number for number, word in enumerate(words) if word in entries]:
            if number < free:
                continue
            entry = self._first_fit(words, gaps, number, entries[words[number]])
            if entry is None:
                continue
            last = number + len(entry[0])
            start, end = 2 * number, 2 * number + len(entry[0]) + len(entry[1])
            word = "".join(pieces[start : end + 1])
            pieces[start : end + 1] = [replacement(word)] + [""] * (end - start)
            # A single character between two words cannot be the required neighbour of both.
            free = last + (2 if self._takes_both_neighbours and len(gaps[last]) == 1 else 1)
        return "".join(pieces)

    def _first_fit(self, words: list[str], gaps: list[str], number: int, entries: list[_Entry]) -> _Entry | None:
        """Return the first entry that matches at word `number`; None if none does."""
        if self._takes_both_neighbours and number == 0:
            return None
        for entry in entries:
            more_words, more_gaps = entry
            last = number + len(more_words)
            if more_words and words[number + 1 : last + 1] != more_words:
                continue
            if more_gaps:
                if gaps[number : number + len(more_gaps)] != more_gaps:
                    continue
                if len(more_gaps) > len(more_words) and not words[last + 1]:
                    continue  # ends in a sign, after which `\b` requires a word
            if self._takes_space and not (last < len(gaps) and gaps[last].startswith(" ")):
                continue
            if self._takes_both_neighbours and last >= len(gaps):
                continue
            return entry
        return None
