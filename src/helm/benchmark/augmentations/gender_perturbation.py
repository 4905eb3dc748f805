import re
from collections.abc import Sequence
from functools import cached_property, lru_cache
from random import Random

from helm.benchmark.augmentations.perturbation import TextPerturbation
from helm.benchmark.augmentations.perturbation_data import (
    PerturbationError,
    check_choice,
    check_probability,
    read_json,
)
from helm.benchmark.augmentations.perturbation_description import GenderDescription, PerturbationDescription
from helm.common.general import match_case

GENDER_TERM_MAPPINGS: list[tuple[str, ...]] = [
    ("child", "daughter", "son"),
    ("children", "daughters", "sons"),
    ("parent", "mother", "father"),
    ("parents", "mothers", "fathers"),
    ("kiddo", "girl", "boy"),
    ("kiddos", "girls", "boys"),
    ("person", "woman", "man"),
    ("people", "women", "men"),
    ("sibling", "sister", "brother"),
    ("siblings", "sisters", "brothers"),
    ("nibling", "niece", "nephew"),
    ("niblings", "nieces", "nephews"),
    ("monarch", "queen", "king"),
    ("monarchs", "queens", "kings"),
    ("server", "waitress", "waiter"),
    ("servers", "waitresses", "waiters"),
    ("parent", "mom", "dad"),
    ("parents", "moms", "dads"),
    ("stepchild", "stepdaughter", "stepson"),
    ("stepchildren", "stepdaughters", "stepsons"),
    ("stepparent", "stepmother", "stepfather"),
    ("stepparents", "stepmothers", "stepfathers"),
    ("stepparent", "stepmom", "stepdad"),
    ("stepparents", "stepmoms", "stepdads"),
    ("grandchild", "granddaughter", "grandson"),
    ("grandchildren", "granddaughters", "grandsons"),
    ("grandparent", "grandmother", "grandfather"),
    ("grandparents", "grandmothers", "grandfather"),
    ("grandparent", "grandma", "granddad"),
    ("grandparents", "grandmas", "granddads"),
    ("human", "female", "male"),
    ("humans", "females", "males"),
]
"""Rows of words in the order of `GenderPerturbation.GENDERS`. HELM: one row ends in `grandfather`, not `grandfathers`."""

GENDER_PRONOUN_MAPPINGS: list[tuple[str, ...]] = [
    ("they", "she", "he"),
    ("them", "her", "him"),
    ("their", "her", "his"),
    ("theirs", "hers", "his"),
    ("themselves", "herself", "himself"),
]


@lru_cache(maxsize=1024)
def _pattern(word: str) -> re.Pattern:
    return re.compile(rf"[^\w]({word})[^\w]", re.IGNORECASE)


class GenderPerturbation(TextPerturbation):
    """Replaces words for one gender by those for another, in input and references.

    Args:
        mode: `terms` (daughter, son) or `pronouns` (she, he).
        prob: probability of replacing each word.
        source_class: the gender whose words are replaced: `female`, `male` or `neutral`.
        target_class: the gender of the replacements.
        mapping_file_path: a JSON list of rows of words to use instead of HELM's rows.
        mapping_file_genders: the genders of the columns of that file.
        bidirectional: whether words for the target are then also replaced by those for the source.
    """

    name = "gender"
    Description = GenderDescription
    GENDERS = NEUTRAL, FEMALE, MALE = ["neutral", "female", "male"]
    MODES = GENDER_TERM, GENDER_PRONOUN = ["terms", "pronouns"]
    MODE_TO_MAPPINGS = {GENDER_TERM: GENDER_TERM_MAPPINGS, GENDER_PRONOUN: GENDER_PRONOUN_MAPPINGS}

    should_perturb_references = True

    def __init__(
        self,
        mode: str,
        prob: float,
        source_class: str,
        target_class: str,
        mapping_file_path: str | None = None,
        mapping_file_genders: list[str] | None = None,
        bidirectional: bool = False,
    ):
        check_choice(self.name, "mode", mode, self.MODES)
        check_probability(self.name, prob)
        self.mode, self.prob, self.bidirectional = mode, prob, bidirectional
        self.source_class, self.target_class = source_class.lower(), target_class.lower()
        rows: Sequence[Sequence[str]] = self.MODE_TO_MAPPINGS[mode]
        genders = self.GENDERS
        if mapping_file_path and mapping_file_genders:
            rows, genders = _read_rows(mapping_file_path, mapping_file_genders), mapping_file_genders
        check_choice(self.name, "source_class", self.source_class, genders)
        check_choice(self.name, "target_class", self.target_class, genders)
        source, target = genders.index(self.source_class), genders.index(self.target_class)
        self.pairs: list[tuple[str, str]] = [(row[source], row[target]) for row in rows]
        if bidirectional:
            self.pairs += [(new, old) for old, new in self.pairs]

    @cached_property
    def description(self) -> PerturbationDescription:
        return GenderDescription(
            name=self.name,
            fairness=True,
            mode=self.mode,
            prob=self.prob,
            source_class=self.source_class,
            target_class=self.target_class,
            bidirectional=self.bidirectional,
        )

    def perturb(self, text: str, rng: Random) -> str:
        # HELM: pairs are replaced one after another in the whole text, so a pair sees the results of earlier ones; and
        # a word at the beginning or end has no neighbour on one side, and is kept.
        may_lack = text.isascii()  # then a word that does not occur in the lower-case text cannot match
        lower = text.lower()
        for old, new in self.pairs:
            if may_lack and old.isalpha() and old.lower() not in lower:
                continue
            text = self.substitute_word(text, old, new, rng)
            may_lack, lower = text.isascii(), text.lower()
        return text

    def substitute_word(self, text: str, word: str, synonym: str, rng: Random) -> str:
        """Replace a word, each time with probability `prob`, by another in its case."""

        def replaced(match: re.Match) -> str:
            if not rng.uniform(0, 1) < self.prob:
                return match[0]
            return match[0].replace(match[1], match_case(match[1], synonym))

        return _pattern(word).sub(replaced, text)


def _read_rows(path: str, genders: Sequence[str]) -> list[list[str]]:
    rows = read_json(path, "gender")
    for row in rows if isinstance(rows, list) else [rows]:
        is_row = isinstance(row, list) and all(isinstance(word, str) and word for word in row)
        if not (is_row and len(row) == len(genders)):
            raise PerturbationError(
                f"Perturbation 'gender': {path} should be a list of rows of {len(genders)} words "
                f"({', '.join(genders)}), and has {str(row)[:80]}."
            )
    return rows
