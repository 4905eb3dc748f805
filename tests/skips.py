"""Skipped tests are compared with a list, where `EXPECTED_SKIPS` names one: losing a database server fails, not only hides.

Each line of the list is a pattern of test names and a regular expression for the reason, with `: ` between them.
"""

import fnmatch
import re
from pathlib import Path


def read_expected(path: str | Path) -> list[tuple[str, re.Pattern[str]]]:
    """The lines of a list; empty ones and those that begin with `#` are comments."""
    expected = []
    for line in Path(path).read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            name, _, reason = line.partition(": ")
            expected.append((name.strip(), re.compile(reason.strip())))
    return expected


def unexpected(skips: list[tuple[str, str]], expected: list[tuple[str, re.Pattern[str]]]) -> list[str]:
    """A line for each of `skips` (the test's name, the reason) that no line of the list expects."""
    return [
        f"{name}: {reason}"
        for name, reason in skips
        if not any(fnmatch.fnmatchcase(name, pattern) and regex.search(reason) for pattern, regex in expected)
    ]


def skips_of(reports) -> list[tuple[str, str]]:
    """Name and reason of each skipped test or module; `reports` as pytest keeps them."""
    found = []
    for report in reports:
        if hasattr(report, "wasxfail"):
            continue
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        found.append((report.nodeid, reason.removeprefix("Skipped: ")))
    return found


UNEXPECTED_SKIPS = 6
"""The exit status when a skip is not in the list, whatever else failed; pytest's own end at 5."""


class SkipCheck:
    """The plugin of the process that collects the reports of all others."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._unexpected: list[str] = []

    def pytest_sessionfinish(self, session) -> None:
        reporter = session.config.pluginmanager.get_plugin("terminalreporter")
        self._unexpected = unexpected(skips_of(reporter.stats.get("skipped", [])), read_expected(self._path))
        if self._unexpected and session.exitstatus in (0, 1):
            session.exitstatus = UNEXPECTED_SKIPS

    def pytest_terminal_summary(self, terminalreporter) -> None:
        if self._unexpected:
            terminalreporter.section(f"skipped, but not in {self._path}")
            for line in self._unexpected:
                terminalreporter.write_line(line)
