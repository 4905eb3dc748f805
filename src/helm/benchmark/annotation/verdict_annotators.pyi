# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.annotation.verdict_annotator import ThreeVerdictsAnnotator

class SimpleQAAnnotator(ThreeVerdictsAnnotator):
    """Whether an answer to a question of SimpleQA is correct (A), incorrect (B) or not attempted (C)."""

class SimpleQAVerifiedAnnotator(ThreeVerdictsAnnotator):
    """The same for SimpleQA Verified, whose references have accepted ranges of numbers."""
