"""Jury of CHW care plans."""

from helm.benchmark.annotation.jury_annotator import TaskJuryAnnotator


class CHWCarePlanAnnotator(TaskJuryAnnotator):
    task_name = "chw_care_plan"
