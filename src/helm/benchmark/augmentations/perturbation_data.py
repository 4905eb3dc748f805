"""Tables of perturbations that are not part of this package: where they come from, and where they are kept.

Looked for in this order, by name:

1. the folder that the environment variable `HELM_PERTURBATION_DATA` names;
2. `<output path>/perturbations/`, where HELM keeps most of them too;
3. their public source, from which they are fetched into 2, unless `HELM_OFFLINE` or `HF_HUB_OFFLINE` is set.
"""

import json
import os
from dataclasses import dataclass
from typing import Any, Optional

from helm.common.errors import ConfigError
from helm.common.output_path import get_benchmark_output_path

DATA_FOLDER_VARIABLE = "HELM_PERTURBATION_DATA"
OFFLINE_VARIABLES = ("HELM_OFFLINE", "HF_HUB_OFFLINE")

_HELM_BUCKET = "https://storage.googleapis.com/crfm-helm-public/source_datasets/augmentations"
_HELM_REPOSITORY = "https://raw.githubusercontent.com/stanford-crfm/helm/v0.5.16/src/helm/benchmark/augmentations"
_CLEVA_ASSETS = "http://39.108.215.175/assets"
_NLTK_DATA = "https://raw.githubusercontent.com/nltk/nltk_data/gh-pages/packages"


class PerturbationError(ConfigError, AssertionError):
    """An argument or a table of a perturbation is wrong or missing. HELM raises AssertionError for most arguments."""


@dataclass(frozen=True)
class DataFile:
    """One table."""

    folder: str
    """Below `<output path>/perturbations`."""

    name: str

    url: str

    sha256: Optional[str] = None
    """Of what is at the URL; None: not known."""

    unpack: bool = False
    """What is at the URL is an archive, and the table a folder."""

    @property
    def helm_path(self) -> str:
        """The path that HELM uses and shows in descriptions, whatever the output path is."""
        return os.path.join("benchmark_output", "perturbations", self.folder, self.name)

    def find(self, perturbation: str) -> str:
        """The path of the file on this machine, fetched if need be. `perturbation` is for messages.

        Raises: PerturbationError that says which file, from where, and where to put it.
        """
        path = self.find_here()
        if path is None:
            path = self._path_below_output()
            self._fetch(path, perturbation)
        return path

    def find_here(self) -> Optional[str]:
        """The path of the file if it is on this machine already."""
        candidates = [self._path_below_output()]
        given = os.environ.get(DATA_FOLDER_VARIABLE)
        if given:
            if not os.path.isdir(given):
                raise PerturbationError(f"{DATA_FOLDER_VARIABLE} names '{given}', which is not a folder.")
            candidates.insert(0, os.path.join(given, self.name))
        return next((path for path in candidates if os.path.exists(path)), None)

    def _path_below_output(self) -> str:
        return os.path.join(get_benchmark_output_path(), "perturbations", self.folder, self.name)

    def _fetch(self, path: str, perturbation: str) -> None:
        from helm.common.downloads import DownloadError, ensure_downloaded

        offline = next((name for name in OFFLINE_VARIABLES if is_set(name)), None)
        try:
            if offline:
                raise DownloadError(f"{offline} is set, so nothing is downloaded.")
            ensure_downloaded(self.url, path, unpack=self.unpack, sha256=self.sha256)
        except DownloadError as e:
            raise PerturbationError(
                f"Perturbation '{perturbation}' needs {self.name}, which is not on this machine. {e} "
                f"Get it from {self.url}{' and unpack it' if self.unpack else ''}, and put it at {path}, or into a "
                f"folder that the environment variable {DATA_FOLDER_VARIABLE} names."
            ) from e


def is_set(variable: str) -> bool:
    """Whether an environment variable says yes."""
    return os.environ.get(variable, "").strip().lower() not in ("", "0", "no", "false", "off")


