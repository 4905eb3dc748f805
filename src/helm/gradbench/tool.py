"""A framework for AD tools: declare functions, and it handles the protocol, repetitions, timing and errors.

A whole tool::

    from helm.gradbench.tool import Tool

    tool = Tool("mytool")

    @tool.function("hello")
    def square(x):
        return x * x

    @tool.function("hello")
    def double(x):
        return 2 * x

    if __name__ == "__main__":
        tool.run()
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from helm.gradbench.tools import server
from helm.gradbench.tools.server import ToolError, ToolFunction

__all__ = ["Tool", "ToolError", "ToolFunction"]

F = TypeVar("F", bound=Callable[[Any], Any])

_RESTARTED = "GRADBENCH_TOOL_ONE_THREAD"


class Tool:
    """An AD tool under construction.

    A function that raises does not end the tool: the answer says that the evaluation failed, with the traceback, or
    for a ``ToolError`` with its text alone. The output of functions goes to standard error.

    Args:
        name: the tool's own name.
    """

    def __init__(self, name: str):
        self.name = name
        self._modules: dict[str, dict[str, ToolFunction]] = {}

    def function(
        self,
        module: str,
        name: str | None = None,
        *,
        prepare: Callable[[Any], Any] = lambda value: value,
        finish: Callable[[Any], Any] = lambda value: value,
        compile: Callable[[Any], Callable[[Any], Any]] | None = None,
        wait: Callable[[Any], Any] | None = None,
        has_first_run: bool = False,
    ) -> Callable[[F], F]:
        """Declare the decorated function as one of ``module``; only the function itself counts as ``evaluate``.

        When the input is an object with ``min_runs`` and ``min_seconds``, the function is run until both are reached.

        Args:
            module: an eval's name, such as ``gmm``.
            name: the function's name in the protocol; its name in Python by default.
            prepare: converts the JSON input to the function's argument. Not timed.
            finish: converts the function's last value to JSON data (numbers, lists, dictionaries). Not timed.
            compile: returns, given the result of ``prepare``, a function to run instead of the declared one. Its time
                is reported under the name ``compile``.
            wait: waits until a value is available, for libraries that return before the work is done. Timed.
            has_first_run: whether to report the first run under the name ``first_run``, because it does more than later
                ones.
        Raises: ValueError when the module already has a function of this name.
        """

        def declare(function: F) -> F:
            functions = self._modules.setdefault(module, {})
            key = name if name is not None else function.__name__
            if key in functions:
                raise ValueError(f"tool {self.name}: the module '{module}' has a function '{key}' already.")
            functions[key] = ToolFunction(function, prepare, finish, None, compile, wait, has_first_run)
            return function

        return declare

    def run(self, arguments: Sequence[str] | None = None) -> None:
        """Serve standard input until it ends.

        Numerical libraries get one thread each unless the command line says ``--multithreaded``. They read their
        settings when they are imported, so a program whose environment lacks these settings is started again with them.

        Args:
            arguments: the command line. Default: that of the process.
        """
        parser = argparse.ArgumentParser(description=f"The AD tool {self.name}, on standard input and output.")
        parser.add_argument("--multithreaded", action="store_true", help="let libraries use several threads")
        if not parser.parse_args(arguments).multithreaded:
            self._restart_with_one_thread()
        server.serve(server.Tool(self.name, self._modules.get, modules=self._modules.keys()))

    @staticmethod
    def _restart_with_one_thread() -> None:
        before = dict(os.environ)
        server.use_one_thread()
        if dict(os.environ) != before and _RESTARTED not in os.environ and sys.orig_argv[0]:
            os.environ[_RESTARTED] = "1"
            sys.stderr.flush()
            os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
