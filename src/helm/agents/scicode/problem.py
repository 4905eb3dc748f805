"""A problem of SciCode: the environment that holds the code, and the agent that goes through the steps."""

import ast
import importlib.util
import re
from collections.abc import Mapping, Sequence
from typing import Any

from helm.agents.agents.agent import Agent
from helm.agents.environments.environment import Environment
from helm.agents.episode import Episode
from helm.agents.errors import AgentError
from helm.common.errors import ConfigError
from helm.common.optional_dependencies import DISTRIBUTION

EXTRA = "scicode"
_PACKAGES = ("h5py", "scipy", "sympy")

_FENCE = re.compile(r"^`{3,}[ \t]*(?:python|py)?[ \t]*\n(.*?)^`{3,}[ \t]*$", re.DOTALL | re.MULTILINE | re.IGNORECASE)

# Ours, with the parts of the published one: earlier steps with the model's code, the next step with its header, packages.
_PROMPT = (
    "A problem of science is solved step by step. Write the code of the next step.\n\n"
    "{earlier}## The next step\n\n{description}\n\nWrite this function:\n\n```python\n{header}\n{ending}\n```\n\n"
    "These packages are imported already; use no others:\n\n```python\n{packages}\n```\n\n"
    "Answer with one block of Python (```python) that has the code of this step alone: without imports, without the functions of "
    "earlier steps, without examples and tests."
)
_EARLIER = "## A step that is done\n\n{description}\n\n```python\n{code}\n```\n\n"


class SciCodeProblem(Environment):
    """The code of a problem, step by step.

    Args:
        steps: `{number, description, background, header, ending, code}` of each step. Only steps that are given, and are not
            asked, have code; so have all in the data for development.
        packages: the imports that all steps share.
        background: whether the model is told what the authors say about the science of a step.
    """

    name = "scicode"

    def __init__(self, steps: Sequence[Mapping[str, Any]], packages: str, background: bool = False):
        self.steps, self.packages, self._background = [dict(step) for step in steps], packages, background
        self.codes: dict[str, str] = {step["number"]: step["code"] for step in self.steps if step.get("is_given")}
        """The code of each step so far, by its number."""

    @classmethod
    def check_machine(cls) -> None:
        missing = [name for name in _PACKAGES if importlib.util.find_spec(name) is None]
        if missing:
            raise ConfigError(
                f"SciCode needs {', '.join(missing)}, which the programs use: pip install '{DISTRIBUTION}[{EXTRA}]'"
            )

    def state(self) -> Any:
        return dict(self.codes)

    def prompt(self, number: str) -> str:
        """Return what the model is asked about a step, with the code of the earlier ones."""
        earlier = ""
        for step in self.steps:
            description = self._describe(step)
            if step["number"] == number:
                return _PROMPT.format(
                    earlier=earlier, description=description, packages=self.packages.strip(), header=step["header"],
                    ending=step["ending"],
                )  # fmt: skip
            earlier += _EARLIER.format(description=description, code=self.codes.get(step["number"], "").strip())
        raise AgentError(f"There is no step {number}.")

    def _describe(self, step: Mapping[str, Any]) -> str:
        background = str(step.get("background") or "") if self._background else ""
        return "\n\n".join(part.strip() for part in (step["description"], background) if part.strip())

    def solve(self, episode: Episode) -> None:
        """Take the code of the data, for `OracleAgent`."""
        for step in self.steps:
            self.codes[step["number"]] = step.get("code") or ""


class SciCodeSteps(Agent):
    """Asks for the steps in order, each in a conversation of its own that begins with the code so far."""

    def run(self, episode: Episode) -> None:
        problem = episode.environment
        if not isinstance(problem, SciCodeProblem):
            raise AgentError("SciCodeSteps needs the environment SciCodeProblem.")
        for step in problem.steps:
            if not step.get("is_given"):
                asked = [{"role": "user", "content": problem.prompt(step["number"])}]
                problem.codes[step["number"]] = find_step_code(episode.ask(messages=asked).text)


def find_step_code(text: str) -> str:
    """Return the first block of Python of an answer (the whole answer without one), without its imports."""
    found = _FENCE.search(text)
    return without_imports(found[1] if found else text)


def without_imports(code: str) -> str:
    """Return code without the imports at its top level; code that is not Python is returned as it is."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return code
    lines = code.split("\n")
    for node in reversed(tree.body):
        if isinstance(node, (ast.Import, ast.ImportFrom)) and node.end_lineno is not None:
            del lines[node.lineno - 1 : node.end_lineno]
    return "\n".join(lines)
