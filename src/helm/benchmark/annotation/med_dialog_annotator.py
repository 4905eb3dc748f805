"""Jury of MedDialog."""

from helm.benchmark.annotation.jury_annotator import TaskJuryAnnotator


class MedDialogAnnotator(TaskJuryAnnotator):
    task_name = "med_dialog"
