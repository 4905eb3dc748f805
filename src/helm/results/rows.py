"""Converts results to rows of plain values for files, frames and databases: runs, their scores, those of instances, answers.

Rows are generated one at a time, so that a run of any size can be written. Every row names its run and its subject.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from helm.benchmark.subjects import AD_TOOL, COMPILER, LANGUAGE_MODEL, kind_of_method, kind_of_request
from helm.common.codec import to_json_single_line
from helm.results.instance_values import AnsweredState, iterate_states, read_instance_facts, read_instance_values
from helm.results.metric_names import is_score
from helm.results.run_files.run_folder import (
    COVERAGE_FILE_NAME,
    PER_INSTANCE_STATS_FILE_NAME,
    RUN_SPEC_FILE_NAME,
    SCENARIO_STATE_FILE_NAME,
    STATS_FILE_NAME,
)
from helm.results.run_results import RunResults
from helm.results.score_facts import ScoreKey
from helm.results.scores import get_score_facts, has_instances
from helm.results.statistics.intervals import CONFIDENCE, MeanFacts, estimate_from_facts

Row = dict[str, Any]

TEXT, WHOLE, NUMBER, TRUTH = "text", "whole", "number", "truth"


@dataclass(frozen=True)
class RowKind:
    """One kind of rows."""

    name: str

    columns: Mapping[str, str]
    """The types of values by column: `text`, `whole`, `number` or `truth`. Any value may be missing."""

    iterate: Callable[[RunResults], Iterator[Row]]
    """Yields the rows of a run."""


_RUN_COLUMNS: Mapping[str, str] = {
    "run": TEXT, "suite": TEXT, "model": TEXT, "model_deployment": TEXT, "scenario": TEXT, "scenario_args": TEXT,
    "method": TEXT, "groups": TEXT,
}  # fmt: skip


def suite_of(run: RunResults) -> str:
    """Return the name of the suite in whose folder a run is."""
    return os.path.basename(os.path.dirname(os.path.abspath(run.path)))


def _run_values(run: RunResults) -> Row:
    spec = run.run_spec
    return {
        "run": spec.name,
        "suite": suite_of(run),
        "model": spec.adapter_spec.model,
        "model_deployment": spec.adapter_spec.model_deployment,
        "scenario": spec.scenario_spec.class_name.rpartition(".")[2],
        "scenario_args": json.dumps(spec.scenario_spec.args, sort_keys=True),
        "method": spec.adapter_spec.method,
        "groups": ";".join(spec.groups),
    }


def _iterate_run(run: RunResults) -> Iterator[Row]:
    from helm.results.index.index_summary import summarize_run

    summary, _ = summarize_run(run.path)
    found: Row = {"run": run.folder_name, "suite": suite_of(run), "status": summary["status"]}
    if RUN_SPEC_FILE_NAME in run.file_names and "problem" not in summary:
        found.update(_run_values(run))
        found.update(run_spec=to_json_single_line(run.read_plain(RUN_SPEC_FILE_NAME)))
    coverage = summary.get("coverage") or {}
    prompt_tokens, completion_tokens, _ = summary.get("tokens") or (None, None, None)
    groups = summary.get("groups") or [None]
    found.update(
        folder=run.folder_name, task=summary.get("title") or groups[0], requests=coverage.get("asked"),
        requests_answered=coverage.get("answered"), requests_failed=coverage.get("failed"),
        requests_filtered=coverage.get("filtered"), prompt_tokens=prompt_tokens, completion_tokens=completion_tokens,
        error=summary.get("error"), problem=summary.get("problem"),
    )  # fmt: skip
    if "method" in summary:
        found.update(kind=kind_of_method(summary["method"]).name)
    yield found


def _iterate_scores(run: RunResults) -> Iterator[Row]:
    facts: Mapping[ScoreKey, MeanFacts] = get_score_facts(run) if has_instances(run) else {}
    common, answered = _run_values(run), _share_answered(run)
    for stat in run.stats():
        perturbation = stat.name.perturbation
        computed_on = None if perturbation is None else perturbation.computed_on
        row = {
            **common, "metric": stat.name.name, "split": stat.name.split, "sub_split": stat.name.sub_split,
            "perturbation": None if perturbation is None else perturbation.name, "computed_on": computed_on,
            "value": stat.mean, "trials": stat.count, "stddev_between_trials": stat.stddev, "answered": answered,
        }  # fmt: skip
        found = None
        if computed_on in (None, "worst"):
            found = facts.get(ScoreKey(stat.name.name, stat.name.split, stat.name.sub_split, row["perturbation"]))
        if found is not None and stat.mean is not None and abs(found.mean - stat.mean) <= 1e-9 * max(1, abs(stat.mean)):
            estimate = estimate_from_facts(found)
            row.update(
                standard_error=estimate.standard_error, low=estimate.low, high=estimate.high,
                confidence=CONFIDENCE if estimate.low is not None else None, interval=estimate.method,
                values=estimate.count, clusters=estimate.clusters,
            )  # fmt: skip
        yield row


def _share_answered(run: RunResults) -> float | None:
    if SCENARIO_STATE_FILE_NAME not in run.file_names and COVERAGE_FILE_NAME not in run.file_names:
        return None
    return run.coverage().coverage


@dataclass(frozen=True)
class RowBlock:
    """Rows that share most of their values, as columns."""

    common: Row
    """The values that all rows have."""

    columns: Mapping[str, Sequence[Any]]
    """The values of the others by column, one for each row."""


def iterate_instance_blocks(run: RunResults) -> Iterator[RowBlock]:
    """Yield the rows of `instances`, a block for each metric."""
    common = _run_values(run)
    facts = read_instance_facts(run) if has_instances(run) else {}
    values = read_instance_values(run)
    names = [None if key is None else str(json.loads(key).get("name")) for key in values.perturbations]
    known = [facts.get(instance_id) for instance_id in values.instance_ids]
    ids = values.instance_ids
    clusters = [None if known_facts is None else known_facts.cluster for known_facts in known]
    splits = [None if known_facts is None else known_facts.split for known_facts in known]
    sub_splits = [None if known_facts is None else known_facts.sub_split for known_facts in known]
    for key, found in values.metrics.items():
        if not is_score(key.name):
            continue
        owners, perturbations = found.owners, found.perturbations
        split, sub_split = key.split, key.sub_split
        yield RowBlock(
            {**common, "metric": key.name},
            {
                "instance_id": [ids[i] for i in owners],
                "split": [split] * len(owners) if split else [splits[i] for i in owners],
                "sub_split": [sub_split] * len(owners) if sub_split else [sub_splits[i] for i in owners],
                "perturbation": [names[i] for i in perturbations],
                "perturbation_settings": [values.perturbations[i] for i in perturbations],
                "trial": found.trials,
                "value": found.values,
                "cluster": [clusters[i] for i in owners],
            },
        )


def _iterate_instances(run: RunResults) -> Iterator[Row]:
    for block in iterate_instance_blocks(run):
        for values in zip(*block.columns.values(), strict=True):
            yield {**block.common, **dict(zip(block.columns, values, strict=True))}


def _iterate_responses(run: RunResults) -> Iterator[Row]:
    common = _run_values(run)
    for state in iterate_states(run):
        instance = state.instance
        perturbation = instance.get("perturbation")
        row = {
            **common, "instance_id": instance.get("id"), "split": instance.get("split"),
            "sub_split": instance.get("sub_split"), "perturbation": (perturbation or {}).get("name"),
            "trial": state.train_trial_index, "epoch": state.epoch, "reference_index": state.reference_index,
            "input": _text(instance.get("input")), "correct_references": _references(instance),
            "kind": state.request.get("kind", LANGUAGE_MODEL.name),
        }  # fmt: skip
        row.update(_answer(state))
        yield row


def _text(value: Any) -> str | None:
    text = value.get("text") if isinstance(value, dict) else value
    return text if isinstance(text, str) else None


def _references(instance: Mapping[str, Any]) -> str:
    references = instance.get("references")
    found = [
        _text(item.get("output"))
        for item in (references if isinstance(references, list) else [])
        if isinstance(item, dict) and "correct" in (item.get("tags") or [])
    ]
    return json.dumps(found, ensure_ascii=False)


def _answer(state: AnsweredState) -> Row:
    request, result = state.request, state.result
    row: Row = {"prompt": request.get("prompt") or _messages(request)}
    if result is None:
        return row
    row.update(success=result.get("success"), error=result.get("error"), status=result.get("status"))
    kind = request.get("kind")
    if kind == AD_TOOL.request_kind:
        times = sorted(t["nanoseconds"] / 1e9 for t in result.get("timings") or [] if t.get("name") == "evaluate")
        middle = len(times) // 2
        median = None if not times else times[middle] if len(times) % 2 else (times[middle - 1] + times[middle]) / 2
        elapsed = result.get("elapsed_ns")
        row.update(
            prompt=f"{request.get('module')}::{request.get('function')} {request.get('description') or ''}".rstrip(),
            output=json.dumps(result.get("output")), median_time_s=median, timed_runs=len(times),
            request_time=None if elapsed is None else elapsed / 1e9,
        )  # fmt: skip
    elif kind == COMPILER.request_kind:
        row.update(
            prompt=request.get("benchmark"), output=json.dumps(result.get("actions") or []),
            reward=float(sum(result.get("rewards") or [])), request_time=result.get("elapsed_s"),
        )  # fmt: skip
    elif kind_of_request(kind) is not LANGUAGE_MODEL:
        row.update(output=json.dumps(result.get("output")), request_time=result.get("elapsed_s"))
    else:
        completions = [item for item in result.get("completions") or [] if isinstance(item, dict)]
        first = completions[0] if completions else {}
        row.update(
            output=first.get("text"), thinking=_text(first.get("thinking")), logprob=first.get("logprob"),
            num_completions=len(completions), finish_reason=(first.get("finish_reason") or {}).get("reason"),
            extracted=state.extracted[0] if state.extracted else None,
            cached=result.get("cached"), request_time=result.get("request_time"),
            request_datetime=result.get("request_datetime"),
        )  # fmt: skip
    return row


def _messages(request: Mapping[str, Any]) -> str | None:
    messages = request.get("messages")
    return None if messages is None else json.dumps(messages, ensure_ascii=False)


RUNS = RowKind(
    "runs",
    {
        **_RUN_COLUMNS, "folder": TEXT, "kind": TEXT, "task": TEXT, "status": TEXT, "requests": WHOLE,
        "requests_answered": WHOLE, "requests_failed": WHOLE, "requests_filtered": WHOLE, "prompt_tokens": NUMBER,
        "completion_tokens": NUMBER, "error": TEXT, "problem": TEXT, "run_spec": TEXT,
    },
    _iterate_run,
)  # fmt: skip
SCORES = RowKind(
    "scores",
    {
        **_RUN_COLUMNS, "metric": TEXT, "split": TEXT, "sub_split": TEXT, "perturbation": TEXT, "computed_on": TEXT,
        "value": NUMBER, "standard_error": NUMBER, "low": NUMBER, "high": NUMBER, "confidence": NUMBER,
        "interval": TEXT, "values": WHOLE, "clusters": WHOLE, "trials": WHOLE, "stddev_between_trials": NUMBER,
        "answered": NUMBER,
    },
    _iterate_scores,
)  # fmt: skip
INSTANCES = RowKind(
    "instances",
    {
        **_RUN_COLUMNS, "instance_id": TEXT, "split": TEXT, "sub_split": TEXT, "perturbation": TEXT,
        "perturbation_settings": TEXT, "trial": WHOLE, "cluster": TEXT, "metric": TEXT, "value": NUMBER,
    },
    _iterate_instances,
)  # fmt: skip
RESPONSES = RowKind(
    "responses",
    {
        **_RUN_COLUMNS, "instance_id": TEXT, "split": TEXT, "sub_split": TEXT, "perturbation": TEXT, "trial": WHOLE,
        "epoch": WHOLE, "reference_index": WHOLE, "kind": TEXT, "input": TEXT, "correct_references": TEXT, "prompt": TEXT,
        "output": TEXT, "thinking": TEXT, "extracted": TEXT,
        "success": TRUTH, "status": TEXT, "error": TEXT, "finish_reason": TEXT,
        "logprob": NUMBER, "num_completions": WHOLE, "cached": TRUTH, "reward": NUMBER, "median_time_s": NUMBER,
        "timed_runs": WHOLE, "request_time": NUMBER, "request_datetime": WHOLE,
    },
    _iterate_responses,
)  # fmt: skip

ROW_KINDS: Mapping[str, RowKind] = {kind.name: kind for kind in (RUNS, SCORES, INSTANCES, RESPONSES)}
"""The kinds of rows by name."""

_NEEDED_FILES = {
    "runs": None, "scores": STATS_FILE_NAME, "instances": PER_INSTANCE_STATS_FILE_NAME, "responses": SCENARIO_STATE_FILE_NAME,
}  # fmt: skip


def split_by_files(runs: Iterable[RunResults], kind: RowKind) -> "tuple[list[RunResults], list[RunResults]]":
    """Return the runs that have the file for these rows, and those that do not. A row of `runs` needs none."""
    found: tuple[list[RunResults], list[RunResults]] = ([], [])
    needed = _NEEDED_FILES[kind.name]
    for run in runs:
        found[needed is not None and needed not in run.file_names].append(run)
    return found


def iterate_rows(runs: Iterable[RunResults], kind: RowKind) -> Iterator[Row]:
    """Yield the rows of all runs, each with all columns in their order, as values of their types or None.

    Raises RunFileError for a run without the necessary file.
    """
    for run in runs:
        for row in kind.iterate(run):
            yield {name: as_type(row.get(name), kind.columns[name]) for name in kind.columns}


def as_type(value: Any, kind: str) -> Any:
    """Convert a value of another program's file, which may be of any type, to `kind`; otherwise to None or its text."""
    if value is None:
        return None
    if kind == TEXT:
        text = value if isinstance(value, str) else json.dumps(value)
        return text.encode("utf-8", "replace").decode("utf-8")  # lone surrogates cannot be written
    if kind == TRUTH:
        return value if isinstance(value, bool) else None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if kind == NUMBER else int(value)


