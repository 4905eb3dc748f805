"""Reads records of Every Eval Ever: a JSON file of scores, and beside it the samples as JSON lines."""

import hashlib
import math
import os
from collections.abc import Iterator
from typing import Any

from helm.common.request import GeneratedOutput
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
from helm.results.importing.json_lines import GroupedLines, read_file
from helm.results.importing.openai_evals import read_prompt

SOURCE = "every_eval_ever"

_BLOCK_BYTES = 1 << 20
_OURS = "helm-evals"


def read_runs(path: str) -> Iterator[ImportedRun]:
    """Yield a run for each evaluation in a record. Raises LogError for a damaged or foreign file, OSError."""
    record = read_file(path)
    results = [as_dict(item) for item in as_list(record.get("evaluation_results"))]
    names = dict.fromkeys(as_text(result.get("evaluation_name")) for result in results)
    if not results or "" in names:
        raise LogError(f"{path}: evaluation_results is missing, empty or without evaluation_name.")
    samples_path = _find_samples(path, record)
    for name in names:
        chosen = [result for result in results if as_text(result.get("evaluation_name")) == name]
        yield _make_run(record, name, chosen, samples_path)


def _find_samples(path: str, record: dict[str, Any]) -> str | None:
    """Return the file of samples beside the record, whatever folder the record names.

    Raises LogError if its checksum is not that of the record.
    """
    details = as_dict(record.get("detailed_evaluation_results"))
    stated = as_text(details.get("file_path")).replace("\\", "/").rpartition("/")[2]
    folder, own = os.path.dirname(path), os.path.basename(path).removesuffix(".json") + "_samples.jsonl"
    candidates = [os.path.join(folder, name) for name in dict.fromkeys((stated, own)) if name not in ("", ".", "..")]
    found = next((candidate for candidate in candidates if os.path.isfile(candidate)), None)
    if found is not None and details.get("hash_algorithm") == "sha256" and details.get("checksum"):
        digest = hashlib.sha256()
        with open(found, "rb") as file:
            while block := file.read(_BLOCK_BYTES):
                digest.update(block)
        if digest.hexdigest() != details["checksum"]:
            raise LogError(f"{found}: its SHA-256 is not the one that {path} states: one of the two was changed.")
    return found


def _metric_of(result: dict[str, Any]) -> str:
    config = as_dict(result.get("metric_config"))
    return as_text(config.get("metric_id") or config.get("metric_name")) or "score"


def _make_run(
    record: dict[str, Any], name: str, results: list[dict[str, Any]], samples_path: str | None
) -> ImportedRun:
    info = as_dict(record.get("model_info"))
    model = as_text(info.get("id") or info.get("name")) or "unknown"
    generation = as_dict(results[0].get("generation_config"))
    adapter_spec = _make_adapter_spec(model, generation)
    metrics, stated, by_id = {}, {}, {}
    for result in results:
        metric, config = _metric_of(result), as_dict(result.get("metric_config"))
        lower = config.get("lower_is_better")
        unit = config.get("metric_unit")
        metrics[metric] = ImportedMetricFacts(
            lower if isinstance(lower, bool) else None, None if unit in (None, "proportion") else as_text(unit)
        )
        score = as_number(as_dict(result.get("score_details")).get("score"))
        if score is not None and math.isfinite(score):
            stated[metric] = score
        by_id[as_text(result.get("evaluation_result_id")) or metric] = metric
    library = as_dict(record.get("eval_library"))
    run_name = as_dict(library.get("additional_details")).get("run") if library.get("name") == _OURS else None
    run = ImportedRun(
        source=SOURCE,
        identity=f"{as_text(record.get('evaluation_id'))}/{name}",
        task=name,
        model=model,
        adapter_spec=adapter_spec,
        open_samples=lambda: iter(()),
        details=_describe_data(results[0]),
        origin={
            key: record[key]
            for key in (
                "schema_version evaluation_id evaluation_timestamp retrieved_timestamp source_metadata eval_library model_info"
            ).split()
            if record.get(key) is not None
        },
        metrics=metrics,
        main_metric=next(iter(metrics), None),
        stated=stated,
    )
    if run_name is not None:
        run.origin["run"] = run_name
    run.origin["scores"] = results
    if samples_path is None:
        run.aggregates, run.stated = run.stated, {}
        run.notes.append("there are no samples beside the record, only the scores")
    else:
        groups = GroupedLines(samples_path, lambda row: _key_of(row, name))
        time = read_time(_seconds(record.get("evaluation_timestamp")))
        run.open_samples = lambda: (_make_sample(key, rows, by_id, adapter_spec, time) for key, rows in groups)
    return run


