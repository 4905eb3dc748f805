"""Jury of MTSamples treatment plans."""

from helm.benchmark.annotation.jury_annotator import TaskJuryAnnotator


class MTSamplesReplicateAnnotator(TaskJuryAnnotator):
    task_name = "mtsamples_replicate"
