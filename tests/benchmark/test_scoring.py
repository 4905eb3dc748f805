"""A metric that cannot be made is an error, which names it; it is never left out."""

import pytest

from helm.benchmark.metrics.metric import MetricInterface, MetricResult, MetricSpec
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.running.scoring import create_metrics, evaluate_metrics
from helm.common.errors import ConfigError

GOOD = MetricSpec("helm.benchmark.metrics.basic_metrics.InstancesPerSplitMetric")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (MetricSpec("no_such_module.Metric"), "^Cannot import the metric no_such_module.Metric: [^.]*[.]$"),
        (
            MetricSpec("helm.benchmark.metrics.basic_metrics.InstancesPerSplitMetrik"),
            "Cannot import .*Did you mean 'helm.benchmark.metrics.basic_metrics.InstancesPerSplitMetric'",
        ),
        (MetricSpec(GOOD.class_name, {"colour": 1}), "Cannot make the metric .*InstancesPerSplitMetric with .*colour"),
    ],
)
def test_a_metric_that_cannot_be_made_is_named(spec, message):
    for specs in ([spec], [GOOD, spec], [spec, GOOD]):
        with pytest.raises(ConfigError, match=message):
            create_metrics(specs)
    assert len(create_metrics([GOOD, GOOD])) == 2


class GivenStats(MetricInterface):
    def __init__(self, *stats):
        self.stats = stats

    def evaluate(self, scenario_state, metric_service, eval_cache_path, parallelism):
        return MetricResult(list(self.stats), [])


def test_a_name_that_occurs_twice_is_kept_and_warned_of(caplog):
    first, second, other = (Stat(MetricName(name)).add(value) for name, value in [("a", 1), ("a", 2), ("b", 3)])
    caplog.set_level("WARNING", "helm")
    stats, per_instance = evaluate_metrics([GivenStats(first, other), GivenStats(second)], None, None, "", 1)
    assert (stats, per_instance) == ([first, other, second], [])
    assert caplog.text.count("duplicate metric name") == 1
