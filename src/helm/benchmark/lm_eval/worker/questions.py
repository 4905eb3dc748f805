"""A task's documents as questions with choices and right answers, for those who ask about them in their own way."""

from collections.abc import Sequence
from typing import Any

from .documents import Document
from .failures import naming
from .plain import to_plain
from .task import Task


def read_questions(task: Task, job: dict[str, Any]) -> dict[str, Any]:
    """Return the questions of the evaluated split and, with `num_fewshot`, of the examples.

    A split that has both is divided: its first documents are the examples. `shared` says so.

    Returns: `evaluated` and `examples`, each `{split, questions}`; a question has `text`, `choices` (None without), `target` and
        `prefix`, the beginning of each answer. `text` and `target` are None where a column is empty.
    """
    number = int(job.get("num_fewshot") or 0)
    split = task.config.test_split or task.config.validation_split
    source = task.fewshot_split or "samples"
    is_shared = bool(number) and source == split
    examples: list[Document] = []
    if number and not is_shared:
        with naming(f"split {source}"):
            examples = list(task.fewshot_docs())
    with naming(f"split {split}"):
        docs = list(task.eval_docs)
    if is_shared:
        examples, docs = docs[:number], docs[number:]
    read = {"examples": _questions(task, examples, source), "evaluated": _questions(task, docs, split)}
    return {**read, "shared": is_shared}


def _questions(task: Task, docs: Sequence[Document], split: str) -> dict[str, Any]:
    questions = []
    for i, doc in enumerate(docs):
        with naming(f"split {split}, row {i}"):
            questions.append(_question(task, doc))
    return {"split": split, "questions": questions}


def _question(task: Task, doc: Document) -> dict[str, Any]:
    choices = None if task.config.get("doc_to_choice") is None else [str(one) for one in task.doc_to_choice(doc)]
    text, target = task.doc_to_text(doc), task.doc_to_target(doc)
    prefix = str(task._prefix(doc))
    return {
        "text": None if text is None else str(text),
        "choices": choices,
        "target": to_plain(target),
        "prefix": prefix,
    }
