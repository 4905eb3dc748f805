"""Jury of MTSamples procedures."""

from helm.benchmark.annotation.jury_annotator import TaskJuryAnnotator


class MTSamplesProceduresAnnotator(TaskJuryAnnotator):
    task_name = "mtsamples_procedures"
