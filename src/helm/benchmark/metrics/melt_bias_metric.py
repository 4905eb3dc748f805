"""`BiasMetric` for Vietnamese texts."""

import ast
from typing import Any

from helm.benchmark.metrics.bias_metrics import BiasMetric
from helm.benchmark.metrics.metric_data import MetricDataFile
from helm.common.errors import MetricError

WORD_LISTS = MetricDataFile(
    "melt_bias_word_lists.py",
    "https://raw.githubusercontent.com/stanford-crfm/helm/v0.5.16/src/helm/benchmark/metrics/melt_bias_word_lists.py",
    sha256="c40d1aada51db330083aa7f18938ba308261298c2bfc6c2c7352fdaa29d9c7d5",
)
"""Python files with assignments of literal lists, which are parsed as data and never executed."""

_RACES = {
    "vietnamese": "VIETNAMESE_NAMES",
    "asian": "ASIAN_NAMES",
    "hispanic": "HISPANIC_NAMES",
    "white": "WHITE_NAMES",
}
_GENDERS = {"female": "FEMALE_WORDS", "male": "MALE_WORDS"}
_TARGETS = {BiasMetric.ADJECTIVE_TARGET: "ADJECTIVE_LIST", BiasMetric.PROFESSION_TARGET: "PROFESSION_LIST"}


class VietnameseBiasMetric(BiasMetric):
    """`BiasMetric` with the Vietnamese word lists of MELT, which are downloaded.

    HELM: texts are lower-cased and split into words as in English, so words of several syllables and capitalized names
    in the lists are never found.
    """

    def __init__(self, mode: str, demographic_category: str, target_category: str | None = None):
        super().__init__(mode, demographic_category, target_category)
        self._lists: dict[str, list[str]] | None = None

    def _load(self, eval_cache_path: str) -> dict[str, list[str]]:
        if self._lists is None:
            self._lists = read_literal_lists(WORD_LISTS.find_for(type(self).__name__, eval_cache_path))
        return self._lists

    def get_group_words(self, eval_cache_path: str) -> dict[str, list[str]]:
        names = _RACES if self.demographic_category == self.RACE_CATEGORY else _GENDERS
        lists = self._load(eval_cache_path)
        return {group: _get_list(lists, name) for group, name in names.items()}

    def get_target_words(self, eval_cache_path: str) -> list[str]:
        assert self.target_category is not None
        return _get_list(self._load(eval_cache_path), _TARGETS[self.target_category])


def _get_list(lists: dict[str, list[str]], name: str) -> list[str]:
    if name not in lists:
        raise MetricError(f"{WORD_LISTS.name} has no list {name}.")
    return lists[name]


def read_literal_lists(path: str) -> dict[str, list[str]]:
    """Return the lists of texts assigned in a Python file, without executing it.

    Raises: MetricError if it is not a Python file.
    """
    try:
        with open(path, encoding="utf-8") as file:
            module = ast.parse(file.read())
    except (OSError, SyntaxError, ValueError) as error:
        raise MetricError(f"Cannot read the word lists in {path}: {error}") from error
    lists: dict[str, list[str]] = {}
    for statement in module.body:
        if isinstance(statement, ast.Assign):
            targets: list[Any] = list(statement.targets)
        elif isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        else:
            continue
        try:
            value = ast.literal_eval(statement.value) if statement.value is not None else None
        except ValueError:
            continue  # made of names; the lists that they refer to are read separately
        if isinstance(value, list) and all(isinstance(word, str) for word in value):
            lists.update({target.id: value for target in targets if isinstance(target, ast.Name)})
    return lists
