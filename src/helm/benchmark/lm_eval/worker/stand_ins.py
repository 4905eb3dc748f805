"""Stand-ins for the modules that task files import: `datasets`, `evaluate`, and the documented names of `lm_eval`."""

import importlib
import importlib.util
import logging
import os
import re
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from . import documents, evaluate_names, filters, measures, scores, tables, task
from .failures import CODE_FOLDER


def install(folder: str) -> None:
    """Make the stand-ins importable. `folder` has the task's files in `task_code`."""
    for name, members in _MODULES.items():
        _add(name, members)
    library = sys.modules["lm_eval"]
    library.__path__ = []
    for name in [name for name in sys.modules if name.startswith("lm_eval.") and name.count(".") == 1]:
        sys.modules[name].__path__ = [] if name != "lm_eval.tasks" else [os.path.join(folder, CODE_FOLDER)]
    if not _is_installed("tqdm"):
        _add("tqdm", {"tqdm": _no_progress})
        _add("tqdm.auto", {"tqdm": _no_progress})
    if not _is_installed("immutabledict"):
        _add("immutabledict", {"immutabledict": _ImmutableDict})
    _add_squad_metrics()


def _add_squad_metrics() -> None:
    """Make the rules of SQuAD importable by the name that transformers has for them, without importing transformers."""
    for name in ("transformers", "transformers.data", "transformers.data.metrics"):
        _add(name, {"__path__": []})
    _add("transformers.data.metrics.squad_metrics", _SQUAD)
    names = [name for name in sys.modules if name.partition(".")[0] == "transformers"]
    loaded: list[ModuleType] = []

    def load_real(wanted: str) -> Any:
        if wanted.startswith("__"):
            raise AttributeError(wanted)
        if loaded:  # code that said `import transformers` keeps asking the stand-in
            return getattr(loaded[0], wanted)
        kept = {name: sys.modules.pop(name) for name in names}
        try:
            real = importlib.import_module("transformers")
        except ImportError:
            sys.modules.update(kept)
            raise
        loaded.append(real)
        sys.modules.update({name: module for name, module in kept.items() if "metrics" in name})
        if "transformers.data" in sys.modules:
            sys.modules["transformers.data"].metrics = kept["transformers.data.metrics"]  # type: ignore[attr-defined]
        return getattr(real, wanted)

    sys.modules["transformers"].__getattr__ = load_real  # type: ignore[method-assign]


class _ImmutableDict(dict):
    """A mapping that cannot be changed."""

    def __setitem__(self, key: Any, value: Any) -> None:
        raise TypeError("an immutabledict cannot be changed")

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


def _add(name: str, members: dict[str, Any]) -> None:
    module = sys.modules.setdefault(name, ModuleType(name))
    module.__dict__.update(members)
    parent, _, own = name.rpartition(".")
    if parent in sys.modules:
        setattr(sys.modules[parent], own, module)


def _is_installed(name: str) -> bool:
    return name in sys.modules or importlib.util.find_spec(name) is not None


def _no_progress(items: Any = None, *_: Any, **__: Any) -> Any:
    return items


# ---- datasets


def load_dataset(path: str, name: str | None = None, *_: Any, split: str | None = None, **arguments: Any) -> Any:
    """Return tables that were sent along, or ask for them: a split may have a range, as in `train[:100]`."""
    kept = {key: arguments[key] for key in ("data_files", "data_dir", "revision") if arguments.get(key) is not None}
    if split is None:
        return documents.SOURCES.load(path, name, None, kept)
    bare, _bracket, wanted = str(split).partition("[")
    table = documents.SOURCES.load(path, name, bare, kept)
    if not wanted:
        return table
    start, _colon, end = wanted.rstrip("]").partition(":")
    return table.select(range(*slice(_position(start, len(table)), _position(end, len(table))).indices(len(table))))


def _position(text: str, size: int) -> int | None:
    if not text:
        return None
    return int(size * float(text[:-1]) / 100) if text.endswith("%") else int(text)


# ---- lm_eval


class Filter:
    """The base of filters."""

    def __init__(self, **kwargs: Any):
        self.__dict__.update(kwargs)

    def apply(self, resps: Any, docs: Any) -> Any:
        return resps


class RegexFilter(Filter):
    """A filter that extracts what a pattern finds."""

    def __init__(
        self, regex_pattern: str = r"#### (\-?[0-9\.\,]+)", group_select: int = 0, fallback: str = "[invalid]", **_: Any
    ):
        self.regex_pattern, self.group_select, self.fallback = regex_pattern, group_select, fallback
        self.regex = re.compile(regex_pattern)

    def apply(self, resps: Any, docs: Any) -> Any:
        return [filters.regex(list(texts), self.regex_pattern, self.group_select, self.fallback) for texts in resps]


class Group(dict):
    """A group of tasks, of which task files import only the name."""


def register_filter(name: str) -> Callable[[Any], Any]:
    """Register a filter of the task under a name."""

    def register(cls: Any) -> Any:
        filters.REGISTERED[name] = cls
        return cls

    return register


def _register_nothing(*_: Any, **__: Any) -> Callable[[Any], Any]:
    return lambda value: value


def _register_metric(metric: str = "", **options: Any) -> Callable[[Any], Any]:
    def register(function: Any) -> Any:
        scores.REGISTERED_MEASURES[metric] = function
        if options.get("aggregation"):
            measures.USUAL_AGGREGATIONS.setdefault(metric, options["aggregation"])
        return function

    return register


def _register_aggregation(name: str) -> Callable[[Any], Any]:
    def register(function: Any) -> Any:
        measures.AGGREGATIONS[name] = function
        return function

    return register


