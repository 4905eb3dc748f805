"""Tables of perturbations that are not part of this package: their sources and local paths.

They are searched by name, in this order:

1. the folder in the environment variable `HELM_PERTURBATION_DATA`;
2. `<output path>/perturbations/`, where HELM keeps most of them too;
3. their public source, from which they are downloaded to 2, unless `HELM_OFFLINE` or `HF_HUB_OFFLINE` is set.
"""

import json
import os
from dataclasses import dataclass
from typing import Any

from helm.common.commands.output_path import get_benchmark_output_path
from helm.common.data.data_files import DataFile
from helm.common.errors import ConfigError, HelmError

DATA_FOLDER_VARIABLE = "HELM_PERTURBATION_DATA"

_HELM_BUCKET = "https://storage.googleapis.com/crfm-helm-public/source_datasets/augmentations"
_HELM_REPOSITORY = "https://raw.githubusercontent.com/stanford-crfm/helm/v0.5.16/src/helm/benchmark/augmentations"
CLEVA_ASSETS = "http://39.108.215.175/assets"
_NLTK_DATA = "https://raw.githubusercontent.com/nltk/nltk_data/gh-pages/packages"


class PerturbationError(ConfigError, AssertionError):
    """An argument or a table of a perturbation is invalid or missing. HELM raises AssertionError for most arguments."""


@dataclass(frozen=True)
class PerturbationDataFile(DataFile):
    """One table."""

    folder: str = ""
    """Path relative to `<output path>/perturbations`."""

    @property
    def helm_folder(self) -> str:
        """The folder that HELM uses, regardless of the output path."""
        return os.path.join("benchmark_output", "perturbations", self.folder)

    @property
    def helm_path(self) -> str:
        """The path that HELM uses and shows in descriptions, regardless of the output path."""
        return os.path.join(self.helm_folder, self.name)

    def find_table(self, perturbation: str) -> str:
        """Return the path of the table on this machine, downloading it if necessary. `perturbation` is for messages.

        Raises: PerturbationError that says which file, from where, and where to put it.
        """
        try:
            return self.find(f"Perturbation '{perturbation}'", DATA_FOLDER_VARIABLE, self._folder_below_output())
        except HelmError as e:
            raise PerturbationError(str(e)) from e

    def find_table_here(self) -> str | None:
        """Return the path of the table if it is on this machine."""
        try:
            return self.find_here(DATA_FOLDER_VARIABLE, self._folder_below_output())
        except HelmError as e:
            raise PerturbationError(str(e)) from e

    def _folder_below_output(self) -> str:
        return os.path.join(get_benchmark_output_path(), "perturbations", self.folder)


MISSPELLINGS = PerturbationDataFile(
    "correct_to_misspelling.json",
    f"{_HELM_REPOSITORY}/correct_to_misspelling.json",
    sha256="2f8e118895e52426bacd0cd32dfd0c14708e845c910d129f2d03571fe9f75c8b",
    folder="misspellings",
)
SAE_TO_AAVE = PerturbationDataFile(
    "SAE_to_AAVE_mapping.json", f"{_HELM_BUCKET}/dialect_perturbation/SAE_to_AAVE_mapping.json", folder="dialect"
)
PERSON_NAMES = PerturbationDataFile(
    "person_names.txt",
    f"{_HELM_BUCKET}/person_name_perturbation/person_names.txt",
    folder=os.path.join("person_name", "data"),
)
WORDNET_SYNONYMS = PerturbationDataFile(
    "wordnet_synonyms.json", f"{_HELM_BUCKET}/synonym_perturbation/wordnet_synonyms.json", folder="synonym"
)
# Not downloaded, because it has no URL of its own.
SPACY_MODEL = PerturbationDataFile(
    "en_core_web_sm", "https://github.com/explosion/spacy-models/releases", unpack=True, folder="synonym"
)
WORDNET = PerturbationDataFile("wordnet", f"{_NLTK_DATA}/corpora/wordnet.zip", unpack=True, folder="synonym")


def _from_cleva(folder: str, name: str, path: str = "") -> PerturbationDataFile:
    return PerturbationDataFile(name, f"{CLEVA_ASSETS}/{path}{name}", folder=folder)


CHINESE_SYNONYMS = _from_cleva("chinese_synonym", "synonyms.json")
CHINESE_GENDER_TERMS = _from_cleva("chinese_gender", "gender_term.txt")
CHINESE_NAMES = _from_cleva("chinese_person_name", "chinese_name_gender.json")
CANTONESE_PHRASES = _from_cleva("mandarin_to_cantonese", "conversion.json")


def chinese_typos_table(name: str) -> PerturbationDataFile:
    """Return one of the tables that map pinyin to characters or words."""
    return _from_cleva("chinese_typos", name, "butter_finger/")


def read_text(path: str, perturbation: str) -> str:
    """Read a text file. Raises: PerturbationError if it cannot be read."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as e:
        raise PerturbationError(f"Perturbation '{perturbation}' cannot read {path}: {e}") from e


def read_json(path: str, perturbation: str) -> Any:
    """Read a JSON file. Raises: PerturbationError if it cannot be read or is not JSON."""
    try:
        return json.loads(read_text(path, perturbation))
    except ValueError as e:
        raise PerturbationError(f"Perturbation '{perturbation}': {path} is not JSON: {e}") from e


def read_word_lists(path: str, perturbation: str) -> dict[str, list[str]]:
    """Read a JSON object from words to non-empty lists of words. Raises: PerturbationError that names the invalid entry."""
    table = read_json(path, perturbation)
    if not isinstance(table, dict):
        raise PerturbationError(
            f"Perturbation '{perturbation}': {path} does not hold a JSON object from words to lists."
        )
    for word, choices in table.items():
        if not (word and isinstance(choices, list) and choices and all(isinstance(choice, str) for choice in choices)):
            raise PerturbationError(
                f"Perturbation '{perturbation}': in {path}, '{word}' should have a list of at least one word, "
                f"not {json.dumps(choices)[:80]}."
            )
    return table


def check_probability(perturbation: str, prob: float) -> None:
    """Check a probability. Raises: PerturbationError if `prob` is not between 0 and 1."""
    if not 0 <= prob <= 1:
        raise PerturbationError(f"Perturbation '{perturbation}': prob must be between 0 and 1, not {prob}.")


def check_choice(perturbation: str, argument: str, value: str, choices: Any) -> None:
    """Check an option. Raises: PerturbationError that lists the choices if `value` is not one of them."""
    if value not in choices:
        from helm.common.errors import suggest

        raise PerturbationError(
            f"Perturbation '{perturbation}': {argument} takes {', '.join(choices)}, not '{value}'."
            f"{suggest(str(value), choices)}"
        )
