"""The display schema, which determines the groups of runs that are shown, their tables and display names."""

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from helm.benchmark.metrics.metric_name import MetricName
from helm.common.errors import ConfigError, suggest
from helm.common.files import load_yaml
from helm.common.formats.json_lines_yaml import read_json_lines_lists
from helm.common.taxonomy_info import TaxonomyInfo

BY_METRIC = "by_metric"
BY_GROUP = "by_group"

ALL_GROUPS = "all_groups"
THIS_GROUP_ONLY = "this_group_only"
NO_GROUPS = "no_groups"

ALL_SPLITS_MATCHER = "__all__"
ALL_PERTURBATIONS_MATCHER = "__all__"

DEFAULT_SCHEMA_FILE_NAME = "schema.yaml"
SCHEMA_YAML_PACKAGE = "helm.benchmark.static"
"""The package that contains the shipped schemas."""

SCHEMA_CLASSIC_YAML_FILENAME = "schema_classic.yaml"
"""HELM's default schema, which ours extends."""

_TEMPLATE = re.compile(r"\$\{([^}]*)\}")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True)
class Field:
    """A name with its presentation to readers."""

    name: str
    """The name in files and programs."""

    display_name: str | None = None
    """The displayed name; None means the name."""

    short_display_name: str | None = None
    """The displayed name where there is little room; None means the display name."""

    description: str | None = None
    """A longer explanation, which may contain Markdown."""

    lower_is_better: bool | None = None
    """Which direction is better; None means neither."""

    unit: str | None = field(default=None, kw_only=True)
    """The unit of a metric's values: `s` for seconds, which are shown in a suitable unit (`53.4 µs`), `bytes`, or any other
    word. None means the unit in the default schema for the metric of this name, if any."""

    def get_display_name(self) -> str:
        return self.display_name or self.name

    def get_short_display_name(self, arrow: bool = False) -> str:
        """Return the short name, optionally with an arrow in the direction of better values."""
        name = self.short_display_name or self.display_name or self.name
        if arrow and self.lower_is_better is not None:
            name += " ↓" if self.lower_is_better else " ↑"
        return name


def get_unit(metric: Field) -> str | None:
    """Return the unit of a schema's metric, or else that of the default schema (HELM's schemas have no units)."""
    from helm.results.metric_labels import find_unit

    return metric.unit or find_unit(metric.name)


@dataclass(frozen=True)
class MetricNameMatcher:
    """Selects the statistics of one table column. The strings may be templates such as `${main_name}`."""

    name: str
    """The name of the metric."""

    split: str
    """The split it was computed on, or `__all__`."""

    sub_split: str | None = None
    """The sub-split; None means any."""

    perturbation_name: str | None = None
    """Selects the worst case over this perturbation; None selects only statistics over unperturbed instances, and `__all__`
    selects both, merged: of each perturbation the worst case, or the mean of metrics that have no worst case."""

    def matches(self, metric_name: MetricName) -> bool:
        if self.name != metric_name.name:
            return False
        if self.split != ALL_SPLITS_MATCHER and self.split != metric_name.split:
            return False
        if self.sub_split is not None and self.sub_split != metric_name.sub_split:
            return False
        perturbation = metric_name.perturbation
        if self.perturbation_name == ALL_PERTURBATIONS_MATCHER:  # HELM: matches nothing, and its tables fail
            return perturbation is None or perturbation.computed_on in ("worst", "perturbed")
        if perturbation is None:
            return self.perturbation_name is None
        return perturbation.name == self.perturbation_name and perturbation.computed_on == "worst"

    def substitute(self, environment: Mapping[str, str]) -> "MetricNameMatcher":
        """Return the matcher with its templates substituted.

        HELM: the file's own `sub_split` is dropped here; tables insert their own.
        Raises ConfigError if a template names an unknown variable.
        """
        return MetricNameMatcher(
            name=render_template(self.name, environment),
            split=render_template(self.split, environment),
            perturbation_name=None
            if self.perturbation_name is None
            else render_template(self.perturbation_name, environment),
        )


