"""Exports results in the formats of public collections: Every Eval Ever and `.eval_results` of the Hugging Face Hub."""

import hashlib
import json
import re
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from helm.benchmark.subjects import LANGUAGE_MODEL, kind_of_run, subject_kinds
from helm.common.errors import ConfigError
from helm.results.comparison.gates import find_score
from helm.results.comparison.task_matching import task_key
from helm.results.instance_values import iterate_states, read_instance_values
from helm.results.metric_choice import MetricCatalogue, MetricChoice
from helm.results.metric_names import is_score, may_be_share
from helm.results.run_files.run_folder import RUN_SPEC_FILE_NAME
from helm.results.run_results import RunResults
from helm.results.statistics.intervals import CONFIDENCE, Estimate

EEE_VERSION = "0.3.0"
"""The version of the schema of Every Eval Ever (https://evalevalai.com) that is written here."""

LIBRARY = "helm-evals"


@dataclass(frozen=True)
class Publisher:
    """The organization that ran the evaluation."""

    organization: str

    relationship: str = "other"
    """The relationship to the model's developer: `first_party`, `third_party`, `collaborative` or `other`."""


@dataclass(frozen=True)
class EeeRecord:
    """The files of one run for the data store of Every Eval Ever."""

    path: str
    """`data/<evaluation>/<developer>/<model>/<uuid>.json`; the path of the samples ends in `_samples.jsonl`."""

    aggregate: dict[str, Any]

    samples: list[dict[str, Any]]
    """The samples; empty unless requested."""

    @property
    def samples_path(self) -> str:
        return self.path.removesuffix(".json") + "_samples.jsonl"


