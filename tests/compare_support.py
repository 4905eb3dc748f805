"""Runs for the tests of comparisons: put together by hand from the scores of instances."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat
from helm.common.codec import asdict_without_nones

Scores = Mapping[str, Sequence[float | None]]
"""Instance to its score in each trial; None: no value."""


def write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, indent=2))


def plain_stat(name: dict[str, Any], values: Sequence[float]) -> dict[str, Any]:
    stat = Stat(MetricName(name["name"]))
    for value in values:
        stat.add(value)
    return {**asdict_without_nones(stat), "name": name}


def make_run(
    suite: Path,
    scores: Scores,
    model: str = "a/one",
    task: str = "task",
    metric: str = "exact_match",
    texts: Mapping[str, str] | None = None,
    prompt: str = "Q: {}",
    extra_data: Mapping[str, dict[str, Any]] | None = None,
    groups: Sequence[str] = ("simple_mcqa",),
    metric_args: dict[str, Any] | None = None,
    perturbed: Mapping[str, float] | None = None,
    answers: Mapping[str, str | None] | None = None,
    scenario: str = "my.TaskScenario",
) -> Path:
    """A finished run of a language model; `perturbed` are the scores of copies by a perturbation `typos`."""
    name = f"{task}:model={model.replace('/', '_')}"
    folder = suite / name
    folder.mkdir(parents=True)
    adapter = {"method": "generation", "model": model, "model_deployment": model, "temperature": 0.0, "max_tokens": 5}
    spec = {
        "name": name,
        "scenario_spec": {"class_name": scenario, "args": {}},
        "adapter_spec": adapter,
        "metric_specs": [
            {"class_name": "helm.benchmark.metrics.basic_metrics.BasicReferenceMetric", "args": metric_args or {}}
        ],
        "groups": list(groups),
    }
    typos = {"name": "typos", "robustness": True, "fairness": False, "computed_on": "perturbed", "prob": 0.1}
    states, per_instance = [], []
    means: list[list[float]] = []
    for instance_id, trials in scores.items():
        for trial, value in enumerate(trials):
            copies: list[Any] = [(None, value)]
            if perturbed is not None and instance_id in perturbed:
                copies.append((typos, perturbed[instance_id]))
            for perturbation, score in copies:
                instance: dict[str, Any] = {
                    "input": {"text": (texts or {}).get(instance_id, f"What is {instance_id}?")},
                    "references": [
                        {"output": {"text": "yes"}, "tags": ["correct"]},
                        {"output": {"text": "no"}, "tags": []},
                    ],
                    "split": "test",
                    "id": instance_id,
                }
                if perturbation is not None:
                    instance["perturbation"] = perturbation
                if extra_data and instance_id in extra_data:
                    instance["extra_data"] = extra_data[instance_id]
                answer = (answers or {}).get(instance_id, "yes")
                result: dict[str, Any] = {
                    "success": answer is not None,
                    "embedding": [],
                    "completions": [],
                    "cached": False,
                }
                if answer is None:
                    result["error"] = "no answer"
                else:
                    result["completions"] = [{"text": answer, "logprob": 0, "tokens": []}]
                result.update(request_time=0.5, request_datetime=1_700_000_000)
                states.append({
                    "instance": instance, "train_trial_index": trial,
                    "request": {"model": model, "model_deployment": model, "prompt": prompt.format(instance_id)},
                    "result": result, "num_train_instances": 0, "prompt_truncated": False, "num_conditioning_tokens": 0,
                })  # fmt: skip
                if score is not None:
                    stat_name = {"name": metric, "split": "test"}
                    if perturbation is not None:
                        stat_name["perturbation"] = perturbation
                    entry = {
                        "instance_id": instance_id,
                        "train_trial_index": trial,
                        "stats": [plain_stat(stat_name, [score])],
                    }
                    if perturbation is not None:
                        entry["perturbation"] = perturbation
                    per_instance.append(entry)
                if perturbation is None and score is not None:
                    while len(means) <= trial:
                        means.append([])
                    means[trial].append(score)
    stats = [plain_stat({"name": metric, "split": "test"}, [sum(values) / len(values) for values in means])]
    write_json(folder / "run_spec.json", spec)
    write_json(folder / "scenario.json", {"name": task, "description": "", "tags": []})
    write_json(folder / "scenario_state.json", {"adapter_spec": adapter, "request_states": states})
    write_json(folder / "stats.json", stats)
    write_json(folder / "per_instance_stats.json", per_instance)
    return folder


def zeros_and_ones(ones: int, count: int) -> dict[str, list[float | None]]:
    """The first `ones` of `count` instances are right."""
    return {f"id{i}": [1.0 if i < ones else 0.0] for i in range(count)}


def make_ad_run(suite: Path, tool: str, times: Mapping[str, Sequence[float]], eval_name: str = "lse") -> Path:
    """A finished run of an AD tool: workload (`primal n=10`) to the seconds of its runs; empty: it failed."""
    name = f"gradbench_{eval_name}:model={tool.replace('/', '_')}"
    folder = suite / name
    folder.mkdir(parents=True)
    adapter = {"method": "evaluate", "model": tool, "model_deployment": tool}
    spec = {
        "name": name,
        "scenario_spec": {"class_name": "helm.gradbench.scenarios.lse_scenario.LseScenario", "args": {}},
        "adapter_spec": adapter,
        "metric_specs": [{"class_name": "helm.gradbench.metrics.TimingMetric", "args": {}}],
        "groups": ["gradbench", f"gradbench_{eval_name}"],
    }
    states, per_instance = [], []
    values: dict[str, list[float]] = {}
    for number, (workload, seconds) in enumerate(times.items()):
        function, description = workload.split(" ", 1)
        instance = {"input": {"text": workload}, "references": [], "split": "test", "id": f"id{number}"}
        timings = [{"name": "evaluate", "nanoseconds": round(s * 1e9)} for s in seconds]
        result = {"kind": "evaluate", "success": bool(seconds), "output": 1.0, "timings": timings, "status": "ok"}
        request = {"kind": "evaluate", "module": eval_name, "function": function, "input": {"x": [1.0]}}
        states.append({
            "instance": instance, "train_trial_index": 0, "request": {**request, "description": description},
            "result": result, "num_train_instances": 0, "prompt_truncated": False, "num_conditioning_tokens": 0,
        })  # fmt: skip
        found = {"solved": 1.0 if seconds else 0.0}
        if seconds:
            ordered = sorted(seconds)
            median = (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
            part = "primal" if function == "primal" else "derivative"
            found.update({"evaluate_time_s": median, f"{part}_time_s": median})
        for metric, value in found.items():
            values.setdefault(metric, []).append(value)
        stats = [plain_stat({"name": metric}, [value]) for metric, value in found.items()]
        per_instance.append({"instance_id": f"id{number}", "train_trial_index": 0, "stats": stats})
    stats = [plain_stat({"name": m, "split": "test"}, [sum(v) / len(v)]) for m, v in values.items()]
    write_json(folder / "run_spec.json", spec)
    write_json(folder / "scenario_state.json", {"adapter_spec": adapter, "request_states": states})
    write_json(folder / "stats.json", stats)
    write_json(folder / "per_instance_stats.json", per_instance)
    return folder


def make_episode_run(suite: Path, policy: str, program: str, reduction: float) -> Path:
    """A finished run of a compiler on one program."""
    name = f"llvm:program={program},model={policy.replace('/', '_')}"
    folder = suite / name
    folder.mkdir(parents=True)
    adapter = {"method": "episode", "model": policy, "model_deployment": policy}
    spec = {
        "name": name,
        "scenario_spec": {
            "class_name": "helm.compiler_gym.scenarios.llvm_program_scenario.LlvmProgramScenario",
            "args": {"program": program},
        },
        "adapter_spec": adapter,
        "metric_specs": [{"class_name": "helm.compiler_gym.metrics.EpisodeMetric", "args": {}}],
        "groups": ["compiler_gym"],
    }
    instance = {"input": {"text": f"benchmark://x/{program}"}, "references": [], "split": "test", "id": "id0"}
    request = {"kind": "episode", "benchmark": f"benchmark://x/{program}", "policy": {"class_name": policy}}
    result = {"kind": "episode", "success": True, "actions": ["-a"], "rewards": [0.5], "status": "ok"}
    state = {
        "instance": instance, "train_trial_index": 0, "request": request, "result": result, "num_train_instances": 0,
        "prompt_truncated": False, "num_conditioning_tokens": 0,
    }  # fmt: skip
    metric = "instruction_count_reduction_oz"
    write_json(folder / "run_spec.json", spec)
    write_json(folder / "scenario_state.json", {"adapter_spec": adapter, "request_states": [state]})
    write_json(folder / "stats.json", [plain_stat({"name": metric, "split": "test"}, [reduction])])
    entry = {"instance_id": "id0", "train_trial_index": 0, "stats": [plain_stat({"name": metric}, [reduction])]}
    write_json(folder / "per_instance_stats.json", [entry])
    return folder
