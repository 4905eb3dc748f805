"""What can go wrong in a task, as errors that can cross the border of a sandbox."""

import os
import traceback
from collections.abc import Iterator
from contextlib import contextmanager


class TaskFailure(Exception):
    """A part of the task cannot be computed. The message names the part, the document, and the line of the code."""


class NeedsData(Exception):
    """Rows are needed that were not sent along: path, configuration and split of a data set, and further arguments."""

    def __init__(self, path: str, name: str | None, split: str | None, arguments: dict | None = None):
        super().__init__(path, name, split)
        self.request = {"path": path, "name": name, "split": split, "arguments": arguments or {}}


class DrawsAtRandom(Exception):
    """The code draws numbers, so that it matters which documents are processed before those that are evaluated.

    Args:
        from_own: whether from a generator that it keeps itself.
    """

    def __init__(self, from_own: bool):
        super().__init__(from_own)
        self.from_own = from_own


@contextmanager
def naming(part: str, document: "int | str | None" = None) -> Iterator[None]:
    """Turn any error into a `TaskFailure` that names the part, the document, and the innermost line of a task's file."""
    try:
        yield
    except (TaskFailure, NeedsData, DrawsAtRandom):
        raise
    except (Exception, SystemExit) as error:
        where = "" if document is None else f", document {document}"
        raise TaskFailure(f"{part}{where}: {_describe(error)}") from error


def _describe(error: BaseException) -> str:
    text = f"{type(error).__name__}: {error}"[:1000]
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if f"{os.sep}{CODE_FOLDER}{os.sep}" in frame.filename]
    if not own:
        return text
    file = own[-1].filename.rpartition(f"{os.sep}{CODE_FOLDER}{os.sep}")[2]
    return f"{text} ({file}, line {own[-1].lineno})"


CODE_FOLDER = "task_code"
"""The folder, in the sandbox, of the files that belong to the task."""
