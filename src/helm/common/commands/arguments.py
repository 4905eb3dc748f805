"""A command-line parser that suggests the nearest name for an unknown flag or word."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn


class SuggestingArgumentParser(argparse.ArgumentParser):
    """An `argparse.ArgumentParser` with suggestions, also for its subcommands; usage errors exit with status 2, too.

    The suggestion is a separate line before the error, which is word for word that of `argparse`.
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
        """Return whether this is a subcommand's parser, which reports its own errors: its parent lacks its flags."""
        return " " in self.prog

    def _get_formatter(self) -> argparse.HelpFormatter:
        """Return the formatter of `argparse` without importing `shutil`, which loads compression libraries."""
        try:
            width = int(os.environ.get("COLUMNS", 0)) or os.get_terminal_size(sys.__stdout__.fileno()).columns  # type: ignore[union-attr]
        except (AttributeError, ValueError, OSError):
            width = 0
        return self.formatter_class(prog=self.prog, width=(width or 80) - 2)  # type: ignore[call-arg]

    def _print_message(self, message: str, file: Any = None) -> None:
        """Write a message like `argparse`, but without hiding that nobody reads it any more."""
        if message:
            (file or sys.stderr).write(message)

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
        """Suggest the nearest flag for each unknown word that begins like a flag."""
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
    """Return the first part of a flag, such as `conf` of `conf-paths`, since wrong flags usually begin correctly."""
    return name.partition("-")[0]
