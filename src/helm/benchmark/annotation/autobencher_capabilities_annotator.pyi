# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.annotation.judge_annotator import TaggedScoreAnnotator

class AutoBencherCapabilitiesAnnotator(TaggedScoreAnnotator):
    """Whether an answer means the same as the reference: 1 or 0."""
