"""Deduction from rules in simple natural language."""

from dataclasses import dataclass
from random import Random
from typing import NamedTuple

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
from helm.common.errors import suggest
from helm.common.hierarchical_logger import hwarn
from helm.common.random_draws import Below, python_below, shuffle_with

EASY = "easy"
MEDIUM = "medium"
HARD = "hard"
DIFFICULTIES = [EASY, MEDIUM, HARD]

NUM_INSTANCES = {TRAIN_SPLIT: 1000, VALID_SPLIT: 5000, TEST_SPLIT: 5000}

_MAX_RULES = 5
_NOTHING_PROBABILITY = 0.1
"""How often two attributes are kept although nothing follows from them."""


@dataclass(frozen=True)
class NaturalWords:
    """The words and phrases of one natural language for the texts. The order of all words matters."""

    subjects: dict[str, tuple[str, ...]]
    """Maps category to its members."""

    attributes: dict[str, tuple[str, ...]]
    """Maps attribute to its synonyms, itself first."""

    person: str
    """The category whose members are names without article."""

    indefinite: tuple[str, str]
    """The indefinite article, and its form before a vowel."""

    definite: str
    conjunctions: tuple[str, str]
    """The words for "and" and "or"."""

    rule: str
    """`%`-format of: a subject, its conditions, the subject, its consequent. (Twice as fast as `str.format`.)"""

    fact: str
    """`%`-format of: the subject (capitalized), its attributes."""

    nothing: str
    fact_heading: str
    question: str
    """`%`-format of: the subject."""


ENGLISH = NaturalWords(
    subjects={
        "person": ("Alice", "Bob", "Carol", "Dan", "Erin", "Frank"),
        "animal": (
            "dog", "cat", "rabbit", "mouse", "tiger", "lion", "bear", "squirrel", "cow", "panda", "hedgehog",
            "elephant", "giraffe", "hippo",
        ),
        "plant": ("poppy", "dandelion", "tree", "rose", "sunflower"),
    },
    attributes={
        "young": ("young",),
        "soft": ("soft",),
        "sad": ("sad",),
        "scary": ("scary",),
        "cold": ("cold", "chill", "cool"),
        "hot": ("hot", "warm"),
        "smart": ("smart", "clever", "wise", "intelligent"),
        "clean": ("clean", "tidy"),
        "small": ("small", "little", "tiny"),
        "big": ("big", "enormous", "giant", "huge"),
        "good": ("good", "kind", "nice"),
        "beautiful": ("beautiful", "pretty"),
        "red": ("red", "crimson"),
        "blue": ("blue", "cobalt"),
        "green": ("green", "viridian"),
        "purple": ("purple", "violet"),
        "boring": ("boring", "dull"),
        "old": ("old", "ancient", "antique"),
        "strong": ("strong", "powerful", "muscular"),
        "weak": ("weak", "frail", "fragile"),
        "fast": ("fast", "quick"),
        "slow": ("slow", "sluggish"),
        "bad": ("bad", "evil", "wicked", "mean"),
        "happy": ("happy", "elated", "glad", "cheerful"),
        "round": ("round", "circular", "spherical"),
    },
    person="person",
    indefinite=("a", "an"),
    definite="the",
    conjunctions=("and", "or"),
    rule="If %s is %s, then %s is %s.",
    fact="%s is %s.",
    nothing="Nothing.",
    fact_heading="Fact:",
    question="The following can be determined about %s:",
)  # fmt: skip


