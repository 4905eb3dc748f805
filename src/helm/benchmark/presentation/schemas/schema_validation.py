"""Checks a schema: names that are empty, duplicate or undefined, and groups that contain themselves."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from helm.common.errors import ConfigError
from helm.results.schema import ALL_SPLITS_MATCHER, Field, RunGroup, Schema, read_schema

VALID_SPLITS = {"test", "valid", ALL_SPLITS_MATCHER}

TEMPLATE_VARIABLE_PATTERN = re.compile(r"^\$\{[A-Za-z_][A-Za-z0-9_]*\}$")

_Report = Callable[[str, str], None]


class ValidationSeverity(StrEnum):
    """How bad a finding is."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True)
class SchemaValidationMessage:
    """One finding. Its text is `[path] [ERROR] at location: message`, without what is not known."""

    severity: ValidationSeverity

    message: str

    schema_path: str | None = None
    """The file that was checked."""

    location: str | None = None
    """The location in it, for example `run_groups[core].subgroups[2]`."""

    def __str__(self) -> str:
        path = f"[{self.schema_path}] " if self.schema_path else ""
        location = f" at {self.location}" if self.location else ""
        return f"{path}[{self.severity.value.upper()}]{location}: {self.message}"


class SchemaValidationError(ConfigError):
    """The schema has errors and the user asked to stop at errors."""

    def __init__(self, messages: list[SchemaValidationMessage]):
        self.messages = messages
        """All findings; the text counts the errors and lists everything."""
        errors = sum(message.severity == ValidationSeverity.ERROR for message in messages)
        lines = [str(message) for message in messages if message.severity == ValidationSeverity.ERROR]
        super().__init__(f"Schema validation failed with {errors} error(s):\n" + "\n".join(lines))


def is_template_variable(value: str) -> bool:
    """Whether a name is exactly one variable: `${name}`."""
    return bool(TEMPLATE_VARIABLE_PATTERN.match(value))


def validate_schema(
    schema: Schema,
    *,
    schema_path: str | None = None,
    strict: bool = True,
    check_parent_child_partition: bool = False,
    check_orphan_children: bool = False,
) -> list[SchemaValidationMessage]:
    """Return all findings, in the order of the checks.

    Args:
        schema_path: the file, for the messages.
        strict: raise SchemaValidationError, which has all findings, if one of them is an error.
        check_parent_child_partition: warn about a run group with both subgroups and metric groups.
        check_orphan_children: warn about a run group with metric groups that is no other group's subgroup.
    """
    messages: list[SchemaValidationMessage] = []

    def error(location: str, message: str) -> None:
        messages.append(SchemaValidationMessage(ValidationSeverity.ERROR, message, schema_path, location))

    def warn(group: RunGroup, message: str) -> None:
        text = f"Run group '{group.name}' {message}"
        location = f"run_groups[{group.name}]"
        messages.append(SchemaValidationMessage(ValidationSeverity.WARNING, text, schema_path, location))

    _check_empty_names(schema, error)
    _check_duplicates(schema, error)
    _check_references(schema, error)
    _check_matchers(schema, error)
    for cycle in _find_cycles(schema):
        path = " -> ".join(cycle)
        error(f"run_groups[{cycle[0]}].subgroups", f"Circular reference detected in subgroups: {path}")
    if check_parent_child_partition:
        for group in schema.run_groups:
            if group.subgroups and group.metric_groups:
                warn(group, "has both subgroups and metric_groups")
    if check_orphan_children:
        referenced = {name for group in schema.run_groups for name in group.subgroups}
        for group in schema.run_groups:
            if group.metric_groups and group.name not in referenced:
                warn(group, "has metric_groups but is not a subgroup of any group")
    if strict and any(message.severity == ValidationSeverity.ERROR for message in messages):
        raise SchemaValidationError(messages)
    return messages


def validate_schema_file(
    schema_path: str,
    *,
    strict: bool = True,
    check_parent_child_partition: bool = False,
    check_orphan_children: bool = False,
) -> list[SchemaValidationMessage]:
    """Read a file, or a shipped schema by its bare name, and return the findings of `validate_schema`.

    A file that cannot be read is a finding as well.
    """
    try:
        schema = read_schema(schema_path)
    except ConfigError as e:
        messages = [SchemaValidationMessage(ValidationSeverity.ERROR, str(e), schema_path)]
        if strict:
            raise SchemaValidationError(messages) from e
        return messages
    return validate_schema(
        schema,
        schema_path=schema_path,
        strict=strict,
        check_parent_child_partition=check_parent_child_partition,
        check_orphan_children=check_orphan_children,
    )