def render_template(text: str, environment: Mapping[str, str]) -> str:
    """Replace every `${name}` by its value.

    Raises ConfigError for a name that `environment` lacks and for anything other than a name between the braces.
    """

    def value(match: "re.Match[str]") -> str:
        name = match.group(1).strip()
        if not _IDENTIFIER.fullmatch(name):
            raise ConfigError(f"Template '{text}': only a variable's name may stand between the braces, not '{name}'.")
        if name not in environment:
            known = ", ".join(environment) or "none"
            raise ConfigError(
                f"Template '{text}': the environment defines no '{name}' (it defines: {known})."
                + suggest(name, environment)
            )
        return str(environment[name])

    return _TEMPLATE.sub(value, text)


@dataclass(frozen=True)
class MetricGroup(Field):
    """Metrics that are shown together."""

    metrics: list[MetricNameMatcher] = field(default_factory=list)
    """The metrics, with one column each."""

    hide_win_rates: bool | None = None
    """Whether to show no win rates over this group's columns."""

    aggregation_strategies: list[str] | None = None
    """The summary columns: `win_rate`, `mean`; None means win rates unless hidden."""

    by_sub_split: bool | None = None
    """Whether there is one column per sub-split of the runs, headed by its name, instead of one per metric."""


@dataclass(frozen=True)
class RunGroup(Field):
    """Runs that are shown together; `RunSpec.groups` lists the groups of a run."""

    metric_groups: list[str] = field(default_factory=list)
    """The names of the metric groups to show."""

    subgroups: list[str] = field(default_factory=list)
    """The names of run groups that this one gathers."""

    sub_splits: list[str] | None = None
    """The sub-splits that get tables of their own."""

    subgroup_display_mode: str = BY_METRIC
    """`by_metric`: one table per metric group with all subgroups; `by_group`: tables per subgroup."""

    subgroup_metric_groups_hidden: list[str] = field(default_factory=list)
    """Metric groups of the subgroups that this group does not show."""

    environment: dict[str, str] = field(default_factory=dict)
    """The values of template variables in matchers, usually `main_name` and `main_split`. A group that gathers others does not
    need them; without them, it has no columns of its own for matchers with variables."""

    category: str = "Scenarios"
    """The index table that lists this group."""

    visibility: str = ALL_GROUPS
    """Where runs of this group are counted: `all_groups`, `this_group_only` or `no_groups`."""

    taxonomy: TaxonomyInfo | None = None

    todo: bool = False
    """Whether the group is not implemented yet."""

    adapter_keys_shown: list[str] = field(default_factory=lambda: ["model_deployment", "model"])
    """The fields of the adapter spec that distinguish the rows of a table."""

    short_description: str | None = None
    """Shown in column descriptions instead of the description."""

    gather_undefined_groups: bool | None = None
    """Whether every group of this group's runs that the schema does not define becomes a subgroup like the first one, so that
    the user's own programs and evals have columns without a schema of their own."""


def fill_matchers(group: RunGroup, metric_group: MetricGroup) -> list[MetricNameMatcher]:
    """Return the matchers of a metric group with templates substituted from a run group's environment.

    Templates are omitted for a group that only gathers others and has no environment; HELM fails there.
    Raises ConfigError that names the groups, if a template names an unknown variable.
    """
    only_gathers = bool(group.subgroups) and not group.environment
    filled = []
    for matcher in metric_group.metrics:
        texts = (matcher.name, matcher.split, matcher.perturbation_name or "")
        if only_gathers and any(_TEMPLATE.search(text) for text in texts):
            continue
        try:
            filled.append(matcher.substitute(group.environment))
        except ConfigError as e:
            raise ConfigError(f"Run group '{group.name}', metric group '{metric_group.name}': {e}") from e
    return filled


@dataclass(frozen=True)
class ModelField:
    """The description of a model in schema.json."""

    name: str
    display_name: str
    short_display_name: str
    description: str
    creator_organization: str | None = None
    access: str | None = None
    todo: bool = False
    release_date: str | None = None
    num_parameters: int | None = None


