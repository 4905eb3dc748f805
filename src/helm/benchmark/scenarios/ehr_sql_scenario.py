"""EHRSQL: questions of hospital staff to the eICU database, answered with SQL."""

import json
import os
from typing import Any

from helm.benchmark.scenarios.scenario import (
    CORRECT_TAG,
    TEST_SPLIT,
    TRAIN_SPLIT,
    Input,
    Instance,
    Output,
    Reference,
    Scenario,
)
from helm.common.errors import ScenarioError
from helm.common.general import ensure_file_downloaded

_FILES = {"train": TRAIN_SPLIT, "valid": TEST_SPLIT, "test": TEST_SPLIT}


class EhrSqlScenario(Scenario):
    """A question with the database's schema; the answer is a query, or nothing if the data cannot answer it.

    Questions with neither a query nor an answer to compare with are left out. Both the valid and the test file become
    test instances. `extra_data`: `db_path` (the SQLite file in the scenario's folder), `value` (the result in the data
    set) and `is_impossible`.
    """

    name = "ehr_sql"
    description = "Write a SQL query that answers a question about patients from the eICU database."
    tags = ["sql", "medical", "reasoning"]
    BASE_URL = (
        "https://raw.githubusercontent.com/glee4810/EHRSQL/e172ec8e61391ecae2d872c8d0ba02a622222f54/dataset/ehrsql/eicu"
    )
    DB_URL = "https://github.com/raulista1997/benchmarkdata/raw/c4c252443fa9c52afb6960f53e51be278639bea2/eicu.sqlite"
    SQL_SCHEMA_URL = f"{BASE_URL}/eicu.sql"

    def get_instances(self, output_path: str) -> list[Instance]:
        ensure_file_downloaded(self.DB_URL, os.path.join(output_path, "eicu.sqlite"))
        schema_path = os.path.join(output_path, "eicu.sql")
        ensure_file_downloaded(self.SQL_SCHEMA_URL, schema_path)
        with open(schema_path, encoding="utf-8") as file:
            schema = schema_text(file.read())
        if not schema:
            raise ScenarioError(f"Scenario {self.name}: {schema_path} has no CREATE TABLE statement.")
        instances: list[Instance] = []
        for name, split in _FILES.items():
            path = os.path.join(output_path, f"ehrsql_{name}.json")
            ensure_file_downloaded(f"{self.BASE_URL}/{name}.json", path)
            with open(path, encoding="utf-8") as file:
                instances.extend(
                    _instance(row, schema, split) for row in json.load(file) if {"question", "query"} <= row.keys()
                )
        return instances


def schema_text(sql: str) -> str:
    """Return the CREATE TABLE statements, without spaces at line ends, separated by blank lines."""
    statements: list[str] = []
    lines: list[str] = []
    for line in map(str.strip, sql.splitlines()):
        if lines or line.upper().startswith("CREATE TABLE"):
            lines.append(line)
            if line.endswith(";"):
                statements.append("\n".join(lines))
                lines = []
    return "\n\n".join(statements)


def _instance(row: dict[str, Any], schema: str, split: str) -> Instance:
    # HELM: the second line is indented after its dashes.
    text = f"-- Database Schema:\n{schema}\n\n--                     Question:\n{row['question']}\n\n"
    # A null query is the empty answer to a question without one. HELM fails on it.
    reference = Reference(Output(text=row["query"] or ""), tags=[CORRECT_TAG])
    extra_data = {
        "db_path": "eicu.sqlite",
        "value": row.get("value", {}),
        "is_impossible": row.get("is_impossible", False),
    }
    return Instance(Input(text=text), [reference], split=split, extra_data=extra_data)
