"""What there is to know about run specs, and whether they can run here; `run_listing_text` shows it.

Nothing is downloaded and no request is sent.
"""

import glob
import inspect
import logging
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from helm.common.errors import ConfigError, HelmError

if TYPE_CHECKING:
    from helm.benchmark.declarative.entry import Entry
    from helm.benchmark.declarative.reading import EntryFile
    from helm.benchmark.run_spec import RunSpec

READY = "yes"
FETCHES = "fetches"
"""The run works once its data are downloaded, which happens automatically."""

NO = "no"

TEXT = "text"
MODALITIES = (TEXT, "image", "audio", "video")
"""What prompts may hold; `text` stands for prompts without media."""

_STAND_INS: dict[str, Any] = {"int": 1, "float": 1.0, "bool": False}
"""Arguments for building an example RunSpec, by type, for arguments without default or choices; all other types get a
text."""

_WITHOUT_KEY = ("simple", "baseline", "huggingface")
"""Hosts that mean this machine."""

_RUNS_PROGRAMS = (
    ".code_metrics.", ".bigcodebench_annotator.", ".codeinsights_code_evaluation_metrics.",
    ".codeinsights_correct_code_metrics.",
)  # fmt: skip
"""Modules of metrics and annotators that execute model-written code."""


@dataclass(frozen=True)
class Argument:
    """One argument of a run spec function."""

    name: str
    type: str = ""
    default: Any = inspect.Parameter.empty
    choices: tuple[Any, ...] = ()
    doc: str = ""

    def __str__(self) -> str:
        return self.name if self.default is inspect.Parameter.empty else f"{self.name}={self.default}"


@dataclass
class RunDescription:
    """The information that `--describe` prints."""

    name: str
    suite: str = ""
    """Folder of the catalogue; `python` for a function; `user` for a plugin's entry."""

    text: str = ""
    arguments: list[Argument] = field(default_factory=list)
    where: str = ""
    """The file that defines it."""

    entry: "Entry | None" = None
    run_spec: "RunSpec | None" = None
    """Example entry, with defaults and first choices."""

    data: list[str] = field(default_factory=list)
    judges: list[str] = field(default_factory=list)
    """Deployments of the models that act as judges."""

    given: dict[str, Any] = field(default_factory=dict)
    """Arguments that the asked name or entry has."""

    stands_for: str = ""
    """The alias that was asked for; empty if it was the run spec itself."""

    num_entries: int = 1
    """How many run entries that alias stands for."""

    modalities: frozenset[str] = frozenset()
    """The media types that prompts hold beside texts: `image`, `audio`, `video`."""

    status: str = READY
    reasons: list[str] = field(default_factory=list)
    """Why it cannot run here now, or what it will download first."""

    def refuse(self, reason: str) -> None:
        self.status = NO
        if reason not in self.reasons:
            self.reasons.append(reason)


# ---- Gathering the facts


def describe(name: str) -> RunDescription:
    """Describe one run spec function in full; classes are imported, so missing extras show.

    Args:
        name: a run spec, an alias such as `gsm8k`, or either with arguments, which the example then has.

    Raises: ConfigError for an unknown name, with the nearest one.
    """
    from helm.benchmark.catalogue.names import expand_names
    from helm.common.object_spec import parse_object_spec

    specs = expand_names(parse_object_spec(name))
    found = look_up(specs[0].class_name)
    found.given = specs[0].args
    asked = name.partition(":")[0]
    if asked != found.name:
        found.stands_for = asked
        found.num_entries = len(specs)
    _check_run_spec(found)
    return found


def look_up(name: str) -> RunDescription:
    """Gather what a listing needs of the run spec `name`, without importing scenarios or metrics.

    Raises: ConfigError for an unknown name.
    """
    from helm.benchmark.declarative import catalogue
    from helm.benchmark.run_spec import get_run_spec_function

    file = catalogue.find(name)
    function = get_run_spec_function(name)
    if function is None:
        raise ConfigError(_unknown_name(name))
    if file is None or file.entry.run is None:
        return RunDescription(
            name,
            suite="python",
            text=inspect.getdoc(function) or "",
            arguments=_arguments_of(function),
            where=inspect.getsourcefile(function) or "",
        )
    found = RunDescription(
        name,
        suite=catalogue.suite_of(file) or "user",
        text=file.entry.description,
        arguments=declared_arguments(file),
        where=file.path,
        entry=file.entry,
        modalities=media_types(data_entry(file), catalogue.suite_of(file)),
    )
    _check_data(found, data_entry(file), _scenario_folder(file))
    return found


def media_types(entry: "Entry", suite: str | None) -> frozenset[str]:
    """Return the media types of an entry's media, by what it says of them; by its suite if it does not say."""
    from helm.common.media_types import content_type_of_name

    usual = {"audio": "audio"}.get(suite or "", "image")
    found = set()
    for medium in entry.media.values():
        said = medium.type or content_type_of_name(str(medium.file or medium.path or medium.url or "")) or ""
        kind = said.partition("/")[0]
        found.add(kind if kind in MODALITIES else usual)
    return frozenset(found)


