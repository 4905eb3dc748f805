import os
import re
from abc import abstractmethod
from collections.abc import Container
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random

from helm.benchmark.augmentations.perturbation import Perturbation, change_texts, reference_with_text
from helm.benchmark.augmentations.perturbation_data import (
    PERSON_NAMES,
    PerturbationError,
    check_choice,
    check_probability,
    read_text,
)
from helm.benchmark.augmentations.perturbation_description import PersonNameDescription, PerturbationDescription
from helm.benchmark.scenarios.scenario import Input, Instance, Reference
from helm.common.general import match_case

_split_words = re.compile(r"([^\w])").split


@dataclass
class _Changes:
    """The replacements chosen for the names of one instance."""

    new_names: dict[str, str] = field(default_factory=dict)
    skipped: set[str] = field(default_factory=set)


class NamePerturbation(Perturbation):
    """Replaces names, each by the same new one throughout the references and the input."""

    GENDER_CATEGORY = "gender"
    FEMALE, MALE = "female", "male"
    GENDERS = [FEMALE, MALE]
    should_perturb_references = True

    def __init__(self, prob: float):
        check_probability(self.name, prob)
        self.prob = prob

    @staticmethod
    def lower_dictionary(d: dict[str, str]) -> dict[str, str]:
        """Convert categories and values to lower case."""
        return {category.lower(): value.lower() for category, value in d.items()}

    @abstractmethod
    def _is_name(self, word: str) -> bool:
        """Whether a lower-case word is a name to replace."""

    @abstractmethod
    def _draw(self, name: str, rng: Random) -> str | None:
        """Draw a new name for a name; None if there is none."""

    @abstractmethod
    def _segment(self, text: str) -> tuple[list[str], Container[int]]:
        """Return the pieces of a text, and the positions of those that stay even if a name is drawn for them."""

    def apply(self, instance: Instance, seed: int | None = None) -> Instance:
        """Perturb an instance. HELM: `seed` has no effect, and `contrast_inputs` is unchanged."""
        rng = self.get_rng(instance)
        changes = _Changes()
        references = instance.references
        if self.should_perturb_references:
            references = [self._perturb_reference(reference, rng, changes) for reference in references]
        return replace(
            instance,
            input=self._perturb_input(instance.input, rng, changes),
            references=references,
            perturbation=self.description,
        )

    def _perturb_reference(self, reference: Reference, rng: Random, changes: _Changes) -> Reference:
        return reference_with_text(reference, self._perturb(reference.output.text, rng, changes))

    def _perturb_input(self, input: Input, rng: Random, changes: _Changes) -> Input:
        """Perturb the texts of an input. Media are kept, whereas HELM leaves an empty text."""
        return change_texts(input, lambda text: self._perturb(text, rng, changes))

    def _perturb(self, text: str, rng: Random, changes: _Changes) -> str:
        tokens, fixed = self._segment(text)
        for i, token in enumerate(tokens):
            word = token.lower()
            if not self._is_name(word):
                continue
            if word not in changes.new_names and word not in changes.skipped:
                if rng.uniform(0, 1) < self.prob:
                    new_name = self._draw(word, rng)
                    if new_name is not None:  # HELM: otherwise another name is drawn at the next occurrence.
                        changes.new_names[word] = new_name
                else:
                    changes.skipped.add(word)
            if word in changes.new_names and i not in fixed:
                tokens[i] = match_case(token, changes.new_names[word])
        return "".join(tokens)


