"""Task files of lm-evaluation-harness (YAML): reads the simple kind, which contains no Python.

The format is described at https://github.com/EleutherAI/lm-evaluation-harness/tree/main/docs. A task file names a data
set, how a row becomes a prompt and a target, what the model is asked and how answers are scored. Supported: the
output types `generate_until`, `multiple_choice` and `loglikelihood`; templates or column names; `include`; few-shot
examples from a split or written in the file; the filters and metrics listed in `lm_eval_task`.
Anything else is refused with the file, the line and the key, because a task that runs differently is worse than none.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from helm.benchmark.declarative.lm_eval_task import (
    DEFAULT_METRICS,
    FILTERS,
    GENERATE_UNTIL,
    METRICS,
    MULTIPLE_CHOICE,
    OUTPUT_TYPES,
    LMEvalTask,
    LMEvalTaskError,
    named_groups,
)
from helm.benchmark.declarative.reading import line_of, render_path
from helm.common.errors import suggest

_EXACT_MATCH_ARGUMENTS: dict[str, tuple[type, ...]] = {
    "ignore_case": (bool,),
    "ignore_punctuation": (bool,),
    "ignore_numbers": (bool,),
    "regexes_to_ignore": (list,),
}

_LOCAL_FORMATS = {"json": ("json", "jsonl"), "csv": ("csv",), "parquet": ("parquet",)}

_KEYS: dict[str, tuple[type, ...]] = {
    "task": (str,),
    "include": (str, list),
    "dataset_path": (str,),
    "dataset_name": (str,),
    "dataset_kwargs": (dict,),
    "training_split": (str,),
    "validation_split": (str,),
    "test_split": (str,),
    "fewshot_split": (str,),
    "fewshot_config": (dict,),
    "num_fewshot": (int,),
    "doc_to_text": (str,),
    "doc_to_target": (str, int),
    "doc_to_choice": (str, list, dict),
    "output_type": (str,),
    "generation_kwargs": (dict,),
    "filter_list": (list,),
    "metric_list": (list,),
    "description": (str,),
    "gen_prefix": (str,),
    "target_delimiter": (str,),
    "fewshot_delimiter": (str,),
    "repeats": (int,),
    "tag": (str, list),
    "group": (str, list),
}
_WITHOUT_EFFECT = {
    "task_alias",
    "group_alias",
    "should_decontaminate",
    "doc_to_decontamination_query",
    "metadata",
}
"""Keys that do not affect a run: display names, contamination checks, versions."""

_PYTHON_KEYS = {
    "process_docs": "a Python function that changes the rows",
    "process_results": "a Python function that scores answers",
    "custom_dataset": "a Python function that makes the data set",
    "class": "a task written in Python",
    "doc_to_image": "images",
    "doc_to_audio": "audio",
    "use_prompt": "a prompt of the package promptsource",
}


@dataclass(frozen=True)
class FunctionReference:
    """A value `!function module.name`: Python code next to the file."""

    name: str


def is_lm_eval_task(data: Any) -> bool:
    """Whether parsed YAML looks like a task file (or a group of tasks) rather than a catalogue entry."""
    if not isinstance(data, Mapping) or {"name", "source", "run"} & set(data):
        return False
    return bool({"task", "include"} & set(data))


def is_lm_eval_file(path: str) -> bool:
    """Whether a file looks like a task file. False if it cannot be read."""
    try:
        return is_lm_eval_task(load_task_yaml(path))
    except LMEvalTaskError:
        return False


def load_task_yaml(path: str) -> Any:
    """Load YAML in which `!function name` becomes a `FunctionReference`. Raises: LMEvalTaskError."""
    import yaml

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        pass

    Loader.add_constructor("!function", lambda loader, node: FunctionReference(str(node.value)))
    try:
        with open(path, encoding="utf-8") as file:
            return yaml.load(file, Loader=Loader)  # a safe loader, which creates only plain values
    except OSError as e:
        raise LMEvalTaskError(f"{path} cannot be read: {e.strerror or e}.") from e
    except (yaml.YAMLError, ValueError, RecursionError) as e:
        mark = getattr(e, "problem_mark", None)
        where = f":{mark.line + 1}" if mark else ""
        raise LMEvalTaskError(f"{path}{where}: not valid YAML: {getattr(e, 'problem', None) or e}.") from e


def read_lm_eval_task(path: str) -> LMEvalTask:
    """Read the task in a file, with its includes.

    Raises: LMEvalTaskError with file, line and key if the task is invalid or not of the simple kind.
    """
    return _Reader(path).read()


def task_name_of(path: str) -> str:
    """Return the name of the task in a file. Raises: LMEvalTaskError with file, line and key if there is none."""
    reader = _Reader(path)
    name = reader.data.get("task")
    if not isinstance(name, str) or not name:
        raise reader.error("task", "expected the name of a task.")
    return name


class _Reader:
    """Reads one task, and records which file each key comes from."""

    def __init__(self, path: str):
        self.path = path
        self.data: dict[str, Any] = {}
        self.origin: dict[str, str] = {}
        self._merge(path, set())
        self.data = {key: value for key, value in self.data.items() if value is not None}

    def _merge(self, path: str, above: set[str]) -> None:
        """Add the keys of a file to those it includes; its own take precedence."""
        real = os.path.realpath(path)
        if real in above:
            raise LMEvalTaskError(f"{path} includes itself.")
        data = load_task_yaml(path)
        if not isinstance(data, dict):
            raise LMEvalTaskError(f"{path}:1: a task file is a mapping (task: ..., dataset_path: ...).")
        included = data.pop("include", None)
        for name in included if isinstance(included, list) else [included] if included else []:
            other = os.path.join(os.path.dirname(path), str(name))
            if not os.path.isfile(other):
                raise _error(path, ("include",), f"there is no file {other}.")
            self._merge(other, above | {real})
        for key, value in data.items():
            self.data[key] = value
            self.origin[key] = path

    def error(self, key: str, message: str, *further: str | int) -> LMEvalTaskError:
        """Return an error about a key, or about something nested in it."""
        return _error(self.origin.get(key, self.path), (key, *further), message)

    def read(self) -> LMEvalTask:
        self._check_kind()
        self._check_keys()
        for key in ("task", "dataset_path", "doc_to_text", "doc_to_target"):
            if key not in self.data:
                raise LMEvalTaskError(f"{self.path}: the key '{key}' is missing.")
            if self.data[key] == "" and not key.startswith("doc_"):
                raise self.error(key, "expected a name, got an empty text.")
        output_type = self.data.get("output_type", GENERATE_UNTIL)
        if output_type not in OUTPUT_TYPES:
            raise self.error(
                "output_type",
                f"the output types that can be run are {', '.join(OUTPUT_TYPES)}, not '{output_type}'."
                f"{suggest(str(output_type), OUTPUT_TYPES)}",
            )
        if output_type == MULTIPLE_CHOICE and self.data.get("doc_to_choice") is None:
            raise self.error("output_type", "multiple_choice needs the key 'doc_to_choice'.")
        eval_split = self.data.get("test_split") or self.data.get("validation_split")
        if not eval_split:
            raise LMEvalTaskError(f"{self.path}: neither test_split nor validation_split is given.")
        choices = self.data.get("doc_to_choice")
        return LMEvalTask(
            task=self.data["task"],
            output_type=output_type,
            dataset_path=self.data["dataset_path"],
            dataset_name=self.data.get("dataset_name"),
            dataset_kwargs=self._dataset_kwargs(),
            doc_to_text=self.data["doc_to_text"],
            doc_to_target=self.data["doc_to_target"],
            doc_to_choice=[str(choice) for choice in choices.values()] if isinstance(choices, dict) else choices,
            eval_split=eval_split,
            description=self.data.get("description") or "",
            gen_prefix=self.data.get("gen_prefix", ""),
            target_delimiter=self.data.get("target_delimiter", " "),
            fewshot_delimiter=self.data.get("fewshot_delimiter", "\n\n"),
            repeats=self.data.get("repeats") or 1,
            metrics=self._metrics(output_type),
            filters=self._filters(),
            groups=named_groups(self.data),
            **self._fewshot(),
            **self._generation(output_type),
        )

    def _check_kind(self) -> None:
        tasks = self.data.get("task")
        if isinstance(tasks, FunctionReference) or "class" in self.data:
            key = "class" if "class" in self.data else "task"
            raise self.error(key, "a task written in Python cannot be run from its YAML file.")
        if isinstance(tasks, list):
            names = ", ".join(str(task.get("task") if isinstance(task, dict) else task) for task in tasks)
            raise self.error("task", f"this is a group; give the file of one of its tasks: {names}.")

    def _check_keys(self) -> None:
        for key, value in self.data.items():
            if key in _WITHOUT_EFFECT:
                continue
            if key in _PYTHON_KEYS:
                raise self.error(key, f"this is {_PYTHON_KEYS[key]}, which is not run here. {_ADVICE}")
            function, path = _find_function(value, ())
            if function:
                raise self.error(key, f"'!function {function}' is Python code, which is not run here. {_ADVICE}", *path)
            if key == "unsafe_code" and not value:
                continue
            if key not in _KEYS:
                raise self.error(key, f"this key cannot be used here.{suggest(str(key), [*_KEYS, *_WITHOUT_EFFECT])}")
            self._check_type(value, _KEYS[key], key)

    def _check_type(self, value: Any, kinds: tuple[type, ...], key: str, *further: str | int) -> None:
        if isinstance(value, bool) and bool not in kinds or not isinstance(value, kinds):
            expected = " or ".join(_KIND_NAMES[kind] for kind in kinds)
            raise self.error(key, f"{expected} is expected, not {str(value)[:60]!r}.", *further)

    def _arguments(
        self, key: str, given: Mapping[str, Any], allowed: Mapping[str, tuple[type, ...]], *further: str | int
    ) -> dict[str, Any]:
        """Return `given` after checking keys and types against `allowed`."""
        for name, value in given.items():
            if name not in allowed:
                raise self.error(
                    key, f"this cannot be used here; known: {', '.join(allowed) or 'none'}.{suggest(name, allowed)}",
                    *further, name,
                )  # fmt: skip
            self._check_type(value, allowed[name], key, *further, name)
        return dict(given)

    def _dataset_kwargs(self) -> dict[str, Any]:
        given = {key: value for key, value in (self.data.get("dataset_kwargs") or {}).items() if value is not None}
        given.pop("trust_remote_code", None)  # scripts are never run
        allowed = {"data_files": (str, list, dict), "data_dir": (str,), "revision": (str,)}
        arguments = self._arguments("dataset_kwargs", given, allowed)
        if self.data["dataset_path"] in _LOCAL_FORMATS:
            files = arguments.get("data_files")
            if not files:
                raise self.error("dataset_path", f"'{self.data['dataset_path']}' needs dataset_kwargs.data_files.")
            arguments["data_files"] = (
                {split: self._local_files(names) for split, names in files.items()}
                if isinstance(files, dict)
                else {"train": self._local_files(files)}
            )
        return arguments

    def _local_files(self, names: Any) -> list[str]:
        """Return the paths of data files; relative ones are searched in the working directory, then next to the task file."""
        paths = []
        for name in names if isinstance(names, list) else [names]:
            beside = os.path.join(os.path.dirname(self.origin["dataset_kwargs"]), str(name))
            found = next((path for path in (str(name), beside) if os.path.isfile(path)), None)
            if found is None:
                raise self.error("dataset_kwargs", f"there is no file {name}, and none next to the task.", "data_files")
            paths.append(found)
        return paths

    def _fewshot(self) -> dict[str, Any]:
        config = dict(self.data.get("fewshot_config") or {})
        allowed = {"sampler": (str,), "samples": (list,), "split": (str,), "num_fewshot": (int,)}
        config = self._arguments("fewshot_config", {k: v for k, v in config.items() if v is not None}, allowed)
        sampler = config.get("sampler", "default")
        if sampler not in ("default", "first_n"):
            raise self.error("fewshot_config", f"the samplers are default and first_n, not '{sampler}'.", "sampler")
        samples = config.get("samples")
        for i, sample in enumerate(samples or []):
            self._check_type(sample, (dict,), "fewshot_config", "samples", i)
        number = self.data.get("num_fewshot")
        number = config.get("num_fewshot", 0) if number is None else number
        split = None
        if samples is None:
            split = next(
                (
                    name
                    for name in (
                        config.get("split"), self.data.get("fewshot_split"), self.data.get("training_split"),
                        self.data.get("validation_split"), self.data.get("test_split"),
                    )
                    if name
                ),
                None,
            )  # fmt: skip
        return {
            "num_fewshot": number,
            "fewshot_split": split,
            "fewshot_samples": samples,
            "fewshot_in_order": sampler == "first_n",
        }

    def _generation(self, output_type: str) -> dict[str, Any]:
        given = {key: value for key, value in (self.data.get("generation_kwargs") or {}).items() if value is not None}
        allowed: dict[str, tuple[type, ...]] = {
            "until": (str, list), "do_sample": (bool,), "temperature": (int, float), "max_gen_toks": (int,),
            "max_new_tokens": (int,), "max_tokens": (int,), "top_p": (int, float), "top_k": (int,),
        }  # fmt: skip
        if isinstance(given.get("do_sample"), str):
            given["do_sample"] = given["do_sample"].lower() == "true"
        given = self._arguments("generation_kwargs", given, allowed)
        if output_type != GENERATE_UNTIL:
            return {}
        sampled = given.get("do_sample", bool(given.get("temperature", 0)))
        for key, neutral in (("top_p", 1), ("top_k", 0)):
            if sampled and given.get(key, neutral) != neutral:
                raise self.error("generation_kwargs", f"only {neutral} (off) can be used here.", key)
        until = given.get("until", self.data.get("fewshot_delimiter", "\n\n"))
        lengths = [given[key] for key in ("max_gen_toks", "max_new_tokens", "max_tokens") if key in given]
        return {
            "until": [str(text) for text in (until if isinstance(until, list) else [until]) if text],
            "max_gen_toks": lengths[0] if lengths else 256,
            "temperature": float(given.get("temperature", 1.0)) if sampled else 0.0,
        }

    def _metrics(self, output_type: str) -> list[dict[str, Any]]:
        if not self.data.get("metric_list"):
            return [{"name": name, "args": {}} for name in DEFAULT_METRICS[output_type]]
        metrics = []
        for i, item in enumerate(self.data["metric_list"]):
            self._check_type(item, (dict,), "metric_list", i)
            name = item.get("metric")
            if name not in METRICS[output_type]:
                known = METRICS[output_type]
                raise self.error(
                    "metric_list",
                    f"the metrics of {output_type} that can be computed are {', '.join(known)}, not '{name}'."
                    f"{suggest(str(name), known)}",
                    i, "metric",
                )  # fmt: skip
            standard = {"metric", "aggregation", "higher_is_better", "hf_evaluate", "weight_by_size"}
            arguments = {key: value for key, value in item.items() if key not in standard}
            allowed = _EXACT_MATCH_ARGUMENTS if name == "exact_match" else {}
            metrics.append({"name": name, "args": self._arguments("metric_list", arguments, allowed, i)})
            usual = {
                "perplexity": "perplexity",
                "bleu": "bleu",
                "chrf": "chrf",
                "ter": "ter",
                "f1": "f1",
                "mcc": "matthews_corrcoef",
            }
            aggregation = item.get("aggregation", usual.get(name, "mean"))
            if aggregation not in ("mean", usual.get(name), name) or (name in usual and aggregation == "mean"):
                raise self.error(
                    "metric_list", f"{name} is aggregated as {usual.get(name, 'mean')} here.", i, "aggregation"
                )
        return metrics

    def _filters(self) -> list[dict[str, Any]]:
        filters = []
        for i, item in enumerate(self.data.get("filter_list") or []):
            self._check_type(item, (dict,), "filter_list", i)
            steps = item.get("filter")
            self._check_type(steps, (list,), "filter_list", i, "filter")
            for j, step in enumerate(steps):
                self._check_type(step, (dict,), "filter_list", i, "filter", j)
                name = step.get("function")
                if name not in FILTERS:
                    raise self.error(
                        "filter_list",
                        f"the filters that can be used are {', '.join(FILTERS)}, not '{name}'.{suggest(str(name), FILTERS)}",
                        i, "filter", j, "function",
                    )  # fmt: skip
                arguments = {key: value for key, value in step.items() if key != "function"}
                self._arguments("filter_list", arguments, FILTERS[name], i, "filter", j)
                self._check_regex(name, arguments, i, j)
            filters.append(
                {"suffix": f"_{item.get('name', i)}".replace("-", "_"), "steps": [dict(step) for step in steps]}
            )
        return filters if len(filters) > 1 else [{**item, "suffix": ""} for item in filters]

    def _check_regex(self, name: str, arguments: Mapping[str, Any], i: int, j: int) -> None:
        if name == "regex" and "regex_pattern" in arguments:
            try:
                re.compile(arguments["regex_pattern"])
            except re.error as e:
                where = ("filter_list", f"not a regular expression: {e}.", i, "filter", j, "regex_pattern")
                raise self.error(*where) from e
        if name == "map" and "mapping_dict" not in arguments or name == "take_first_k" and "k" not in arguments:
            missing = "mapping_dict" if name == "map" else "k"
            raise self.error("filter_list", f"the filter {name} needs '{missing}'.", i, "filter", j)


_ADVICE = "Write the task as a scenario of your own; see docs/howto-lm-eval.md."

_KIND_NAMES = {
    str: "a text", int: "a whole number", float: "a number", bool: "true or false", list: "a list", dict: "a mapping",
}  # fmt: skip


def _find_function(value: Any, path: tuple[str | int, ...]) -> tuple[str | None, tuple[str | int, ...]]:
    """Return the first `!function` in a value, and its path."""
    if isinstance(value, FunctionReference):
        return value.name, path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        found = _find_function(item, (*path, key))
        if found[0]:
            return found
    return None, path


def _error(path: str, where: tuple[str | int, ...], message: str) -> LMEvalTaskError:
    return LMEvalTaskError(f"{path}:{line_of(path, where)}: {render_path(where)}: {message}")
