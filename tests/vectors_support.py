"""Where golden vectors are found: `$HELM_TEST_VECTORS/<topic>/<file>.json`, by default the folder beside this module."""

import json
import os
from pathlib import Path
from typing import Any


def vectors_dir() -> Path:
    return Path(os.environ.get("HELM_TEST_VECTORS") or Path(__file__).parent / "vectors")


def load_vectors(relative_path: str) -> Any:
    """The parsed file. Fails, and does not skip, when it is absent."""
    return json.loads((vectors_dir() / relative_path).read_text(encoding="utf-8"))


def vector_cases(relative_path: str, key: str = "cases") -> list[Any]:
    """The cases of a file; a file without cases is an error."""
    cases = load_vectors(relative_path)[key]
    assert cases, f"{relative_path} holds no cases"
    return cases
