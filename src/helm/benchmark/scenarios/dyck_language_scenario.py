"""Closing the parentheses of a Dyck word."""

from collections.abc import Callable, Sequence
from random import Random

from helm.benchmark.scenarios.scenario import (
    CORRECT_TAG,
    TEST_SPLIT,
    TRAIN_SPLIT,
    Input,
    Instance,
    Output,
    Reference,
    Scenario,
)
from helm.common.errors import ConfigError
from helm.common.random_draws import Below, numpy_below

PARENTHESIS_PAIRS: tuple[tuple[str, str], ...] = (("(", ")"), ("[", "]"), ("{", "}"), ("<", ">"))
_MAX_PART_LENGTH = 100
"""Longer parts of a word are rejected."""


class DyckLanguageScenario(Scenario):
    """Complete a word of balanced parentheses whose last closing ones are missing.

    Words come from the probabilistic grammar S -> open S close (probability `prob_p`) | S S (`prob_q`) | nothing, with
    nesting up to `max_recursive_depth`. Input text: the parentheses except for the last few, space-separated. The
    single reference: the 1 to `max_output_size` missing ones, each after a space. 3 train and 500 test instances, all
    inputs different. Source: HELM's dyck_language, after Suzgun et al. (2019).

    Args:
        num_parenthesis_pairs: number of kinds of parentheses, 1 to 4.
        min_seq_train_length: minimum length of the complete word in the train split, in parentheses.
        max_seq_train_length: maximum length in the train split.
        min_seq_test_length: minimum length in the test split.
        max_seq_test_length: maximum length in the test split.

    Raises: ConfigError for numbers out of range.
    """

    name = "dyck_language"
    description = "Generate the closing parentheses of a Dyck-n prefix"
    tags = ["reasoning", "language", "hierarchy"]

    def __init__(
        self,
        num_parenthesis_pairs: int,
        num_train_instances: int = 3,
        num_test_instances: int = 500,
        parenthesis_pairs: Sequence[Sequence[str]] = PARENTHESIS_PAIRS,
        prob_p: float = 0.5,
        prob_q: float = 0.25,
        max_recursive_depth: int = 100,
        min_seq_train_length: int = 4,
        max_seq_train_length: int = 50,
        min_seq_test_length: int = 52,
        max_seq_test_length: int = 100,
        max_output_size: int = 3,
        seed: int = 42,
    ):
        super().__init__()
        if not (prob_p > 0 and prob_q > 0 and prob_p + prob_q < 1):
            raise ConfigError(
                f"dyck_language: prob_p and prob_q must be positive with a sum below 1, got {prob_p} and {prob_q}."
            )
        if not 1 <= num_parenthesis_pairs <= len(parenthesis_pairs):
            raise ConfigError(
                f"dyck_language: num_parenthesis_pairs must be 1 to {len(parenthesis_pairs)}, "
                f"got {num_parenthesis_pairs}."
            )
        self.pairs = [(opening, closing) for opening, closing in parenthesis_pairs[:num_parenthesis_pairs]]
        self.prob_p = prob_p
        self.prob_q = prob_q
        self.max_recursive_depth = max_recursive_depth
        self.train_lengths = (min_seq_train_length, max_seq_train_length)
        self.test_lengths = (min_seq_test_length, max_seq_test_length)
        self.max_output_size = max_output_size
        self.seed = seed
        self.num_train_instances = num_train_instances
        self.num_test_instances = num_test_instances
        self._closing_of: dict[str, str] = dict(self.pairs)

    def get_instances(self, output_path: str) -> list[Instance]:
        generator, below = Random(self.seed), numpy_below(self.seed)
        seen: set[str] = set()
        instances = []
        for split, count, lengths in (
            (TRAIN_SPLIT, self.num_train_instances, self.train_lengths),
            (TEST_SPLIT, self.num_test_instances, self.test_lengths),
        ):
            remaining = count
            while remaining:
                text, answer = self._question(generator, below, *lengths)
                if text not in seen:
                    seen.add(text)
                    references = [Reference(Output(text=answer), tags=[CORRECT_TAG])]
                    instances.append(Instance(Input(text=text), references, split=split))
                    remaining -= 1
        return instances

    def _question(self, generator: Random, below: Below, min_length: int, max_length: int) -> tuple[str, str]:
        """Return the next input and its answer: words are drawn until one is long enough and can be cut."""
        while True:
            word = self._word(generator.random, below, max_length)
            if len(word) >= min_length:
                end = self._cut(word, generator.randint(1, self.max_output_size))
                if end:
                    return " ".join(word[:end]), "".join([f" {closing}" for closing in self._missing(word[:end])])

    def _word(self, draw: Callable[[], float], below: Below, max_length: int) -> list[str]:
        """Return a balanced word; empty if it would be longer than `max_length`."""
        pairs, deepest = self.pairs, self.max_recursive_depth
        prob_p, prob_p_or_q = self.prob_p, self.prob_p + self.prob_q
        word: list[str] = []

        def extend(depth: int, longest: int) -> None:
            """Append the expansion of S, unless it is longer than `longest` or too deep."""
            if depth > deepest:
                return
            start, u = len(word), draw()
            if u < prob_p:
                opening, closing = pairs[below(len(pairs))]
                word.append(opening)
                extend(depth + 1, _MAX_PART_LENGTH)
                word.append(closing)
            elif u < prob_p_or_q:
                extend(depth, _MAX_PART_LENGTH)
                extend(depth, _MAX_PART_LENGTH)
            if len(word) - start > longest:
                del word[start:]

        extend(0, max_length)
        return word

    def _cut(self, word: list[str], num_missing: int) -> int | None:
        """Return the last position after which `num_missing` more parentheses close than open."""
        surplus = 0
        for position in range(len(word) - 1, -1, -1):
            surplus += -1 if word[position] in self._closing_of else 1
            if surplus == num_missing:
                return position
        return None

    def _missing(self, prefix: list[str]) -> list[str]:
        """Return what closes a prefix of a balanced word, innermost first."""
        expected: list[str] = []
        for parenthesis in prefix:
            if parenthesis in self._closing_of:
                expected.append(self._closing_of[parenthesis])
            else:
                expected.pop()
        return expected[::-1]
