"""A metric that cannot be made is an error, which names it; it is never left out."""

import pytest

from helm.benchmark.metrics.metric import MetricSpec
from helm.benchmark.scoring import create_metrics
from helm.common.errors import ConfigError

GOOD = MetricSpec("helm.benchmark.metrics.basic_metrics.InstancesPerSplitMetric")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (MetricSpec("no_such_module.Metric"), "Cannot import the metric no_such_module.Metric"),
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