@dataclass
class Schema:
    """Everything that determines how runs are shown."""

    metrics: list[Field] = field(default_factory=list)

    perturbations: list[Field] = field(default_factory=list)

    metric_groups: list[MetricGroup] = field(default_factory=list)

    run_groups: list[RunGroup] = field(default_factory=list)

    adapter: list[Field] = field(default_factory=list)
    """The fields of AdapterSpec; never read from a file."""

    models: list[ModelField] = field(default_factory=list)
    """The models of the summarized runs; never read from a file."""

    def __post_init__(self) -> None:
        self.name_to_metric = {item.name: item for item in self.metrics}
        self.name_to_perturbation = {item.name: item for item in self.perturbations}
        self.name_to_metric_group = {item.name: item for item in self.metric_groups}
        self.name_to_run_group = {item.name: item for item in self.run_groups}

    def expand_subgroups(self, group: RunGroup) -> list[RunGroup]:
        """Return the group and all below it, depth first, each once (cycles are harmless, undefined ones are omitted)."""
        seen: dict[str, RunGroup] = {}

        def visit(current: RunGroup) -> None:
            if current.name not in seen:
                seen[current.name] = current
                for name in current.subgroups:
                    if name in self.name_to_run_group:
                        visit(self.name_to_run_group[name])

        visit(group)
        return list(seen.values())


def gather_undefined_groups(schema: Schema, groups_of_runs: Iterable[Sequence[str]]) -> Schema:
    """Apply `RunGroup.gather_undefined_groups`; `groups_of_runs` are the groups of each run."""
    found: dict[str, dict[str, None]] = {}
    for names in groups_of_runs:
        undefined = [name for name in names if name not in schema.name_to_run_group]
        for name in names if undefined else []:
            parent = schema.name_to_run_group.get(name)
            if parent is not None and parent.gather_undefined_groups and parent.subgroups:
                found.setdefault(name, {}).update(dict.fromkeys(undefined))
    if not found:
        return schema
    run_groups: list[RunGroup] = []
    added: dict[str, RunGroup] = {}
    for group in schema.run_groups:
        names = list(found.get(group.name, ()))
        for name in names:
            model = schema.name_to_run_group.get(group.subgroups[0], group)
            shown = name.removeprefix(os.path.commonprefix(group.subgroups))
            added[name] = replace(
                model, name=name, display_name=shown or name, short_display_name=None, description=None
            )
        run_groups.append(replace(group, subgroups=group.subgroups + names) if names else group)
    return replace(schema, run_groups=run_groups + list(added.values()))


def get_default_schema_path() -> str:
    """Return the path of the schema that `helm-summarize` uses by default."""
    return os.path.join(_shipped_folder(), DEFAULT_SCHEMA_FILE_NAME)


def get_shipped_schema_names() -> list[str]:
    """Return the sorted file names of the schemas that come with the package."""
    return sorted(name for name in os.listdir(_shipped_folder()) if re.fullmatch(r"schema(_\w+)?\.yaml", name))


def get_all_schema_paths() -> list[str]:
    """Return the paths of all shipped schemas but the default one, in the order of their names."""
    return [os.path.join(_shipped_folder(), name) for name in get_shipped_schema_names() if name.startswith("schema_")]


def _shipped_folder() -> str:
    return os.path.join(os.path.dirname(os.path.dirname(__file__)), "benchmark", "static")


def find_schema(path: str) -> str:
    """Return the path of a schema file, given by its path or, if it comes with the package, by its bare name.

    Raises ConfigError with the nearest of the shipped names.
    """
    if os.path.isfile(path):
        return path
    shipped = get_shipped_schema_names()
    if path in shipped:
        return os.path.join(_shipped_folder(), path)
    hint = "" if os.path.dirname(path) else suggest(path, shipped) or f" Shipped schemas: {', '.join(shipped)}."
    raise ConfigError(f"Schema file '{path}' does not exist.{hint}")


