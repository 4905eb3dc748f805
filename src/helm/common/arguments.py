"""A parser of command lines that offers the nearest name for a flag or a word it does not know."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import Any, List, NoReturn, Optional

_INVALID_CHOICE = re.compile(r"invalid choice: '([^']*)'")


class SuggestingArgumentParser(argparse.ArgumentParser):
    """As `argparse.ArgumentParser`, also for the verbs below it; usage errors exit with 2 as well."""

    _words: Sequence[str] = ()

    def parse_known_args(  # type: ignore[override]  # two overloads, of which ours is the union
        self, args: Optional[Sequence[str]] = None, namespace: Any = None
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

    def error(self, message: str) -> NoReturn:
        super().error(message + self._hint(message))

    def _hint(self, message: str) -> str:
        from helm.common.errors import suggest

        choice = _INVALID_CHOICE.search(message)
        if choice is not None:
            known = [str(name) for action in self._actions for name in action.choices or ()]
            return suggest(choice[1], known)
        for word in self._words:
            name = word.partition("=")[0]
            if name == "--":
                break
            if name.startswith("--") and not any(flag.startswith(name) for flag in self._flags):
                hint = self.suggest_flag(name)
                return hint and f". Unknown flag '{name}'.{hint}"
        return ""

    @property
    def _flags(self) -> List[str]:
        return [flag for action in self._actions for flag in action.option_strings]

    def suggest_flag(self, name: str) -> str:
        """The end of a sentence that names the flag most like `name`; empty when none is."""
        from helm.common.errors import suggest

        return suggest(name, [flag for flag in self._flags if _first_word(flag) == _first_word(name)] or self._flags)


def _first_word(flag: str) -> str:
    """`conf` of `--conf-paths`: who gets a flag wrong has most often its beginning right."""
    return flag.removeprefix("--").partition("-")[0]
