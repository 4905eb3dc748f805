"""Questions that are given as rows: by a Python function, or as a list or a frame that was stored in a file."""

import hashlib
import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from helm.benchmark.scenarios.scenario import (
    ALL_SPLITS,
    CORRECT_TAG,
    TEST_SPLIT,
    Input,
    Instance,
    Output,
    Reference,
    Scenario,
)
from helm.common.errors import ScenarioError, suggest
from helm.common.live_functions import find_function

INPUT, TARGET, CHOICES, ID, SPLIT = COLUMNS = ("input", "target", "choices", "id", "split")
"""The names of what a row contains. Everything else in it becomes the instance's `extra_data`."""

ROWS_FOLDER = "rows"
"""The folder below `scenarios` in an output folder that holds rows, in files named by their SHA-256."""


class RowsScenario(Scenario):
    """Rows that were given to `helm.evaluate`; each has an input and may have a target, choices, an id and a split.

    Args:
        sha256: names the file of the rows, which is written before the run begins.
        title: the name of the task, for people.
    """

    name = ROWS_FOLDER
    description = "Rows of a list or a frame"
    tags = []

    def __init__(self, sha256: str, title: str = ""):
        super().__init__()
        self._sha256 = sha256
        if title:
            self.description = f"Rows of {title}"

    def get_instances(self, output_path: str) -> list[Instance]:
        path = os.path.join(output_path, f"{self._sha256}.jsonl")
        try:
            with open(path, "rb") as file:
                data = file.read()
        except OSError as e:
            raise ScenarioError(
                f"The rows of this run are not there: {path}: {e.strerror}. helm.evaluate writes them; copy the file, or call "
                "helm.evaluate with the same rows again."
            ) from e
        if hashlib.sha256(data).hexdigest() != self._sha256:
            raise ScenarioError(f"{path} was changed: its content no longer has the SHA-256 in its name.")
        return read_instances(json.loads(line) for line in data.splitlines())


class FunctionScenario(Scenario):
    """The rows that a Python function returns or yields.

    Args:
        function: the name of the function (see `helm.common.live_functions`).
        args: its keyword arguments.
    """

    name = "function"
    description = ""
    tags = []

    def __init__(self, function: str, args: Mapping[str, Any] | None = None):
        super().__init__()
        self._function = find_function(function, "scenario")
        self._args = dict(args or {})
        self.name = function.partition("@")[0].rpartition(".")[2]
        self.description = (self._function.__doc__ or f"Rows of {self.name}").strip().partition("\n")[0]

    def get_instances(self, output_path: str) -> list[Instance]:
        rows = self._function(**self._args)
        if isinstance(rows, (str, bytes, Mapping)) or not isinstance(rows, Iterable):
            raise ScenarioError(
                f"The scenario function '{self.name}' returned a value of type {type(rows).__name__}: expected rows such as "
                '[{"input": "2 + 2?", "target": "4"}].'
            )
        return read_instances(rows, self.name)


def read_instances(rows: Iterable[Any], where: str = "") -> list[Instance]:
    """Turn rows into instances; instances among them stay as they are.

    Raises: ScenarioError that says which row is wrong and what was expected.
    """
    of = f" of {where}" if where else ""
    found = [row if isinstance(row, Instance) else read_instance(row, f"Row {i}{of}") for i, row in enumerate(rows)]
    ids: dict[str, int] = {}
    for number, instance in enumerate(found):
        if instance.id is not None and ids.setdefault(instance.id, number) != number:
            raise ScenarioError(f"Rows {ids[instance.id]} and {number}{of} have the same id '{instance.id}'.")
    return found


def read_instance(row: Any, where: str) -> Instance:
    """Turn a row into an instance. Raises: ScenarioError, whose message begins with `where`."""
    if not isinstance(row, Mapping):
        raise ScenarioError(
            f'{where} is a value of type {type(row).__name__}: expected a dict such as {{"input": "2 + 2?"}}.'
        )
    if row.get(INPUT) is None:
        nearest = suggest(INPUT, [str(key) for key in row if key not in COLUMNS])
        raise ScenarioError(f"{where} has no input; it has {', '.join(map(str, row)) or 'nothing'}.{nearest}")
    question = row[INPUT]
    if isinstance(question, list) and question and all(isinstance(message, Mapping) for message in question):
        asked = Input(messages=[{str(k): str(v) for k, v in message.items()} for message in question])
    else:
        asked = Input(text=_text(question, f"{where}: input"))
    split = row.get(SPLIT) or TEST_SPLIT
    if split not in ALL_SPLITS:
        raise ScenarioError(
            f"{where}: split is {', '.join(ALL_SPLITS)}, not '{split}'.{suggest(str(split), ALL_SPLITS)}"
        )
    rest = {str(key): value for key, value in row.items() if key not in COLUMNS}
    return Instance(
        asked,
        _references(row, where),
        split=split,
        id=None if row.get(ID) is None else str(row[ID]),
        extra_data=rest or None,
    )


def _references(row: Mapping[str, Any], where: str) -> list[Reference]:
    target, choices = row.get(TARGET), row.get(CHOICES)
    if choices is None:
        if target is None:
            return []
        targets = target if isinstance(target, (list, tuple)) else [target]
        return [Reference(Output(text=_text(text, f"{where}: target")), [CORRECT_TAG]) for text in targets]
    if isinstance(choices, str) or not isinstance(choices, Sequence) or len(choices) < 2:
        raise ScenarioError(f"{where}: choices must be a list of two texts or more, not {choices!r}.")
    texts = [_text(choice, f"{where}: choices") for choice in choices]
    right = _correct_indices(target, texts, where)
    return [Reference(Output(text=text), [CORRECT_TAG] if i in right else []) for i, text in enumerate(texts)]


def _correct_indices(target: Any, choices: Sequence[str], where: str) -> set[int]:
    """Return the positions of the correct choices, which are given by text, letter (A is the first) or number (from 0)."""
    if target is None:
        return set()
    found = set()
    for item in target if isinstance(target, (list, tuple)) else [target]:
        if isinstance(item, str) and item in choices:
            found.add(choices.index(item))
        elif isinstance(item, int) and not isinstance(item, bool) and 0 <= item < len(choices):
            found.add(item)
        elif isinstance(item, str) and len(item) == 1 and 0 <= ord(item.upper()) - ord("A") < len(choices):
            found.add(ord(item.upper()) - ord("A"))
        else:
            raise ScenarioError(
                f"{where}: target {item!r} is none of the choices {', '.join(map(repr, choices))}; give its text, its letter, or "
                f"its number from 0 to {len(choices) - 1}."
            )
    return found


def _text(value: Any, where: str) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    raise ScenarioError(f"{where} must be a text, not {value!r}.")


def plain_value(value: Any) -> Any:
    """Return a value of a row as JSON has it; missing values of frames become None.

    Raises: TypeError for values that JSON does not have.
    """
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return None if math.isnan(value) else value
    if isinstance(value, Mapping):
        return {str(key): plain_value(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain_value(item) for item in value]
    for method in ("tolist", "to_list", "isoformat"):  # arrays and numbers of numpy, series, dates
        convert = getattr(value, method, None)
        if callable(convert):
            return plain_value(convert())
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    raise TypeError(f"a value of type {type(value).__name__}")