def _unknown_name(name: str) -> str:
    from helm.benchmark.catalogue.names import suggest_run_spec, why_missing

    missing = why_missing(name)
    return f"There is no scenario for '{name}'. {missing}" if missing else (
        f"There is no run spec '{name}'.{suggest_run_spec(name)}"
    )  # fmt: skip


def _arguments_of(function: Callable[..., Any]) -> list[Argument]:
    parameters = inspect.signature(function).parameters.values()
    return [
        Argument(p.name, inspect.formatannotation(p.annotation) if p.annotation is not p.empty else "", p.default)
        for p in parameters
        if p.kind is not p.VAR_KEYWORD
    ]


def declared_arguments(file: "EntryFile") -> list[Argument]:
    from msgspec import UNSET

    arguments = []
    for name, parameter in file.entry.params.items():
        choices = parameter.choices
        if isinstance(choices, str):
            choices = list(file.table(choices, ("params", name, "choices")))
        default = inspect.Parameter.empty if parameter.default is UNSET else parameter.default
        arguments.append(Argument(name, parameter.type, default, tuple(choices or ()), parameter.doc))
    return arguments


def data_entry(file: "EntryFile") -> "Entry":
    """Return the entry that says where the rows come from: this one, or that of the class it names."""
    from helm.benchmark.declarative import catalogue

    entry = file.entry
    if (
        entry.source is None
        and entry.scenario is not None
        and entry.scenario.class_
        and "$" not in entry.scenario.class_
    ):
        other = catalogue.find_class(entry.scenario.class_)
        return other.entry if other else entry
    return entry


def _scenario_folder(file: "EntryFile") -> str:
    from helm.common.commands.output_path import get_benchmark_output_path

    entry = data_entry(file)
    name = (entry.scenario.name if entry.scenario else "") or file.name
    return os.path.join(get_benchmark_output_path(), "scenarios", name)


# ---- Can it run here?


def _check_data(found: RunDescription, entry: "Entry", folder: str) -> None:
    if entry.unavailable or (found.entry and found.entry.unavailable):
        found.refuse(entry.unavailable or found.entry.unavailable)  # type: ignore[union-attr, arg-type]
        return
    from helm.common.data.data_addresses import hub_token, offline_variable

    missing = [(text, is_here) for text, is_here in data_places(entry, folder)]
    found.data = [re.sub(r"\$\{([^}]+)\}", r"<\1>", text) for text in [*(text for text, _ in missing), *entry.data]]
    absent = [text for text, is_here in missing if not is_here]
    by_hand = [text for text in absent if text.startswith("by hand: ")]
    for text in by_hand:
        found.refuse(f"the file has to be put there {text}")
    absent = [text for text in absent if text not in by_hand]
    if not absent:
        if not missing and found.data:
            found.status = FETCHES
        return
    found.status = FETCHES if found.status == READY else found.status
    if offline_variable():
        found.refuse(f"{offline_variable()} is set and the data is not here")
    elif entry.gated and hub_token() is None:
        found.refuse(f"ask for the data at {entry.gated.page} and put your token under {entry.gated.credential}")
    if entry.source is not None and entry.source.hf is not None and not _is_installed("pyarrow"):
        found.refuse("Parquet files need: pip install 'helm-evals[parquet]'")


def data_places(entry: "Entry", folder: str) -> Iterator[tuple[str, bool]]:
    """Return every location that data come from, as text, and whether it is available locally."""
    source = entry.source
    if source is None:
        return
    from helm.common.data.data_addresses import offline_variable
    from helm.common.data.hub_folders import is_cached, is_local_folder

    hubs = source.hf if isinstance(source.hf, list) else [source.hf] if source.hf else []
    for hub in [*hubs, *(join.hf for join in source.join)]:
        at = f" at {hub.revision}" if hub.revision else ""
        config = f" ({hub.config})" if hub.config else ""
        if is_local_folder(hub.path):
            yield f"your folder {hub.path}{config}", True
            continue
        here = os.path.isdir(os.path.join(folder, "hub", hub.path.replace("/", "--")))
        yield f"hf:{hub.path}{config}{at}", here or (bool(offline_variable()) and is_cached(hub.path, hub.revision))
    for file in [*source.downloads, *(source.files or [])]:
        path = getattr(file, "path", None) or file.file
        if file.url:
            yield file.url, bool(file.file) and _is_here(os.path.join(folder, file.file))
        elif getattr(file, "restricted", False):
            restricted = os.path.join("restricted", os.path.basename(folder), path)
            yield f"by hand: {restricted}", _is_here(restricted)
        elif not source.downloads:
            yield f"your file {path}", True


