"""Jury of MIMIC-IV hospital courses."""

from helm.benchmark.annotation.jury_annotator import TaskJuryAnnotator


class MIMICBHCAnnotator(TaskJuryAnnotator):
    task_name = "mimic_bhc"