def library_version() -> str:
    """Return the version of this distribution."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(LIBRARY)
    except PackageNotFoundError:
        return "unknown"


def make_eee_record(
    run: RunResults,
    metrics: Sequence[MetricChoice],
    catalogue: MetricCatalogue,
    publisher: Publisher,
    retrieved: int,
    with_samples: bool = False,
) -> EeeRecord:
    """Make the record of a run of a language model.

    Args:
        metrics: the scores to include; empty means the main one.
        retrieved: the time at which the record is made, in seconds since 1970.
        with_samples: whether to add one line per instance and metric.

    Raises:
        ConfigError: The subject is not a language model (the schema supports no others), or a metric is missing.
    """
    spec = run.run_spec
    if kind_of_run(spec) is not LANGUAGE_MODEL:
        *others, last = (kind.plural for kind in subject_kinds() if kind is not LANGUAGE_MODEL)
        kinds = f"{', '.join(others)} and {last}"
        raise ConfigError(f"{run.name}: Every Eval Ever is for models; {kinds} have no place in its schema.")
    names = sorted({stat.name.name for stat in run.stats() if is_score(stat.name.name)})
    chosen = [catalogue.complete(choice, run) for choice in metrics] or catalogue.choose(run, names)
    task, model = task_key(run), spec.adapter_spec.model or spec.adapter_spec.model_deployment
    evaluation_id = f"{task}/{model}/{retrieved}"
    results, judged = [], []
    for metric in chosen:
        found = find_score(run, metric, CONFIDENCE)
        if found is None:
            raise ConfigError(f"{run.name} has no {metric}.")
        judged.append((metric, found))
        results.append(_eee_result(run, task, metric, found))
    developer, _, short = model.rpartition("/")
    folder = "/".join(_path_part(part) for part in (task.partition(":")[0], developer or "unknown", short))
    path = f"data/{folder}/{_run_uuid(run, evaluation_id)}.json"
    record = EeeRecord(path, _eee_aggregate(run, evaluation_id, model, publisher, retrieved, results), [])
    if with_samples:
        record.samples.extend(_eee_samples(run, evaluation_id, model, task, judged))
        lines = "".join(json.dumps(sample, ensure_ascii=False) + "\n" for sample in record.samples)
        record.aggregate["detailed_evaluation_results"] = {
            "format": "jsonl",
            "file_path": record.samples_path,
            "hash_algorithm": "sha256",
            "checksum": hashlib.sha256(lines.encode("utf-8", "replace")).hexdigest(),
            "total_rows": len(record.samples),
        }
    return record


def _path_part(text: str) -> str:
    return re.sub(r"[^\w.-]+", "_", text).strip(".") or "unknown"


def _run_uuid(run: RunResults, evaluation_id: str) -> str:
    """Return a UUID that is equal for equal exports."""
    digest = hashlib.sha256(
        f"{evaluation_id}\n{json.dumps(run.read_plain(RUN_SPEC_FILE_NAME), sort_keys=True)}".encode()
    ).digest()
    return str(uuid.UUID(bytes=digest[:16], version=4))


def _eee_aggregate(
    run: RunResults, evaluation_id: str, model: str, publisher: Publisher, retrieved: int, results: list[dict[str, Any]]
) -> dict[str, Any]:
    evaluated = _last_request_time(run)
    return {
        "schema_version": EEE_VERSION,
        "evaluation_id": evaluation_id,
        **({"evaluation_timestamp": str(evaluated)} if evaluated is not None else {}),
        "retrieved_timestamp": str(retrieved),
        "source_metadata": {
            "source_name": LIBRARY,
            "source_type": "evaluation_run",
            "source_organization_name": publisher.organization,
            "evaluator_relationship": publisher.relationship,
        },
        "eval_library": {"name": LIBRARY, "version": library_version(), "additional_details": {"run": run.name}},
        "model_info": _eee_model(run, model),
        "evaluation_results": results,
    }


def _last_request_time(run: RunResults) -> int | None:
    times = [(state.result or {}).get("request_datetime") for state in iterate_states(run)]
    return max((int(time) for time in times if isinstance(time, (int, float))), default=None)


def _eee_model(run: RunResults, model: str) -> dict[str, Any]:
    from helm.benchmark.model_metadata_registry import MODEL_NAME_TO_MODEL_METADATA

    metadata = MODEL_NAME_TO_MODEL_METADATA.get(model)
    access = {"open": "open_weights", "limited": "closed_weights", "closed": "closed_weights"}
    details = {
        "deployment_type": "unknown",
        "model_availability": access.get(metadata.access, "unknown") if metadata else "unknown",
        "model_deployment": run.run_spec.adapter_spec.model_deployment,
    }
    info: dict[str, Any] = {"name": metadata.display_name if metadata else model, "id": model}
    if metadata:
        info["developer"] = metadata.creator_organization_name
    return {**info, "additional_details": details}


def _eee_result(run: RunResults, task: str, metric: MetricChoice, found: Estimate) -> dict[str, Any]:
    spec = run.run_spec
    is_share = may_be_share(metric.name) and 0 <= found.value <= 1
    config: dict[str, Any] = {
        "evaluation_description": f"{metric} on {task}",
        "metric_id": metric.name,
        "metric_name": str(metric),
        "lower_is_better": bool(metric.lower_is_better),
    }
    if is_share:
        config.update(score_type="continuous", min_score=0, max_score=1, metric_unit="proportion")
    else:
        config.update(score_type="continuous", min_score="-Infinity", max_score="Infinity")
    details: dict[str, Any] = {"score": found.value}
    uncertainty: dict[str, Any] = {}
    if found.standard_error is not None:
        how = "clustered" if found.clusters < found.count else "analytic"
        uncertainty["standard_error"] = {"value": found.standard_error, "method": how}
    if found.low is not None:
        uncertainty["confidence_interval"] = {
            "lower": found.low, "upper": found.high, "confidence_level": found.confidence, "method": found.method,
        }  # fmt: skip
    if found.count:
        uncertainty["num_samples"] = found.count
    if uncertainty:
        details["uncertainty"] = uncertainty
    coverage = run.coverage()
    if coverage.coverage is not None:
        details["details"] = {"share_of_requests_answered": f"{coverage.coverage:.6g}"}
    adapter = spec.adapter_spec
    return {
        "evaluation_result_id": _result_id(task, metric),
        "evaluation_name": task,
        "source_data": {
            "dataset_name": spec.scenario_spec.class_name.rpartition(".")[2],
            "source_type": "other",
            "additional_details": {"scenario": json.dumps({"class": spec.scenario_spec.class_name, **spec.scenario_spec.args})},
        },
        "metric_config": config,
        "score_details": details,
        "generation_config": {
            "generation_args": {"temperature": float(adapter.temperature), "max_tokens": adapter.max_tokens},
            "additional_details": {
                "method": adapter.method, "max_train_instances": str(adapter.max_train_instances),
                "num_train_trials": str(adapter.num_train_trials),
            },
        },
    }  # fmt: skip


def _result_id(task: str, metric: MetricChoice) -> str:
    return f"{task}/{metric}"


def _eee_samples(
    run: RunResults, evaluation_id: str, model: str, task: str, judged: Sequence[tuple[MetricChoice, Estimate]]
) -> Iterator[dict[str, Any]]:
    """Yield one line per unperturbed instance, trial and metric; several requests for an instance are one answer."""
    values = read_instance_values(run, {metric.name for metric, _ in judged})
    scores: dict[tuple[str, int, str], float] = {}
    for key, found in values.metrics.items():
        for i, value in enumerate(found.values):
            if not found.perturbations[i]:
                scores[values.instance_ids[found.owners[i]], found.trials[i], key.name] = value
    states: dict[tuple[str, int], list[Any]] = {}
    for state in iterate_states(run):
        if state.instance.get("perturbation") is None:
            states.setdefault((str(state.instance.get("id")), state.train_trial_index), []).append(state)
    for (instance_id, trial), members in states.items():
        for metric, _ in judged:
            score = scores.get((instance_id, trial, metric.name))
            if score is not None:
                yield _eee_sample(evaluation_id, model, task, metric, instance_id, trial, members, score)


def _eee_sample(
    evaluation_id: str,
    model: str,
    task: str,
    metric: MetricChoice,
    instance_id: str,
    trial: int,
    states: list[Any],
    score: float,
) -> dict[str, Any]:
    instance, first = states[0].instance, states[0]
    references = [item for item in instance.get("references") or [] if isinstance(item, dict)]
    texts = [(_output_text(item), "correct" in (item.get("tags") or [])) for item in references]
    correct = [text for text, is_correct in texts if is_correct]
    raw_input = str((instance.get("input") or {}).get("text") or "")
    outputs = [completion for state in states for completion in ((state.result or {}).get("completions") or [])]
    answers = [str(completion.get("text") or "") for completion in outputs]
    errors = [str((state.result or {}).get("error")) for state in states if (state.result or {}).get("error")]
    is_correct = score < 0.5 if metric.lower_is_better else score >= 0.5
    sample: dict[str, Any] = {
        "schema_version": EEE_VERSION,
        "evaluation_id": evaluation_id,
        "model_id": model,
        "evaluation_name": task,
        "evaluation_result_id": _result_id(task, metric),
        "sample_id": instance_id,
        "sample_hash": hashlib.sha256((raw_input + "".join(correct)).encode("utf-8", "replace")).hexdigest(),
        "interaction_type": "single_turn",
        "input": {"raw": raw_input, "formatted": first.request.get("prompt") or None, "reference": correct},
        "output": {"raw": answers},
        "answer_attribution": [
            {
                "turn_idx": 0, "source": "output.raw", "extracted_value": answers[0] if answers else "",
                "extraction_method": metric.name, "is_terminal": True,
            }
        ],
        "evaluation": {"score": score, "is_correct": is_correct},
        "metadata": {"train_trial_index": str(trial), "split": str(instance.get("split"))},
    }  # fmt: skip
    if len(texts) > 1:
        sample["input"]["choices"] = [text for text, _ in texts]
    times = [state.result.get("request_time") for state in states if state.result]
    if times and all(isinstance(time, (int, float)) for time in times):
        sample["performance"] = {"latency_ms": 1000 * sum(times)}
    if errors:
        sample["error"] = "; ".join(errors)
    return sample


def _output_text(reference: dict[str, Any]) -> str:
    output = reference.get("output")
    return str(output.get("text") or "") if isinstance(output, dict) else str(output or "")


# --- Hugging Face -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class HubDataset:
    """The dataset on the Hub for the runs that match a pattern."""

    pattern: str

    dataset: str

    task: str

    revision: str | None = None


_HUB_DATASET = re.compile(r"(?P<pattern>[^=]+)=(?P<dataset>[\w.-]+(/[\w.-]+)?)#(?P<task>[\w.-]+)(@(?P<revision>\w+))?")


def parse_hub_dataset(text: str) -> HubDataset:
    """Parse `PATTERN=DATASET#TASK[@REVISION]`, for example `gsm:*=openai/gsm8k#default`. Raises ConfigError."""
    match = _HUB_DATASET.fullmatch(text)
    if match is None:
        raise ConfigError(f"'{text}': expected PATTERN=DATASET#TASK or PATTERN=DATASET#TASK@REVISION.")
    return HubDataset(match["pattern"], match["dataset"], match["task"], match["revision"])


def make_hub_result(
    run: RunResults,
    metrics: Sequence[MetricChoice],
    catalogue: MetricCatalogue,
    datasets: Sequence[HubDataset],
    scale: float,
    source: dict[str, str] | None = None,
) -> dict[str, Any]:
    """Make one entry of a file in `.eval_results/` of a model's repository.

    Args:
        scale: the factor for scores; 100 if the benchmark counts in per cent.
        source: `url`, `name` and so on of the place where the results are published.

    Raises:
        ConfigError: No pattern matches the run, or it does not have the metric.
    """
    import fnmatch

    found = next((d for d in datasets if fnmatch.fnmatchcase(run.name, d.pattern)), None)
    if found is None:
        raise ConfigError(
            f"{run.name}: the Hub requires the data set. Name it with "
            f"--dataset '{run.name.partition(':')[0]}*=OWNER/NAME#TASK'."
        )
    names = sorted({stat.name.name for stat in run.stats() if is_score(stat.name.name)})
    metric = catalogue.complete(metrics[0], run) if metrics else catalogue.choose(run, names)[0]
    score = find_score(run, metric, CONFIDENCE)
    if score is None:
        raise ConfigError(f"{run.name} has no {metric}.")
    dataset = {"id": found.dataset, "task_id": found.task, **({"revision": found.revision} if found.revision else {})}
    notes = f"{metric}, {LIBRARY} {library_version()}, run {run.name}"
    if score.low is not None and score.high is not None:
        notes += f", 95% interval {scale * score.low:.4g} to {scale * score.high:.4g}, {score.count} values"
    entry: dict[str, Any] = {"dataset": dataset, "value": scale * score.value}
    evaluated = _last_request_time(run)
    if evaluated is not None:
        from datetime import UTC, datetime

        entry["date"] = datetime.fromtimestamp(evaluated, UTC).date().isoformat()
    if source:
        entry["source"] = source
    return {**entry, "notes": notes}
