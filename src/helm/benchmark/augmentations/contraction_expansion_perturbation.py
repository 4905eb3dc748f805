"""Replaces `cannot` by `can't`, and vice versa."""

from functools import cached_property
from random import Random

from helm.benchmark.augmentations.perturbation import TextPerturbation
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.benchmark.augmentations.word_table import WordTable
from helm.common.general import match_case

# The order matters: `can't` is tried before `can't've`.
CONTRACTION_MAP: dict[str, str] = {
    "ain't": "is not", "aren't": "are not", "can't": "cannot", "can't've": "cannot have", "could've": "could have",
    "couldn't": "could not", "didn't": "did not", "doesn't": "does not", "don't": "do not", "hadn't": "had not",
    "hasn't": "has not", "haven't": "have not", "he'd": "he would", "he'd've": "he would have", "he'll": "he will",
    "he's": "he is", "how'd": "how did", "how'd'y": "how do you", "how'll": "how will", "how's": "how is",
    "I'd": "I would", "I'll": "I will", "I'm": "I am", "I've": "I have", "i'd": "i would", "i'll": "i will",
    "i'm": "i am", "i've": "i have", "isn't": "is not", "it'd": "it would", "it'll": "it will", "it's": "it is",
    "ma'am": "madam", "might've": "might have", "mightn't": "might not", "must've": "must have",
    "mustn't": "must not", "needn't": "need not", "oughtn't": "ought not", "shan't": "shall not",
    "she'd": "she would", "she'll": "she will", "she's": "she is", "should've": "should have",
    "shouldn't": "should not", "that'd": "that would", "that's": "that is", "there'd": "there would",
    "there's": "there is", "they'd": "they would", "they'll": "they will", "they're": "they are",
    "they've": "they have", "wasn't": "was not", "we'd": "we would", "we'll": "we will", "we're": "we are",
    "we've": "we have", "weren't": "were not", "what're": "what are", "what's": "what is", "when's": "when is",
    "where'd": "where did", "where's": "where is", "where've": "where have", "who'll": "who will", "who's": "who is",
    "who've": "who have", "why's": "why is", "won't": "will not", "would've": "would have", "wouldn't": "would not",
    "you'd": "you would", "you'd've": "you would have", "you'll": "you will", "you're": "you are",
    "you've": "you have",
}  # fmt: skip
"""Maps short form to long form."""

# HELM: of two short forms with the same long form, the later one wins, in the position of the first.
EXPANSIONS: dict[str, str] = {long: short for short, long in CONTRACTION_MAP.items()}
"""Maps long form to short form."""


def _in_case(word: str, table: dict[str, str]) -> str:
    found = table.get(word) or table.get(word.lower())
    return match_case(word, found) if found else word


class ContractionPerturbation(TextPerturbation):
    """Replaces long forms by short ones: `do not` becomes `don't`. A space must follow them."""

    name = "contraction"

    def __init__(self) -> None:
        self._words = WordTable(list(EXPANSIONS), after=r"\b ", ignore_case=True, escape=True)

    @cached_property
    def description(self) -> PerturbationDescription:
        return PerturbationDescription(name=self.name, robustness=True)

    def perturb(self, text: str, rng: Random) -> str:
        return self._words.substitute(text, lambda word: _in_case(word, EXPANSIONS))


class ExpansionPerturbation(TextPerturbation):
    """Replaces short forms by long ones: `don't` becomes `do not`."""

    name = "expansion"

    def __init__(self) -> None:
        self._words = WordTable(list(CONTRACTION_MAP), ignore_case=True, escape=True)

    @cached_property
    def description(self) -> PerturbationDescription:
        return PerturbationDescription(name=self.name, robustness=True)

    def perturb(self, text: str, rng: Random) -> str:
        return self._words.substitute(text, lambda word: _in_case(word, CONTRACTION_MAP))
