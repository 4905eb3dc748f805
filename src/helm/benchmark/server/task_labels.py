"""Short names of tasks: the scenario, and the arguments in which its tasks differ."""

from collections.abc import Sequence


def family_of(task: str) -> str:
    """Return the part of a task's name that all tasks of its scenario share."""
    return task.partition(":")[0]


def label_tasks(tasks: Sequence[str]) -> list[str]:
    """Return the arguments in which tasks of one scenario differ, without what they share; empty for a single task."""
    arguments = [_read_arguments(task.partition(":")[2]) for task in tasks]
    shared = set.intersection(*(set(found.items()) for found in arguments))
    return [", ".join(_words(item) for item in found.items() if item not in shared) for found in arguments]


def _read_arguments(text: str) -> dict[str, str]:
    """Read `a=1,b=2`; a comma in a value stays in it."""
    found: dict[str, str] = {}
    last = ""
    for piece in text.split(",") if text else []:
        name, equals, value = piece.partition("=")
        if equals:
            last = name
            found[name] = value
        elif last:
            found[last] += "," + piece
        else:
            found[piece] = ""
    return found


def _words(item: tuple[str, str]) -> str:
    """Return an argument as readers see it: a value that is a word speaks for itself, a number does not."""
    name, value = item
    if not value:
        return name
    is_word = value[0].isalpha() and value.lower() not in ("true", "false", "none")
    return value.replace("_", " ") if is_word else f"{name.replace('_', ' ')} {value}"
