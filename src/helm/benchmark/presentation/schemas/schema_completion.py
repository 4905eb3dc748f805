"""Fills in missing parts of a schema from the metadata of scenarios and metrics."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from helm.benchmark.metrics.metric import MetricInterface, MetricMetadata
from helm.benchmark.scenarios.scenario import Scenario
from helm.common.hierarchical_logger import hdebug
from helm.common.object_spec import ObjectSpec, create_described_object
from helm.results.run_files.run_reader import Run
from helm.results.schema import Field, MetricGroup, MetricNameMatcher, RunGroup, Schema

MAIN_METRIC_GROUP = "main_metric"
ALL_SCENARIOS_GROUP = "all_scenarios"
LANGUAGE_MODELS_GROUP = "language_models"
"""The group of the default schema that compares models."""


def needs_completion(schema: Schema) -> bool:
    return not schema.metrics or not schema.run_groups


def complete_schema(schema: Schema, runs: Iterable[Run]) -> Schema:
    """Complete a schema: add the runs' metrics if it has none, and groups per scenario and for all if it has none.

    Classes that cannot be imported or have no metadata add nothing.
    """
    runs = list(runs)
    if not schema.metrics:
        schema = _complete_metrics(schema, runs)
    if all(group.subgroups for group in schema.run_groups):
        schema = replace(schema, run_groups=schema.run_groups + _create_scenario_groups(schema, runs))
    if not any(group.subgroups for group in schema.run_groups):
        leaves = [group.name for group in schema.run_groups]
        everything = RunGroup(
            name=ALL_SCENARIOS_GROUP,
            display_name="All Scenarios",
            description="All scenarios",
            category="Scenario Groups",
            subgroups=leaves,
        )
        schema = replace(schema, run_groups=[everything] + schema.run_groups)
    return schema


def add_scenario_groups(schema: Schema, runs: Iterable[Run]) -> Schema:
    """Add groups for runs that belong to none of the schema's groups, from the metadata of their scenarios.

    They are shown next to the scenarios of the group `language_models`, where it exists, if higher is better for their
    main metric, and separately otherwise. Scenarios without metadata, and metadata whose name is not one of the run's
    groups, add nothing.
    """
    known = schema.name_to_run_group
    unknown = [run for run in runs if not any(name in known for name in run.run_spec.groups)]
    if not unknown:
        return schema
    names = {name for run in unknown for name in run.run_spec.groups}
    parent = known.get(LANGUAGE_MODELS_GROUP)
    shown = parent.metric_groups if parent else [group.name for group in schema.metric_groups]
    # A scenario that shows X is in the tables of X and of X_detailed.
    metric_groups = list(dict.fromkeys(name.removesuffix("_detailed") for name in shown))
    groups = [
        replace(group, metric_groups=list(metric_groups))
        for group in _create_scenario_groups(schema, unknown)
        if group.name in names and group.name not in known
    ]
    metrics = _describe_metrics(
        (
            name
            for name in dict.fromkeys(group.environment["main_name"] for group in groups)
            if name not in schema.name_to_metric
        ),
        unknown,
    )
    directions = {field.name: field.lower_is_better for field in [*schema.metrics, *metrics]}
    # A table of scenarios has a mean score, which needs one direction.
    added = [group.name for group in groups if directions[group.environment["main_name"]] is False]
    return replace(
        schema,
        metrics=schema.metrics + metrics,
        run_groups=[
            replace(group, subgroups=group.subgroups + added) if group is parent else group
            for group in schema.run_groups
        ]
        + groups,
    )


def _describe_metrics(names: Iterable[str], runs: Iterable[Run]) -> list[Field]:
    """Return fields for metrics that the schema does not define, from the metadata of the runs' metrics."""
    described = {
        metadata.name: metadata
        for entries in _get_metadata((spec for run in runs for spec in run.run_spec.metric_specs), MetricInterface)
        for metadata in entries
    }
    fields = []
    for name in names:
        found = described.get(name)
        fields.append(_describe_metric(found) if found else Field(name, name.replace("_", " ").capitalize()))
    return fields


def _describe_metric(metadata: MetricMetadata) -> Field:
    return Field(
        metadata.name,
        metadata.display_name,
        metadata.short_display_name,
        metadata.description,
        metadata.lower_is_better,
        unit=metadata.unit,
    )


def _get_metadata(specs: Iterable[ObjectSpec], base: type) -> list[Any]:
    """Return the metadata of each subclass of `base` once, in the order of the runs."""
    found: dict[str, Any] = {}
    for spec in specs:
        key = f"{spec.class_name} {sorted(spec.args.items(), key=str)}"
        if key in found:
            continue
        found[key] = None
        try:
            found[key] = create_described_object(spec, base).get_metadata()
        except (
            Exception
        ) as e:  # a plugin's class, or one that needs a missing package: whatever it raises, continue without it
            hdebug(f"No metadata of {spec.class_name}: {type(e).__name__}: {e}")
    return [metadata for metadata in found.values() if metadata is not None]


def _complete_metrics(schema: Schema, runs: list[Run]) -> Schema:
    present = {name for run in runs for name in run.stat_names()}
    fields: dict[str, Field] = {}
    groups: dict[str, list[MetricNameMatcher]] = {}
    for entries in _get_metadata((spec for run in runs for spec in run.run_spec.metric_specs), MetricInterface):
        for metadata in entries:
            if metadata.name in present and metadata.name not in fields:
                fields[metadata.name] = _describe_metric(metadata)
                if metadata.group:
                    groups.setdefault(metadata.group, []).append(MetricNameMatcher(metadata.name, "${main_split}"))
    schema = replace(schema, metrics=list(fields.values()))
    if schema.metric_groups:
        return schema
    main = MetricGroup(
        MAIN_METRIC_GROUP,
        "Main Metric",
        description="Main Metric",
        metrics=[MetricNameMatcher("${main_name}", "${main_split}")],
    )
    others = [
        MetricGroup(name, title, description=title, metrics=matchers, aggregation_strategies=[])
        for name, title, matchers in ((n, n.replace("_", " ").capitalize(), m) for n, m in groups.items())
    ]
    return replace(schema, metric_groups=[main] + others)


def _create_scenario_groups(schema: Schema, runs: list[Run]) -> list[RunGroup]:
    metric_groups = [group.name for group in schema.metric_groups]
    groups: dict[str, RunGroup] = {}
    for metadata in _get_metadata((run.run_spec.scenario_spec for run in runs), Scenario):
        groups.setdefault(
            metadata.name,
            RunGroup(
                name=metadata.name,
                display_name=metadata.display_name,
                short_display_name=metadata.short_display_name,
                description=metadata.description,
                short_description=metadata.short_description,
                taxonomy=metadata.taxonomy,
                metric_groups=metric_groups,
                environment={"main_name": metadata.main_metric, "main_split": metadata.main_split},
            ),
        )
    return list(groups.values())