class RunList(list[RunResults]):
    """A list of runs, whose contents are available as pandas frames (extra `export`)."""

    def runs(self) -> Any:
        """Return one row per run, also of those that failed: subject, state, requests, tokens."""
        return self._frame(RUNS)

    def scores(self) -> Any:
        """Return one row per score of each run, with standard errors and intervals."""
        return self._frame(SCORES)

    def instances(self) -> Any:
        """Return one row per score of each instance (and perturbed copy, and trial)."""
        return self._frame(INSTANCES)

    def responses(self) -> Any:
        """Return one row per request: input, prompt, output and outcome."""
        return self._frame(RESPONSES)

    def _frame(self, kind: RowKind) -> Any:
        return to_frame(iterate_rows(split_by_files(self, kind)[0], kind), kind)


_PANDAS_TYPES = {TEXT: "string", WHOLE: "Int64", NUMBER: "float64", TRUTH: "boolean"}


def to_frame(rows: Iterable[Row], kind: RowKind) -> Any:
    """Convert rows to a pandas DataFrame. Raises OptionalDependencyNotInstalled without pandas."""
    from helm.common.optional_dependencies import needs_extra

    with needs_extra("export"):
        import pandas
    columns: dict[str, list[Any]] = {name: [] for name in kind.columns}
    for row in rows:
        for name, values in columns.items():
            values.append(row[name])
    return pandas.DataFrame(
        {name: pandas.array(values, dtype=_PANDAS_TYPES[kind.columns[name]]) for name, values in columns.items()}
    )


def choose_columns(kind: RowKind, names: Sequence[str] | None) -> list[str]:
    """Return the selected columns, by default all. Raises ConfigError for unknown names."""
    from helm.common.errors import ConfigError, suggest

    for name in names or ():
        if name not in kind.columns:
            known = ", ".join(kind.columns)
            raise ConfigError(f"{kind.name} have no column '{name}'.{suggest(name, kind.columns)} They have {known}.")
    return list(names or kind.columns)
