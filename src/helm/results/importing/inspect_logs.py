"""Reads logs of inspect_ai, `.eval` and `.json`."""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import msgspec

from helm.agents.metrics import get_agent_figures
from helm.common.request import TIMED_OUT
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
from helm.results.importing.inspect_archive import EvalArchive, open_archive
from helm.results.importing.inspect_episodes import make_episode_request, make_episode_result, uses_tools
from helm.results.importing.inspect_messages import flatten_content, flatten_message, read_completions, read_usage
from helm.results.importing.json_lines import decode
from helm.results.run_files.json_items import JsonItems
from helm.results.run_files.run_folder import RunFileError

SOURCE = "inspect_ai"

_MEAN = "mean"
_MEANS = ("accuracy", "mean")
"""The metrics of inspect_ai that are means of the samples' values."""
_SPREADS = frozenset(("stderr", "bootstrap_stderr", "std", "var"))
_LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
_WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_SAMPLE_NAME = re.compile(r"samples/(?P<id>.*)_epoch_(?P<epoch>\d+)\.json", re.DOTALL)
_OF_SCORES = ("agent_reward", "agent_success")
_TIME_LIMITS = ("time", "working")
_LOOKED_AT = 20
"""Samples at the beginning of a log that say whether it is one of agents."""


class _Sample(msgspec.Struct):
    """The fields of a sample that are imported. Its events, which are most of a log, are skipped."""

    id: int | str
    epoch: int = 1
    input: Any = ""
    choices: Any = None
    target: Any = ""
    messages: Any = None
    output: Any = None
    scores: Any = None
    score: Any = None
    metadata: Any = None
    error: Any = None
    limit: Any = None
    model_usage: Any = None
    started_at: Any = None
    attachments: Any = None
    total_time: Any = None
    working_time: Any = None


@dataclass
class _Log:
    """A log without its samples, and a way to read them."""

    header: dict[str, Any]
    reductions: list[Any]
    open_samples: Callable[[], Iterator[_Sample]]


def read_runs(path: str, is_archive: bool) -> Iterator[ImportedRun]:
    """Yield the run in a log. Raises LogError for a damaged or foreign file, OSError."""
    log = _read_archive(path) if is_archive else _read_json(path)
    yield _LogReader(path, log).make_run()


# --- the two containers -------------------------------------------------------------------------------------------------


def _read_archive(path: str) -> _Log:
    with open_archive(path) as archive:
        data, name = archive.read("header.json"), "header.json"
        if data is None:  # the log of an evaluation that did not end
            data, name = archive.read("_journal/start.json"), "_journal/start.json"
        if data is None:
            raise LogError(
                f"{path}: neither header.json nor _journal/start.json is in it, so it is no log of inspect_ai."
            )
        header = as_dict(decode(data, f"{path}: {name}"))
        reductions = archive.read("reductions.json")
        reduced = as_list(decode(reductions, f"{path}: reductions.json")) if reductions is not None else []
    planned = as_list(as_dict(as_dict(header.get("eval")).get("dataset")).get("sample_ids"))
    return _Log(header, reduced, lambda: _iterate_archive(path, [str(item) for item in planned]))


def _iterate_archive(path: str, planned: list[str]) -> Iterator[_Sample]:
    places = {sample_id: place for place, sample_id in enumerate(planned)}
    with open_archive(path) as archive:
        for name in _sample_names(archive, places):
            data = archive.read(name)
            assert data is not None
            yield decode(data, f"{path}: {name}", _Sample)


def _sample_names(archive: EvalArchive, places: dict[str, int]) -> list[str]:
    """Return the names of samples by epoch and by their place in the data set: they are stored as they ended."""
    found = [(match, name) for name in archive.names if (match := _SAMPLE_NAME.fullmatch(name))]
    found.sort(key=lambda item: (int(item[0]["epoch"][:9]), places.get(item[0]["id"], len(places))))
    return [name for _, name in found]


def _read_json(path: str) -> _Log:
    items = JsonItems(path, "samples", item_type=_Sample)
    try:
        header = items.read_rest()
    except RunFileError as e:
        raise LogError(str(e)) from e
    return _Log(header, as_list(header.get("reductions")), lambda: _iterate_json(path))


def _iterate_json(path: str) -> Iterator[_Sample]:
    try:
        yield from JsonItems(path, "samples", item_type=_Sample)
    except RunFileError as e:
        raise LogError(str(e)) from e


# --- the content --------------------------------------------------------------------------------------------------------


