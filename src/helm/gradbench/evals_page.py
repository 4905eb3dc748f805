"""Generator of the tables in docs/reference-ad-evals.md: `python -m helm.gradbench.evals_page FILE` updates them."""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from helm.gradbench.evals.eval import Eval
from helm.gradbench.evals.registry import get_eval_class, package_eval_names
from helm.gradbench.run_specs import PREFIX, make_run_spec_function
from helm.gradbench.tools.registry import BUILTIN_NAMES, supported_evals

_BEGIN, _END = "<!-- begin: {} -->\n", "<!-- end: {} -->\n"
_EVERYWHERE = ("min_runs", "min_seconds", "timeout_s", "repeats", "warmups", "compat")
"""Flags that the page describes once, below the tables."""


def _default(value: Any) -> str:
    if isinstance(value, tuple) and len(value) > 5:
        return f"{value[0]} {value[1]} ... {value[-1]}"
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _flags(eval_class: type[Eval]) -> str:
    parser = argparse.ArgumentParser(add_help=False)
    eval_class.add_arguments(parser)
    eval_class.add_remaining_arguments(parser)
    return ", ".join(
        _with_default(action.option_strings[0], None if action.default is False else action.default)
        for action in parser._actions
        if action.help != argparse.SUPPRESS and action.dest not in _EVERYWHERE
    )


def _with_default(name: str, default: Any) -> str:
    return f"`{name}`" if default is None else f"`{name}` ({_default(default)})"


def _functions(eval_class: type[Eval]) -> str:
    if eval_class.primal is not None:
        return f"`{eval_class.primal}`, `{eval_class.derivative}`"
    return ", ".join(f"`{name}`" for name in dict.fromkeys(item.function for item in eval_class().evaluations()))


def _summary(eval_class: type[Eval]) -> str:
    text = inspect.cleandoc(eval_class.run_doc or eval_class.__doc__ or "").replace("``", "`")
    return " ".join(text.split()).replace("|", "\\|")


def _arguments(eval_class: type[Eval]) -> str:
    parameters = inspect.signature(make_run_spec_function(eval_class)).parameters.values()
    return ", ".join(_with_default(p.name, p.default) for p in parameters if p.name not in _EVERYWHERE)


def tables(names: Iterable[str]) -> dict[str, str]:
    """Make each table, by its name."""
    names = list(names)
    classes = [get_eval_class(name) for name in names]
    evals = ["| eval | functions | flags (defaults) |", "|---|---|---|"]
    evals += [f"| `{c.name}` | {_functions(c)} | {_flags(c)} |" for c in classes]
    entries = ["| run spec | arguments (defaults) | what it asks |", "|---|---|---|"]
    entries += [f"| `{PREFIX}{c.name}` | {_arguments(c)} | {_summary(c)} |" for c in classes]
    return {"evals": _joined(evals), "run specs": _joined(entries), "tools": _joined(_matrix(names))}


def _joined(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _matrix(names: Iterable[str]) -> list[str]:
    """Which of our tools supports which eval."""
    columns = list(names)
    rows = ["| tool | " + " | ".join(columns) + " |", "|---|" + ":-:|" * len(columns)]
    for tool in BUILTIN_NAMES:
        supported = supported_evals(tool)
        rows.append(f"| `{tool}` | " + " | ".join("✓" if name in supported else "" for name in columns) + " |")
    return rows


def with_tables(page: str) -> str:
    """Return the page with updated tables between its marks."""
    for name, table in tables(package_eval_names()).items():
        head, begin, rest = page.partition(_BEGIN.format(name))
        _, end, tail = rest.partition(_END.format(name))
        page = f"{head}{begin}{table}{end}{tail}"
    return page


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(with_tables(path.read_text(encoding="utf-8")), encoding="utf-8")
