"""The options of a gcc, read from its own help, and the actions that choose among their settings.

The texts come from `gcc --help=optimize -Q` and `gcc --help=param -Q`. An option has numbered settings, each one word of
a command line; the choice -1 leaves the option out.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Protocol

from helm.common.hierarchical_logger import hdebug

ABSENT = -1
"""The choice that leaves an option out of the command line."""

_INT_MAX = 2**31
# Options with at least this many settings get actions that move by steps: one for each setting would be too many.
_MAX_SIMPLE = 10
_STEPS_FROM = ((0, 1), (50, 10), (500, 100), (5000, 1000))  # (fewest settings, size of the step)


class GccOption(Protocol):
    """One option: `str` of it is its text without a value, `len` the number of its settings."""

    @property
    def name(self) -> str: ...

    def __len__(self) -> int: ...

    def __getitem__(self, choice: int) -> str:
        """Return the word of the command line for a setting, 0 <= choice < len."""
        ...


@dataclass(frozen=True)
class _ListOption:
    """An option with named values."""

    name: str
    values: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, choice: int) -> str:
        return f"{self}={self.values[choice]}"


@dataclass(frozen=True)
class _RangeOption:
    """An option with a whole number, bounds included."""

    name: str
    min: int
    max: int

    def __len__(self) -> int:
        return max(0, self.max - self.min + 1)

    def __getitem__(self, choice: int) -> str:
        if not 0 <= choice < len(self):
            raise IndexError(choice)
        return f"{self}={self.min + choice}"


@dataclass(frozen=True)
class GccOOption(_ListOption):
    """`-O0`, `-O1`, ..."""

    name: str = "O"
    values: tuple[str, ...] = ("0", "1", "2", "3", "fast", "g", "s")

    def __str__(self) -> str:
        return "-O"

    def __getitem__(self, choice: int) -> str:
        return f"-O{self.values[choice]}"


@dataclass(frozen=True)
class GccFlagOption:
    """`-fNAME` and `-fno-NAME`."""

    name: str
    no_fno: bool = False
    """Whether the `-fno-` form is missing."""

    def __str__(self) -> str:
        return f"-f{self.name}"

    def __len__(self) -> int:
        return 1 if self.no_fno else 2

    def __getitem__(self, choice: int) -> str:
        return ([str(self)] if self.no_fno else [str(self), f"-fno-{self.name}"])[choice]


@dataclass(frozen=True)
class GccFlagEnumOption(_ListOption):
    """`-fNAME=VALUE`."""

    def __str__(self) -> str:
        return f"-f{self.name}"


@dataclass(frozen=True)
class GccFlagIntOption(_RangeOption):
    """`-fNAME=NUMBER`."""

    def __str__(self) -> str:
        return f"-f{self.name}"


@dataclass(frozen=True)
class GccFlagAlignOption:
    """`-falign-X`, present or absent; its optional numbers are not explored."""

    name: str

    def __str__(self) -> str:
        return f"-f{self.name}"

    def __len__(self) -> int:
        return 1

    def __getitem__(self, choice: int) -> str:
        return (str(self),)[choice]


@dataclass(frozen=True)
class GccParamEnumOption(_ListOption):
    """`--param=NAME=VALUE`."""

    def __str__(self) -> str:
        return f"--param={self.name}"


@dataclass(frozen=True)
class GccParamIntOption(_RangeOption):
    """`--param=NAME=NUMBER`."""

    def __str__(self) -> str:
        return f"--param={self.name}"


# Reading the help ---------------------------------------------------------------------------------------------------

_LEVEL = re.compile(r"-O([a-z]+)")
_ALIGN = re.compile(r"-f(align-[-a-z]+)=")
_FLAG = re.compile(r"-f([-a-z0-9]+)")
_FLAG_ENUM = re.compile(r"-f([-a-z0-9]+)=\[([-A-Za-z_|]+)\]")
_FLAG_RANGE = re.compile(r"-f([-a-z0-9]+)=<(-?[0-9]+),(-?[0-9]+)>")
_FLAG_NUMBER = re.compile(r"-f([-a-z0-9]+)=<number>")
_PARAM_ENUM = re.compile(r"--param=([-a-zA-Z0-9]+)=\[([-A-Za-z_|]+)\]")
_PARAM_RANGE = re.compile(r"--param=([-a-zA-Z0-9]+)=<(-?[0-9]+),(-?[0-9]+)>")
_PARAM_NUMBER = re.compile(r"--param=([-a-zA-Z0-9]+)=")
_OLD_PARAM = re.compile(r"([-a-zA-Z0-9]+)\s+default\s+(-?\d+)\s+minimum\s+(-?\d+)\s+maximum\s+(-?\d+)")

_UNSOUND_MINIMUM = (
    "logical-op-non-short-circuit",
    "prefetch-minimum-stride",
    "sched-autopref-queue-depth",
    "vect-max-peeling-for-alignment",
)
_RENAMED_FLAGS = {"handle-exceptions": "exceptions", "no-threadsafe-statics": "threadsafe-statics"}
_FLAGS_WITHOUT_NO = ("stack-protector-all", "stack-protector-explicit", "stack-protector-strong")


def parse_options(help_optimize: str, help_param: str) -> list[GccOption]:
    """Read the options in two help texts: those of the optimizer, then the parameters, each group sorted by name.

    A line that no rule matches is skipped; among the optimizer's, with a warning. A default outside of a parameter's
    bounds is ignored: gcc 12 prints -1 for two whose bounds begin at 0, and means "chosen by the target".
    """
    groups = _parse_optimize_help(help_optimize), _parse_param_help(help_param)
    options = [group[name] for group in groups for name in sorted(group)]
    return [settled for option in options if (settled := _settle(option)) is not None]


def _lines(text: str) -> Iterator[list[str]]:
    for line in text.splitlines()[1:]:
        if words := line.split():
            yield words


def _parse_optimize_help(text: str) -> dict[str, GccOption]:
    options: dict[str, GccOption] = {}
    levels: list[str] = []
    for word, *_ in _lines(text):
        if word == "-O<number>":
            levels += ["0", "1", "2", "3"]
        elif match := _LEVEL.fullmatch(word):
            levels.append(match[1])
        elif match := _ALIGN.fullmatch(word):
            options[match[1]] = GccFlagAlignOption(match[1])
        elif match := _FLAG.fullmatch(word):
            options.setdefault(match[1], GccFlagOption(match[1]))
        elif match := _FLAG_ENUM.fullmatch(word):
            options[match[1]] = GccFlagEnumOption(match[1], tuple(match[2].split("|")))
        elif match := _FLAG_RANGE.fullmatch(word):
            options[match[1]] = GccFlagIntOption(match[1], int(match[2]), int(match[3]))
        elif match := _FLAG_NUMBER.fullmatch(word):
            options[match[1]] = GccFlagIntOption(match[1], 0, _INT_MAX)
        else:
            hdebug(f"gcc's option {word} is of a kind that is not understood; it is left out.")
    if levels:
        options["O"] = GccOOption("O", tuple(levels))
    return options


def _parse_param_help(text: str) -> dict[str, GccOption]:
    options: dict[str, GccOption] = {}
    for words in _lines(text):
        if len(words) < 2:
            continue
        word, default = words[0], _parse_int(words[1])
        if match := _PARAM_ENUM.fullmatch(word):
            options[match[1]] = GccParamEnumOption(match[1], tuple(match[2].split("|")))
        elif (match := _PARAM_RANGE.fullmatch(word)) and default is not None:
            options[match[1]] = GccParamIntOption(match[1], int(match[2]), int(match[3]))
        elif (match := _PARAM_NUMBER.fullmatch(word)) and default is not None:
            options[match[1]] = GccParamIntOption(match[1], min(0, default), _INT_MAX)
        elif match := _OLD_PARAM.fullmatch(" ".join(words)):
            default, smallest, largest = int(match[2]), int(match[3]), int(match[4])
            if smallest <= default <= largest:
                options[match[1]] = GccParamIntOption(match[1], smallest, largest)
    return options


def _parse_int(word: str) -> int | None:
    return int(word) if re.fullmatch(r"-?[0-9]+", word) else None


def _settle(option: GccOption) -> GccOption | None:
    """Correct errors in gcc's help as CompilerGym does; returns None for an option that must not be used."""
    if isinstance(option, GccFlagEnumOption) and option.name == "live-patching":
        return None
    if isinstance(option, GccParamIntOption) and option.name in _UNSOUND_MINIMUM:
        return GccParamIntOption(option.name, 0, option.max)
    if isinstance(option, GccFlagIntOption) and option.name == "pack-struct":
        return GccFlagEnumOption(option.name, ("1", "2", "4", "8", "16"))
    if isinstance(option, GccFlagOption):
        return GccFlagOption(_RENAMED_FLAGS.get(option.name, option.name), option.name in _FLAGS_WITHOUT_NO)
    return option


