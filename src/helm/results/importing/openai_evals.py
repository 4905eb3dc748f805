"""Reads JSON lines: the event logs of OpenAI's evals, and files with one sample on each line."""

import math
import os
from collections.abc import Iterator
from typing import Any

from helm.common.request import GeneratedOutput, Usage
from helm.results.importing.imported_run import (
    ImportedMetricFacts,
    ImportedRun,
    ImportedSample,
    LogError,
    as_dict,
    as_int,
    as_list,
    as_number,
    as_text,
    make_adapter_spec,
    make_instance,
    make_request,
    make_result,
    make_state,
    read_time,
)
from helm.results.importing.json_lines import GroupedLines, iterate_lines

EVENTS = "openai_evals"
ROWS = "jsonl"

_INPUTS = ("input", "prompt", "messages", "question")
_ANSWERS = ("output", "sampled", "completion", "response", "answer", "prediction")
_CORRECT = ("ideal", "expected", "target", "reference", "references")
_SCORES = ("score", "correct", "accuracy")
_IDS = ("id", "sample_id", "instance_id")
_SPREADS = ("boostrap_std", "bootstrap_std", "std", "stderr")
_ACCURACY = "accuracy"


def first_of(row: dict[str, Any], keys: tuple[str, ...]) -> Any:
    """Return the value of the first key that is there and not null."""
    return next((row[key] for key in keys if row.get(key) is not None), None)


def read_prompt(value: Any) -> tuple[str, list[dict[str, str]]]:
    """Return a prompt as text and, if it is a chat, its messages."""
    if not isinstance(value, list):
        return as_text(value), []
    messages = [
        {"role": as_text(item.get("role")), "content": _content(item.get("content"))}
        for item in value
        if isinstance(item, dict)
    ]
    return "\n\n".join(message["content"] for message in messages), messages


def _content(value: Any) -> str:
    if isinstance(value, list):
        return "\n".join(as_text(part.get("text")) if isinstance(part, dict) else as_text(part) for part in value)
    return as_text(value)


def _texts(value: Any) -> list[str]:
    if value is None:
        return []
    return [as_text(item) for item in value] if isinstance(value, list) else [as_text(value)]


# --- event logs ---------------------------------------------------------------------------------------------------------


def read_event_runs(path: str) -> Iterator[ImportedRun]:
    """Yield the run in an event log. Raises LogError for a damaged or foreign file, OSError."""
    spec: dict[str, Any] = {}
    report: dict[str, Any] = {}

    def key_of(row: dict[str, Any]) -> str | None:
        if "spec" in row:
            spec.update(as_dict(row["spec"]))
        elif "final_report" in row:
            report.update(as_dict(row["final_report"]))
        elif row.get("sample_id") is not None and row.get("type"):
            return as_text(row["sample_id"])
        return None

    groups = GroupedLines(path, key_of)
    if not spec:
        raise LogError(f"{path}: no line has the key 'spec', so it is no event log of OpenAI's evals.")
    models = [as_text(item) for item in as_list(spec.get("completion_fns"))] or _texts(spec.get("model_name"))
    model = ",".join(models) or "unknown"
    task = as_text(spec.get("eval_name") or spec.get("base_eval")) or "eval"
    numbers = {key: as_number(value) for key, value in report.items() if key not in _SPREADS}
    stated = {key: value for key, value in numbers.items() if value is not None and math.isfinite(value)}
    config = as_dict(spec.get("run_config"))
    adapter_spec = make_adapter_spec("generation", model)
    keys = ("run_id", "created_at", "split", "base_eval")
    run = ImportedRun(
        source=EVENTS,
        identity=as_text(spec.get("run_id") or spec.get("created_at")),
        task=task,
        model=model,
        adapter_spec=adapter_spec,
        open_samples=lambda: (_make_event_sample(key, rows, adapter_spec) for key, rows in groups),
        details={"split": spec["split"]} if spec.get("split") is not None else {},
        origin={
            **{key: spec[key] for key in keys if spec.get(key) is not None},
            **({"seed": config["seed"]} if config.get("seed") is not None else {}),
            **({"final_report": report} if report else {}),
        },
        metrics={_ACCURACY: ImportedMetricFacts(False)} if _ACCURACY in stated else {},
        main_metric=_ACCURACY if _ACCURACY in stated else next(iter(stated), None),
        stated=stated,
    )
    if not report:
        run.notes.append("the log has no final_report, so the evaluation did not end")
    yield run


