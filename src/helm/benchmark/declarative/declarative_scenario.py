"""Scenarios built from entries: one class each, created on first use."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from functools import cache
from typing import Any, ClassVar

import msgspec

from helm.benchmark.declarative.class_paths import declared_class
from helm.benchmark.declarative.declared_names import class_constants, class_methods
from helm.benchmark.declarative.entry import Entry, Metadata
from helm.benchmark.declarative.entry_parts import Source
from helm.benchmark.declarative.function_chains import MediaFolder
from helm.benchmark.declarative.instances import InstanceBuilder
from helm.benchmark.declarative.parameters import (
    SCENARIO_KEYS,
    all_params,
    convert_argument,
    fetch_to,
    make_variables,
    scenario_argument_names,
    signature_of,
)
from helm.benchmark.declarative.reading import EntryError, EntryFile
from helm.benchmark.declarative.row_methods import make_method
from helm.benchmark.declarative.row_sources import Place, RowSet, load_rows
from helm.benchmark.declarative.steps import (
    RowProblem,
    add_fields,
    apply_steps,
    filter_rows,
    spooled_columns,
    store_media,
)
from helm.benchmark.declarative.templates import LocatedTemplateError, TemplateError, Variables
from helm.benchmark.declarative.value_functions import Context, FunctionError, ValueProblem
from helm.benchmark.presentation.taxonomy_info import TaxonomyInfo
from helm.benchmark.scenarios.scenario import Instance, Scenario, ScenarioMetadata
from helm.common.data.content_spool import ContentSpool
from helm.common.errors import ConfigError, ScenarioError


class DeclarativeScenario(Scenario):
    """A scenario that an entry describes. `scenario_class` creates its subclasses."""

    file: ClassVar[EntryFile]
    """The entry."""

    def __init__(self, **arguments: Any):
        super().__init__()
        what = f"Scenario {type(self).__name__}"
        names = scenario_argument_names(self.file)
        known = {name: arguments[name] for name in names if name in arguments}
        self.arguments: dict[str, Any] = {
            name: convert_argument(self.file, name, value, what) for name, value in known.items()
        }
        if "${" in self.name + "".join(self.tags):
            variables = make_variables(self.file, self.arguments, fetch_to("", scenario_part=True))
            self.name = str(variables.fill(self.name))
            self.tags = [str(variables.fill(tag)) for tag in self.tags]
        self._check_available()

    def _check_available(self) -> None:
        if self.file.entry.unavailable:
            raise ConfigError(f"The scenario {self.name} cannot run: {self.file.entry.unavailable}")

    def get_instances(self, output_path: str) -> list[Instance]:
        """Return all instances. Raises: ScenarioError that names the entry and the row; DownloadError."""
        return self.instances_of(output_path)

    def instances_of(
        self, output_path: str, replace: Callable[[Entry], Iterable[Mapping[str, Any]] | Source] | None = None
    ) -> list[Instance]:
        """Return the instances of all rows, or of other rows than those of the entry's source.

        Args:
            output_path: the cache folder.
            replace: takes the entry with `${...}` filled in, and returns rows or a source in the place of its source.

        Raises: ScenarioError that names the entry and the row; DownloadError.
        """
        variables = make_variables(self.file, self.arguments, fetch_to(output_path, scenario_part=True))
        try:
            entry = self._filled(variables)
            assert entry.source is not None
            return self._build(entry, variables, output_path, replace(entry) if replace else entry.source)
        except LocatedTemplateError as e:
            raise self.file.error(e.path, str(e)) from e
        except EntryError:
            raise
        except (RowProblem, ValueProblem) as e:
            raise ScenarioError(f"Scenario {self.name} ({self.file.path}): {e}") from e
        except (FunctionError, TemplateError) as e:
            raise self.file.error((), str(e)) from e

    def _filled(self, variables: Variables) -> Entry:
        """Return the part of the entry that describes the instances, with `${...}` filled in."""
        part: dict[str, Any] = {}
        for key in SCENARIO_KEYS:
            if key == "source":
                part[key] = _fill_source(self.file.data[key], variables)
            elif key in self.file.data:
                part[key] = variables.fill_all(self.file.data[key], (key,))
        return self.file.convert(part, Entry, ())

    def _build(
        self,
        entry: Entry,
        variables: Variables,
        output_path: str,
        rows_or_source: "Iterable[Mapping[str, Any]] | Source",
    ) -> list[Instance]:
        assert entry.source is not None

        def table(name: str) -> Any:
            return self.file.table(name, ())

        def fill(value: Any, more: dict[str, Any]) -> Any:
            return variables.with_values(more).fill_all(value, ("source", "files"))

        columns = spooled_columns(entry)
        with ContentSpool(output_path, columns) if columns else nullcontext() as spool:
            if isinstance(rows_or_source, Source):
                place = Place(output_path, self.name, entry.license, spool)
                loaded = load_rows(rows_or_source, entry.records, place, fill, table)
            else:
                loaded = RowSet([dict(row) for row in rows_or_source])
            media_folder = MediaFolder(output_path, self.name, entry.license, entry.source.how_to_get)
            context = Context(loaded.class_labels, table, media_folder)
            rows = apply_steps(loaded.rows, entry.steps, variables, context)
            rows = filter_rows(rows, entry.filter, variables, context)
            builder = InstanceBuilder(entry, context)
            rows = store_media(add_fields(rows, entry.fields, context), entry.media, context)
            instances = [builder.build(row) for row in rows]
        builder.warn_of_missing_options(self.name)
        return instances

    def get_metadata(self) -> ScenarioMetadata:
        """Return the metadata. Raises: NotImplementedError if the entry has none."""
        if self.file.entry.metadata is None:
            return super().get_metadata()
        variables = make_variables(self.file, self.arguments, fetch_to("", scenario_part=True))
        path = ("metadata",)
        try:
            metadata = self.file.convert(variables.fill_all(self.file.data["metadata"], path), Metadata, path)
        except LocatedTemplateError as e:
            raise self.file.error(e.path, str(e)) from e
        values = msgspec.structs.asdict(metadata)
        taxonomy = metadata.taxonomy
        return ScenarioMetadata(
            **{
                **values,
                "name": metadata.name or self.file.name,
                "taxonomy": TaxonomyInfo(**msgspec.structs.asdict(taxonomy)) if taxonomy else None,
            }
        )


def _fill_source(source: Any, variables: Variables) -> Any:
    """Fill in `${...}`, except in files with `each`, which define names of their own."""
    files = source.get("files")
    if not files:
        return variables.fill_all(source, ("source",))
    rest = variables.fill_all({key: value for key, value in source.items() if key != "files"}, ("source",))
    filled = [
        file if "each" in file else variables.fill_all(file, ("source", "files", i)) for i, file in enumerate(files)
    ]
    return {**rest, "files": filled}


# ---- Classes


@cache
def scenario_class(file: EntryFile) -> type[DeclarativeScenario]:
    """Return the class of an entry's scenario, the same object each time."""
    entry = file.entry
    module, _, name = declared_class(file).rpartition(".")
    part = entry.scenario
    signature = signature_of(scenario_argument_names(file), all_params(file), None)
    methods = {key: make_method(key, text) for key, text in class_methods(module, name).items()}
    return type(
        name,
        (DeclarativeScenario,),
        {
            **class_constants(module, name, file),
            **methods,
            "__module__": module,
            "__doc__": entry.description or None,
            "__init__": _constructor(name, signature),
            "file": file,
            "name": (part.name if part else "") or file.name,
            "description": entry.description,
            "tags": list(part.tags) if part else [],
        },
    )


def _constructor(name: str, signature: inspect.Signature) -> Callable[..., None]:
    def __init__(self: DeclarativeScenario, *args: Any, **kwargs: Any) -> None:
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as e:
            raise TypeError(f"{name}() {e}") from None
        bound.apply_defaults()
        DeclarativeScenario.__init__(self, **bound.arguments)

    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    __init__.__signature__ = signature.replace(parameters=[own, *signature.parameters.values()])  # type: ignore[attr-defined]
    return __init__
