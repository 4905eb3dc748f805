"""Aligns the words of a transcript with those of its reference, as error rates count them."""

from collections.abc import Sequence
from dataclasses import dataclass

MOST_WORDS = 600
"""Longer texts are not aligned, since the time grows with the product of their lengths."""

SAME, LEFT_OUT, ADDED = "same", "left out", "added"


@dataclass(frozen=True)
class WordDifferences:
    """The words of two texts in one line, and how many of them differ."""

    pieces: tuple[tuple[str, str], ...]
    """Runs of words, with `same`, `left out` (only in the reference) or `added` (only in the transcript)."""

    replaced: int
    left_out: int
    added: int

    num_words: int
    """Words of the reference."""

    @property
    def num_errors(self) -> int:
        return self.replaced + self.left_out + self.added

    @property
    def rate(self) -> float:
        """Errors per word of the reference; infinite if it has none."""
        return self.num_errors / self.num_words if self.num_words else float("inf") if self.num_errors else 0.0


def align_words(reference: Sequence[str], heard: Sequence[str]) -> WordDifferences | None:
    """Return an alignment with the fewest errors; None for texts of more than `MOST_WORDS` words."""
    if max(len(reference), len(heard)) > MOST_WORDS:
        return None
    rows = [list(range(len(heard) + 1))]
    for number, word in enumerate(reference, 1):
        above, row = rows[-1], [number]
        for other_number, other in enumerate(heard, 1):
            row.append(
                min(above[other_number] + 1, row[other_number - 1] + 1, above[other_number - 1] + (word != other))
            )
        rows.append(row)
    i, j, steps, counts = len(reference), len(heard), [], {"replaced": 0, "left_out": 0, "added": 0}
    while i or j:
        if i and j and rows[i][j] == rows[i - 1][j - 1] + (reference[i - 1] != heard[j - 1]):
            i, j = i - 1, j - 1
            if reference[i] == heard[j]:
                steps.append([(SAME, reference[i])])
            else:
                counts["replaced"] += 1
                steps.append([(LEFT_OUT, reference[i]), (ADDED, heard[j])])
        elif i and rows[i][j] == rows[i - 1][j] + 1:
            i -= 1
            counts["left_out"] += 1
            steps.append([(LEFT_OUT, reference[i])])
        else:
            j -= 1
            counts["added"] += 1
            steps.append([(ADDED, heard[j])])
    pieces: list[tuple[str, list[str]]] = []
    for kind, word in (part for step in reversed(steps) for part in step):
        if pieces and pieces[-1][0] == kind:
            pieces[-1][1].append(word)
        else:
            pieces.append((kind, [word]))
    return WordDifferences(tuple((kind, " ".join(words)) for kind, words in pieces), num_words=len(reference), **counts)
