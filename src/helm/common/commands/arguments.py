"""A parser of command lines that offers the nearest name for a flag or a word it does not know."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn


class SuggestingArgumentParser(argparse.ArgumentParser):
    """As `argparse.ArgumentParser`, also for the verbs below it; usage errors exit with 2 as well.

    The nearest name is told in a line of its own before the error, which is word for word that of `argparse`.
    """

    _words: Sequence[str] = ()

    def parse_known_args(  # type: ignore[override]  # two overloads, of which ours is the union
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> Any:
        if args is not None:
            self._words = list(args)
        namespace, rest = super().parse_known_args(args, namespace)
        if rest and self._is_verb:
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return namespace, rest

    @property
    def _is_verb(self) -> bool:
        """A verb's parser speaks for itself: the one above it knows neither its flags nor its usage."""
        return " " in self.prog

    def _get_formatter(self) -> argparse.HelpFormatter:
        """As `argparse` has it, without the import of `shutil`, with its compression libraries, for the width alone."""
        try:
            width = int(os.environ.get("COLUMNS", 0)) or os.get_terminal_size(sys.__stdout__.fileno()).columns  # type: ignore[union-attr]
        except (AttributeError, ValueError, OSError):
            width = 0
        return self.formatter_class(prog=self.prog, width=(width or 80) - 2)  # type: ignore[call-arg]

    def error(self, message: str) -> NoReturn:
        import re

        self.print_usage(sys.stderr)
        choice = re.search(r"invalid choice: '([^']*)'", message)
        if choice is not None:
            self._offer(choice[1], [str(name) for action in self._actions for name in action.choices or ()])
        else:
            self.offer_flags(self._words)
        self.exit(2, f"{self.prog}: error: {message}\n")

    def offer_flags(self, words: Sequence[str]) -> None:
        """Tell the nearest flag for each word that begins like a flag and is none."""
        flags = [flag for action in self._actions for flag in action.option_strings]
        shown = [flag for action in self._actions if action.help != argparse.SUPPRESS for flag in action.option_strings]
        for word in words:
            name = word.partition("=")[0]
            if name == "--":
                break
            if name.startswith("--") and not any(flag.startswith(name) for flag in flags):
                known = [flag[2:] for flag in shown if flag.startswith("--")]
                self._offer(name[2:], [flag for flag in known if _first(flag) == _first(name[2:])] or known, "--")

    @staticmethod
    def _offer(name: str, known: list[str], dashes: str = "") -> None:
        from helm.common.errors import nearest

        match = nearest(name, known)
        if match is not None:
            sys.stderr.write(f"{dashes}{name}: did you mean {dashes}{match}?\n")


def _first(name: str) -> str:
    """`conf` of `conf-paths`: who gets a flag wrong has most often its beginning right."""
    return name.partition("-")[0]