def _make_event_sample(sample_id: str, rows: list[dict[str, Any]], adapter_spec: Any) -> ImportedSample:
    scores: dict[str, float] = {}
    expected: Any = None
    prompt: Any = None
    completions: list[GeneratedOutput] = []
    errors, times = [], []
    usage: Usage | None = None
    for row in rows:
        kind, data = row.get("type"), as_dict(row.get("data"))
        times.append(read_time(row.get("created_at")))
        if kind == "sampling":
            prompt = data.get("prompt") if data.get("prompt") is not None else prompt
            completions = [GeneratedOutput(text, 0, []) for text in _texts(data.get("sampled"))]
            usage = _read_usage(data.get("usage")) or usage
        elif kind == "match":
            if as_number(data.get("correct")) is not None:
                scores[_ACCURACY] = as_number(data["correct"])  # type: ignore[assignment]
            expected = data.get("expected") if data.get("expected") is not None else expected
        elif kind == "metrics":
            scores.update({k: n for k, v in data.items() if (n := as_number(v)) is not None})
        elif kind == "error":
            errors.append(as_text(data.get("message") or data.get("error") or data))
        elif kind == "raw_sample" and prompt is None:
            prompt, expected = first_of(data, _INPUTS), expected or first_of(data, _CORRECT)
    text, messages = read_prompt(prompt)
    instance = make_instance(sample_id, text, _texts(expected))
    request = make_request(adapter_spec, **({"messages": messages} if messages else {"prompt": text}))
    moments = [moment for moment in times if moment is not None]
    error = "; ".join(errors) or None
    result = make_result(completions, error, usage=usage, request_datetime=min(moments, default=None))
    return ImportedSample([make_state(instance, request, result)], scores)


def _read_usage(value: Any) -> Usage | None:
    counts = as_dict(value)
    prompt, completion = as_int(counts.get("prompt_tokens")), as_int(counts.get("completion_tokens"))
    return None if prompt is None or completion is None else Usage(prompt, completion)


# --- one sample on each line --------------------------------------------------------------------------------------------


def read_row_runs(path: str, model: str | None) -> Iterator[ImportedRun]:
    """Yield a run for each task and model in a file with one sample on each line.

    Args:
        path: the file.
        model: the model of lines that do not name one.

    Raises:
        LogError: A line is damaged, or says neither what was answered nor how good it is, or names no model.
        OSError: The file cannot be read.
    """
    default_task = os.path.basename(path).partition(".")[0] or "samples"
    names: dict[tuple[str, str], None] = {}
    for number, _, row in iterate_lines(path):
        where = f"{path}:{number}"
        if first_of(row, _ANSWERS) is None and not _row_scores(row) and not row.get("error"):
            raise LogError(
                f"{where}: expected an answer ({', '.join(_ANSWERS)}), scores (scores, {', '.join(_SCORES)}) or an error."
            )
        key = _run_of(row, default_task, model)
        if key[1] == "":
            raise LogError(f"{where}: the line names no model; name one with --model.")
        names[key] = None
    for task, name in names:
        yield _make_row_run(path, task, name, default_task, model)


def _run_of(row: dict[str, Any], default_task: str, model: str | None) -> tuple[str, str]:
    return as_text(row.get("task") or row.get("eval_name")) or default_task, as_text(row.get("model")) or model or ""


def _make_row_run(path: str, task: str, name: str, default_task: str, model: str | None) -> ImportedRun:
    adapter_spec = make_adapter_spec("generation", name)

    def read() -> Iterator[ImportedSample]:
        for place, (_, _, row) in enumerate(iterate_lines(path)):
            if _run_of(row, default_task, model) == (task, name):
                yield _make_row_sample(row, place, adapter_spec)

    return ImportedRun(
        source=ROWS,
        identity=f"{os.path.basename(path)}/{task}/{name}",
        task=task,
        model=name,
        adapter_spec=adapter_spec,
        open_samples=read,
    )


def _row_scores(row: dict[str, Any]) -> dict[str, float]:
    if isinstance(row.get("scores"), dict):
        found = row["scores"]
    else:
        found = {key: row[key] for key in _SCORES if key in row}
    return {key: number for key, value in found.items() if (number := as_number(value)) is not None}


def _make_row_sample(row: dict[str, Any], place: int, adapter_spec: Any) -> ImportedSample:
    sample_id = first_of(row, _IDS)
    text, messages = read_prompt(first_of(row, _INPUTS))
    correct, choices = _texts(first_of(row, _CORRECT)), _texts(row.get("choices"))
    instance = make_instance(f"id{place}" if sample_id is None else as_text(sample_id), text, correct, choices)
    request = make_request(adapter_spec, **({"messages": messages} if messages else {"prompt": text}))
    completions = [GeneratedOutput(answer, 0, []) for answer in _texts(first_of(row, _ANSWERS))]
    error = as_text(row["error"]) if row.get("error") else None
    trial = as_int(row.get("epoch") if row.get("epoch") is not None else row.get("trial")) or 0
    state = make_state(instance, request, make_result(completions, error, usage=_read_usage(row.get("usage"))), trial)
    return ImportedSample([state], _row_scores(row))
