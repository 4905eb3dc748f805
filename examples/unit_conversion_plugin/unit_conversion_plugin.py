"""A scenario, a metric and a run spec of one's own.

Loaded by any of:

    helm-run --plugins examples/unit_conversion_plugin/unit_conversion_plugin.py -r unit_conversion:model=baseline/ppm -m 20
    helm-run --plugins unit_conversion_plugin ...          # when the module is on PYTHONPATH
    pip install ./examples/unit_conversion_plugin && helm-run ...   # found through its entry point
"""

import re

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.common_adapter_specs import get_generation_adapter_spec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.common_metric_specs import get_exact_match_metric_specs
from helm.benchmark.metrics.metric import Metric, MetricMetadata, MetricSpec
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.run_spec import RunSpec, run_spec_function
from helm.benchmark.scenarios.scenario import (
    CORRECT_TAG,
    TEST_SPLIT,
    TRAIN_SPLIT,
    Input,
    Instance,
    Output,
    Reference,
    Scenario,
    ScenarioMetadata,
    ScenarioSpec,
)


class UnitConversionScenario(Scenario):
    """Convert a whole Celsius temperature to Fahrenheit: `25 C` -> `77 F`.

    Every temperature is a multiple of five, so answers are exact. 10 train and 30 test instances, made in memory.
    """

    name = "unit_conversion"
    description = "Convert temperatures from Celsius to Fahrenheit."
    tags = ["arithmetic"]

    def __init__(self, step: int = 5):
        super().__init__()
        if step <= 0 or step % 5:
            raise ValueError(f"unit_conversion: step must be a positive multiple of 5, got {step}.")
        self.step = step

    def get_instances(self, output_path: str) -> list[Instance]:
        return [self._instance(i * self.step, TRAIN_SPLIT if i < 10 else TEST_SPLIT) for i in range(40)]

    def get_metadata(self) -> ScenarioMetadata:
        return ScenarioMetadata(
            name=self.name, main_metric="quasi_exact_match", main_split=TEST_SPLIT, display_name="Unit conversion"
        )

    @staticmethod
    def _instance(celsius: int, split: str) -> Instance:
        answer = Reference(Output(text=f"{celsius * 9 // 5 + 32} F"), tags=[CORRECT_TAG])
        return Instance(Input(text=f"{celsius} C"), [answer], split=split)


class RelativeErrorMetric(Metric):
    """Distance from the first number of the first completion to the first number of the reference.

    Emits `relative_error` = |got - want| / max(1, |want|), 0 is best, and `number_found` (0 or 1). Without a number in the
    completion only `number_found` is emitted.
    """

    def evaluate_generation(
        self,
        adapter_spec: AdapterSpec,
        request_state: RequestState,
        metric_service: MetricService,
        eval_cache_path: str,
    ) -> list[Stat]:
        reference = request_state.instance.first_correct_reference
        want = _first_number(reference.output.text) if reference else None
        if want is None:
            raise ValueError(f"instance {request_state.instance.id}: the correct reference holds no number.")
        assert request_state.result is not None
        got = _first_number(request_state.result.completions[0].text)
        stats = [Stat(MetricName("number_found")).add(got is not None)]
        if got is not None:
            stats.append(Stat(MetricName("relative_error")).add(abs(got - want) / max(1.0, abs(want))))
        return stats

    def get_metadata(self) -> list[MetricMetadata]:
        return [MetricMetadata(name="relative_error", display_name="Relative error", lower_is_better=True)]


def _first_number(text: str) -> float | None:
    match = re.search(r"-?\d+(\.\d+)?", text)
    return float(match.group()) if match else None


@run_spec_function("unit_conversion")
def get_unit_conversion_spec(step: int = 5) -> RunSpec:
    """Convert Celsius to Fahrenheit."""
    return RunSpec(
        name=f"unit_conversion:step={step}",
        scenario_spec=ScenarioSpec(f"{__name__}.UnitConversionScenario", {"step": step}),
        adapter_spec=get_generation_adapter_spec(
            instructions="Convert Celsius to Fahrenheit.", input_noun="Celsius", output_noun="Fahrenheit"
        ),
        metric_specs=[MetricSpec(f"{__name__}.RelativeErrorMetric"), *get_exact_match_metric_specs()],
        groups=["unit_conversion"],
    )
