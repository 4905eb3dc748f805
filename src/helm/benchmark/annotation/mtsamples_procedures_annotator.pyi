# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.annotation.jury_annotator import TaskJuryAnnotator

class MTSamplesProceduresAnnotator(TaskJuryAnnotator): ...