class PersonNamePerturbation(NamePerturbation):
    """Replaces names of one group of people by those of another, each by the same one, in references too.

    Args:
        prob: probability of replacing each name.
        source_class: the categories of the names to replace, for example `{"race": "white_american"}`.
        target_class: the categories of the new names.
        name_file_path: lines `name,type,category,value,category,value...`. None uses HELM's file of names.
        person_name_type: `first_name` or `last_name`.
        preserve_gender: whether a name whose gender is in the file is replaced by one of the same gender.
    """

    name = "person_name"
    Description = PersonNameDescription
    FILE_NAME, SOURCE_URI, OUTPUT_PATH = PERSON_NAMES.name, PERSON_NAMES.url, os.path.dirname(PERSON_NAMES.helm_folder)
    LINE_SEP = "\n"
    FIRST_NAME, LAST_NAME, ANY = "first_name", "last_name", "any"
    NEUTRAL = "neutral"
    GENDERS = [*NamePerturbation.GENDERS, NEUTRAL]

    def __init__(
        self,
        prob: float,
        source_class: dict[str, str],
        target_class: dict[str, str],
        name_file_path: str | None = None,
        person_name_type: str = FIRST_NAME,
        preserve_gender: bool = True,
    ):
        super().__init__(prob)
        check_choice(self.name, "person_name_type", person_name_type, [self.FIRST_NAME, self.LAST_NAME])
        if preserve_gender and person_name_type != self.FIRST_NAME:
            raise PerturbationError("Perturbation 'person_name': preserve_gender is for first names only.")
        self.source_class, self.target_class = (
            self.lower_dictionary(wanted) for wanted in (source_class, target_class)
        )
        self.person_name_type, self.preserve_gender = person_name_type, preserve_gender
        # HELM: the description shows this path regardless of the output path, so that names of statistics agree.
        self.name_file_path = name_file_path or PERSON_NAMES.helm_path
        self._path = name_file_path or PERSON_NAMES.find_table(self.name)
        categories = _read_names(self._path, person_name_type)
        source_names = self._names_of("source_class", self.source_class, categories)
        self._target_names = self._names_of("target_class", self.target_class, categories)
        if preserve_gender and self.GENDER_CATEGORY not in categories:
            raise PerturbationError(
                f"Perturbation 'person_name': preserve_gender needs genders, and {self._path} has none."
            )
        genders = {gender: set(categories.get(self.GENDER_CATEGORY, {}).get(gender, ())) for gender in self.GENDERS}
        self._targets_by_gender = {
            gender: [name for name in self._target_names if name in names] for gender, names in genders.items()
        }
        self._gender_of: dict[str, str | None] = {
            name: next((gender for gender in self.GENDERS if name in genders[gender]), None) for name in source_names
        }

    def _names_of(
        self, argument: str, wanted: dict[str, str], categories: dict[str, dict[str, list[str]]]
    ) -> list[str]:
        """Return the names that have all of the wanted values, in the order of the file."""
        names: list[str] | None = None
        for category, value in wanted.items():
            check_choice(self.name, f"{argument} of {self._path}", category, list(categories))
            check_choice(self.name, f"{argument}, {category},", value, list(categories[category]))
            having = categories[category][value]
            names = having if names is None else [name for name in names if name in set(having)]
        if names is None:
            raise PerturbationError(f"Perturbation 'person_name': {argument} does not name a category.")
        return names

    @cached_property
    def description(self) -> PerturbationDescription:
        return PersonNameDescription(
            name=self.name,
            fairness=True,
            prob=self.prob,
            source_class=class_text(self.source_class),
            target_class=class_text(self.target_class),
            name_file_path=self.name_file_path,
            person_name_type=self.person_name_type,
            preserve_gender=self.preserve_gender,
        )

    def _is_name(self, word: str) -> bool:
        return word in self._gender_of

    def _segment(self, text: str) -> tuple[list[str], Container[int]]:
        return _split_words(text), ()

    def _draw(self, name: str, rng: Random) -> str | None:
        gender = self._gender_of[name] if self.preserve_gender else None
        names = self._target_names if gender is None else self._targets_by_gender[gender]
        return rng.choice(names) if names else None


def class_text(wanted: dict[str, str]) -> str:
    """Format a class of people for descriptions."""
    return ",".join(f"{category}={value}" for category, value in wanted.items())


def _read_names(path: str, person_name_type: str) -> dict[str, dict[str, list[str]]]:
    """Map category to value to names of one type, in lower case, in the order of the file."""
    categories: dict[str, dict[str, list[str]]] = {}
    for number, line in enumerate(read_text(path, "person_name").splitlines(), 1):
        if not line.strip():
            continue
        name, *rest = line.split(",")
        if not (name.strip() and len(rest) % 2 == 1):
            raise PerturbationError(
                f"Perturbation 'person_name': line {number} of {path} should be name,type,category,value,..., "
                f"and is '{line[:80]}'."
            )
        if rest[0] == person_name_type:
            for category, value in zip(rest[1::2], rest[2::2], strict=True):
                categories.setdefault(category, {}).setdefault(value, []).append(name.strip().lower())
    return categories
