"""Abstract reasoning over patterns of symbols and words."""

from dataclasses import dataclass

from helm.benchmark.scenarios.scenario import (
    CORRECT_TAG,
    TEST_SPLIT,
    TRAIN_SPLIT,
    VALID_SPLIT,
    Input,
    Instance,
    Output,
    Reference,
    Scenario,
)
from helm.common.errors import ConfigError, suggest
from helm.common.random_draws import Below, numpy_below, shuffle_with

PATTERN_MATCH = "pattern_match"
VARIABLE_SUBSTITUTION = "variable_substitution"
INDUCTION = "induction"
MODES = [PATTERN_MATCH, VARIABLE_SUBSTITUTION, INDUCTION]

NUM_INSTANCES = {TRAIN_SPLIT: 1000, VALID_SPLIT: 5000, TEST_SPLIT: 5000}

RULE_SYMBOLS = ["X", "Y", "Z"]
MATH_SYMBOLS = ["+", "-", "*", "="]


@dataclass(frozen=True)
class ReasoningWords:
    """The words of one natural language for the texts."""

    animals: tuple[str, ...]
    fruits: tuple[str, ...]
    two_results: str
    rule: str
    rules: str
    substitutions: str
    result: str
    by: str


ENGLISH = ReasoningWords(
    animals=(
        "zebra", "cobra", "stork", "penguin", "shark", "lion", "buffalo", "whale", "seal", "eagle", "horse", "rat",
    ),
    fruits=(
        "apple", "peach", "watermelon", "banana", "grape", "kiwi", "pear", "strawberry", "blueberry", "blackberry",
    ),
    two_results="Two results",
    rule="Rule",
    rules="Rules",
    substitutions="Substitutions",
    result="Result",
    by="by",
)  # fmt: skip
ANIMALS, FRUITS = list(ENGLISH.animals), list(ENGLISH.fruits)


def subst(pattern: list[str], rule_symbol: str, substitute_str: str) -> list[str]:
    """Return a pattern with another text in the place of a symbol."""
    return pattern_subst(pattern, [rule_symbol], {rule_symbol: substitute_str})


def pattern_subst(pattern: list[str], rule_symbols: list[str], substitute_dict: dict[str, str]) -> list[str]:
    """Return a pattern with other texts in the place of some symbols."""
    return [substitute_dict[element] if element in rule_symbols else element for element in pattern]


class SyntheticReasoningScenario(Scenario):
    """Match, apply or find rules like `X + Y =`, in which words replace the symbols X, Y, Z.

    Modes: `pattern_match` (which of four rules yields this result?), `variable_substitution` (what does this rule
    yield?), `induction` (which rule yields both of these results?). 1000 train, 5000 valid and 5000 test instances with
    one reference each, generated in memory; they depend only on `mode` and `random_seed`.

    Source: HELM's synthetic_reasoning, after LIME (Wu et al., 2021).
    """

    name = "synthetic_reasoning"
    description = "Synthetic reasoning benchmark"
    tags = ["reasoning", "language", "pattern_matching"]
    words = ENGLISH

    def __init__(self, mode: str, random_seed: int = 42):
        super().__init__()
        if mode not in MODES:
            raise ConfigError(f"{self.name}: mode takes {', '.join(MODES)}, not '{mode}'.{suggest(str(mode), MODES)}")
        self.mode = mode
        self.random_seed = random_seed

    def get_instances(self, output_path: str) -> list[Instance]:
        below = numpy_below(self.random_seed)
        instances = []
        for split, count in NUM_INSTANCES.items():
            for _ in range(count):
                text, answer = self._question(below)
                references = [Reference(Output(text=answer), tags=[CORRECT_TAG])]
                instances.append(Instance(Input(text=text), references, split=split))
        return instances

    def _question(self, below: Below) -> tuple[str, str]:
        """Return the next input and its answer. All random choices are made, in this order, whatever the mode."""
        words = self.words
        symbols = [RULE_SYMBOLS[below(3)] for _ in range(2 + below(2))]
        distinct = sorted(set(symbols))
        math = [MATH_SYMBOLS[below(4)] for _ in range(2 + below(2))]
        pattern = symbols + math
        shuffle_with(below, pattern)
        first, second = self._substitution(below, distinct), self._substitution(below, distinct)
        rule = " ".join(pattern)
        result = " ".join([first.get(element, element) for element in pattern])
        if self.mode == INDUCTION:
            other = " ".join([second.get(element, element) for element in pattern])
            return f"{words.two_results}: {result} | {other}", f"{words.rule}: {rule}"
        if self.mode == VARIABLE_SUBSTITUTION:
            pairs = " , ".join([f'{symbol} {words.by} " {text} "' for symbol, text in first.items()])
            return f"{words.rules}: {rule} | {words.substitutions}: {pairs}", result
        rules = []
        for _ in range(3):
            elements = (
                distinct + math
            )  # HELM: uses only distinct symbols, so a wrong rule may be shorter than the correct one
            shuffle_with(below, elements)
            rules.append(" ".join(elements))
        rules.append(rule)
        shuffle_with(below, rules)
        return f"{words.rules}: {' | '.join(rules)} | {words.result}: {result}", rule

    def _substitution(self, below: Below, symbols: list[str]) -> dict[str, str]:
        """Return one or two words for each symbol."""
        tokens = self.words.animals + self.words.fruits
        num_tokens = len(tokens)
        return {symbol: " ".join([tokens[below(num_tokens)] for _ in range(1 + below(2))]) for symbol in symbols}
