"""The published wording of judges whose prompts are not part of this package: fetched at a commit, parsed, never run."""

import ast
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

from helm.benchmark.annotation.judge_prompts import read_prompt
from helm.common.commands.output_path import get_benchmark_output_path
from helm.common.data.downloads import ensure_downloaded
from helm.common.errors import ConfigError, HelmError, suggest

OWN = "own"
"""The wording of this package, in `prompts/`."""

PUBLISHED = "published"
"""The wording of the benchmark's authors, with which scores are comparable with theirs."""

_FOLDER = "published-prompts"
_MAX_FILE_BYTES = 1 << 20
_RAW = "https://raw.githubusercontent.com"
_SIMPLE_EVALS = f"{_RAW}/openai/simple-evals/ee3b0318d8d1d9d72755a4120879be65f7c07e9e"


class PublishedPromptError(HelmError):
    """A published prompt is not what was expected; the message names the file and the constant."""


@dataclass(frozen=True)
class PublishedPrompt:
    """A template that is a constant of a Python file."""

    url: str

    sha256: str | None
    """None where none is known; the address then names a commit."""

    constant: str

    placeholders: Mapping[str, str]
    """Maps the names of this package's placeholders, such as `QUESTION`, to those of the template."""

    def read(self) -> str:
        """Return the template with this package's placeholders. Raises: DownloadError; PublishedPromptError."""
        path = os.path.join(get_benchmark_output_path(), _FOLDER, os.path.basename(self.url))
        ensure_downloaded(self.url, path, sha256=self.sha256, max_bytes=_MAX_FILE_BYTES)
        with open(path, "rb") as stream:
            template = _read_constant(stream.read(), self.constant, path)
        for name, placeholder in self.placeholders.items():
            if placeholder not in template:
                raise PublishedPromptError(f"{path}: {self.constant} has no placeholder {placeholder}.")
            template = template.replace(placeholder, f"{{{{{name}}}}}")
        return template


_FORMAT = {"QUESTION": "{question}", "GOLD": "{correct_answer}", "ANSWER": "{response}"}

PUBLISHED_PROMPTS: Mapping[str, PublishedPrompt] = {
    "simpleqa": PublishedPrompt(
        f"{_SIMPLE_EVALS}/simpleqa_eval.py",
        "d61a8f97132b29f6fe5d264dd9d619407ea14421525827fabd4cc21162e35c29",
        "GRADER_TEMPLATE",
        {"QUESTION": "{question}", "GOLD": "{target}", "ANSWER": "{predicted_answer}"},
    ),
    "browsecomp": PublishedPrompt(
        f"{_SIMPLE_EVALS}/browsecomp_eval.py",
        "0bfb33cfdf5fa0e0d7da48068cc86c5a22acc755979be4a2b46f8a821cc44b74",
        "GRADER_TEMPLATE",
        _FORMAT,
    ),
    "healthbench": PublishedPrompt(
        f"{_SIMPLE_EVALS}/healthbench_eval.py",
        "89909957f005762edaded2f0e39fc9b3b242edd55e3ac0ce4c8dd886ac59d167",
        "GRADER_TEMPLATE",
        {"CONVERSATION": "<<conversation>>", "CRITERION": "<<rubric_item>>"},
    ),
    "hle": PublishedPrompt(
        f"{_RAW}/centerforaisafety/hle/26dca2e253b405105b4c3d8c2f5af06f86f90c66/hle_eval/run_judge_results.py",
        None,
        "JUDGE_PROMPT",
        _FORMAT,
    ),
}
"""Where the prompts of the judges are, by the name of the annotator."""


def read_judge_prompt(name: str, prompts: str) -> str:
    """Return the template of an annotator's prompt, with placeholders such as `{{QUESTION}}`.

    Args:
        name: the annotator's.
        prompts: `own` or `published`.

    Raises: ConfigError for another wording, or one that is not known; DownloadError; PublishedPromptError.
    """
    if prompts not in (OWN, PUBLISHED):
        raise ConfigError(
            f"{name}: prompts takes {OWN} or {PUBLISHED}, not {prompts!r}.{suggest(prompts, (OWN, PUBLISHED))}"
        )
    if prompts == OWN:
        return read_prompt(name)
    if name not in PUBLISHED_PROMPTS:
        raise ConfigError(f"The published prompt of {name} is not known; it is for {', '.join(PUBLISHED_PROMPTS)}.")
    return PUBLISHED_PROMPTS[name].read()


def fill_once(template: str, values: Mapping[str, str]) -> str:
    """Replace `{{NAME}}` by texts, in one pass, so that a text that contains a placeholder stays as it is."""
    return re.sub(r"\{\{([A-Z_]+)\}\}", lambda match: values.get(match[1], match[0]), template)


def _read_constant(source: bytes, name: str, path: str) -> str:
    """Return a text that is assigned to a name at the top level of a Python file."""
    try:
        statements = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
        raise PublishedPromptError(f"{path} is not Python: {type(e).__name__}.") from e
    for statement in statements:
        if isinstance(statement, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == name for target in statement.targets
        ):
            value: ast.expr = statement.value
            is_stripped = (
                isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "strip"
            )
            if is_stripped:
                value = value.func.value  # type: ignore[attr-defined]
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                return value.value.strip() if is_stripped else value.value
    raise PublishedPromptError(f"{path} has no text {name}.")
