"""The Berkeley Function-Calling Leaderboard, version 4, as tasks for agents."""

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from helm.agents.bfcl.backends.long_texts import FILE_NAME, SHA256, read_long_texts
from helm.agents.bfcl.functions import functions_prompt, tool_name
from helm.agents.bfcl.literals import JAVA, JAVASCRIPT
from helm.agents.bfcl.scores import LIVE, MULTI_TURN
from helm.benchmark.scenarios.data_rows import numbered, reading
from helm.benchmark.scenarios.scenario import TEST_SPLIT, Input, Instance, Scenario, ScenarioMetadata
from helm.common.errors import ConfigError, ScenarioError, suggest

NATIVE, PROMPTED = "native", "prompted"

_LONG_CONTEXT = "multi_turn_long_context"
_NON_LIVE = ("simple_python", "simple_java", "simple_javascript", "multiple", "parallel", "parallel_multiple")
_IRRELEVANCE = ("irrelevance", "live_irrelevance")
_WITHOUT_ANSWERS = (*_IRRELEVANCE, "live_relevance")
_GROUPS: dict[str, tuple[str, ...]] = {
    "non_live": _NON_LIVE,
    "live": LIVE,
    "hallucination": (*_IRRELEVANCE, "live_relevance"),
    "multi_turn": MULTI_TURN,
}
CATEGORIES = tuple(dict.fromkeys(name for names in _GROUPS.values() for name in names))
"""The categories that can be run here."""

_ABSENT = "web_search_* (need a search service) and memory_* (need conversations that write the memory)"

_PACKAGE_URL = (
    "https://raw.githubusercontent.com/ShishirPatil/gorilla/6ea57973c7a6097fd7c5915698c54c17c5b1b6c8/"
    "berkeley-function-call-leaderboard/bfcl_eval"
)
_LONG_TEXTS = f"eval_checker/multi_turn_eval/func_source_code/{FILE_NAME}"
"""Where the texts of long contexts are, beside the folder `data`."""

_FUNCTION_FILES = {
    "GorillaFileSystem": "gorilla_file_system",
    "MathAPI": "math_api",
    "MessageAPI": "message_api",
    "TwitterAPI": "posting_api",
    "TicketAPI": "ticket_api",
    "TradingBot": "trading_bot",
    "TravelAPI": "travel_booking",
    "VehicleControlAPI": "vehicle_control",
}
_OPTIONAL = ""


def find_categories(text: str) -> list[str]:
    """Return the categories that a run entry names: one, a group, `all`, or several joined by `+`. Raises: ConfigError."""
    found: list[str] = []
    for name in text.split("+"):
        if name == "all":
            found += CATEGORIES
        elif name in _GROUPS:
            found += _GROUPS[name]
        elif name in CATEGORIES:
            found.append(name)
        else:
            known = [*CATEGORIES, *_GROUPS, "all"]
            raise ConfigError(
                f"bfcl: category takes {', '.join(known)}, or several joined by '+', not '{name}'.{suggest(name, known)} "
                f"There are no {_ABSENT}."
            )
    return list(dict.fromkeys(found))


