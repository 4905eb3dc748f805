"""Entries of conf files that cannot be made here: they are named and counted, and the others are run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from helm.common.errors import ConfigError, HelmError, shown

if TYPE_CHECKING:
    from helm.benchmark.presentation.run_entry import RunEntry


class LeftOutEntries:
    """Collects the run entries that cannot be made, of those that may be left out.

    A conf file may name a scenario, a model or a deployment that this installation does not have. Entries of the command line
    are never left out, because the user can correct them at once.
    """

    def __init__(self, may_be_left_out: Iterable[RunEntry], exit_on_error: bool = False) -> None:
        """Create an empty collection.

        Args:
            may_be_left_out: the entries of conf files and suites.
            exit_on_error: whether the first entry that cannot be made ends the command.
        """
        self._candidates = {} if exit_on_error else {id(entry): entry for entry in may_be_left_out}
        self._found: list[tuple[RunEntry, HelmError]] = []

    def __len__(self) -> int:
        return len(self._found)

    def add(self, entry: RunEntry, error: Exception) -> bool:
        """Note an entry with the reason. Returns False, and notes nothing, if the error has to end the command."""
        from helm.common.data.download_errors import OfflineError

        if id(entry) not in self._candidates or not isinstance(error, HelmError) or isinstance(error, OfflineError):
            return False
        self._found.append((entry, error))
        return True

    def warn(self, num_run_specs: int) -> None:
        """Log a line for each reason, with the number of entries. Raises: the first error if nothing is left to run."""
        from helm.common.hierarchical_logger import hwarn

        if self._found and not num_run_specs:
            entry, error = self._found[0]
            error.add_note(f"(In the run entry '{entry.description}'.)")
            if len(self) > 1:
                error.add_note(f"(None of the {len(self)} run entries can be made.)")
            raise error
        by_reason: dict[str, list[str]] = {}
        for entry, error in self._found:
            reason = " ".join([shown(error), *getattr(error, "__notes__", [])])
            by_reason.setdefault(reason, []).append(entry.description)
        for reason, descriptions in by_reason.items():
            more = f" and {len(descriptions) - 1} more" if len(descriptions) > 1 else ""
            hwarn(f"Left out: '{descriptions[0]}'{more}. {reason}")

    def fail(self, num_entries: int) -> None:
        """Raises: ConfigError if entries were left out, so that the exit status tells that the conf file was not run whole."""
        if self._found:
            raise ConfigError(
                f"{len(self)} of {num_entries} run entries were left out, as the warnings at the beginning say; the others were "
                "run. (--exit-on-error stops instead.)"
            )
