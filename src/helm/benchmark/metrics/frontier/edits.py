"""Edits that a model writes as text: whole files, and blocks that search and replace."""

import re
from collections.abc import Mapping

_BLOCK = re.compile(
    r"(?P<before>[^\n]*)\n(?P<fence>`{3,})[\w+#.-]*[ \t]*\n(?P<body>.*?)^(?P=fence)[ \t]*$", re.DOTALL | re.MULTILINE
)
_CHANGE = re.compile(
    r"^<{5,9} SEARCH[ \t]*\n(?P<old>.*?)^={5,9}[ \t]*\n(?P<new>.*?)^>{5,9} REPLACE[ \t]*$", re.DOTALL | re.MULTILINE
)


class EditError(ValueError):
    """An answer has no edit in the form that was asked for, or one that cannot be applied; the message says which."""


def _path_before(text: str, files: Mapping[str, str]) -> str | None:
    """Return the file that a line names, alone or in bold, in a heading or in quotes; also by its last part alone."""
    name = text.strip().strip("*#`: \t").strip()
    if name in files:
        return name
    fitting = [path for path in files if name and path.rsplit("/", 1)[-1] == name]
    return fitting[0] if len(fitting) == 1 else None


def apply_whole(answer: str, files: Mapping[str, str]) -> dict[str, str]:
    """Return the files with those replaced that an answer writes as a whole.

    A block belongs to the file that the line before it names. If there is one file and no block has a name, the last block is it.

    Raises: EditError if no block belongs to a file.
    """
    blocks = [(_path_before(match["before"], files), match["body"]) for match in _BLOCK.finditer("\n" + answer)]
    changed = {path: body for path, body in blocks if path is not None}
    if not changed and blocks and len(files) == 1:
        changed = {next(iter(files)): blocks[-1][1]}
    if not changed:
        raise EditError("no code block belongs to a file of the exercise")
    return {**files, **changed}


def apply_diff(answer: str, files: Mapping[str, str]) -> dict[str, str]:
    """Return the files after the blocks of an answer that search and replace, in order.

    A block belongs to the file that the last line before it names, else to that of the block before it, or to the only file. An
    empty search adds to the end of the file.

    Raises: EditError if there is no block, if one belongs to no file, or if its lines are not in the file exactly once.
    """
    result = dict(files)
    path = next(iter(files)) if len(files) == 1 else None
    end = 0
    changes = list(_CHANGE.finditer(answer))
    if not changes:
        raise EditError("there is no block that searches and replaces")
    for number, change in enumerate(changes, 1):
        for line in answer[end : change.start()].splitlines():
            path = _path_before(line, files) or path
        end = change.end()
        if path is None:
            raise EditError(f"block {number} belongs to no file of the exercise")
        old, new = change["old"], change["new"]
        if not old.strip():
            result[path] += new
            continue
        if result[path].count(old) != 1:
            raise EditError(f"the lines that block {number} searches for are {result[path].count(old)} times in {path}")
        result[path] = result[path].replace(old, new)
    return result


APPLY = {"whole": apply_whole, "diff": apply_diff}
"""How an answer is applied, by the form that was asked for."""
