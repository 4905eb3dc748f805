"""The `info` of a step, which determines the effect of its action only when it is read."""

from collections.abc import Callable, Iterator
from typing import Any

NO_EFFECT = "action_had_no_effect"


class LateInfo(dict[str, Any]):
    """A dict that computes the value of `action_had_no_effect` when it is first read.

    Reading the keys does not compute it. Reading values, comparing, copying or printing gives the same as an ordinary
    dict with all values.
    """

    def __init__(self, values: dict[str, Any], find_out: Callable[[], bool]):
        """Keep the values that are known and the way to find the one that is not.

        Args:
            values: the other keys and their values.
            find_out: returns the value; called at most once.
        """
        super().__init__({NO_EFFECT: None, **values})
        self._find_out: Callable[[], bool] | None = find_out

    def _complete(self) -> None:
        if self._find_out is not None:
            value = self._find_out()
            self._find_out = None
            super().__setitem__(NO_EFFECT, value)

    def __getitem__(self, key: str) -> Any:
        if key == NO_EFFECT:
            self._complete()
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        return self[key] if key in self else default

    def __setitem__(self, key: str, value: Any) -> None:
        if key == NO_EFFECT:
            self._find_out = None
        super().__setitem__(key, value)

    def __iter__(self) -> Iterator[str]:
        # Overridden, because `dict(info)` and `**info` then read values by key instead of copying the table.
        return super().__iter__()

    def __reduce__(self) -> Any:
        return dict, (dict(self),)


def _complete_first(name: str) -> Callable[..., Any]:
    method = getattr(dict, name)

    def complete_first(self: LateInfo, *args: Any, **kwargs: Any) -> Any:
        self._complete()
        return method(self, *args, **kwargs)

    complete_first.__name__, complete_first.__doc__ = name, method.__doc__
    return complete_first


for _name in """
    items values copy pop popitem setdefault update clear __delitem__ __eq__ __ne__ __or__ __ror__ __ior__ __repr__
    """.split():
    setattr(LateInfo, _name, _complete_first(_name))
