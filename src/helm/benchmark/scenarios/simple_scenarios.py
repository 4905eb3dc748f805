"""Small scenarios for tutorials and debugging, without downloads and with few instances."""

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

_NUMBERS = range(10, 100)
# HELM's split: 10 to 20 are train, 21 to 99 are test.
_LAST_TRAIN_NUMBER = 20


class Simple1Scenario(Scenario):
    """Name one of the numbers in a row of numbers.

    Input text: `num_input_tokens` numbers of 0, ..., `vocab_size` - 1, space-separated. References: one of them, drawn
    (correct), and "-1".
    """

    name = "simple1"
    description = "A simple scenario"
    tags = ["simple"]

    def __init__(self, num_input_tokens: int, vocab_size: int, num_train_instances: int, num_test_instances: int):
        super().__init__()
        self.num_input_tokens = num_input_tokens
        self.vocab_size = vocab_size
        self.num_train_instances = num_train_instances
        self.num_test_instances = num_test_instances

    def get_instances(self, output_path: str) -> list[Instance]:
        generator = Random(1)
        splits = [TRAIN_SPLIT] * self.num_train_instances + [TEST_SPLIT] * self.num_test_instances
        return [self._instance(generator, split) for split in splits]

    def _instance(self, generator: Random, split: str) -> Instance:
        tokens = [str(generator.randint(0, self.vocab_size - 1)) for _ in range(self.num_input_tokens)]
        answer = generator.choice(tokens)
        references = [Reference(Output(text=answer), tags=[CORRECT_TAG]), Reference(Output(text="-1"), tags=[])]
        return Instance(Input(text=" ".join(tokens)), references, split=split)


def _split_of(number: int) -> str:
    return TRAIN_SPLIT if number <= _LAST_TRAIN_NUMBER else TEST_SPLIT


def _parity(number: int) -> str:
    return "Odd" if number % 2 else "Even"


def _parity_references(number: int) -> list[Reference]:
    right = _parity(number)
    return [Reference(Output(text=word), tags=[CORRECT_TAG] if word == right else []) for word in ("Even", "Odd")]


class SimpleMCQAScenario(Scenario):
    """Is a number of 10 to 99 even or odd? 11 train and 79 test instances; the choices are always Even, Odd."""

    name = "simple_mcqa"
    description = "Answer if two-digit numbers are even or odd."
    tags = ["question answering"]

    def get_instances(self, output_path: str) -> list[Instance]:
        return [
            Instance(Input(text=f"Is {number} even or odd?"), _parity_references(number), split=_split_of(number))
            for number in _NUMBERS
        ]


class SimpleShortAnswerQAScenario(Scenario):
    """The questions of `SimpleMCQAScenario` with only the right answer as reference."""

    name = "simple_mcqa"  # HELM: shares the name, and therefore the folder, of the multiple-choice scenario
    description = "Answer if two-digit numbers are even or odd."
    tags = ["question answering"]

    def get_instances(self, output_path: str) -> list[Instance]:
        return [
            Instance(
                Input(text=f"Is {number} even or odd?"),
                [Reference(Output(text=_parity(number)), tags=[CORRECT_TAG])],
                split=_split_of(number),
            )
            for number in _NUMBERS
        ]


class SimpleClassificationScenario(Scenario):
    """Classify the numbers 10 to 99 as Even or Odd. 11 train and 79 test instances."""

    name = "simple_classification"
    description = "Classify numbers by pairity."  # HELM: spelled like this in `scenario.json`
    tags = ["classification"]

    def get_instances(self, output_path: str) -> list[Instance]:
        return [
            Instance(Input(text=str(number)), _parity_references(number), split=_split_of(number))
            for number in _NUMBERS
        ]
