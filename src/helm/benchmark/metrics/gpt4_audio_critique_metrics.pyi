# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.metrics.rubric_critique_metric import RubricCritiqueMetric

class GPT4AudioCritiqueMetric(RubricCritiqueMetric):
    """Emits `gpt4_audio_critique`, from 1 to 5: how far an answer agrees with the reference."""
