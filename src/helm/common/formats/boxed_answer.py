r"""Extracts the final answer of a LaTeX solution: the content of its last `\boxed{...}`."""

_BOXED_PREFIX = "\\boxed{"


def get_answer(solution: str | None) -> str | None:
    r"""Return the content of the last `\boxed{...}`, or None."""
    boxed = None if solution is None else last_boxed_only_string(solution)
    return None if boxed is None else remove_boxed(boxed)


def last_boxed_only_string(string: str) -> str | None:
    r"""Return the last `\boxed` (or else `\fbox`) up to the brace that closes its first one, or None."""
    start = string.rfind("\\boxed")
    if start < 0:
        start = string.rfind("\\fbox")
    if start < 0:
        return None
    depth = 0
    for i in range(start, len(string)):
        if string[i] == "{":
            depth += 1
        elif string[i] == "}":
            depth -= 1
            if depth == 0:
                return string[start : i + 1]
    return None


def remove_boxed(string: str) -> str | None:
    r"""Return the content of a text that is exactly one `\boxed{...}`; None for anything else."""
    if string.startswith(_BOXED_PREFIX) and string.endswith("}"):
        return string[len(_BOXED_PREFIX) : -1]
    return None
