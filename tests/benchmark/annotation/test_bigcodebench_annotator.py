"""BigCodeBench's tests, run here and by a service."""

import json
import sys
import types
from typing import Any

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.annotation.bigcodebench_annotator import BigCodeBenchAnnotator, BigCodeBenchError, code_extract
from helm.benchmark.metrics.bigcodebench_metrics import BigCodeBenchMetric
from helm.benchmark.scenarios.scenario import Input, Instance
from helm.common.errors import HelmError
from helm.common.request import GeneratedOutput, Request, RequestResult
from metrics_support import make_metric_service

pytestmark = pytest.mark.sandbox

TASK = {
    "code_prompt": "import math\ndef task_func(x):",
    "test": "import unittest\nclass TestCases(unittest.TestCase):\n"
    "    def test_a(self):\n        self.assertEqual(task_func(4), 2.0)\n"
    "    def test_b(self):\n        self.assertRaises(ValueError, task_func, -1)\n",
    "libs": "['math', 'no_such_package']",
}
RIGHT = "Here it is:\n```python\nimport math\ndef task_func(x):\n    return math.sqrt(x)\n```\nDone."


def make_state(text: str, task_id: str = "BigCodeBench/0", task: dict | None = None, num: int = 1) -> RequestState:
    instance = Instance(Input("q"), [], split="test", id=task_id, extra_data=TASK if task is None else task)
    completions = [GeneratedOutput(text, 0.0, [])] * num
    result = RequestResult(success=True, embedding=[], completions=completions, cached=False)
    return RequestState(instance, None, None, 0, None, Request(), result, 0, False)


@pytest.mark.parametrize(
    "text, code",
    [
        (RIGHT, "import math\ndef task_func(x):\n    return math.sqrt(x)"),
        ("```python\ndef f(): pass\n```", "```python"),
        ("no code", "no code"),
        ("x = 1\ny = 2", "x = 1\ny = 2"),
        ("a b\nx = 1\n\n\ny = 2\nc d\nz = 3\nw = 4\nv = 5", "z = 3\nw = 4\nv = 5"),
        ("", ""),
        ("\n\n", ""),
        ("(" * 500 + "\n" + "[" * 500, "(" * 500),
    ],
)
def test_the_longest_program_in_the_answer_counts(text: str, code: str) -> None:
    assert code_extract(text).strip("\n") == code


def test_programs_are_tested_in_the_sandbox() -> None:
    states = [
        make_state(RIGHT),
        make_state("import math\ndef task_func(x):\n    return x"),
        make_state("import os\nos._exit(0)"),
        make_state("import no_such_package\nx = 1"),
        make_state("import an_invention\nx = 1"),
        make_state(""),
        make_state("class Faker:\n    pass\nimport unittest\nunittest.TestCase.run = lambda *a: None"),
    ]
    annotations = BigCodeBenchAnnotator().annotate_all(states)
    assert [a["bigcodebench"]["pass_at_one"] for a in annotations] == [True, False, False, None, False, False, False]
    assert annotations[0] == {"bigcodebench": {"pass_at_one": True}}
    assert (
        "1 of 2 tests failed" in annotations[1]["bigcodebench"]["error"]
        or "2 of 2" in annotations[1]["bigcodebench"]["error"]
    )
    assert "no_such_package, which is not installed" in annotations[3]["bigcodebench"]["error"]
    json.dumps(annotations)


def test_what_cannot_be_tested_is_an_error() -> None:
    with pytest.raises(BigCodeBenchError, match="bigcodebenchEndpoint"):
        BigCodeBenchAnnotator().annotate(make_state(RIGHT, task={}))
    with pytest.raises(BigCodeBenchError, match="there are 2"):
        BigCodeBenchAnnotator().annotate(make_state(RIGHT, num=2))


def test_a_service_gets_all_programs_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []

    class Client:
        def __init__(self, url: str, hf_token: str | None = None):
            calls.append((url, hf_token))

        def predict(self, **arguments: Any) -> Any:
            with open(arguments.pop("samples")) as file:
                calls.append((arguments, [json.loads(line) for line in file]))
            return {"eval": {"BigCodeBench/0": [{"status": "pass"}], "BigCodeBench/7": [{"status": "fail"}]}}, {
                "pass@1": 0.5
            }

    module: Any = types.ModuleType("gradio_client")
    module.Client, module.handle_file = Client, lambda path: path
    monkeypatch.setitem(sys.modules, "gradio_client", module)
    annotator = BigCodeBenchAnnotator(api_key="K", endpoint="http://e")
    states = [make_state("a = 1\nb = 2", f"BigCodeBench/{i}", {}) for i in (0, 7, 8)]
    annotations = [annotation["bigcodebench"] for annotation in annotator.annotate_all(states)]
    assert [annotation["pass_at_one"] for annotation in annotations] == [True, False, None]
    assert "no result" in annotations[2]["error"]
    assert calls[0] == ("http://e", "K")
    assert calls[1][0] == {
        "split": "instruct", "subset": "full", "pass_k": "1", "api_name": "/predict", "selective_evaluate": "0,7,8",
    }  # fmt: skip
    assert calls[1][1][0] == {"task_id": "BigCodeBench/0", "solution": "a = 1\nb = 2"}
    monkeypatch.setattr(Client, "predict", lambda self, **arguments: 1 / 0)
    with pytest.raises(BigCodeBenchError, match="http://e failed: ZeroDivisionError"):
        annotator.annotate_all(states)
    monkeypatch.setitem(sys.modules, "gradio_client", None)
    with pytest.raises(HelmError, match=r"helm-evals\[bigcodebench\]"):
        annotator.annotate_all(states)


def test_the_metric_takes_the_annotation() -> None:
    from dataclasses import replace

    for score, mean in ((True, 1.0), (False, 0.0), (0.5, 0.5), (None, None)):
        state = replace(make_state(""), annotations={"bigcodebench": {"pass_at_one": score}})
        (stat,) = BigCodeBenchMetric().evaluate_generation(AdapterSpec(), state, make_metric_service(), "")
        assert (stat.name.name, stat.mean) == ("bigcodebench_p@1", mean)
    with pytest.raises(HelmError, match="no annotation 'bigcodebench'"):
        BigCodeBenchMetric().evaluate_generation(AdapterSpec(), make_state(""), make_metric_service(), "")