def get_space_size(options: Sequence[GccOption]) -> int:
    """Return the number of points of the space: the product over options of the number of settings plus one for absence."""
    return prod(len(option) + 1 for option in options)


# Actions ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SimpleAction:
    """Choose one setting."""

    name: str
    option_index: int
    choice: int

    def apply(self, choice: int, num_settings: int) -> int:
        return self.choice


@dataclass(frozen=True)
class IncrementAction:
    """Move the choice by a step, within the bounds -1 (absent) and the last setting."""

    name: str
    option_index: int
    step: int

    def apply(self, choice: int, num_settings: int) -> int:
        return min(max(choice + self.step, ABSENT), num_settings - 1)


def make_actions(options: Sequence[GccOption]) -> list[SimpleAction | IncrementAction]:
    """Make one action for each setting of an option with few settings, and steps up and down for an option with ten or more."""
    actions: list[SimpleAction | IncrementAction] = []
    for index, option in enumerate(options):
        num_settings = len(option)
        if num_settings < _MAX_SIMPLE:
            actions += [SimpleAction(option[choice], index, choice) for choice in range(num_settings)]
            continue
        for fewest, step in _STEPS_FROM:
            if num_settings >= fewest:
                for signed in (step, -step):
                    actions.append(IncrementAction(f"{option}[{signed:+d}]", index, signed))
    return actions


def get_option_words(options: Sequence[GccOption], choices: Sequence[int]) -> list[str]:
    """Return the words of a command line for choices, in the order of the options; absent options have none."""
    return [option[choice] for option, choice in zip(options, choices, strict=True) if choice != ABSENT]
