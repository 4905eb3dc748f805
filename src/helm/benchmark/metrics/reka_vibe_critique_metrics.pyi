# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.metrics.rubric_critique_metric import RubricCritiqueMetric

class RekaVibeCritiqueMetric(RubricCritiqueMetric):
    """Emits `reka_vibe`, from 1 to 5: how good an answer is, given a reference."""
