"""Jury of MIMIC radiology reports."""

from helm.benchmark.annotation.jury_annotator import TaskJuryAnnotator


class MIMICRRSAnnotator(TaskJuryAnnotator):
    task_name = "mimic_rrs"