MISSPELLINGS = DataFile(
    "misspellings",
    "correct_to_misspelling.json",
    f"{_HELM_REPOSITORY}/correct_to_misspelling.json",
    sha256="2f8e118895e52426bacd0cd32dfd0c14708e845c910d129f2d03571fe9f75c8b",
)
SAE_TO_AAVE = DataFile(
    "dialect", "SAE_to_AAVE_mapping.json", f"{_HELM_BUCKET}/dialect_perturbation/SAE_to_AAVE_mapping.json"
)
PERSON_NAMES = DataFile(
    os.path.join("person_name", "data"), "person_names.txt", f"{_HELM_BUCKET}/person_name_perturbation/person_names.txt"
)
WORDNET_SYNONYMS = DataFile(
    "synonym", "wordnet_synonyms.json", f"{_HELM_BUCKET}/synonym_perturbation/wordnet_synonyms.json"
)
# Only looked up: there is no address of one file to fetch it from.
SPACY_MODEL = DataFile("synonym", "en_core_web_sm", "https://github.com/explosion/spacy-models/releases", unpack=True)
WORDNET = DataFile("synonym", "wordnet", f"{_NLTK_DATA}/corpora/wordnet.zip", unpack=True)
CHINESE_SYNONYMS = DataFile("chinese_synonym", "synonyms.json", f"{_CLEVA_ASSETS}/synonyms.json")
CHINESE_GENDER_TERMS = DataFile("chinese_gender", "gender_term.txt", f"{_CLEVA_ASSETS}/gender_term.txt")
CHINESE_NAMES = DataFile("chinese_person_name", "chinese_name_gender.json", f"{_CLEVA_ASSETS}/chinese_name_gender.json")
CANTONESE_PHRASES = DataFile("mandarin_to_cantonese", "conversion.json", f"{_CLEVA_ASSETS}/conversion.json")


def chinese_typos_table(name: str) -> DataFile:
    """One of the tables from pinyin to characters or words."""
    return DataFile("chinese_typos", name, f"{_CLEVA_ASSETS}/butter_finger/{name}")


def read_text(path: str, perturbation: str) -> str:
    """Raises: PerturbationError when the file cannot be read."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as e:
        raise PerturbationError(f"Perturbation '{perturbation}' cannot read {path}: {e}") from e


def read_json(path: str, perturbation: str) -> Any:
    """Raises: PerturbationError when the file cannot be read or is not JSON."""
    try:
        return json.loads(read_text(path, perturbation))
    except ValueError as e:
        raise PerturbationError(f"Perturbation '{perturbation}': {path} is not JSON: {e}") from e


def read_word_lists(path: str, perturbation: str) -> dict[str, list[str]]:
    """A JSON object from words to non-empty lists of words. Raises: PerturbationError that names the odd entry."""
    table = read_json(path, perturbation)
    if not isinstance(table, dict):
        raise PerturbationError(f"Perturbation '{perturbation}': {path} holds no JSON object from words to lists.")
    for word, choices in table.items():
        if not (word and isinstance(choices, list) and choices and all(isinstance(choice, str) for choice in choices)):
            raise PerturbationError(
                f"Perturbation '{perturbation}': in {path}, '{word}' should have a list of at least one word, "
                f"not {json.dumps(choices)[:80]}."
            )
    return table


def check_probability(perturbation: str, prob: float) -> None:
    """Raises: PerturbationError when `prob` is not between 0 and 1."""
    if not 0 <= prob <= 1:
        raise PerturbationError(f"Perturbation '{perturbation}': prob is from 0 to 1, not {prob}.")


def check_choice(perturbation: str, argument: str, value: str, choices: Any) -> None:
    """Raises: PerturbationError that names the choices when `value` is none of them."""
    if value not in choices:
        from helm.common.errors import suggest

        raise PerturbationError(
            f"Perturbation '{perturbation}': {argument} takes {', '.join(choices)}, not '{value}'."
            f"{suggest(str(value), choices)}"
        )
