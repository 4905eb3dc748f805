"""Reads results of lm-evaluation-harness: `results_*.json`, and the `samples_*.jsonl` that `--log_samples` writes."""

import math
import os
import re
from collections.abc import Iterator
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.scenarios.scenario import Instance
from helm.common.request import GeneratedOutput
from helm.results.importing.imported_run import (
    PREDICTED_INDEX,
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
)
from helm.results.importing.json_lines import iterate_lines, read_file

SOURCE = "lm_eval"

PER_SAMPLE = "_per_sample"
"""The ending of names of values from which a score is computed otherwise than as their mean, such as a perplexity."""

_RESULTS_NAME = re.compile(r"results_(?P<date>.+)\.json")
_MODEL_KEYS = ("pretrained", "model", "engine", "model_name", "path")
_OWN_KEYS = frozenset(
    "doc_id doc target arguments resps filtered_resps filter metrics doc_hash prompt_hash target_hash".split()
)
_CHOICES = ("multiple_choice", "loglikelihood")
_CLOSE = {"rel_tol": 1e-6, "abs_tol": 1e-9}


def read_runs(path: str) -> Iterator[ImportedRun]:
    """Yield a run for each task in a results file. Raises LogError for a damaged or foreign file, OSError."""
    results = read_file(path)
    tasks = as_dict(results.get("results"))
    groups = as_dict(results.get("groups")).keys() | as_dict(results.get("group_subtasks")).keys()
    configs = as_dict(results.get("configs"))
    for task in tasks:
        if task in configs or task not in groups:  # a group's scores are made of those of its tasks
            yield _TaskReader(path, results, task).make_run()


def find_results_file(samples_path: str) -> str:
    """Return the results file that belongs to a file of samples. Raises LogError if there is none."""
    folder, name = os.path.split(samples_path)
    for candidate in sorted(os.listdir(folder or ".")):
        match = _RESULTS_NAME.fullmatch(candidate)
        if match is not None and name.endswith(f"_{match['date']}.jsonl"):
            return os.path.join(folder, candidate)
    raise LogError(
        f"{samples_path}: the results_*.json of the same date, which says what was evaluated, is not beside it. Keep both "
        "files of lm-evaluation-harness in one folder."
    )


def name_model(results: dict[str, Any]) -> str:
    """Return the model's own name: the one among its arguments, or that of the kind of model."""
    config = as_dict(results.get("config"))
    arguments = config.get("model_args")
    if isinstance(arguments, str):
        pairs = (piece.partition("=") for piece in arguments.split(","))
        arguments = {key.strip(): value.strip() for key, _, value in pairs}
    found = next((as_dict(arguments).get(key) for key in _MODEL_KEYS if as_dict(arguments).get(key)), None)
    return (
        as_text(found or config.get("model") or results.get("model_source") or results.get("model_name")) or "unknown"
    )


