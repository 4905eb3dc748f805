"""Generates the documentation page of the Python interface: `python -m helm.api.reference_page`."""

import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import helm

_HEAD = """# Reference: Python

`import helm` offers these names; it imports each when it is used. `python -m helm.api.reference_page` writes this page from
the docstrings. The [tutorial](tutorial-python.ipynb) is a notebook.
"""

_ORDER = (
    "evaluate", "evaluate_async", "Results", "Comparison", "RunFailure", "EvaluationError", "ViewerHandle", "scenario", "metric",
    "model",
)  # fmt: skip
_ELSEWHERE = {
    "RunSpec": "says everything that determines the numbers of a run; see [files](reference-files.md).",
    "ConfigError": "a wrong argument, name or file.",
    "HelmError": "the base of all errors that users can fix.",
}
_SECTION = re.compile(r"^(Args|Returns|Raises|Example):$")
_ITEM = re.compile(r"^(\**\w+): (.*)$")


def reference_page() -> str:
    """Return docs/reference-python.md."""
    parts = [_HEAD]
    for name in _ORDER:
        value = getattr(helm, name)
        parts.append(
            _class_text(name, value) if isinstance(value, type) else _function_text(f"helm.{name}", value, "##")
        )
    others = "\n".join(f"- `helm.{name}`: {text}" for name, text in _ELSEWHERE.items())
    return "\n".join([*parts, f"## Other names\n\n{others}\n"])


def _class_text(name: str, cls: type) -> str:
    parts = [f"## helm.{name}\n\n{_docstring_text(cls)}"]
    fields = getattr(cls, "__dataclass_fields__", {})
    if fields:
        parts.append("Fields: " + ", ".join(f"`{field}`" for field in fields) + ".\n")
    for key, value in vars(cls).items():
        if key.startswith("_") or key.startswith("of_"):
            continue
        if isinstance(value, property):
            parts.append(f"### {name}.{key}\n\n{_docstring_text(value.fget)}")
        elif isinstance(value, classmethod):
            parts.append(_function_text(f"{name}.{key}", value.__func__, "###"))
        elif inspect.isfunction(value):
            parts.append(_function_text(f"{name}.{key}", value, "###"))
    return "\n".join(parts)


def _function_text(name: str, function: Callable[..., Any], level: str) -> str:
    return f"{level} {name}\n\n```python\n{_signature_text(name, function)}\n```\n\n{_docstring_text(function)}"


def _signature_text(name: str, function: Callable[..., Any]) -> str:
    word = "await " if inspect.iscoroutinefunction(function) else ""
    parameters = [p for p in inspect.signature(function).parameters.values() if p.name not in ("self", "cls")]
    texts: list[str] = []
    for parameter in parameters:
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in texts:
            texts.append("*")
        plain = parameter.replace(annotation=parameter.empty)
        texts.append(str(plain))
    line = f"{word}{name}({', '.join(texts)})"
    if len(line) <= 100:
        return line
    return f"{word}{name}(\n" + "".join(f"    {text},\n" for text in texts) + ")"


def _docstring_text(value: Any) -> str:
    return "\n".join(_lines(inspect.getdoc(value) or "")) + "\n"


def _lines(docstring: str) -> Iterator[str]:
    section = ""
    block: list[str] = []
    for line in docstring.splitlines():
        match = _SECTION.match(line)
        if match:
            yield from _section_lines(section, block)
            section, block = match[1], []
        else:
            block.append(line)
    yield from _section_lines(section, block)


def _section_lines(section: str, block: list[str]) -> Iterator[str]:
    text = textwrap.dedent("\n".join(block)).strip("\n")
    if not section:
        yield text
        return
    yield ""
    if section in ("Args", "Raises"):
        yield f"**{'Arguments' if section == 'Args' else 'Errors'}**\n"
        item = ""
        for line in text.splitlines():
            match = _ITEM.match(line)
            if match:
                if item:
                    yield item
                item = f"- `{match[1]}`: {match[2]}"
            else:
                item += f" {line.strip()}"
        yield item
    elif section == "Returns":
        yield f"**Returns** {text[0].lower()}{' '.join(text[1:].split())}"
    else:
        yield text


if __name__ == "__main__":
    with open("docs/reference-python.md", "w", encoding="utf-8") as file:
        file.write(reference_page())