def _is_here(path: str) -> bool:
    """Whether a file exists, under any name if the name depends on arguments."""
    return bool(glob.glob(re.sub(r"\$\{[^}]*\}", "*", glob.escape(path))))


def _is_installed(module: str) -> bool:
    from importlib.util import find_spec

    return find_spec(module) is not None


def _check_run_spec(found: RunDescription) -> None:
    from helm.benchmark.declarative.recipe import placeholders_for_fetched_texts
    from helm.benchmark.run_spec import get_run_spec_function

    function = get_run_spec_function(found.name)
    assert function is not None
    try:
        with placeholders_for_fetched_texts():
            found.run_spec = function(**example_arguments(found))
    except (HelmError, ValueError, TypeError, KeyError, OSError) as e:
        if any(_is_required(argument) for argument in found.arguments):
            found.reasons.append(
                f"what follows from its arguments is not shown: the stand-ins for them do not go ({e})"
            )
        else:
            found.refuse(str(e))
        return
    for kind, class_name in _classes(found.run_spec):
        reason = _why_not(class_name)
        if reason:
            found.refuse(f"the {kind} {class_name} cannot be used: {reason}")
    _check_judges(found)
    _check_sandbox(found)


def _check_judges(found: RunDescription) -> None:
    """Check the keys of judges, which are models; without one, nothing would be judged."""
    from helm.benchmark.model_deployment_registry import find_model_deployment

    run_spec = found.run_spec
    for annotator in (run_spec.annotators or []) if run_spec else []:
        for judge in _judges_of(annotator.class_name, annotator.args):
            found.judges.append(judge)
            deployment = find_model_deployment(judge)
            if deployment is None:
                found.refuse(f"the judge {judge} is in no catalogue of models; judges.yaml names another")
            elif not _has_key(judge, deployment.host_organization):
                found.refuse(f"the judge {judge} needs a key in credentials.conf, or judges.yaml another judge")


def _judges_of(class_name: str, args: dict[str, Any]) -> list[str]:
    """Return the judges' deployments if the annotator queries models."""
    from helm.benchmark.annotation.judge_models import parse_annotator_models
    from helm.common.object_spec import get_class_by_name

    try:
        annotator = get_class_by_name(class_name)
    except (HelmError, ImportError, AttributeError, ValueError):
        return []  # already reported
    if args.get("model"):
        return [args.get("model_deployment") or args["model"]]
    judges = parse_annotator_models(args.get("annotator_models"), getattr(annotator, "default_judges", {}))
    return sorted({judge.model_deployment for judge in judges.values()})


def _has_key(deployment: str, host: str) -> bool:
    from helm.common.credentials_utils import provide_api_key
    from helm.common.general import get_credentials
    from helm.common.hierarchical_logger import log_level

    with log_level(logging.ERROR):
        return host in _WITHOUT_KEY or provide_api_key(get_credentials(), host, deployment) is not None


def _check_sandbox(found: RunDescription) -> None:
    """Check for a sandbox, which is required to run programs that models write."""
    from helm.common.sandbox import SandboxError
    from helm.common.sandbox.selection import get_sandbox

    run_spec = found.run_spec
    names = [spec.class_name for spec in [*run_spec.metric_specs, *(run_spec.annotators or [])]] if run_spec else []
    if any(word in name for name in names for word in _RUNS_PROGRAMS):
        try:
            get_sandbox()
        except SandboxError as e:
            found.refuse(f"programs that models write need a sandbox: {e}")


def _is_required(argument: Argument) -> bool:
    return argument.default is inspect.Parameter.empty and not argument.choices


def example_arguments(found: RunDescription) -> dict[str, Any]:
    example = {}
    for argument in found.arguments:
        if argument.name in found.given:
            example[argument.name] = found.given[argument.name]
        elif argument.default is inspect.Parameter.empty:
            example[argument.name] = argument.choices[0] if argument.choices else _stand_in(argument)
    return example


def _stand_in(argument: Argument) -> Any:
    from helm.benchmark.adaptation.adapter_spec import ADAPT_MULTIPLE_CHOICE_JOINT

    return ADAPT_MULTIPLE_CHOICE_JOINT if argument.name == "method" else _STAND_INS.get(argument.type, "X")


def _classes(run_spec: "RunSpec") -> Iterator[tuple[str, str]]:
    yield "scenario", run_spec.scenario_spec.class_name
    for metric in run_spec.metric_specs:
        yield "metric", metric.class_name
    for annotator in run_spec.annotators or []:
        yield "annotator", annotator.class_name


def _why_not(class_name: str) -> str:
    """Return why a class cannot be imported; empty if it can."""
    from helm.common.object_spec import get_class_by_name

    try:
        get_class_by_name(class_name)
    except (HelmError, ImportError, AttributeError, ValueError) as e:
        return str(e)
    return ""
