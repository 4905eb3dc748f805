"""Jury of DischargeMe."""

from helm.benchmark.annotation.jury_annotator import TaskJuryAnnotator


class DischargeMeAnnotator(TaskJuryAnnotator):
    task_name = "dischargeme"
