from functools import cached_property
from random import Random

from helm.benchmark.augmentations.perturbation import TextPerturbation
from helm.benchmark.augmentations.perturbation_data import (
    SAE_TO_AAVE,
    PerturbationError,
    check_probability,
    read_word_lists,
)
from helm.benchmark.augmentations.perturbation_description import DialectDescription, PerturbationDescription
from helm.benchmark.augmentations.word_table import WordTable
from helm.common.general import match_case


class DialectPerturbation(TextPerturbation):
    """Replaces words of one dialect by those of another, in input and references.

    The table is from Ziems et al. 2022, VALUE: Understanding dialect disparity in NLU.

    Args:
        prob: probability of replacing each word that has a counterpart.
        source_class: the dialect of the texts, `SAE` (standard American English).
        target_class: the other dialect, `AAVE` (African American vernacular English).
        mapping_file_path: a JSON object from lower-case words to lists of words. None uses HELM's table, which exists
            for SAE to AAVE.
    """

    name = "dialect"
    Description = DialectDescription
    OUTPUT_PATH = SAE_TO_AAVE.helm_folder
    SAE, AAVE = "SAE", "AAVE"
    MAPPING_DICT_URIS = {(SAE, AAVE): SAE_TO_AAVE.url}

    should_perturb_references = True

    def __init__(self, prob: float, source_class: str, target_class: str, mapping_file_path: str | None = None):
        check_probability(self.name, prob)
        self.prob = prob
        self.source_class, self.target_class = source_class.upper(), target_class.upper()
        if mapping_file_path is None:
            if (self.source_class, self.target_class) not in self.MAPPING_DICT_URIS:
                raise PerturbationError(
                    f"Perturbation 'dialect': there is only a table from SAE to AAVE, not one from {self.source_class} to "
                    f"{self.target_class}. Give mapping_file_path."
                )
            # HELM: the description shows this path regardless of the output path, so that names of statistics agree.
            self.mapping_file_path = SAE_TO_AAVE.helm_path
        else:
            self.mapping_file_path = mapping_file_path
        self._path = mapping_file_path
        mapping = self.load_mapping_dict()
        self.mapping: dict[str, list[str]] = {**{word.lower(): to for word, to in mapping.items()}, **mapping}
        self._words = WordTable(
            list(mapping), word_characters=r"\w-", before=r"[^\w-]", after=r"[^\w-]", ignore_case=True, escape=True
        )

    def retrieve_mapping_dict(self) -> str:
        """Return the path of the table, downloading HELM's if necessary. Raises: PerturbationError."""
        return self._path or SAE_TO_AAVE.find_table(self.name)

    def load_mapping_dict(self) -> dict[str, list[str]]:
        """Return the words of the table with their counterparts. Raises: PerturbationError."""
        return read_word_lists(self.retrieve_mapping_dict(), self.name)

    @cached_property
    def description(self) -> PerturbationDescription:
        return DialectDescription(
            name=self.name,
            fairness=True,
            prob=self.prob,
            source_class=self.source_class,
            target_class=self.target_class,
            mapping_file_path=self.mapping_file_path,
        )

    def perturb(self, text: str, rng: Random) -> str:
        def translated(word: str) -> str:
            if not rng.uniform(0, 1) < self.prob:
                return word
            choices = self.mapping.get(word.lower())  # missing for a few letters that lower() does not fold
            return match_case(word, rng.choice(choices)) if choices else word

        # HELM: a word at the beginning or end has no neighbour on one side, and is kept.
        return self._words.substitute(text, translated)
