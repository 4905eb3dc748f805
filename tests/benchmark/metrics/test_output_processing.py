"""Output processors, and the metric that applies them."""

import pytest

from helm.benchmark.metrics.metric import MetricSpec, create_metric
from helm.benchmark.metrics.output_processors import remove_deepseek_r1_thinking
from metrics_support import make_metric_service, make_scenario_state
from vectors_support import vector_cases


@pytest.mark.parametrize(
    "text, expected",
    [
        ("Paris", "Paris"),
        ("<think>a\nb</think>\n\nParis", "Paris"),
        ("x<think>a</think>Paris", "xParis"),
        ("<think>a</think>b</think>\n\nParis", "Paris"),
        ("<think>never ends", ""),
    ],
)
def test_thinking_is_removed(text: str, expected: str) -> None:
    assert remove_deepseek_r1_thinking(text) == expected


def test_thinking_block_vectors() -> None:
    for case in vector_cases("helm-metrics/thinking_blocks.json"):
        assert remove_deepseek_r1_thinking(case["text"]) == case["value"], case


def test_inner_metrics_see_processed_completions_and_the_same_instances() -> None:
    basic = "helm.benchmark.metrics.basic_metrics"
    spec = MetricSpec(
        "helm.benchmark.metrics.output_processing_metric.OutputProcessingMetric",
        {
            "processor": "helm.benchmark.metrics.output_processors.remove_deepseek_r1_thinking",
            "metric_specs": [
                {"class_name": f"{basic}.BasicGenerationMetric", "args": {"names": ["exact_match"]}},
                {"class_name": f"{basic}.InstancesPerSplitMetric"},
            ],
        },
    )
    state = make_scenario_state(
        {
            "adapter": {"method": "generation"},
            "instances": {"a": {"id": "id0", "split": "test", "references": [["Paris", ["correct"]]]}},
            "requests": [{"instance": "a", "completions": [{"text": "<think>Rome?</think>\n\nParis"}]}],
        }
    )
    metric = create_metric(spec)
    result = metric.evaluate(state, make_metric_service(), "", 1)
    means = {stat.name.name: stat.mean for stat in result.aggregated_stats if stat.name.perturbation is None}
    assert (means["exact_match"], means["num_instances"]) == (1.0, 1.0)
    assert state.request_states[0].result.completions[0].text.startswith("<think>")  # type: ignore[union-attr]
    assert {"exact_match", "num_instances"} <= {metadata.name for metadata in metric.get_metadata()}