def get_vocab(words: NaturalWords = ENGLISH) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return the attributes with their synonyms, and the categories with their members."""
    attributes, subjects = (
        {key: list(names) for key, names in part.items()} for part in (words.attributes, words.subjects)
    )
    return attributes, subjects


class _Rule(NamedTuple):
    subject: tuple[str, str]
    """The subject with the indefinite and with the definite article."""
    conditions: list[int]
    is_or: bool
    consequent: int
    condition_bits: int
    """The conditions as a set of bits."""


class SRNScenario(Scenario):
    """Derive what follows from up to five rules and one fact about a person, an animal or a plant.

    `easy`: all rules are about the same subject as the fact. `medium`: they may be about its category. `hard`: the fact
    also uses synonyms of the attributes in the rules. 1000 train, 5000 valid and 5000 test instances with one reference
    each, generated in memory; they depend only on `difficulty` and `random_seed`.

    Source: HELM's synthetic_reasoning_natural.
    """

    name = "sythetic_reasoning_natural"  # HELM: spelled like this, also as the name of the cache folder
    description = "Language Pattern Matching"
    tags = ["reasoning", "language", "pattern_matching"]
    words = ENGLISH

    def __init__(self, difficulty: str, random_seed: int = 42):
        super().__init__()
        if difficulty not in DIFFICULTIES:
            hint = suggest(str(difficulty), DIFFICULTIES)
            known = ", ".join(DIFFICULTIES)  # HELM: treats anything else as medium
            hwarn(f"{self.name}: difficulty '{difficulty}' is none of {known}; using medium instead.{hint}")
        self.difficulty = difficulty
        self.random_seed = random_seed
        self._categories = list(self.words.subjects)
        self._names = list(self.words.attributes)
        self._synonyms = list(self.words.attributes.values())

    def get_instances(self, output_path: str) -> list[Instance]:
        generator = Random(self.random_seed)
        below = python_below(generator)
        instances = []
        for split, count in NUM_INSTANCES.items():
            for _ in range(count):
                text, answer = self._question(below, generator)
                references = [Reference(Output(text=answer), tags=[CORRECT_TAG])]
                instances.append(Instance(Input(text=text), references, split=split))
        return instances

    def _question(self, below: Below, generator: Random) -> tuple[str, str]:
        """Return the next input and its answer."""
        words, names = self.words, self._names
        category = self._categories[below(len(self._categories))]
        members = words.subjects[category]
        subject = members[below(len(members))]
        about = self._with_articles(category, subject)
        abouts = [about] if self.difficulty == EASY else [self._with_articles(category, category), about]
        rules = self._rules(below, abouts)
        facts, synonyms, consequents = self._fact(below, generator, rules)
        stated = synonyms if self.difficulty == HARD else [names[i] for i in facts]

        the_subject = about[1]
        lines = [self._rule_text(rule) for rule in rules]
        lines += [words.fact_heading, self._fact_text(the_subject, stated), words.question % the_subject]
        answer = self._fact_text(the_subject, [names[i] for i in consequents]) if consequents else words.nothing
        return "\n".join(lines), answer

    def _rules(self, below: Below, subjects: list[tuple[str, str]]) -> list[_Rule]:
        """Return rules about one of the subjects each, over disjoint attributes: one or two conditions, one consequent."""
        attributes = list(range(len(self._names)))
        shuffle_with(below, attributes)
        rules: list[_Rule] = []
        start, last = 0, len(attributes) - 2
        while start < last and len(rules) < _MAX_RULES:
            about = subjects[below(2)] if len(subjects) > 1 else subjects[0]
            end = start + 1 + below(2)
            conditions = attributes[start:end]
            bits = 1 << conditions[0] | 1 << conditions[-1]
            rules.append(_Rule(about, conditions, below(2) == 1, attributes[end], bits))
            start = end + 1
        return rules

    def _fact(self, below: Below, generator: Random, rules: list[_Rule]) -> tuple[list[int], list[str], list[int]]:
        """Return two attributes, a synonym of each, and what follows from them in the order of the rules."""
        synonyms_of = self._synonyms
        count = len(synonyms_of)
        while True:
            first = below(count)
            second = below(count)
            while second == first:
                second = below(count)
            first_synonym = below(len(synonyms_of[first]))
            second_synonym = below(len(synonyms_of[second]))
            facts = 1 << first | 1 << second
            consequents = []
            for _, _, is_or, consequent, conditions in rules:
                met = conditions & facts
                if met and (is_or or met == conditions) and consequent != first and consequent != second:
                    consequents.append(consequent)
            if consequents or generator.random() <= _NOTHING_PROBABILITY:
                synonyms = [synonyms_of[first][first_synonym], synonyms_of[second][second_synonym]]
                return [first, second], synonyms, consequents

    def _with_articles(self, category: str, subject: str) -> tuple[str, str]:
        """Return the subject with the indefinite and with the definite article; a person's name has none."""
        words = self.words
        if words.person in (category, subject):
            return subject, subject
        return f"{words.indefinite[subject[0].lower() in 'aeiou']} {subject}", f"{words.definite} {subject}"

    def _rule_text(self, rule: _Rule) -> str:
        (indefinite, definite), conditions, is_or, consequent, _ = rule
        names = self._names
        text = names[conditions[0]]
        if len(conditions) == 2:
            text = f"{text} {self.words.conjunctions[is_or]} {names[conditions[1]]}"
        return self.words.rule % (indefinite, text, definite, names[consequent])

    def _fact_text(self, the_subject: str, attributes: list[str]) -> str:
        capitalized = the_subject[0].upper() + the_subject[1:]
        return self.words.fact % (capitalized, f" {self.words.conjunctions[0]} ".join(attributes))
