"""Jury of mental-health counselling."""

from helm.benchmark.annotation.jury_annotator import TaskJuryAnnotator


class MentalHealthAnnotator(TaskJuryAnnotator):
    task_name = "mental_health"
