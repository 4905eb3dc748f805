"""Jury of STARR patient instructions."""

from helm.benchmark.annotation.jury_annotator import TaskJuryAnnotator


class StarrPatientInstructionsAnnotator(TaskJuryAnnotator):
    task_name = "starr_patient_instructions"
