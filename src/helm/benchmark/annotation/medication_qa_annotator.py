"""Jury of MedicationQA."""

from helm.benchmark.annotation.jury_annotator import TaskJuryAnnotator


class MedicationQAAnnotator(TaskJuryAnnotator):
    task_name = "medication_qa"
