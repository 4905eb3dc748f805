"""Answers calls in lines of JSON: `python serve.py FILE`. It runs in another interpreter, so it imports nothing of ours.

FILE has a function `make_calls`, which returns functions by name. The first line that is written says that it is ready, or what
is missing; then each line that is read is a call, `{"call", "arguments"}`, and each line that is written its answer.
"""

import importlib.util
import json
import os
import sys
from typing import Any, TextIO


def main(path: str) -> None:
    """Answer until the other end closes."""
    # What the package prints must not come between the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    try:
        spec = importlib.util.spec_from_file_location("helm_package_side", path)
        assert spec is not None and spec.loader is not None
        side: Any = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(side)
        calls = side.make_calls()
    except ModuleNotFoundError as e:
        tell(answers, {"missing": e.name or str(e)})
        return
    except Exception as e:  # whatever the package raises when it is loaded
        tell(answers, {"broken": f"{type(e).__name__}: {e}"})
        return
    tell(answers, {"ready": True})
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            tell(answers, {"result": calls[asked["call"]](**asked["arguments"])})
        except Exception as e:  # the caller gets the package's own words
            tell(answers, {"error": f"{type(e).__name__}: {e}"})


def tell(answers: TextIO, value: Any) -> None:
    """Write a line. A value that is no JSON is an error, and nothing of it is written."""
    answers.write(json.dumps(value) + "\n")
    answers.flush()


if __name__ == "__main__":
    main(sys.argv[1])