class BfclScenario(Scenario):
    """Call the right functions with the right arguments.

    Each instance is an entry of the leaderboard; its category is the sub-split. Single-turn entries ask once, and the calls
    of the answer are compared with the expected ones; in multi-turn entries the calls act on simulated programs, whose states
    and results are compared after each turn. Source: ShishirPatil/gorilla, version 4.

    Args:
        category: one, a group, `all`, or several joined by `+`; see `find_categories`.
        tools: `native` for tool calls, `prompted` for models that write calls as text (not for several turns).
        path: the folder with the data set's files; None downloads them. For long contexts it also holds `long_context.py`, or
            lies in the original package, where that file has its own place.
    """

    name = "bfcl"
    description = "Function calls: the Berkeley Function-Calling Leaderboard, version 4"
    tags = ["agents", "tools"]

    def __init__(self, category: str = "simple_python", tools: str = NATIVE, path: str | None = None):
        super().__init__()
        self._categories = find_categories(category)
        if tools not in (NATIVE, PROMPTED):
            raise ConfigError(f"bfcl: tools takes {NATIVE} or {PROMPTED}, not '{tools}'.")
        if tools == PROMPTED and any(name.startswith("multi_turn") for name in self._categories):
            raise ConfigError(f"bfcl: the categories of several turns need tools={NATIVE}.")
        self._in_text, self._path = tools == PROMPTED, path

    def get_instances(self, output_path: str) -> list[Instance]:
        return [instance for category in self._categories for instance in self._read_category(category, output_path)]

    def _read_category(self, category: str, folder: str) -> list[Instance]:
        file_name = f"BFCL_v4_{category}.json"
        path = self._file(file_name, folder)
        entries = _read_lines(path)
        answers: list[Any] = [None] * len(entries)
        if category not in _WITHOUT_ANSWERS:
            answers = _read_lines(self._file(f"possible_answer/{file_name}", folder))
            if len(answers) != len(entries):
                raise ScenarioError(f"{path}: it has {len(entries)} entries, but there are {len(answers)} answers.")
        instances = []
        for (where, entry), answer in zip(numbered(path, entries, "entry"), answers, strict=True):
            with reading(where):
                if answer is not None and answer["id"] != entry["id"]:
                    raise ScenarioError(f"{where}: it is '{entry['id']}', but the answer is that of '{answer['id']}'.")
                expected = answer["ground_truth"] if answer is not None else None
                if category in MULTI_TURN:
                    task = self._turns_task(entry, expected, folder, category == _LONG_CONTEXT)
                else:
                    task = self._task(category, entry, expected)
                text = "\n".join(str(message["content"]) for turn in entry["question"] for message in turn)
                instances.append(
                    Instance(
                        Input(text=text),
                        references=[],
                        split=TEST_SPLIT,
                        sub_split=category,
                        id=str(entry["id"]),
                        extra_data={"task": str(entry["id"]), **task},
                    )
                )
        return instances

    def _task(self, category: str, entry: Mapping[str, Any], expected: Any) -> dict[str, Any]:
        language = {"simple_java": JAVA, "simple_javascript": JAVASCRIPT}.get(category, "python")
        functions = entry["function"]
        check = {"category": category, "language": language, "functions": functions, "in_text": self._in_text}
        task: dict[str, Any] = {
            "messages": [dict(message) for message in entry["question"][0]],
            "agent": {"class_name": "helm.agents.agents.SingleTurnToolUse"},
            "check": {"class_name": "helm.agents.bfcl.checks.BfclCallCheck", "args": {**check, "expected": expected}},
        }
        if self._in_text:
            task["messages"].insert(0, {"role": "system", "content": functions_prompt(functions)})
            return task
        task["tools"] = [
            {"class_name": "helm.agents.bfcl.functions.BfclFunction", "args": {"document": item, "language": language}}
            for item in functions
        ]
        if language == "python":
            task["solution"] = {"calls": [_solution(call) for call in expected or []]}
        return task

    def _turns_task(self, entry: Mapping[str, Any], expected: Any, folder: str, is_long: bool) -> dict[str, Any]:
        classes = entry["involved_classes"]
        functions = {item["name"]: item for name in classes for item in self._functions_of(name, folder)}
        for name in entry.get("excluded_function") or []:
            functions.pop(name, None)
        held_back = {
            turn: [functions.pop(name) for name in names]
            for turn, names in (entry.get("missed_function") or {}).items()
        }
        environment = {
            "classes": classes,
            "config": entry.get("initial_config") or {},
            "functions": list(functions.values()),
            "held_back": held_back,
        }
        if is_long:
            environment["long_texts"] = self._long_texts(folder)
        first, *others = entry["question"]
        return {
            "messages": [dict(message) for message in first],
            "agent": {"class_name": "helm.agents.bfcl.conversation.BfclConversation", "args": {"turns": others}},
            "environment": {"class_name": "helm.agents.bfcl.conversation.BfclPrograms", "args": environment},
            "check": {"class_name": "helm.agents.bfcl.checks.BfclTurnsCheck", "args": {"expected": expected}},
            "limits": {"turns": 25 * len(entry["question"])},
        }

    def _functions_of(self, program: str, folder: str) -> list[Any]:
        if program not in _FUNCTION_FILES:
            raise ScenarioError(f"there is no simulated program '{program}'.{suggest(program, _FUNCTION_FILES)}")
        return _read_lines(self._file(f"multi_turn_func_doc/{_FUNCTION_FILES[program]}.json", folder))

    def _long_texts(self, folder: str) -> str:
        """Return the path of the texts of long contexts, which are literals in a file of the original program."""
        if self._path is None:
            path = os.path.join(folder, FILE_NAME)
            _download(_LONG_TEXTS, path, SHA256)
        else:
            places = (os.path.join(self._path, FILE_NAME), os.path.join(self._path, "..", *_LONG_TEXTS.split("/")))
            path = next((place for place in places if os.path.isfile(place)), places[0])
        read_long_texts(path)
        return os.path.abspath(path)

    def _file(self, name: str, folder: str) -> str:
        if self._path is not None:
            path = os.path.join(self._path, *name.split("/"))
            if not os.path.isfile(path):
                raise ScenarioError(f"There is no file {path}; `path` is a folder in the layout of the data set.")
            return path
        path = os.path.join(folder, *name.split("/"))
        _download(f"data/{name}", path)
        return path

    def get_metadata(self) -> ScenarioMetadata:
        return ScenarioMetadata(
            name=self.name,
            main_metric="agent_success",
            main_split=TEST_SPLIT,
            display_name="BFCL v4",
            description=self.description,
        )


def _download(name: str, path: str, sha256: str | None = None) -> None:
    from helm.common.data.downloads import ensure_downloaded

    os.makedirs(os.path.dirname(path), exist_ok=True)
    ensure_downloaded(f"{_PACKAGE_URL}/{name}", path, sha256=sha256, license="Apache-2.0")


def _read_lines(path: str) -> list[Any]:
    """Read a file with a JSON value on each line. Raises: ScenarioError."""
    rows = []
    with open(path, encoding="utf-8") as file:
        for where, line in numbered(path, file, "line"):
            if line.strip():
                with reading(where):
                    rows.append(json.loads(line))
    return rows


def _solution(call: Mapping[str, Mapping[str, Sequence[Any]]]) -> dict[str, Any]:
    """Return a call with the first allowed values."""
    ((name, parameters),) = call.items()
    return {"name": tool_name(name), "arguments": _chosen(parameters)}


def _chosen(parameters: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Return the first allowed value of each parameter that may not be left out; objects hold allowed values in turn."""
    return {name: _value(values[0]) for name, values in parameters.items() if _OPTIONAL not in values}


def _value(value: Any) -> Any:
    if isinstance(value, dict):
        return _chosen(value)
    return (
        [_value(item) for item in value]
        if isinstance(value, list) and any(isinstance(i, dict) for i in value)
        else value
    )
