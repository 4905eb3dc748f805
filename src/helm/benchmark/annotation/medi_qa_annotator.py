"""Jury of MEDIQA."""

from helm.benchmark.annotation.jury_annotator import TaskJuryAnnotator


class MediQAAnnotator(TaskJuryAnnotator):
    task_name = "medi_qa"
