"""Jury of ACI-Bench."""

from helm.benchmark.annotation.jury_annotator import TaskJuryAnnotator


class ACIBenchAnnotator(TaskJuryAnnotator):
    task_name = "aci_bench"
