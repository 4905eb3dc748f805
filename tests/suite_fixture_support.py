"""Made-up data of scenarios in YAML, one file for each suite, with what the original makes of it.

A case has the fields of the golden vectors `fixtures_*.json`. Besides, so that samples of a thousand rows stay readable:

    {repeat: 1200, row: {text: "row {i}", label: {cycle: [a, b]}}}     rows, with {i} the number of the row
    {repeat: 1200, line: "row {i},{a|b}"}                              lines of a file, {a|b} one of them in turn
    {encoding: ISO-8859-1, text: ...}                                  a file in another encoding
"""

import re
from pathlib import Path
from typing import Any

from helm.common.files import load_yaml

FOLDER = Path(__file__).parent / "benchmark" / "scenarios" / "fixtures"
_TURNS = re.compile(r"\{([^{}]*\|[^{}]*)\}")


def suite_files() -> list[Path]:
    return sorted(FOLDER.glob("*.yaml"))


def suite_cases(path: Path) -> list[dict[str, Any]]:
    """The cases of a file, with everything repeated."""
    return [expanded_case(case) for case in load_yaml(path)]


def expanded_case(case: dict[str, Any]) -> dict[str, Any]:
    case = {"hf": [], "files": {}, "downloads": [], "hf_calls": [], **case}
    case["hf"] = [
        {**entry, "splits": {split: _rows(rows) for split, rows in entry["splits"].items()}} for entry in case["hf"]
    ]
    case["files"] = {name: _file(content) for name, content in case["files"].items()}
    case["encoded"] = {name: content for name, content in case["files"].items() if isinstance(content, bytes)}
    case["files"] = {name: "" if isinstance(content, bytes) else content for name, content in case["files"].items()}
    return case


def _rows(rows: list[Any]) -> list[Any]:
    return [
        filled
        for row in rows
        for filled in ([_filled(row["row"], i) for i in range(row["repeat"])] if "repeat" in row else [row])
    ]


def _filled(value: Any, i: int) -> Any:
    if isinstance(value, str):
        return i if value == "{i}" else value.replace("{i}", str(i))
    if isinstance(value, dict):
        return _filled(value["cycle"][i % len(value["cycle"])], i) if set(value) == {"cycle"} else {
            key: _filled(item, i) for key, item in value.items()
        }  # fmt: skip
    return [_filled(item, i) for item in value] if isinstance(value, list) else value


def _file(content: Any) -> Any:
    if isinstance(content, list):
        return "".join(_lines(part) for part in content)
    if isinstance(content, dict) and "text" in content and content["encoding"].startswith("ISO"):
        text = content["text"]
        return (_file(text) if isinstance(text, list) else text).encode(content["encoding"])
    return content


def _lines(part: Any) -> str:
    if isinstance(part, str):
        return part + "\n"
    return "".join(_line(part["line"], i) + "\n" for i in range(part["repeat"]))


def _line(text: str, i: int) -> str:
    text = _TURNS.sub(lambda match: match.group(1).split("|")[i % (match.group(1).count("|") + 1)], text)
    return text.replace("{i}", str(i))
