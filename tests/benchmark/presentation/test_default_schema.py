"""The schema that ships with the package."""

from pathlib import Path

import helm.compiler_gym.programs
from helm.benchmark.presentation.schemas.schema_validation import validate_schema
from helm.gradbench.evals.registry import EVAL_NAMES
from helm.results.schema import get_default_schema_path, read_schema

SCHEMA = read_schema(get_default_schema_path())


def test_default_schema_is_valid() -> None:
    assert validate_schema(SCHEMA) == []


def test_every_eval_has_a_column() -> None:
    assert {f"gradbench_{name}" for name in EVAL_NAMES} <= set(SCHEMA.name_to_run_group["gradbench"].subgroups)


def test_every_shipped_program_has_a_column() -> None:
    names = {path.stem for folder in helm.compiler_gym.programs.__path__ for path in Path(folder).glob("*.ll")}
    assert names and {f"llvm_{name}" for name in names} <= set(SCHEMA.name_to_run_group["compiler_gym"].subgroups)


def test_adapter_fields_are_documented() -> None:
    fields = {field.name: field.description for field in SCHEMA.adapter}
    assert fields["instructions"] == "The first block of the prompt."
    assert all(fields.values())
