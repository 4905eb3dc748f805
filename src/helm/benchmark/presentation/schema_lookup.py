"""Earlier place of `helm.results.metric_labels`."""

from helm.results.metric_labels import MetricLabel, find_environment, find_metric_label

__all__ = ["MetricLabel", "find_environment", "find_metric_label"]
