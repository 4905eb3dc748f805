"""Whether an SQL query gives what the right one gives, for Spider."""

from helm.benchmark.metrics.bird_sql_metrics import BirdSQLMetric


class SpiderMetric(BirdSQLMetric):
    """`BirdSQLMetric` of the annotations of `SpiderAnnotator`."""

    ANNOTATOR_NAME = "spider"
