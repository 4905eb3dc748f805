"""What has changed in the data of an environment."""

from typing import Any

_REMOVED = "removed"


def find_changes(before: Any, after: Any) -> list[list[Any]]:
    """Return the differences between two JSON values: `[path, new value]`, or `[path, null, "removed"]`.

    Lists are compared by position. A path has a slash before each key or number.
    """
    changes: list[list[Any]] = []
    waiting = [("", before, after)]
    while waiting:
        path, old, new = waiting.pop()
        if isinstance(old, dict) and isinstance(new, dict):
            for key in sorted({**old, **new}, key=str, reverse=True):
                if key not in new:
                    changes.append([f"{path}/{key}", None, _REMOVED])
                elif key not in old:
                    changes.append([f"{path}/{key}", new[key]])
                else:
                    waiting.append((f"{path}/{key}", old[key], new[key]))
        elif isinstance(old, list) and isinstance(new, list):
            changes += [[f"{path}/{n}", None, _REMOVED] for n in range(len(new), len(old))]
            changes += [[f"{path}/{n}", new[n]] for n in range(len(old), len(new))]
            pairs = zip(old, new, strict=False)
            waiting += reversed([(f"{path}/{n}", a, b) for n, (a, b) in enumerate(pairs)])
        elif old != new or isinstance(old, bool) != isinstance(new, bool):
            changes.append([path, new])
    return sorted(changes, key=lambda change: str(change[0]))