class _TaskReader:
    def __init__(self, path: str, results: dict[str, Any], task: str):
        self._path, self._results, self._task = path, results, task
        self._config = as_dict(as_dict(results.get("configs")).get(task))
        self._model = name_model(results)
        self._shots = as_int(as_dict(results.get("n-shot")).get(task)) or as_int(self._config.get("num_fewshot")) or 0
        self._kind = as_text(self._config.get("output_type"))
        self._samples_path = self._find_samples()
        self._adapter_spec = self._make_adapter_spec()
        self._filters: list[str] = []
        self._sums: dict[tuple[str, str], list[float]] = {}
        """By metric and filter: the sum and the number of the samples' values."""
        self._other_scores: dict[str, dict[tuple[str, str], float]] = {}
        """The scores of all filters but the first, by sample."""
        self._survey()
        self._means = self._find_means()

    def _find_samples(self) -> str | None:
        match = _RESULTS_NAME.fullmatch(os.path.basename(self._path))
        if match is None or os.sep in self._task:
            return None
        found = os.path.join(os.path.dirname(self._path), f"samples_{self._task}_{match['date']}.jsonl")
        return found if os.path.isfile(found) else None

    def _make_adapter_spec(self) -> Any:
        generation, known = as_dict(self._config.get("generation_kwargs")), {}
        asked = as_dict(as_dict(self._results.get("config")).get("gen_kwargs"))
        generation = {**generation, **asked}
        if as_number(generation.get("temperature")) is not None:
            known["temperature"] = generation["temperature"]
        elif generation.get("do_sample") is False:
            known["temperature"] = 0.0
        if as_int(generation.get("max_gen_toks")) is not None:
            known["max_tokens"] = generation["max_gen_toks"]
        until = generation.get("until")
        stops = [until] if isinstance(until, str) else as_list(until)
        if stops and all(isinstance(stop, str) for stop in stops):
            known["stop_sequences"] = stops
        if self._kind in _CHOICES:
            known = {"max_tokens": 0}
        method = {"loglikelihood_rolling": "language_modeling"}.get(self._kind, "generation")
        method = "multiple_choice_separate_original" if self._kind in _CHOICES else method
        known["num_outputs"] = max(1, as_int(self._config.get("repeats")) or 1)
        return make_adapter_spec(method, self._model, max_train_instances=self._shots, **known)

    def _survey(self) -> None:
        """Read all samples once, for the means of their values and for the scores of further filters."""
        if self._samples_path is None:
            return
        for number, _, row in iterate_lines(self._samples_path):
            if "doc_id" not in row:
                raise LogError(f"{self._samples_path}:{number}: the key 'doc_id' is missing.")
            name = as_text(row.get("filter")) or "none"
            if name not in self._filters:
                self._filters.append(name)
            scores = _read_scores(row)
            for metric, value in scores.items():
                total = self._sums.setdefault((metric, name), [0.0, 0])
                total[0] += value
                total[1] += 1
            if name != self._filters[0]:
                kept = self._other_scores.setdefault(str(row["doc_id"]), {})
                kept.update({(metric, name): value for metric, value in scores.items()})

    def _stated(self) -> dict[tuple[str, str], float]:
        """Return the scores in the results file, by metric and filter."""
        found = {}
        for key, value in as_dict(as_dict(self._results.get("results")).get(self._task)).items():
            metric, comma, name = key.partition(",")
            number = as_number(value)
            if comma and number is not None and math.isfinite(number) and not metric.endswith("_stderr"):
                found[metric, name] = number
        return found

    def _find_means(self) -> dict[tuple[str, str], bool]:
        """Return for each score with values of samples whether it is their mean."""
        declared = {
            as_text(as_dict(item).get("metric")): as_dict(item).get("aggregation")
            for item in as_list(self._config.get("metric_list"))
        }
        stated, found = self._stated(), {}
        for key, (total, count) in self._sums.items():
            aggregation = declared.get(key[0])
            is_mean = key not in stated or math.isclose(stated[key], total / count, **_CLOSE)
            found[key] = aggregation == "mean" if isinstance(aggregation, str) else is_mean
        return found

    def _name(self, key: tuple[str, str]) -> str:
        metric, name = key
        names = {found for _, found in self._stated()} | set(self._filters)
        return metric if len(names) <= 1 else re.sub(r"[^\w.]+", "_", f"{metric}_{name}")

    def _name_value(self, key: tuple[str, str]) -> str:
        return self._name(key) + ("" if self._means.get(key, True) else PER_SAMPLE)

    def make_run(self) -> ImportedRun:
        stated = self._stated()
        directions = as_dict(as_dict(self._results.get("higher_is_better")).get(self._task))
        metrics = {}
        for key in {**stated, **self._sums}:
            higher = directions.get(key[0])
            facts = ImportedMetricFacts(None if not isinstance(higher, bool) else not higher)
            metrics[self._name(key)] = facts
            if not self._means.get(key, True):
                metrics[self._name_value(key)] = ImportedMetricFacts()
        is_mean = {key: self._means.get(key, self._samples_path is None) for key in stated}
        count = as_int(as_dict(as_dict(self._results.get("n-samples")).get(self._task)).get("effective"))
        version = as_dict(self._results.get("versions")).get(self._task)
        details = {"version": version, "num_fewshot": self._shots, "output_type": self._kind or None}
        means = {self._name(key): value for key, value in stated.items() if is_mean[key]}
        run = ImportedRun(
            source=SOURCE,
            identity=f"{self._results.get('date')}/{as_dict(self._results.get('task_hashes')).get(self._task)}",
            task=self._task,
            model=self._model,
            adapter_spec=self._adapter_spec,
            open_samples=self._iterate_samples,
            details={key: value for key, value in details.items() if value is not None},
            metrics=metrics,
            main_metric=next(iter(means), next(iter(metrics), None)),
            stated=means,
            aggregates={self._name(key): value for key, value in stated.items() if not is_mean[key]},
            num_planned=count if self._samples_path is not None else None,
        )
        if self._samples_path is None:
            run.notes.append("there are no samples beside the results (--log_samples writes them), only the scores")
        self._describe(run)
        return run

    def _describe(self, run: ImportedRun) -> None:
        config = as_dict(self._results.get("config"))
        origin = {
            "date": self._results.get("date"),
            "lm_eval_version": self._results.get("lm_eval_version"),
            "transformers_version": self._results.get("transformers_version"),
            "git_hash": self._results.get("git_hash"),
            "task_hash": as_dict(self._results.get("task_hashes")).get(self._task),
            "model_type": config.get("model"),
            "gen_kwargs": config.get("gen_kwargs"),
            "limit": config.get("limit"),
            "seeds": {key: config[key] for key in sorted(config) if key.endswith("_seed")},
            "system_instruction": self._results.get("system_instruction"),
            "chat_template_sha": self._results.get("chat_template_sha"),
            "generation_kwargs": self._config.get("generation_kwargs"),
            "metric_list": self._config.get("metric_list"),
            "scores": as_dict(self._results.get("results")).get(self._task),
        }
        run.origin = {key: value for key, value in origin.items() if value not in (None, {}, [])}

    # --- samples --------------------------------------------------------------------------------------------------------

    def _iterate_samples(self) -> Iterator[ImportedSample]:
        if self._samples_path is None:
            return
        for number, _, row in iterate_lines(self._samples_path):
            name = as_text(row.get("filter")) or "none"
            if name == self._filters[0]:
                yield self._make_sample(row, f"{self._samples_path}:{number}", name)

    def _make_sample(self, row: dict[str, Any], where: str, name: str) -> ImportedSample:
        doc_id = str(row["doc_id"])
        calls, answers = _read_calls(row), as_list(row.get("resps"))
        if not calls:
            raise LogError(f"{where}: the key 'arguments' is missing or empty.")
        keyed = {(metric, name): value for metric, value in _read_scores(row).items()}
        keyed.update(self._other_scores.get(doc_id, {}))
        scores = {self._name_value(key): value for key, value in keyed.items()}
        if self._kind in _CHOICES or (not self._kind and _is_likelihood(answers)):
            states = self._make_choice_states(row, doc_id, calls, answers)
            likelihoods = [s.result.completions[0].logprob for s in states if s.request_mode == "original"]  # type: ignore[union-attr]
            if len(likelihoods) > 1:
                scores[PREDICTED_INDEX] = likelihoods.index(max(likelihoods))
        else:
            states = [self._make_answer_state(row, doc_id, calls[0], answers)]
        return ImportedSample(states, scores)

    def _make_answer_state(self, row: dict[str, Any], doc_id: str, call: list[Any], answers: list[Any]) -> RequestState:
        target = row.get("target")
        correct = [as_text(item) for item in target] if isinstance(target, list) else [as_text(target)]
        instance = _instance(doc_id, as_text(call[0]), [text for text in correct if text], row)
        given = as_list(answers[0]) if answers and isinstance(answers[0], list) else answers
        is_rolling = self._kind == "loglikelihood_rolling"
        if is_rolling:
            completions = [GeneratedOutput("", _number(as_list(given)[0] if given else 0), [])]
        else:
            completions = [GeneratedOutput(as_text(text), 0, []) for text in given]
        known = {"max_tokens": 0, "echo_prompt": True} if is_rolling else {"num_completions": max(1, len(completions))}
        request = make_request(self._adapter_spec, prompt=as_text(call[0]), **known)
        filtered = as_list(row.get("filtered_resps"))
        annotations = {"filtered": {"answers": filtered}} if filtered and not is_rolling else None
        return self._state(instance, request, completions, annotations=annotations)

    def _make_choice_states(
        self, row: dict[str, Any], doc_id: str, calls: list[list[Any]], answers: list[Any]
    ) -> list[RequestState]:
        prompt = as_text(calls[0][0])
        asked = [call for call in calls if as_text(call[0]) == prompt and len(call) > 1]
        texts = [as_text(call[1]) for call in asked]
        target, right = row.get("target"), None
        if len(texts) > 1:
            indices = [_index(item) for item in (target if isinstance(target, list) else [target])]
            right = {index for index in indices if index is not None} or None
        correct = [as_text(target)] if len(texts) > 1 else texts
        instance = _instance(doc_id, prompt, correct, row, texts, right)
        states = []
        for place, (call, answer) in enumerate(zip(calls, answers, strict=False)):
            text = as_text(call[1]) if len(call) > 1 else ""
            while isinstance(answer, list) and answer and isinstance(answer[0], list):
                answer = answer[0]
            completion = GeneratedOutput(
                text, _number(answer[0] if isinstance(answer, list) and answer else answer), []
            )
            index = place % len(texts) if texts else None
            mode = "original" if as_text(call[0]) == prompt else "calibration"
            request = make_request(self._adapter_spec, prompt=as_text(call[0]), max_tokens=0)
            states.append(self._state(instance, request, [completion], index, mode))
        if not states:
            states.append(self._state(instance, make_request(self._adapter_spec, prompt=prompt), []))
        return states

    def _state(
        self,
        instance: Instance,
        request: Any,
        completions: list[GeneratedOutput],
        reference_index: int | None = None,
        mode: str | None = None,
        annotations: dict[str, Any] | None = None,
    ) -> RequestState:
        return make_state(
            instance, request, make_result(completions), 0, reference_index, mode, self._shots, annotations
        )