def get_adapter_fields() -> list[Field]:
    """Return one field for each of HELM's fields of AdapterSpec, with its documentation."""
    from helm.benchmark.adaptation.adapter_spec import LAST_HELM_FIELD, AdapterSpec

    descriptions = _field_docstrings(AdapterSpec)
    names = [f.name for f in fields(AdapterSpec)]
    return [
        Field(name=name, description=descriptions.get(name, name.replace("_", " ")))
        for name in names[: names.index(LAST_HELM_FIELD) + 1]
    ]


def _field_docstrings(cls: type) -> dict[str, str]:
    """Return the string after each field of a dataclass, read from the source; empty if the source is unavailable."""
    import ast
    import inspect

    try:
        body = ast.parse(inspect.getsource(cls)).body[0].body  # type: ignore[attr-defined]
    except (OSError, SyntaxError):
        return {}
    docstrings = {}
    for statement, following in zip(body, body[1:], strict=False):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
                docstrings[statement.target.id] = " ".join(str(following.value.value).split())
    return docstrings


def read_schema(schema_path: str) -> Schema:
    """Read a schema from YAML, or from JSON if the file's name ends so. Unknown keys are ignored.

    Args:
        schema_path: a file, or the bare name of a shipped schema.

    Raises:
        ConfigError: The schema is invalid; the message names the file and what is wrong in it.
    """
    path = find_schema(schema_path)
    return schema_from_dict(_load(path), path)


def _load(path: str) -> Any:
    if not path.endswith(".json"):
        lists = read_json_lines_lists(path, _LISTS)
        return load_yaml(path) if lists is None else lists
    with open(path, encoding="utf-8") as file:
        try:
            return json.load(file)
        except ValueError as e:
            raise ConfigError(f"{path} is not valid JSON: {e}") from e


def schema_from_dict(data: Any, where: str = "schema") -> Schema:
    """Build a Schema from parsed YAML or JSON; `where` names its source in errors."""
    import msgspec  # reads a thousand groups in the time that dacite takes for twenty

    try:
        schema = msgspec.convert(_with_base(data, where, ()), Schema)
    except msgspec.ValidationError as e:
        raise ConfigError(f"{where} is not a valid schema: {e}") from e
    return replace(schema, adapter=get_adapter_fields())


_LISTS = ("metrics", "perturbations", "metric_groups", "run_groups")


def _with_base(data: Any, where: str, seen: Sequence[str]) -> dict[str, Any]:
    """Return the lists of a schema file, followed by those of the file that its key `extends` names.

    If both define the same name, the file's own definition counts.
    """
    from helm.common.hierarchical_logger import hwarn

    if data is None:
        data = {}
    if not isinstance(data, dict):
        raise ConfigError(
            f"{where}: expected a mapping with metrics, metric_groups and run_groups, got {type(data).__name__}."
        )
    if data.get("adapter"):
        hwarn(f"{where}: the key 'adapter' is ignored; the fields of AdapterSpec are taken from the program.")
    lists = {key: data[key] for key in _LISTS if data.get(key) is not None}
    extends = data.get("extends")
    if extends is None:
        return lists
    if not isinstance(extends, str):
        raise ConfigError(f"{where}: extends: expected the name of a schema file, got {type(extends).__name__}.")
    beside = os.path.join(os.path.dirname(where), extends)
    base_path = find_schema(beside if os.path.isfile(beside) else extends)
    if os.path.realpath(base_path) in seen:
        raise ConfigError(f"{where}: extends: {extends} extends this file, which would be circular.")
    base = _with_base(_load(base_path), base_path, [*seen, os.path.realpath(where)])
    for key, items in base.items():
        own = lists.get(key, [])
        if isinstance(own, list) and isinstance(items, list):
            names = {item.get("name") for item in own if isinstance(item, dict)}
            lists[key] = own + [item for item in items if not isinstance(item, dict) or item.get("name") not in names]
    return lists
