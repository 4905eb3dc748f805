"""Context-free grammars in YAML files, and the texts that they derive.

A file has `rules:` with a list of `{category, expansions: [{text, tags}], tags}`. `${Name}` in a text can be replaced by any
expansion of that category; derivations start at the category `Root`.
"""

import os
import re
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from helm.common.errors import ScenarioError
from helm.common.files import load_yaml
from helm.common.hierarchical_logger import hwarn

ROOT_CATEGORY = "Root"
MAX_DERIVATIONS = 1_000_000
"""All derivations are held in memory."""

_CATEGORY = re.compile(r"(\$\{\w+\})")


def get_category(text: str) -> str | None:
    """Return the name of a category if the text is `${Name}`, else None."""
    return text[2:-1] if _CATEGORY.fullmatch(text) else None


@dataclass(frozen=True)
class Expansion:
    """One expansion of a category."""

    text: str
    tags: list[str]

    @cached_property
    def children(self) -> list[str]:
        """The text in pieces: a text and `${Category}` by turns."""
        return _CATEGORY.split(self.text)

    @cached_property
    def categories(self) -> list[str]:
        """The names of the categories in the text."""
        return [piece[2:-1] for piece in self.children[1::2]]


@dataclass(frozen=True)
class GrammarRule:
    """Expansions of a category; the tags are those of all of them."""

    category: str
    expansions: list[Expansion]
    tags: list[str]


@dataclass(frozen=True)
class Grammar:
    """Rules in the order of the file; several may be for the same category."""

    rules: list[GrammarRule]

    @cached_property
    def category_to_rules(self) -> dict[str, list[GrammarRule]]:
        """The rules of each category."""
        rules: dict[str, list[GrammarRule]] = {}
        for rule in self.rules:
            rules.setdefault(rule.category, []).append(rule)
        return rules


@dataclass(frozen=True)
class Derivation:
    """A tree: a leaf has a text as its value; a category has children and the tags of its rule and expansion."""

    value: str | None
    children: list["Derivation"] | None
    tags: list[str]

    @property
    def is_leaf(self) -> bool:
        """Whether this is a text."""
        return self.value is not None


def validate_grammar(grammar: Grammar) -> None:
    """Warn about categories that are used and have no rule."""
    used = {name for rule in grammar.rules for expansion in rule.expansions for name in expansion.categories}
    for name in sorted(used - grammar.category_to_rules.keys()):
        hwarn(f"The grammar has no rule for the category {name}; texts that use it are left out.")


def read_grammar(path: str) -> Grammar:
    """Read a grammar. Raises: ScenarioError, naming the file, if it is malformed, recursive, or derives too many texts."""
    if not os.path.isfile(path):
        raise ScenarioError(f"grammar: there is no file {path} (the working directory is {os.getcwd()}).")
    data = load_yaml(path)
    rules = data.get("rules") if isinstance(data, dict) else None
    if not isinstance(rules, list):
        raise ScenarioError(f"grammar: {path} has no list 'rules'.")
    grammar = Grammar([_rule(rule, f"{path}: rules[{i}]") for i, rule in enumerate(rules)])
    if ROOT_CATEGORY not in grammar.category_to_rules:
        raise ScenarioError(f"grammar: {path} has no rule for the category {ROOT_CATEGORY}, where derivations begin.")
    validate_grammar(grammar)
    _check_size(grammar, path)
    return grammar


def _rule(rule: Any, where: str) -> GrammarRule:
    try:
        expansions = [Expansion(_text(expansion), _tags(expansion)) for expansion in rule["expansions"]]
        return GrammarRule(str(rule["category"]), expansions, _tags(rule))
    except (KeyError, TypeError, AttributeError) as e:
        raise ScenarioError(
            f"grammar: {where} is not of the form "
            f"{{category: Name, expansions: [{{text: ..., tags: [...]}}], tags: [...]}}: {e!r}"
        ) from e


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
            for expansion in [e for rule in grammar.category_to_rules.get(category, []) for e in rule.expansions]:
                ways = 1
                for child in expansion.categories:
                    ways *= count(child, (*above, category))
                total += ways
            counts[category] = total
        return counts[category]

    size = count(ROOT_CATEGORY, ())
    if size > MAX_DERIVATIONS:
        raise ScenarioError(f"grammar: {path} derives {size} texts; at most {MAX_DERIVATIONS} are supported.")


def generate_derivations(grammar: Grammar) -> list[Derivation]:
    """Return all derivations of `Root`; the last category of a text varies fastest."""
    known: dict[str, list[Derivation]] = {}

    def derive(category: str) -> list[Derivation]:
        if category not in known:
            known[category] = [
                Derivation(None, list(children), rule.tags + expansion.tags)
                for rule in grammar.category_to_rules.get(category, [])
                for expansion in rule.expansions
                for children in product(*map(choices, expansion.children))
            ]
        return known[category]

    def choices(piece: str) -> list[Derivation]:
        category = get_category(piece)
        return [Derivation(piece, None, [])] if category is None else derive(category)

    return derive(ROOT_CATEGORY)


def get_values(derivation: Derivation) -> list[str]:
    """Return the texts of the leaves, in order; joined, they are the derived text."""
    if derivation.value is not None:
        return [derivation.value]
    return [value for child in derivation.children or [] for value in get_values(child)]


def get_tags(derivation: Derivation) -> list[str]:
    """Return the tags of a derivation and of its parts, in order."""
    return derivation.tags + [tag for child in derivation.children or [] for tag in get_tags(child)]
