"""Draws values for arguments that the data set leaves out.

HELM draws them from the global random generator, so a score with missing arguments is not reproducible. Here the draws
depend only on the instance and the position of the instruction; their ranges are ours. IFEval itself leaves none out.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

RELATIONS = ("less than", "at least")

_WORDS = (
    "answer apple bridge circle cloud colour dream early engine forest garden harbour island journey kitchen ladder "
    "letter market memory mirror mountain music night number ocean paper pencil question river school season shadow "
    "silver stone story summer table travel valley village water window winter yellow"
).split()
_LANGUAGES = "ar bg bn de en es fa fi fr gu hi it ja kn ko mr ne pa pl pt ru sw ta te th tr uk ur vi".split()


def _is_none(value: Any) -> bool:
    return value is None


def _is_negative(value: Any) -> bool:
    return value is None or value < 0


def _is_empty(value: Any) -> bool:
    return not value


def _is_no_letter(value: Any) -> bool:
    return not (isinstance(value, str) and len(value) == 1 and "a" <= value.lower() <= "z")


@dataclass(frozen=True)
class Parameter:
    """An argument of an instruction."""

    draw: Callable[[random.Random], Any] | None
    """Draws a value. None means that the argument is required."""

    is_missing: Callable[[Any], bool] = _is_none
    """Whether a value is treated as missing."""


def whole_number(low: int, high: int) -> Parameter:
    return Parameter(lambda rng: rng.randint(low, high), _is_negative)


def one_of(*values: Any) -> Parameter:
    return Parameter(lambda rng: rng.choice(values))


words = Parameter(lambda rng: rng.sample(_WORDS, 2))
keywords = Parameter(lambda rng: rng.sample(_WORDS, 2), _is_empty)
word = Parameter(lambda rng: rng.choice(_WORDS))
keyword = Parameter(lambda rng: rng.choice(_WORDS), _is_empty)
letter = Parameter(lambda rng: rng.choice("abcdefghijklmnopqrstuvwxyz"), _is_no_letter)
relation = one_of(*RELATIONS)
language = one_of(*_LANGUAGES)
required = Parameter(None, _is_empty)


def complete(arguments: dict[str, Any], parameters: dict[str, Parameter], seed: str) -> dict[str, Any]:
    """Return the arguments, with drawn values for missing parameters.

    Raises: ValueError if one is required; TypeError if a number is a text.
    """
    missing = [name for name, parameter in parameters.items() if parameter.is_missing(arguments.get(name))]
    if not missing:
        return arguments
    rng = random.Random(seed)
    complete = dict(arguments)
    for name in missing:
        draw = parameters[name].draw
        if draw is None:
            raise ValueError(f"{name} must be set")
        complete[name] = draw(rng)
    return complete
