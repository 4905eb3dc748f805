"""Every text that a small context-free grammar derives."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from helm.benchmark.scenarios.scenario import TEST_SPLIT, Input, Instance, Scenario
from helm.common.errors import ScenarioError
from helm.common.files import load_yaml
from helm.common.general import ensure_file_downloaded
from helm.common.hierarchical_logger import hwarn

_ROOT = "Root"
_CATEGORY = re.compile(r"(\$\{\w+\})")
# All derivations are held in memory.
_MAX_DERIVATIONS = 1_000_000

_SHIPPED = ("best_chatgpt_prompts.yaml", "compositional_instructions.yaml")
_SHIPPED_URL = "https://raw.githubusercontent.com/stanford-crfm/helm/v0.5.16/src/helm/benchmark/scenarios/"


@dataclass(frozen=True)
class Expansion:
    """One expansion of a category."""

    pieces: list[str]
    """Alternating texts and `${Category}`."""

    tags: list[str] = field(default_factory=list)
    """Tags of the rule and of the expansion."""

    @property
    def categories(self) -> list[str]:
        return [piece[2:-1] for piece in self.pieces[1::2]]


Grammar = dict[str, list[Expansion]]
"""Maps category to its expansions, in the order of the file."""

Derivation = tuple[str, list[str]]
"""A text and its tags."""


class GrammarScenario(Scenario):
    """Prompts derived from a grammar, without references.

    All derivations are test instances; the last category of a text varies fastest. A category without rules has no
    derivation (and logs a warning).

    Args:
        path: a YAML file, `rules:` with a list of `{category, expansions: [{text, tags}], tags}`; `${Name}` in a text
            can be replaced by any expansion of that category, and derivations start at `Root`. A relative path is
            looked up in the working directory; the two grammars that HELM ships are downloaded from its repository if
            they are not there.
        tags: comma-separated; only derivations with all of these tags are kept. Empty means all.

    Raises: ScenarioError, naming the file, for a malformed or recursive grammar, and one with more than a million
    derivations.
    """

    name = "grammar"
    description = "Scenarios based on a grammar"
    tags: list[str] = []

    def __init__(self, path: str, tags: str = ""):
        super().__init__()
        self.path = path
        self.tags = [tag for tag in tags.split(",") if tag]

    def get_instances(self, output_path: str) -> list[Instance]:
        grammar = _read_grammar(_find(self.path, output_path))
        _check_size(grammar, self.path)
        return [
            Instance(Input(text=text), references=[], split=TEST_SPLIT)
            for text, tags in _derivations(grammar, _ROOT)
            if all(tag in tags for tag in self.tags)
        ]


def _find(path: str, output_path: str) -> str:
    name = os.path.basename(path)
    if os.path.exists(path) or name not in _SHIPPED:
        return path
    copy = os.path.join(output_path, name)
    ensure_file_downloaded(source_url=_SHIPPED_URL + name, target_path=copy)
    return copy


def _read_grammar(path: str) -> Grammar:
    if not os.path.isfile(path):
        raise ScenarioError(f"grammar: there is no file {path} (the working directory is {os.getcwd()}).")
    data = load_yaml(path)
    rules = data.get("rules") if isinstance(data, dict) else None
    if not isinstance(rules, list):
        raise ScenarioError(f"grammar: {path} has no list 'rules'.")
    grammar: Grammar = {}
    for i, rule in enumerate(rules):
        try:
            expansions = [
                Expansion(_CATEGORY.split(_text(expansion)), _tags(rule) + _tags(expansion))
                for expansion in rule["expansions"]
            ]
            grammar.setdefault(str(rule["category"]), []).extend(expansions)
        except (KeyError, TypeError, AttributeError) as e:
            raise ScenarioError(
                f"grammar: {path}: rules[{i}] is not of the form "
                f"{{category: Name, expansions: [{{text: ..., tags: [...]}}], tags: [...]}}: {e!r}"
            ) from e
    if _ROOT not in grammar:
        raise ScenarioError(f"grammar: {path} has no rule for the category {_ROOT}, where derivations begin.")
    used = {name for expansions in grammar.values() for expansion in expansions for name in expansion.categories}
    for name in sorted(used - grammar.keys()):
        hwarn(f"grammar: {path} has no rule for the category {name}; texts that use it are left out.")
    return grammar


def _text(expansion: dict[str, Any]) -> str:
    if not isinstance(expansion["text"], str):
        raise TypeError(f"text must be a string, not {expansion['text']!r}")
    return expansion["text"]


def _tags(item: dict[str, Any]) -> list[str]:
    return [str(tag) for tag in item.get("tags") or []]


def _check_size(grammar: Grammar, path: str) -> None:
    """Check the grammar. Raises: ScenarioError if it is recursive or derives too many texts."""
    counts: dict[str, int] = {}

    def count(category: str, above: tuple[str, ...]) -> int:
        if category in above:
            cycle = " -> ".join([*above[above.index(category) :], category])
            raise ScenarioError(f"grammar: {path} is recursive ({cycle}), so it derives infinitely many texts.")
        if category not in counts:
            total = 0
            for expansion in grammar.get(category, []):
                ways = 1
                for child in expansion.categories:
                    ways *= count(child, (*above, category))
                total += ways
            counts[category] = total
        return counts[category]

    size = count(_ROOT, ())
    if size > _MAX_DERIVATIONS:
        raise ScenarioError(f"grammar: {path} derives {size} texts; at most {_MAX_DERIVATIONS} are supported.")


def _derivations(grammar: Grammar, category: str) -> Iterator[Derivation]:
    for expansion in grammar.get(category, []):
        children = [list(_derivations(grammar, child)) for child in expansion.categories]
        for chosen in product(*children):
            pieces = list(expansion.pieces)
            pieces[1::2] = [text for text, _ in chosen]
            yield "".join(pieces), expansion.tags + [tag for _, tags in chosen for tag in tags]
