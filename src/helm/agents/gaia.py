"""Questions in the form of GAIA: the sandbox with a question's file, and the check of its answer."""

import os
import re
import string
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from helm.agents.checks import Check, Score
from helm.agents.environments.bubblewrap_box import BubblewrapBox
from helm.agents.errors import AgentError
from helm.common.agent_request import EpisodeLimits

if TYPE_CHECKING:
    from helm.agents.episode import Episode

_MOST_BYTES = 64 << 20
_SEPARATORS = re.compile("[,;]")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


class FilesBox(BubblewrapBox):
    """A sandbox by bubblewrap with copies of files of this machine, of any kind.

    Args:
        paths: maps absolute paths in the sandbox to paths here.
        memory_mb: memory of all processes together, in MiB.
        storage_mb: size of each writable folder in MiB.
    """

    def __init__(self, paths: Mapping[str, str], memory_mb: int = 2048, storage_mb: int = 256):
        super().__init__(memory_mb=memory_mb, storage_mb=storage_mb)
        self._paths = dict(paths)

    def start(self, limits: EpisodeLimits) -> None:
        found: dict[str, bytes] = {}
        for inside, path in self._paths.items():
            if not os.path.isfile(path) or os.path.getsize(path) > _MOST_BYTES:
                raise AgentError(f"{path}: there is no such file, or it has more than {_MOST_BYTES >> 20} MiB.")
            with open(path, "rb") as file:
                found[inside] = file.read()
        super().start(limits)
        for inside, data in found.items():
            self.session.write(inside, data, 0o644)


class QuestionCheck(Check):
    """Gives 1 if the answer is the expected number, text or list, else 0.

    Numbers are compared as such, without `$`, `%` and commas; texts without spaces, punctuation and capitals; lists, separated by
    commas or semicolons, item by item.

    Args:
        expected: the answer.
    """

    def __init__(self, expected: str):
        self._expected = expected

    def score(self, episode: "Episode") -> Score:
        return Score(float(is_same_answer(episode.answer or "", self._expected)))


def is_same_answer(given: str, expected: str) -> bool:
    """Whether an answer is the expected one; see `QuestionCheck`."""
    number = _number(expected, "")
    if number is not None:
        return _number(given) == number
    wanted, found = _items(expected), _items(given)
    if len(wanted) == 1:
        return _plain(given) == _plain(expected)
    return len(wanted) == len(found) and all(_is_same_item(a, b) for a, b in zip(found, wanted, strict=True))


def _is_same_item(given: str, expected: str) -> bool:
    number = _number(expected, "")
    return _number(given) == number if number is not None else _plain(given, False) == _plain(expected, False)


def _items(text: str) -> Sequence[str]:
    return [item.strip() for item in _SEPARATORS.split(text)]


def _number(text: str, ignored: str = "$%,") -> float | None:
    try:
        return float(text.strip().translate(str.maketrans("", "", ignored)))
    except ValueError:
        return None


def _plain(text: str, without_punctuation: bool = True) -> str:
    found = "".join(text.split()).lower()
    return found.translate(_PUNCTUATION) if without_punctuation else found
