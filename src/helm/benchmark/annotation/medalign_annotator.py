"""Jury of MedAlign."""

from helm.benchmark.annotation.jury_annotator import TaskJuryAnnotator


class MedalignAnnotator(TaskJuryAnnotator):
    task_name = "medalign"