def _make_adapter_spec(model: str, generation: dict[str, Any]) -> Any:
    arguments, details = as_dict(generation.get("generation_args")), as_dict(generation.get("additional_details"))
    known: dict[str, Any] = {}
    if as_number(arguments.get("temperature")) is not None:
        known["temperature"] = arguments["temperature"]
    if as_int(arguments.get("max_tokens")) is not None:
        known["max_tokens"] = arguments["max_tokens"]
    for key in ("max_train_instances", "num_train_trials"):
        if as_text(details.get(key)).isdecimal():
            known[key] = int(as_text(details[key])[:9])
    return make_adapter_spec("generation", model, **known)


def _describe_data(result: dict[str, Any]) -> dict[str, Any]:
    data = as_dict(result.get("source_data"))
    return {"dataset": data["dataset_name"]} if isinstance(data.get("dataset_name"), str) else {}


def _seconds(value: Any) -> Any:
    """Return a timestamp, which may be a text with a number."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return value


def _key_of(row: dict[str, Any], name: str) -> tuple[str, int] | None:
    if row.get("evaluation_name", name) != name:
        return None
    trial = as_text(as_dict(row.get("metadata")).get("train_trial_index"))
    return as_text(row.get("sample_id")), int(trial[:9]) if trial.isdecimal() else 0


def _make_sample(
    key: tuple[str, int], rows: list[dict[str, Any]], by_id: dict[str, str], adapter_spec: Any, time: int | None
) -> ImportedSample:
    row, (sample_id, trial) = rows[0], key
    scores = {}
    for item in rows:
        only = next(iter(by_id.values())) if len(by_id) == 1 else "score"
        score = as_number(as_dict(item.get("evaluation")).get("score"))
        if score is not None:
            scores[by_id.get(as_text(item.get("evaluation_result_id")), only)] = score
    data = as_dict(row.get("input"))
    reference = data.get("reference")
    correct = [
        as_text(item) for item in (reference if isinstance(reference, list) else [reference]) if item is not None
    ]
    instance = make_instance(
        sample_id, as_text(data.get("raw")), correct, [as_text(choice) for choice in as_list(data.get("choices"))]
    )
    prompt = as_text(data.get("formatted"))  # a record need not say it, as for chats
    answers = as_dict(row.get("output")).get("raw")
    texts = [as_text(item) for item in (answers if isinstance(answers, list) else [answers]) if item is not None]
    asked: dict[str, Any] = {"prompt": prompt}
    _, messages = read_prompt(row.get("messages"))
    if messages and not texts:
        place = next((i for i, message in enumerate(messages) if message["role"] == "assistant"), len(messages))
        asked = {"messages": messages[:place]} if place else asked
        texts = [message["content"] for message in messages[place:] if message["role"] == "assistant"][-1:]
    latency = as_number(as_dict(row.get("performance")).get("latency_ms"))
    result = make_result(
        [GeneratedOutput(text, 0, []) for text in texts],
        as_text(row["error"]) if row.get("error") else None,
        request_time=None if latency is None else latency / 1000,
        request_datetime=time,
    )
    request = make_request(adapter_spec, num_completions=max(1, len(texts)), **asked)
    return ImportedSample([make_state(instance, request, result, trial)], scores)
