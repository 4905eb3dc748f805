"""Respondents who get questions and give answers by files: people with any form or spreadsheet."""

import csv
import hashlib
import json
import os
import threading
from collections.abc import Iterator
from typing import Any

from helm.clients.critique_clients import CritiqueClient, parse_answer
from helm.common.critique_request import (
    CritiqueQuestionTemplate,
    CritiqueRequest,
    CritiqueRequestResult,
    CritiqueResponse,
)
from helm.common.errors import ConfigError
from helm.common.files import open_atomically
from helm.common.processes.file_lock import file_lock

TASKS = "tasks.jsonl"
ANSWERS = ("answers.jsonl", "answers.csv")
_COLUMNS = ("task", "respondent", "question", "answer")
_ID_DIGITS = 16

Answers = dict[str, dict[str, dict[str, tuple[str, Any]]]]
"""By task, respondent and question: where an answer is, and what it is."""


class FileCritiqueClient(CritiqueClient):
    """Writes each request as a task to a file, and reads what was answered so far from two others.

    `tasks.jsonl` has a line for each task: its id, the instructions, the values of placeholders, the questions and how many
    answers are wanted. `answers.jsonl` and `answers.csv` have the columns `task`, `respondent`, `question` and `answer`, which is
    an option or its letter, or a text; for a checkbox, letters. Run or rescore again when there are answers.

    Args:
        folder: where the files are; it is made if it is missing.
    """

    def __init__(self, folder: str):
        self._folder = folder
        os.makedirs(folder, exist_ok=True)
        self._lock = threading.Lock()
        self._answers: Answers = {}
        self._read_at: list[Any] = []

    def make_critique_request(self, request: CritiqueRequest) -> CritiqueRequestResult:
        """Return the answers so far. Raises: ConfigError that names the line of an answer that is none."""
        task = _describe(request)
        with self._lock:
            self._offer(task)
            found = self._read_answers().get(task["task"], {})
        questions = {question.name: question for question in request.template.questions}
        responses = [
            CritiqueResponse(f"{task['task']}:{respondent}", respondent, _parsed(questions, answers))
            for respondent, answers in found.items()
        ]
        return CritiqueRequestResult(responses)

    def _offer(self, task: dict[str, Any]) -> None:
        path = os.path.join(self._folder, TASKS)
        with file_lock(f"{path}.lock", "it adds a task"):
            lines = []
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    lines = [line.rstrip("\n") for line in file]
            if any(task["task"] in line and json.loads(line).get("task") == task["task"] for line in lines):
                return
            with open_atomically(path) as file:
                file.write("\n".join([*lines, json.dumps(task, ensure_ascii=False)]) + "\n")

    def _read_answers(self) -> Answers:
        """Return all answers; the files are read again when they have changed."""
        paths = [os.path.join(self._folder, name) for name in ANSWERS]
        stamps = [os.stat(path).st_mtime_ns if os.path.exists(path) else None for path in paths]
        if stamps != self._read_at:
            answers: Answers = {}
            for path, stamp in zip(paths, stamps, strict=True):
                for where, row in _rows(path) if stamp is not None else ():
                    of_task = answers.setdefault(row["task"], {})
                    of_task.setdefault(row["respondent"], {})[row["question"]] = (where, row["answer"])
            self._answers, self._read_at = answers, stamps
        return self._answers


def _describe(request: CritiqueRequest) -> dict[str, Any]:
    template = request.template
    content = {
        "template": template.name,
        "instructions": template.instructions,
        "fields": dict(request.fields),
        "num_respondents": template.num_respondents,
        "questions": [
            {"name": q.name, "type": str(q.question_type), "text": q.text, "options": list(q.options)}
            for q in template.questions
        ],
    }
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode("ascii")).hexdigest()
    return {"task": digest[:_ID_DIGITS], **content}


def _rows(path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each answer and its place. Raises: ConfigError for a line that is none."""
    name = os.path.basename(path)
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            if path.endswith(".csv"):
                reader = csv.DictReader(file)
                numbered = ((reader.line_num, row) for row in reader)
            else:
                numbered = ((i, json.loads(line)) for i, line in enumerate(file, 1) if line.strip())
            for number, row in numbered:
                where = f"{name}, line {number}"
                missing = [key for key in _COLUMNS if not isinstance(row, dict) or row.get(key) is None]
                if missing:
                    raise ConfigError(f"{where}: there is no {', '.join(missing)}. A line has {', '.join(_COLUMNS)}.")
                yield where, {key: row[key] if key == "answer" else str(row[key]) for key in _COLUMNS}
    except (ValueError, csv.Error) as e:
        raise ConfigError(f"{name} cannot be read: {e}") from e


def _parsed(
    questions: dict[str, CritiqueQuestionTemplate], answers: dict[str, tuple[str, Any]]
) -> dict[str, str | list[str]]:
    parsed = {}
    for name, (where, text) in answers.items():
        if name not in questions:
            raise ConfigError(f"{where}: the task has no question '{name}', but {', '.join(questions)}.")
        written = ", ".join(text) if isinstance(text, list) else str(text).strip()
        answer = parse_answer(questions[name], written.upper() if len(written) == 1 else written)
        if answer is None:
            options = "; ".join(questions[name].options)
            raise ConfigError(
                f"{where}: {str(text)[:80]!r} is no answer to '{name}'. It takes a letter or one of: {options}."
            )
        parsed[name] = answer
    return parsed
