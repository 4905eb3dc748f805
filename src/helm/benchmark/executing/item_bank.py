"""Banks of the difficulties of items, by their exact prompts."""

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

from helm.common.errors import ConfigError
from helm.common.files import write_text_atomically

HELM_DATA_SET = "stair-lab/reeval-difficulty"
"""HELM's bank on the Hugging Face Hub, with a split for each scenario."""

_PROMPTS = ("prompt", "request.prompt")
_DIFFICULTIES = ("difficulty", "z")


def read_item_bank(path: str) -> dict[str, float]:
    """Read a bank from a file of JSON lines, each with `prompt` and `difficulty` (or HELM's `request.prompt` and `z`).

    Raises: ConfigError if a line is something else.
    """
    rows = []
    try:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    rows.append((f"{path}, line {number}", json.loads(line)))
    except OSError as e:
        raise ConfigError(f"Cannot read the bank of difficulties {path}: {e.strerror}.") from e
    except (ValueError, RecursionError) as e:
        raise ConfigError(f"{path}, line {len(rows) + 1}: not JSON: {e}") from e
    return _collect(rows)


def load_item_bank(scenario_name: str, cache_folder: str) -> dict[str, float]:
    """Load HELM's bank for a scenario from the Hub, or from where it is already. Raises: HelmError."""
    from helm.common.data.hub_datasets import load_hub_split

    rows = load_hub_split(HELM_DATA_SET, scenario_name, cache_dir=cache_folder).rows
    return _collect((f"{HELM_DATA_SET}, split {scenario_name}, row {i}", row) for i, row in enumerate(rows))


def write_item_bank(path: str, bank: Mapping[str, float]) -> None:
    lines = [json.dumps({"prompt": prompt, "difficulty": difficulty}) for prompt, difficulty in bank.items()]
    write_text_atomically(path, "".join(f"{line}\n" for line in lines))


def _collect(rows: Iterable[tuple[str, Any]]) -> dict[str, float]:
    bank: dict[str, float] = {}
    for where, row in rows:
        if not isinstance(row, dict):
            raise ConfigError(f"{where}: expected an object with prompt and difficulty, not {str(row)[:80]!r}.")
        prompt = next((row[name] for name in _PROMPTS if name in row), None)
        difficulty = next((row[name] for name in _DIFFICULTIES if name in row), None)
        is_number = isinstance(difficulty, (int, float)) and not isinstance(difficulty, bool)
        if not isinstance(prompt, str) or not is_number or not math.isfinite(difficulty or 0.0):
            raise ConfigError(f"{where}: expected a text as prompt and a finite number as difficulty.")
        bank[prompt] = float(difficulty or 0.0)
    return bank
