# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.metrics.bird_sql_metrics import BirdSQLMetric

class SpiderMetric(BirdSQLMetric):
    """`BirdSQLMetric` of the annotations of `SpiderAnnotator`."""