def general_detokenize(text: str) -> str:
    """Return a text without the spaces that a tokenizer put around punctuation."""
    for spaced, joined in ((" n't", "n't"), (" )", ")"), ("( ", "("), ('" ', '"'), (' "', '"')):
        text = text.replace(spaced, joined)
    return re.sub(r" (['.,])", r"\1", text)


def weighted_f1_score(items: Sequence[tuple[Any, Any]]) -> float:
    """Return F1 of all classes, weighted by their sizes."""
    golds, predictions = zip(*items, strict=True)
    return float(evaluate_names.f1_score(golds, predictions, average="weighted"))


def metric_max_over_ground_truths(metric_fn: Callable[..., Any], prediction: Any, ground_truths: Sequence[Any]) -> Any:
    """Return the best value of a measure over several right answers."""
    return max(metric_fn(prediction, truth) for truth in ground_truths)


def _acc_all(items: Sequence[tuple[Any, dict[str, Any]]]) -> float:
    """Return the share of questions all of whose answers are judged rightly."""
    by_question: dict[Any, list[bool]] = {}
    for right, doc in items:
        index = doc["idx"]
        by_question.setdefault((index["paragraph"], index["question"]), []).append(bool(right))
    return measures.mean([int(all(each)) for each in by_question.values()])


def handle_non_serializable(value: Any) -> Any:
    return str(value)


_logger = logging.getLogger("lm-eval")

_UTILS: dict[str, Any] = {
    "eval_logger": _logger,
    "logging": logging,
    "general_detokenize": general_detokenize,
    "weighted_f1_score": weighted_f1_score,
    "handle_non_serializable": handle_non_serializable,
    "make_table": lambda *_: "",
    "setup_logging": lambda *_, **__: None,
}

_SQUAD: dict[str, Any] = {
    "compute_f1": evaluate_names.answer_f1,
    "compute_exact": lambda gold, said: int(
        evaluate_names.normalize_answer(gold) == evaluate_names.normalize_answer(said)
    ),
    "normalize_answer": evaluate_names.normalize_answer,
    "get_tokens": lambda text: evaluate_names.normalize_answer(text).split() if text else [],
}


def _load_yaml(path: Any, *_: Any, **__: Any) -> Any:
    import yaml

    with open(path, encoding="utf-8") as file:
        return yaml.safe_load(file)


_MODULES: dict[str, dict[str, Any]] = {
    "datasets": {
        "Dataset": tables.Dataset,
        "IterableDataset": tables.Dataset,
        "DatasetDict": tables.DatasetDict,
        "IterableDatasetDict": tables.DatasetDict,
        "Features": tables.Features,
        "Value": tables.Value,
        "ClassLabel": tables.ClassLabel,
        "Sequence": tables.Sequence_,
        "List": tables.Sequence_,
        "Image": tables.Value,
        "Audio": tables.Value,
        "load_dataset": load_dataset,
        "load_metric": evaluate_names.load,
        "concatenate_datasets": tables.concatenate_datasets,
        "DownloadMode": type("DownloadMode", (), {"REUSE_DATASET_IF_EXISTS": "reuse_dataset_if_exists"}),
        "__version__": "4.0.0",
        "__path__": [],
    },
    "datasets.arrow_dataset": {"Dataset": tables.Dataset},
    "datasets.dataset_dict": {"DatasetDict": tables.DatasetDict},
    "evaluate": {"load": evaluate_names.load, "__path__": []},
    "lm_eval": {"__version__": "0"},
    "lm_eval.utils": _UTILS,
    "lm_eval.logger": {"eval_logger": _logger},
    "lm_eval.tasks": {},
    "lm_eval.tasks._yaml_loader": {"load_yaml": _load_yaml},
    "lm_eval.api": {},
    "lm_eval.api.task": {
        "Task": task.Task,
        "ConfigurableTask": task.ConfigurableTask,
        "MultipleChoiceTask": task.MultipleChoiceTask,
        "TaskConfig": documents.Config,
    },
    "lm_eval.api.instance": {"Instance": documents.Instance},
    "lm_eval.api.group": {"Group": Group, "ConfigurableGroup": Group, "GroupConfig": Group},
    "lm_eval.config": {},
    "lm_eval.config.group": {"GroupConfig": Group},
    "lm_eval.config.task": {"TaskConfig": documents.Config},
    "lm_eval.api.filter": {"Filter": Filter},
    "lm_eval.api.model": {"LM": type("LM", (), {}), "TemplateLM": type("TemplateLM", (), {})},
    "lm_eval.api.registry": {
        "register_filter": register_filter,
        "register_metric": _register_metric,
        "register_aggregation": _register_aggregation,
        "register_task": _register_nothing,
        "register_group": _register_nothing,
        "register_model": _register_nothing,
    },
    "lm_eval.api.metrics": {
        "mean": measures.mean,
        "median": measures.median,
        "perplexity": measures.perplexity,
        "weighted_mean": measures.weighted_mean,
        "weighted_perplexity": measures.weighted_perplexity,
        "bits_per_byte": measures.bits_per_byte,
        "matthews_corrcoef": measures.matthews,
        "f1_score": measures.f1,
        "bleu": measures.AGGREGATIONS["bleu"],
        "chrf": measures.AGGREGATIONS["chrf"],
        "ter": measures.AGGREGATIONS["ter"],
        "acc_all": _acc_all,
        "metric_max_over_ground_truths": metric_max_over_ground_truths,
        "exact_match_fn": measures.exact_match_of_lists,
    },
    "lm_eval.filters": {},
    "lm_eval.filters.extraction": {"Filter": Filter, "RegexFilter": RegexFilter},
    "lm_eval.filters.selection": {"Filter": Filter},
    "lm_eval.filters.transformation": {"Filter": Filter},
}

__all__ = ["install"]