def to_number(value: Any) -> float | int | None:
    """Return a score as inspect_ai counts it: C is 1, P is 0.5, I and N are 0. None for texts that mean no number."""
    if not isinstance(value, str):
        return as_number(value)
    if value in _LETTERS:
        return _LETTERS[value]
    if value.lower() in _WORDS:
        return _WORDS[value.lower()]
    try:
        return float(value)
    except ValueError:
        return None


class _LogReader:
    def __init__(self, path: str, log: _Log):
        self._path, self._log = path, log
        header = log.header
        self._eval = as_dict(header.get("eval"))
        model, task = self._eval.get("model"), self._eval.get("task")
        if not isinstance(model, str) or not isinstance(task, str):
            raise LogError(f"{path}: eval.model and eval.task are missing, so it is no log of inspect_ai.")
        self._model, self._task = model, task
        self._results = as_dict(header.get("results"))
        self._config = {
            **as_dict(self._eval.get("model_generate_config")),
            **as_dict(as_dict(header.get("plan")).get("config")),
        }
        self._adapter_spec = self._make_adapter_spec()
        self._names = _ScoreNames(self._eval)
        self._reduced = self._read_reductions()
        first = islice(log.open_samples(), _LOOKED_AT)
        self._has_episodes = any(uses_tools(sample.messages) for sample in first)
        steps = [as_text(as_dict(step).get("solver")) for step in as_list(as_dict(header.get("plan")).get("steps"))]
        self._solver = "+".join(step for step in steps if step) or "inspect_ai"

    def make_run(self) -> ImportedRun:
        main, stated, aggregates, shares = self._read_scores()
        dataset = as_dict(self._eval.get("dataset"))
        config = as_dict(self._eval.get("config"))
        details = {"version": self._eval.get("task_version"), "dataset": dataset.get("name")}
        run = ImportedRun(
            source=SOURCE,
            identity=as_text(self._eval.get("eval_id") or self._eval.get("run_id") or self._eval.get("created")),
            task=self._task,
            model=self._model,
            adapter_spec=self._adapter_spec,
            open_samples=self._iterate_samples,
            task_args=as_dict(self._eval.get("task_args_passed") or self._eval.get("task_args")),
            details={key: value for key, value in details.items() if value is not None},
            metrics={name: ImportedMetricFacts(False if name in shares else None) for name in {**stated, **aggregates}},
            main_metric=main,
            stated=stated,
            aggregates=aggregates,
        )
        self._describe(run, config)
        return run

    def _describe(self, run: ImportedRun, config: dict[str, Any]) -> None:
        header, stats = self._log.header, as_dict(self._log.header.get("stats"))
        origin = {
            "status": header.get("status"),
            "run_id": self._eval.get("run_id"),
            "created": self._eval.get("created"),
            "started_at": stats.get("started_at"),
            "completed_at": stats.get("completed_at"),
            "packages": self._eval.get("packages"),
            "epochs": config.get("epochs"),
            "epochs_reducer": config.get("epochs_reducer"),
            "generate_config": self._config,
            "model_usage": stats.get("model_usage"),
            "scores": self._describe_scores(),
        }
        run.origin = {key: value for key, value in origin.items() if value not in (None, {}, [])}
        status = header.get("status")
        if status != "success":
            why = as_text(as_dict(header.get("error")).get("message"))
            run.notes.append(f"the log's status is {status or 'started'}{': ' if why else ''}{why}")
        total = as_int(self._results.get("total_samples"))
        if total is None:
            planned = as_list(as_dict(self._eval.get("dataset")).get("sample_ids"))
            total = len(planned) * (as_int(config.get("epochs")) or 1)
        run.num_planned = total

    def _describe_scores(self) -> list[dict[str, Any]]:
        """Return the scores as stated, without the scorers' arguments, which may hold keys."""
        kept = ("name", "scorer", "reducer", "scored_samples", "unscored_samples")
        found = []
        for entry in map(as_dict, as_list(self._results.get("scores"))):
            values = {key: as_dict(metric).get("value") for key, metric in as_dict(entry.get("metrics")).items()}
            found.append({**{key: entry[key] for key in kept if entry.get(key) is not None}, "metrics": values})
        return found

    def _make_adapter_spec(self) -> Any:
        config, known = self._config, {}
        for ours, theirs in (
            ("temperature", "temperature"),
            ("max_tokens", "max_tokens"),
            ("num_outputs", "num_choices"),
        ):
            if as_number(config.get(theirs)) is not None:
                known[ours] = config[theirs]
        if all(isinstance(stop, str) for stop in as_list(config.get("stop_seqs"))) and config.get("stop_seqs"):
            known["stop_sequences"] = config["stop_seqs"]
        epochs = as_int(as_dict(self._eval.get("config")).get("epochs")) or 1
        return make_adapter_spec("chat", self._model, num_train_trials=epochs, **known)

    def _read_scores(self) -> tuple[str | None, dict[str, float], dict[str, float], set[str]]:
        """Return the main metric, the means and the other scores that the log states, and which are accuracies."""
        shares: set[str] = set()
        stated: dict[str, float] = {}
        aggregates: dict[str, float] = {}
        for entry in map(as_dict, as_list(self._results.get("scores"))):
            name = self._names.of_result(entry)
            reducer = entry.get("reducer")
            if reducer not in (None, _MEAN):
                name = f"{name}_{reducer}"
            metrics = as_dict(entry.get("metrics"))
            means = [key for key in _MEANS if key in metrics]
            for key, metric in metrics.items():
                value = as_number(as_dict(metric).get("value"))
                if value is None or as_text(as_dict(metric).get("name", key)) in _SPREADS or not math.isfinite(value):
                    continue
                if key == "accuracy":
                    shares.add(name)
                if key in means:
                    stated.setdefault(name, value)
                else:
                    aggregates[f"{name}_{key}"] = value
        headline = as_dict(self._results.get("headline"))
        main = None
        if headline:
            main = self._names.of_result({"name": headline.get("score"), "scorer": headline.get("scorer")})
            if headline.get("reducer") not in (None, _MEAN):
                main = f"{main}_{headline['reducer']}"
        return main if main in stated else next(iter(stated), None), stated, aggregates, shares

    def _read_reductions(self) -> dict[str, dict[str, float]]:
        """Return the values of reducers other than the mean, by sample and metric."""
        found: dict[str, dict[str, float]] = {}
        for reduction in map(as_dict, self._log.reductions):
            scorer, reducer = as_text(reduction.get("scorer")), reduction.get("reducer")
            if reducer in (None, _MEAN):
                continue
            for sample in map(as_dict, as_list(reduction.get("samples"))):
                values = self._names.values(scorer, sample.get("value"))
                scores = {f"{name}_{reducer}": value for name, value in values.items()}
                found.setdefault(str(sample.get("sample_id")), {}).update(scores)
        return found

    # --- samples --------------------------------------------------------------------------------------------------------

    def _iterate_samples(self) -> Iterator[ImportedSample]:
        reduced = dict(self._reduced)
        for sample in self._log.open_samples():
            yield self._make_sample(sample, reduced.pop(str(sample.id), {}))

    def _make_sample(self, sample: _Sample, reduced: dict[str, float]) -> ImportedSample:
        attachments = {key: value for key, value in as_dict(sample.attachments).items() if isinstance(value, str)}
        asked, answers = _split_messages(as_list(sample.messages))
        question = sample.input if isinstance(sample.input, list) else None
        shown = [flatten_message(message, attachments) for message in question or [] if isinstance(message, dict)]
        text = "\n\n".join(message["content"] for message in shown)
        if not shown:
            text, _ = flatten_content(as_text(sample.input), attachments)
        instance = make_instance(
            str(sample.id),
            text,
            *_read_targets(sample),
            extra_data=as_dict(sample.metadata),
            messages=shown if len(shown) > 1 else None,
        )
        messages = [flatten_message(message, attachments) for message in asked]
        if self._has_episodes:
            return self._make_episode(sample, instance, messages, answers, attachments, reduced)
        prompt = {"messages": messages} if messages else {"prompt": text}
        known = {
            key: self._config[key] for key in ("top_p", "presence_penalty", "frequency_penalty") if self._is_set(key)
        }
        request = make_request(self._adapter_spec, num_completions=self._adapter_spec.num_outputs, **prompt, **known)
        result = self._make_result(sample, attachments, len(answers))
        scores, annotations = self._read_sample_scores(sample)
        if len(answers) > 1:
            annotations["transcript"] = {"messages": [flatten_message(message, attachments) for message in answers]}
        state = make_state(instance, request, result, sample.epoch - 1, annotations=annotations)
        return ImportedSample([state], {**scores, **reduced})

    def _make_episode(
        self,
        sample: _Sample,
        instance: Any,
        asked: list[dict[str, str]],
        answers: list[dict],
        attachments: dict[str, str],
        reduced: dict[str, float],
    ) -> ImportedSample:
        scores, annotations = self._read_sample_scores(sample)
        error = None
        if sample.error is not None:
            error = as_text(as_dict(sample.error).get("message")) or "the sample failed"
        request = make_episode_request(str(sample.id), self._model, asked, sample.epoch - 1, self._solver)
        usage = read_usage(sample.model_usage, self._model, as_dict(sample.output))
        seconds = (as_number(sample.total_time), as_number(sample.working_time))
        result = make_episode_result(
            asked, answers, attachments, self._model, scores, usage, sample.limit, error, seconds
        )
        blank = make_state(instance, make_request(self._adapter_spec), None, sample.epoch - 1, annotations=annotations)
        state = replace(blank, request=request, result=result)
        figures = {name: value for name, value in get_agent_figures(state).items() if not name.startswith(_OF_SCORES)}
        return ImportedSample([state], {**scores, **figures, **reduced})

    def _is_set(self, key: str) -> bool:
        return as_number(self._config.get(key)) is not None

    def _make_result(self, sample: _Sample, attachments: dict[str, str], num_answers: int) -> Any:
        output = as_dict(sample.output)
        completions = read_completions(output, attachments)
        known: dict[str, Any] = {
            "usage": read_usage(sample.model_usage, self._model, output),
            "request_datetime": read_time(sample.started_at),
        }
        if num_answers <= 1:
            known["request_time"] = as_number(output.get("time"))
        error = None
        if sample.error is not None:
            error = as_text(as_dict(sample.error).get("message")) or "the sample failed"
        elif sample.limit is not None:
            limit = as_dict(sample.limit)
            error = f"stopped at the {as_text(limit.get('type'))} limit of {as_text(limit.get('limit'))}"
            if limit.get("type") in _TIME_LIMITS:
                known["outcome"] = TIMED_OUT
        elif isinstance(output.get("error"), str):
            error = output["error"]
        return make_result(completions, error, **known)

    def _read_sample_scores(self, sample: _Sample) -> tuple[dict[str, float], dict[str, Any]]:
        """Return the numbers by metric, and what each scorer says in addition."""
        found = as_dict(sample.scores)
        if not found and sample.score is not None:  # logs of the first versions have one unnamed score
            found = {self._names.first: sample.score}
        scores: dict[str, float] = {}
        annotations: dict[str, Any] = {}
        for scorer, score in found.items():
            entry = as_dict(score)
            scores.update(self._names.values(scorer, entry.get("value")))
            said = {key: entry[key] for key in ("value", "answer", "explanation") if entry.get(key) is not None}
            annotations[scorer] = said
        return scores, annotations


