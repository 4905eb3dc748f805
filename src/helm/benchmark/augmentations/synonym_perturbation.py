from functools import cached_property
from random import Random
from typing import Any

from helm.benchmark.augmentations.perturbation import TextPerturbation
from helm.benchmark.augmentations.perturbation_data import (
    DATA_FOLDER_VARIABLE,
    SPACY_MODEL,
    WORDNET,
    WORDNET_SYNONYMS,
    PerturbationError,
    read_json,
)
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription, SynonymDescription
from helm.benchmark.augmentations.wordnet import WordNetForms
from helm.common.general import match_case
from helm.common.optional_dependencies import needs_extra

_WORDNET_POS = {"VERB": "v", "NOUN": "n", "ADV": "r", "ADJ": "s"}
"""Maps spaCy's parts of speech that have synonyms to WordNet's."""


class SynonymPerturbation(TextPerturbation):
    """Replaces verbs, nouns, adverbs and adjectives by synonyms, each with probability `prob`.

    Needs spaCy with its model `en_core_web_sm`, WordNet, and HELM's table of synonyms (see `perturbation_data`).
    """

    name = "synonym"
    Description = SynonymDescription
    FILE_NAME, SOURCE_URI = WORDNET_SYNONYMS.name, WORDNET_SYNONYMS.url

    def __init__(self, prob: float):
        self.prob = prob
        self._language = _load_spacy_model()
        self._wordnet = _load_wordnet()
        self._synonyms = read_json(WORDNET_SYNONYMS.find_table(self.name), self.name)
        if not isinstance(self._synonyms, dict):
            raise PerturbationError(f"Perturbation 'synonym': {WORDNET_SYNONYMS.name} is not a JSON object.")

    @cached_property
    def description(self) -> PerturbationDescription:
        return SynonymDescription(name=self.name, robustness=True, prob=self.prob)

    def perturb(self, text: str, rng: Random) -> str:
        pieces = []
        for token in self._language(text):
            word = token.text
            synonyms = self._synonyms_of(word.lower(), _WORDNET_POS.get(token.pos_))
            if synonyms and rng.uniform(0, 1) < self.prob:
                word = match_case(word, rng.choice(synonyms))
            pieces.append(word + token.whitespace_)
        return "".join(pieces)

    def _synonyms_of(self, word: str, pos: Any) -> list[str]:
        """Return the synonyms in the order of the table, each once, without the word itself."""
        if pos is None:
            return []
        found = [
            synonym
            for base in self._wordnet.base_forms(word, pos)
            for synonym in self._synonyms.get(f"{base}:{pos}", ())
        ]
        return [synonym for synonym in dict.fromkeys(found) if synonym != word]


def _load_spacy_model() -> Any:
    with needs_extra("synonyms"):
        import spacy
    try:
        return spacy.load(SPACY_MODEL.find_table_here() or SPACY_MODEL.name)
    except OSError as e:
        raise PerturbationError(
            f"Perturbation 'synonym' needs spaCy's model {SPACY_MODEL.name}. Install it with: python -m spacy download "
            f"{SPACY_MODEL.name}; or unpack it (from {SPACY_MODEL.url}) as {SPACY_MODEL.name} into the folder that the "
            f"environment variable {DATA_FOLDER_VARIABLE} names."
        ) from e


def _load_wordnet() -> WordNetForms:
    path = WORDNET.find_table("synonym")
    try:
        return WordNetForms(path)
    except (OSError, UnicodeDecodeError) as e:
        raise PerturbationError(f"Perturbation 'synonym': {path} is not WordNet: {e}") from e
