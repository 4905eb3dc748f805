from functools import cached_property
from random import Random

from helm.benchmark.augmentations.perturbation import TextPerturbation
from helm.benchmark.augmentations.perturbation_data import MISSPELLINGS, read_word_lists
from helm.benchmark.augmentations.perturbation_description import MisspellingsDescription, PerturbationDescription
from helm.benchmark.augmentations.word_table import WordTable
from helm.common.general import match_case


class MisspellingPerturbation(TextPerturbation):
    """Misspells words in common ways, each with probability `prob`.

    The table is `correct_to_misspelling.json` of HELM's repository (see `perturbation_data`). It maps words, case
    included, to their misspellings.
    """

    name = "misspellings"
    Description = MisspellingsDescription

    def __init__(self, prob: float):
        self.prob = prob
        self.correct_to_misspelling = read_word_lists(MISSPELLINGS.find_table(self.name), self.name)
        self._words = WordTable(list(self.correct_to_misspelling))

    @cached_property
    def description(self) -> PerturbationDescription:
        return MisspellingsDescription(name=self.name, robustness=True, prob=self.prob)

    def perturb(self, text: str, rng: Random) -> str:
        def misspelled(word: str) -> str:
            if not rng.random() < self.prob:
                return word
            choices = self.correct_to_misspelling.get(word)  # missing only if the table itself contains expressions
            return match_case(word, rng.choice(choices)) if choices else word

        return self._words.substitute(text, misspelled)
