"""Records which models may have seen the questions of which run groups in training, as far as is known."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from helm.common.errors import ConfigError, suggest
from helm.common.files import load_yaml
from helm.results.schema import Schema

CONTAMINATION_YAML_PACKAGE = "helm.benchmark.static"
CONTAMINATION_YAML_FILENAME = "contamination.yaml"

CONTAMINATION_LEVEL_WEAK = "weak"
"""Indirect evidence, for example training data that quote the sources of the questions."""

CONTAMINATION_LEVEL_STRONG = "strong"
"""The developers state it, or the data set is part of the published training data."""

CONTAMINATION_SYMBOLS: Mapping[str, str] = {CONTAMINATION_LEVEL_WEAK: "⚠", CONTAMINATION_LEVEL_STRONG: "☠"}

CONTAMINATION_STYLES: Mapping[str, Mapping[str, str]] = {
    CONTAMINATION_LEVEL_WEAK: {"color": "gray"},
    CONTAMINATION_LEVEL_STRONG: {"color": "lightgray"},
}


@dataclass(frozen=True)
class ContaminationPoint:
    """What is known about some models and some run groups."""

    models: list[str]

    groups: list[str]
    """Names of run groups."""

    level: str
    """One of `weak` and `strong`."""

    description: str
    """How it is known."""


@dataclass(frozen=True)
class Contamination:
    """Everything known; each pair of model and run group is in at most one point."""

    points: list[ContaminationPoint] = field(default_factory=list)

    def get_point(self, model: str, group: str) -> ContaminationPoint | None:
        """Return the point about a model and a run group; None if nothing is known.

        Raises: AssertionError when there are several.
        """
        found = [point for point in self.points if model in point.models and group in point.groups]
        assert len(found) <= 1, f"{len(found)} contamination points are about model '{model}' and group '{group}'"
        return found[0] if found else None


def get_shipped_contamination_path() -> str:
    """Return the path of the file in the package."""
    return os.path.join(os.path.dirname(os.path.dirname(__file__)), "static", CONTAMINATION_YAML_FILENAME)


def read_contamination(paths: Iterable[str] | None = None) -> Contamination:
    """Read the points of several files, by default of the package's file. Missing files are ignored.

    Raises: ConfigError that names the file, the point and what is wrong; also for two points about one pair.
    """
    points: list[ContaminationPoint] = []
    seen: dict[Any, str] = {}
    for path in [get_shipped_contamination_path()] if paths is None else paths:
        for place, point in _read_points(path).items():
            for pair in ((model, group) for model in point.models for group in point.groups):
                if pair in seen:
                    raise ConfigError(
                        f"{place}: model '{pair[0]}' and group '{pair[1]}' are already in {seen[pair]}; "
                        "one point must contain everything that is known about them."
                    )
                seen[pair] = place
            points.append(point)
    return Contamination(points)


def _read_points(path: str) -> dict[str, ContaminationPoint]:
    """Return the points of a file by their positions in it."""
    import msgspec

    if not os.path.isfile(path):
        return {}
    data = load_yaml(path)
    if not isinstance(data, dict) or not isinstance(data.get("points") or [], list):
        raise ConfigError(f"{path}: expected `points:` with a list of {{models, groups, level, description}}.")
    found = {}
    for i, item in enumerate(data.get("points") or []):
        place = f"{path}: points[{i}]"
        try:
            point = msgspec.convert(item, ContaminationPoint)
        except msgspec.ValidationError as e:
            raise ConfigError(f"{place}: {e}") from e
        if point.level not in CONTAMINATION_SYMBOLS:
            nearest = suggest(point.level, CONTAMINATION_SYMBOLS)
            raise ConfigError(f"{place}: level must be weak or strong, not '{point.level}'.{nearest}")
        found[place] = point
    return found


def validate_contamination(contamination: Contamination, schema: Schema) -> None:
    """Warn about run groups missing from the schema and models that are not registered.

    The package's own points are left out: most schemas have only some of their groups.
    """
    from helm.benchmark.model_metadata_registry import MODEL_NAME_TO_MODEL_METADATA
    from helm.common.hierarchical_logger import hwarn

    shipped = read_contamination().points
    for point in contamination.points:
        if point in shipped:
            continue
        for model in point.models:
            if model not in MODEL_NAME_TO_MODEL_METADATA:
                hwarn(
                    f"Contamination: model '{model}' is not registered.{suggest(model, MODEL_NAME_TO_MODEL_METADATA)}"
                )
        for group in point.groups:
            if group not in schema.name_to_run_group:
                hwarn(
                    f"Contamination: run group '{group}' is not in the schema.{suggest(group, schema.name_to_run_group)}"
                )