def check_schema(schema: Schema, path: str, mode: str) -> None:
    """Validate according to `--schema-validation`: `error` raises SchemaValidationError, `warn` logs, `off` does nothing."""
    from helm.common.hierarchical_logger import hwarn

    if mode != "off":
        for message in validate_schema(schema, schema_path=path, strict=mode == "error"):
            hwarn(str(message))


def _is_blank(text: str) -> bool:
    return not text.strip()


def _check_empty_names(schema: Schema, error: _Report) -> None:
    lists: dict[str, Sequence[Field]] = {
        "run_groups": schema.run_groups, "metric_groups": schema.metric_groups, "metrics": schema.metrics,
    }  # fmt: skip
    titles = {"run_groups": "Run group", "metric_groups": "Metric group", "metrics": "Metric"}
    for key, items in lists.items():
        for i, item in enumerate(items):
            if _is_blank(item.name):
                error(f"{key}[{i}]", f"{titles[key]} at index {i} has empty or whitespace-only name")


def _check_duplicates(schema: Schema, error: _Report) -> None:
    lists: dict[str, Sequence[Field]] = {
        "run_group": schema.run_groups,
        "metric_group": schema.metric_groups,
        "metric": schema.metrics,
        "perturbation": schema.perturbations,
    }
    for kind, items in lists.items():
        seen = set()
        for item in items:
            if item.name in seen:
                error(f"{kind}s[{item.name}]", f"Duplicate {kind} name: '{item.name}'")
            seen.add(item.name)


def _check_references(schema: Schema, error: _Report) -> None:
    for group in schema.run_groups:
        for i, name in enumerate(group.subgroups):
            location = f"run_groups[{group.name}].subgroups[{i}]"
            if _is_blank(name):
                error(location, f"Empty subgroup reference at index {i}")
            elif name not in schema.name_to_run_group:
                error(location, f"Subgroup '{name}' is not defined as a run_group")
    for group in schema.run_groups:
        for i, name in enumerate(group.metric_groups):
            if name not in schema.name_to_metric_group:
                error(f"run_groups[{group.name}].metric_groups[{i}]", f"Metric group '{name}' is not defined")
        for i, name in enumerate(group.subgroup_metric_groups_hidden):
            if name not in schema.name_to_metric_group:
                location = f"run_groups[{group.name}].subgroup_metric_groups_hidden[{i}]"
                error(location, f"Hidden metric group '{name}' is not defined")


def _check_matchers(schema: Schema, error: _Report) -> None:
    for group in schema.metric_groups:
        for i, matcher in enumerate(group.metrics):
            location = f"metric_groups[{group.name}].metrics[{i}]"
            if _is_blank(matcher.name):
                error(f"{location}.name", "Metric name is empty")
            elif matcher.name not in schema.name_to_metric and not is_template_variable(matcher.name):
                error(f"{location}.name", f"Metric '{matcher.name}' is not defined and is not a template variable")
            if matcher.split not in VALID_SPLITS and not is_template_variable(matcher.split):
                valid = sorted(VALID_SPLITS)
                text = f"Split '{matcher.split}' is not valid. Must be one of {valid} "
                text += "or a template variable like ${main_split}"
                error(f"{location}.split", text)
            name = matcher.perturbation_name
            if name is not None and not is_template_variable(name) and not name.startswith("__"):
                if name not in schema.name_to_perturbation:
                    error(f"{location}.perturbation_name", f"Perturbation '{name}' is not defined")


def _find_cycles(schema: Schema) -> list[list[str]]:
    """Return each cycle once, as the path from a group back to itself."""
    cycles: list[list[str]] = []
    done = set()

    def visit(name: str, path: list[str]) -> None:
        if name in path:
            cycles.append(path[path.index(name) :] + [name])
            return
        group = schema.name_to_run_group.get(name)
        if group is None or name in done:
            return
        for subgroup in group.subgroups:
            visit(subgroup, path + [name])
        done.add(name)

    for group in schema.run_groups:
        visit(group.name, [])
    return cycles
