"""A scripted judge and request states for tests of annotators and judged metrics."""

from collections.abc import Sequence
from typing import Any

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState, new_request_state
from helm.benchmark.metrics.metric import Metric
from helm.benchmark.scenarios.scenario import Input, Instance, Output, Reference
from helm.common.request import GeneratedOutput, Request, RequestResult
from metrics_support import find_difference, make_metric_service


class ScriptedJudge:
    """Stands in for AutoClient: always gives one text, or fails for None."""

    def __init__(self, text: str | None):
        self.text = text
        self.requests: list[Request] = []

    def make_request(self, request: Request) -> RequestResult:
        self.requests.append(request)
        if self.text is None:
            return RequestResult(False, [], [], cached=False, error="tired")
        return RequestResult(True, [], [GeneratedOutput(self.text, 0, [])], cached=False)


def make_state(
    completion: str = "answer",
    prompt: str = "p",
    question: str = "",
    references: Sequence[Any] = (),
    messages: list[dict[str, str]] | None = None,
    extra_data: dict[str, Any] | None = None,
    annotations: dict[str, Any] | None = None,
    instance_id: str = "id0",
) -> RequestState:
    """References are pairs of text and tags."""
    instance = Instance(
        Input(text=question, messages=messages),
        [Reference(Output(text), list(tags)) for text, tags in references],
        split="test",
        id=instance_id,
        extra_data=extra_data,
    )
    result = RequestResult(True, [], [GeneratedOutput(completion, 0, [])], cached=False)
    state = new_request_state(instance, Request(prompt=prompt), result=result)
    return RequestState(**{**state.__dict__, "annotations": annotations})


def compute_stats(metric: Metric, state: RequestState) -> list[list[Any]]:
    """`[name, mean, count]` of every stat of one generation, as the vectors have it."""
    stats = metric.evaluate_generation(AdapterSpec(), state, make_metric_service(), "")
    return [[stat.name.name, stat.mean, stat.count] for stat in stats]


def check_outcome(function: Any, expected: Any, case: Any) -> Any:
    """Compare what a function returns, or the name of what it raises, with a vector's value. Returns the outcome."""
    if isinstance(expected, dict) and set(expected) == {"raises"}:
        try:
            outcome = function()
        except Exception as e:
            names = [cls.__name__ for cls in type(e).__mro__]
            assert expected["raises"] in names, f"{case}: raised {e!r}, expected {expected['raises']}"
            return None
        raise AssertionError(f"{case}: gave {outcome}, expected {expected['raises']}")
    outcome = function()
    difference = find_difference(outcome, expected)
    assert not difference, f"{case}: {difference}"
    return outcome
