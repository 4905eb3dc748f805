# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.annotation.judge_annotator import TaggedScoreAnnotator

class ArabicLegalAnnotator(TaggedScoreAnnotator):
    """How far an answer to a question of UAE law agrees with the reference: 1 or 0."""
