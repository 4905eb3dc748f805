"""A custom benchmark in MedHELM's format; see `helm.benchmark.medhelm_config`."""

import json
import string
from collections.abc import Mapping
from typing import Any

from helm.benchmark.medhelm_config import get_benchmark_config_from_path
from helm.benchmark.presentation.taxonomy_info import TaxonomyInfo
from helm.benchmark.scenarios.scenario import (
    CORRECT_TAG,
    TEST_SPLIT,
    Input,
    Instance,
    Output,
    Reference,
    Scenario,
    ScenarioMetadata,
)
from helm.common.data.tables import read_table
from helm.common.errors import ScenarioError, suggest

_CORRECT, _INCORRECT = "correct_answer", "incorrect_answers"


class MedHELMConfigurableScenario(Scenario):
    """Yields a test instance per row of a table: the prompt with the row's columns, its answer, and any wrong ones.

    Without the column `correct_answer`, which is optional only for a jury, there are no references.

    Args:
        name: name of the benchmark.
        config_path: the YAML file.
    """

    name = "medhelm_configurable"
    description = "A benchmark that a file describes."
    tags = ["biomedical"]

    def __init__(self, name: str, config_path: str):
        super().__init__()
        self.config = get_benchmark_config_from_path(config_path)
        self.name = name
        self.description = self.config.description

    def get_instances(self, output_path: str) -> list[Instance]:
        path = self.config.dataset_file
        rows = read_table(path, "csv")
        if not rows:
            raise ScenarioError(f"Scenario {self.name}: {path} has no rows.")
        columns = list(rows[0])
        prompt = self.config.prompt
        fields = self.get_columns_in_template(prompt)
        for column in fields:
            if column not in columns:
                raise ScenarioError(
                    f"Scenario {self.name}: the prompt has {{{column}}}, but {path} has no such column, only "
                    f"{', '.join(columns)}.{suggest(column, columns)}"
                )
        if _CORRECT not in columns and not self.config.only_jury:
            raise ScenarioError(
                f"Scenario {self.name}: {path} needs a column {_CORRECT} unless jury_score is the only metric."
            )
        return [
            Instance(
                Input(text=self.populate_template(prompt, row, fields)),
                self._references(row, i),
                split=TEST_SPLIT,
            )
            for i, row in enumerate(rows, 2)
        ]

    def get_columns_in_template(self, template: str) -> list[str]:
        """Return the columns that a template has in braces, in order."""
        return [column for _, column, _, _ in string.Formatter().parse(template) if column is not None]

    def populate_template(self, template: str, row: Mapping[str, Any], fields: list[str]) -> str:
        """Return a template with the fields of a row in the place of their names in braces. Raises: KeyError."""
        return template.format(**{name: row[name] for name in fields})

    def _references(self, row: dict[str, str], line: int) -> list[Reference]:
        references = []
        if row.get(_CORRECT):
            references.append(Reference(Output(text=row[_CORRECT]), tags=[CORRECT_TAG]))
        elif not self.config.only_jury:
            raise ScenarioError(f"Scenario {self.name}: {self.config.dataset_file}, row {line} has no {_CORRECT}.")
        return references + [Reference(Output(text=str(text)), tags=[]) for text in self._wrong_answers(row, line)]

    def _wrong_answers(self, row: dict[str, str], line: int) -> list[Any]:
        text = row.get(_INCORRECT) or "[]"
        try:
            answers = json.loads(text)
        except ValueError as e:
            raise ScenarioError(
                f"Scenario {self.name}: {self.config.dataset_file}, row {line}: {_INCORRECT} is not a JSON list: {e}"
            ) from e
        if not isinstance(answers, list):
            raise ScenarioError(
                f"Scenario {self.name}: {self.config.dataset_file}, row {line}: {_INCORRECT} must be a JSON list, not {text}."
            )
        return answers

    def get_metadata(self) -> ScenarioMetadata:
        return ScenarioMetadata(
            name=self.name,
            main_metric=self.config.main_metric.name,
            main_split="test",
            display_name=self.name,
            description=self.description,
            taxonomy=TaxonomyInfo(task="", what="", when="", who="", language=""),
        )