def _instance(
    doc_id: str,
    prompt: str,
    correct: list[str],
    row: dict[str, Any],
    choices: list[str] | None = None,
    right: set[int] | None = None,
) -> Instance:
    choices = [text.strip() for text in choices] if choices else None
    correct = [text.strip() for text in correct] if choices else correct
    return make_instance(doc_id, prompt, correct, choices, extra_data=as_dict(row.get("doc")), correct_indices=right)


def _read_scores(row: dict[str, Any]) -> dict[str, float]:
    """Return the numbers that a sample's metrics gave. Other values, such as pairs for BLEU, only serve to compute a score."""
    names = row.get("metrics")
    keys = (
        [as_text(name) for name in names] if isinstance(names, list) else [key for key in row if key not in _OWN_KEYS]
    )
    numbers = ((key, as_number(row.get(key))) for key in keys)
    return {key: number for key, number in numbers if number is not None}


def _read_calls(row: dict[str, Any]) -> list[list[Any]]:
    """Return the arguments of each request: an object of objects or, in older versions, a list of lists."""
    arguments = row.get("arguments")
    if isinstance(arguments, dict):
        arguments = list(arguments.values())
    found = []
    for call in as_list(arguments):
        values = list(call.values()) if isinstance(call, dict) else as_list(call)
        if values:
            found.append(values)
    return found


def _is_likelihood(answers: list[Any]) -> bool:
    while isinstance(answers, list) and answers and isinstance(answers[0], list):
        answers = answers[0]
    return isinstance(answers, list) and len(answers) == 2 and str(answers[1]) in ("True", "False")


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        return 0.0


def _index(target: Any) -> int | None:
    try:
        return int(target)
    except (TypeError, ValueError):
        return None
