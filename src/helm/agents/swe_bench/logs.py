"""Reads the output of test runners: the state of each test."""

import re
from collections.abc import Callable

from helm.common.errors import ConfigError, suggest

PASSED, FAILED, SKIPPED, ERROR, XFAIL = "PASSED", "FAILED", "SKIPPED", "ERROR", "XFAIL"
_STATES = (PASSED, FAILED, SKIPPED, ERROR, XFAIL)

START, END, EXIT_CODE = ">>>>> Start Test Output", ">>>>> End Test Output", ">>>>> Test Exit Code"
_BROKEN = (">>>>> Patch Apply Failed", ">>>>> Reset Failed", ">>>>> Tests Errored", ">>>>> Tests Timed Out")
"""Lines of a log that cannot be used."""

States = dict[str, str]
"""The state of each test by its id."""

_EXIT_CODE = re.compile(rf"^{EXIT_CODE}: (-?\d+)", re.MULTILINE)
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


def parse_log(log: str, parser: str) -> States:
    """Return the states of the tests in the output of a runner.

    Args:
        log: the output.
        parser: the name that the data set gives it, such as `parse_log_pytest`.

    Raises:
        ConfigError: There is no such parser.
    """
    name = parser.removeprefix("parse_log_")
    if name not in _PARSERS:
        raise ConfigError(f"SWE-bench: there is no parser of logs '{parser}'.{suggest(name, _PARSERS)}")
    return _PARSERS[name](log)


def read_log(log: str, parser: str) -> tuple[States, bool]:
    """Return the states of the tests in a whole log of an evaluation, and whether it can be used.

    It cannot if the patch or the tests did not run to the end, or if it says success while the exit status does not.

    Raises: ConfigError.
    """
    if any(line in log for line in _BROKEN) or START not in log or END not in log:
        return {}, False
    states = parse_log(log.split(START, 1)[1].split(END, 1)[0], parser) or parse_log(log, parser)
    if not states:
        return {}, False
    code = _EXIT_CODE.search(log)
    if code is not None and int(code[1]) != 0 and all(state in (PASSED, XFAIL, SKIPPED) for state in states.values()):
        return {}, False
    return states, True


def _pytest(log: str) -> States:
    states: States = {}
    for line in log.splitlines():
        if not line.startswith(_STATES):
            continue
        words = (line.replace(" - ", " ") if line.startswith(FAILED) else line).split()
        if len(words) > 1 and not (words[0] == SKIPPED and words[1].startswith("[")):
            states[words[1]] = words[0]
    return states


def _pytest_without_colours(log: str) -> States:
    return _pytest(_ANSI.sub("", log))


def _matplotlib(log: str) -> States:
    return _pytest(log.replace("MouseButton.LEFT", "1").replace("MouseButton.RIGHT", "3"))


def _seaborn(log: str) -> States:
    states: States = {}
    for line in log.splitlines():
        words = line.split()
        if len(words) > 1 and line.startswith((FAILED, PASSED)):
            states[words[1]] = words[0]
        elif f" {PASSED} " in line and words[1] == PASSED:
            states[words[0]] = PASSED
    return states


_DJANGO_ENDS = {"ok": PASSED, "OK": PASSED, "FAIL": FAILED, "ERROR": ERROR}


def _django(log: str) -> States:
    states: States = {}
    for line in map(str.strip, log.splitlines()):
        name, dots, end = line.rpartition(" ... ")
        if dots and end.strip() in _DJANGO_ENDS:
            states[name] = _DJANGO_ENDS[end.strip()]
        elif dots and end.startswith("skipped"):
            states[name] = SKIPPED
        elif line.startswith(("FAIL:", "ERROR:")):
            words = line.split()
            if len(words) > 1:
                states[words[1]] = FAILED if line.startswith("FAIL:") else ERROR
    return states


_SYMPY_TITLE = re.compile(r"^_+ (.*\.py:.*) _+$", re.MULTILINE)
_SYMPY_ENDS = {"ok": PASSED, "F": FAILED, "E": ERROR}


def _sympy(log: str) -> States:
    states: States = dict.fromkeys(_SYMPY_TITLE.findall(log), FAILED)
    for line in log.splitlines():
        words = line.split()
        if len(words) > 1 and words[0].startswith("test_") and words[-1] in _SYMPY_ENDS:
            states[words[0]] = _SYMPY_ENDS[words[-1]]
    return states


_JEST = re.compile(r"^\s*([✓✕○])\s(.+?)(?:\s\([\d.]+\s?m?s\))?$", re.MULTILINE)
_JEST_SIGNS = {"✓": PASSED, "✕": FAILED, "○": SKIPPED}


def _jest(log: str) -> States:
    return {name: _JEST_SIGNS[sign] for sign, name in _JEST.findall(log)}


_CARGO = re.compile(r"^test (\S+) \.\.\. (ok|FAILED)$", re.MULTILINE)


def _cargo(log: str) -> States:
    return {name: PASSED if end == "ok" else FAILED for name, end in _CARGO.findall(log)}


_PARSERS: dict[str, Callable[[str], States]] = {
    "pytest": _pytest,
    "pytest_v2": _pytest_without_colours,
    "django": _django,
    "seaborn": _seaborn,
    "sympy": _sympy,
    "matplotlib": _matplotlib,
    "jest": _jest,
    "cargo": _cargo,
}
