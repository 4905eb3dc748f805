"""Patches in git's form: which files they change, and what of an agent's patch counts."""

import re
from itertools import pairwise

_HEAD = re.compile(r"^diff --git ", re.MULTILINE)
_PATHS = re.compile(r"^diff --git (?:\"?a/(.*?)\"? )?\"?b/(.*?)\"?$", re.MULTILINE)
_BINARY = re.compile(r"^(Binary files .* differ|GIT binary patch)$", re.MULTILINE)


def split_patch(patch: str) -> list[str]:
    """Return the parts of a patch, one for each file."""
    starts = [match.start() for match in _HEAD.finditer(patch)]
    return [patch[start:end] for start, end in pairwise([*starts, len(patch)])]


def changed_files(patch: str) -> set[str]:
    """Return the paths of the files that a patch changes, under their old and new names."""
    found = set()
    for part in split_patch(patch):
        match = _PATHS.match(part)
        if match is not None:
            found |= {path for path in match.groups() if path}
    return found


def submitted_patch(patch: str, test_patch: str) -> str:
    """Return what counts of an agent's patch: all but binary files, and files that the tests bring."""
    tests = changed_files(test_patch)
    kept = [part for part in split_patch(patch) if not _BINARY.search(part) and not changed_files(part) & tests]
    return "".join(part if part.endswith("\n") else part + "\n" for part in kept)
