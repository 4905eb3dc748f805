"""A task of lm-evaluation-harness: its documents, what is asked about each, and how answers are scored.

The names of methods are those that its documentation gives, because tasks written as classes override them.
"""

from .documents import MULTIPLE_CHOICE
from .scores import TaskScores


class Task(TaskScores):
    """A task, as its documentation describes it. Subclasses come from task files."""


class ConfigurableTask(Task):
    """A task that a file describes; the name that task files import."""


class MultipleChoiceTask(Task):
    """A task with choices; the name that task files import."""

    OUTPUT_TYPE = MULTIPLE_CHOICE
