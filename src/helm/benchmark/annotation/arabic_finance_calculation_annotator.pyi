# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.annotation.judge_annotator import TaggedScoreAnnotator

class ArabicFinanceCalculationAnnotator(TaggedScoreAnnotator):
    """Whether the final answer of a calculation equals the reference: 1 or 0."""