class _ScoreNames:
    """Names metrics: after the scorer or, if it gives several values, after these, unless two scorers share a name."""

    def __init__(self, evaluation: dict[str, Any]):
        scorers = [as_text(as_dict(item).get("name")) for item in as_list(evaluation.get("scorers"))]
        self.first = scorers[0] if scorers else "score"
        self._owners: dict[str, str] = {scorer: scorer for scorer in scorers}

    def _name(self, scorer: str, key: str) -> str:
        return key if self._owners.setdefault(key, scorer) == scorer else f"{scorer}_{key}"

    def of_result(self, entry: dict[str, Any]) -> str:
        """Return the name for an entry of the log's results."""
        name, scorer = as_text(entry.get("name")), as_text(entry.get("scorer"))
        return self._name(scorer, name) if scorer and name != scorer else name

    def values(self, scorer: str, value: Any) -> dict[str, float]:
        """Return the numbers in a value, by name."""
        if isinstance(value, dict):
            items = [(self._name(scorer, key), item) for key, item in value.items()]
        elif isinstance(value, list):
            items = [(f"{scorer}_{place}", item) for place, item in enumerate(value)]
        else:
            items = [(scorer, value)]
        numbers = ((name, to_number(item)) for name, item in items)
        return {name: number for name, number in numbers if number is not None}


def _read_targets(sample: _Sample) -> tuple[list[str], list[str] | None]:
    """Return the correct answers and the choices."""
    targets = [as_text(item) for item in (sample.target if isinstance(sample.target, list) else [sample.target])]
    choices = [as_text(item) for item in as_list(sample.choices)] or None
    if choices is not None:  # letters mean choices
        targets = [choices[ord(t) - 65] if len(t) == 1 and 0 <= ord(t) - 65 < len(choices) else t for t in targets]
    return [target for target in targets if target], choices


def _split_messages(messages: list[Any]) -> tuple[list[dict], list[dict]]:
    """Return what was asked before the model first answered, and everything from there on."""
    found = [message for message in messages if isinstance(message, dict)]
    for place, message in enumerate(found):
        if message.get("role") == "assistant" and (message.get("source") == "generate" or message.get("model")):
            return found[:place], found[place:]
    if found and found[-1].get("role") == "assistant":
        return found[:-1], found[-1:]
    return found, []
