"""Records what metrics of another installation give for the cases of a file, and writes it beside them.

    PEER/bin/python tests/recorded/record_with_peer.py tests/recorded/task_metrics.json

PEER is an environment with crfm-helm. Every case has a `metric` (class name and arguments) and a `scenario` in the
compact form of the metric vectors; `result` is filled with the stats, or with the class of the exception.
"""

import json
import sys
import tempfile
from pathlib import Path

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.metric import MetricSpec, create_metric
from helm.benchmark.scenarios.scenario import Input, Instance, Output, Reference
from helm.common.general import asdict_without_nones
from helm.common.request import GeneratedOutput, Request, RequestResult


def make_instance(data: dict) -> Instance:
    references = [Reference(Output(text=text), tags=tags) for text, tags in data.get("references", [])]
    rest = {key: data.get(key) for key in ("split", "sub_split", "id", "extra_data")}
    return Instance(input=Input(text=data.get("input", "")), references=references, **rest)


def make_state(data: dict, instance: Instance) -> RequestState:
    completions = [GeneratedOutput(text=c["text"], logprob=c.get("logprob", 0), tokens=[]) for c in data["completions"]]
    return RequestState(
        instance=instance,
        reference_index=None,
        request_mode=None,
        train_trial_index=data.get("train_trial_index", 0),
        output_mapping=data.get("output_mapping"),
        request=Request(model="simple/model1", model_deployment="simple/model1", prompt=data.get("prompt", "")),
        result=RequestResult(
            success=True,
            cached=False,
            embedding=[],
            completions=completions,
            request_time=data.get("request_time"),
            batch_size=data.get("batch_size"),
            batch_request_time=data.get("batch_request_time"),
        ),
        num_train_instances=0,
        prompt_truncated=False,
        annotations=data.get("annotations"),
    )


def record(case: dict) -> dict:
    scenario = case["scenario"]
    adapter = {"num_outputs": 1, "model": "simple/model1", "model_deployment": "simple/model1", **scenario["adapter"]}
    instances = {key: make_instance(data) for key, data in scenario["instances"].items()}
    states = [make_state(data, instances[data["instance"]]) for data in scenario["requests"]]
    try:
        with tempfile.TemporaryDirectory() as folder:
            metric = create_metric(MetricSpec(**case["metric"]))
            result = metric.evaluate(ScenarioState(AdapterSpec(**adapter), states), None, folder, 1)
    except Exception as error:  # whatever the other side raises is what is recorded
        while error.__cause__ or error.__context__:
            error = error.__cause__ or error.__context__
        return {"raises": type(error).__name__}
    return {
        "aggregated": [asdict_without_nones(stat) for stat in result.aggregated_stats],
        "per_instance": [asdict_without_nones(stats) for stats in result.per_instance_stats],
    }


if __name__ == "__main__":
    path = Path(sys.argv[1])
    content = json.loads(path.read_text(encoding="utf-8"))
    for case in content["cases"]:
        case["result"] = record(case)
    lines = ",\n".join(json.dumps(case) for case in content["cases"])
    head = json.dumps({key: value for key, value in content.items() if key != "cases"})[1:-1]
    path.write_text(f'{{{head}, "cases": [\n{lines}\n]}}\n', encoding="utf-8")
