"""Space classes of compiler environments: Gymnasium's, and those that only compilers need, each with a name.

`space_conversions.py` makes them from the messages of a service. Two spaces are equal when their names are, too.
"""

from collections.abc import Iterable, Mapping
from collections.abc import Sequence as SequenceOf
from dataclasses import dataclass
from typing import Any

from helm.common.errors import suggest
from helm.common.optional_dependencies import needs_extra

with needs_extra("compilers"):
    import gymnasium
    import numpy as np

_MANTISSA_BITS = {2: 11, 4: 24, 8: 53}
"""Size of a float in bytes -> number of bits of the integers that it represents exactly."""


def is_safely_castable(kind: type, dtype: Any) -> bool:
    """Return whether `dtype` represents every value of a type exactly: bools fit into all numbers, integers into wider ones.

    This is stricter than `numpy.can_cast`, which allows 64-bit integers as doubles.
    """
    if not issubclass(kind, (bool, int, float, np.generic)):
        return False
    source, target = np.dtype(kind), np.dtype(dtype)
    if source.kind in "iu" and target.kind == "f":
        return source.itemsize * 8 <= _MANTISSA_BITS.get(target.itemsize, 64)
    return bool(np.can_cast(source, target))


class Scalar(gymnasium.spaces.Space):
    """One number from `min` to `max`, both included; None means no bound."""

    dtype: Any

    def __init__(self, name: str | None, min: Any = None, max: Any = None, dtype: Any = np.float64):
        super().__init__(shape=(), dtype=None)
        self.name, self.min, self.max, self.dtype = name, min, max, dtype

    def contains(self, x: Any) -> bool:
        if isinstance(x, np.ndarray) and x.shape == ():
            x = x[()]
        if not is_safely_castable(type(x), self.dtype):
            return False
        return not (self.min is not None and x < self.min) and not (self.max is not None and x > self.max)

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """Draw uniformly within finite bounds; without them, from all integers of the type, or floats around a finite bound."""
        if np.dtype(self.dtype).kind == "f":
            low = float("-inf") if self.min is None else float(self.min)
            high = float("inf") if self.max is None else float(self.max)
            if np.isfinite(low) and np.isfinite(high):
                return self.dtype(self.np_random.uniform(low, high))
            if np.isfinite(low):
                return self.dtype(low + self.np_random.exponential())
            return self.dtype(high - self.np_random.exponential() if np.isfinite(high) else self.np_random.normal())
        kind = np.dtype(self.dtype)
        limits = (0, 1) if kind.kind == "b" else (np.iinfo(kind).min, np.iinfo(kind).max)
        low_int = limits[0] if self.min is None else int(self.min)
        high_int = limits[1] if self.max is None else int(self.max)
        return self.dtype(self.np_random.integers(low_int, high_int, endpoint=True))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scalar) and (self.name, self.min, self.max, np.dtype(self.dtype)) == (
            other.name,
            other.min,
            other.max,
            np.dtype(other.dtype),
        )

    def __repr__(self) -> str:
        if self.min is None and self.max is None:
            return self.dtype.__name__
        low = "-inf" if self.min is None else self.min
        high = "inf" if self.max is None else self.max
        return f"{self.dtype.__name__}<{low},{high}>"


class Sequence(gymnasium.spaces.Space):
    """A list of numbers, or one text (`dtype` str) or one bytes object, of a length within `size_range`."""

    dtype: Any

    def __init__(
        self,
        name: str | None,
        size_range: tuple[int, int | None] = (0, None),
        dtype: Any = bytes,
        opaque_data_format: str | None = None,
        scalar_range: Scalar | None = None,
    ):
        """Define the space by the length and the elements of its sequences.

        Args:
            name: name of the space.
            size_range: shortest and longest length; None means no limit.
            dtype: type of the elements, or of the whole for str and bytes.
            opaque_data_format: how to interpret the elements, for example `json://`.
            scalar_range: the range of each element.
        """
        super().__init__(shape=None, dtype=None)
        self.name, self.dtype = name, dtype
        self.size_range = (size_range[0], size_range[1])
        self.opaque_data_format, self.scalar_range = opaque_data_format, scalar_range

    def contains(self, x: Any) -> bool:
        if self.dtype in (str, bytes):
            return isinstance(x, self.dtype) and self._has_valid_size(x)
        if isinstance(x, (str, bytes)) or not self._has_valid_size(x):
            return False
        if isinstance(x, np.ndarray) and x.ndim == 1 and x.dtype.kind in "biuf":
            return self._contains_array(x)
        if self.scalar_range is not None:
            return all(self.scalar_range.contains(element) for element in x)
        return all(is_safely_castable(type(element), self.dtype) for element in x)

    def _contains_array(self, array: Any) -> bool:
        """Check an array as any other list, but without a loop over its elements, of which there may be millions."""
        low, high, dtype = None, None, self.dtype
        if self.scalar_range is not None:
            low, high, dtype = self.scalar_range.min, self.scalar_range.max, self.scalar_range.dtype
        if not is_safely_castable(array.dtype.type, dtype):
            return False
        return not (low is not None and (array < low).any()) and not (high is not None and (array > high).any())

    def _has_valid_size(self, x: Any) -> bool:
        if not hasattr(x, "__len__"):
            return False
        shortest, longest = self.size_range
        return shortest <= len(x) and (longest is None or len(x) <= longest)

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        raise NotImplementedError("Values of a sequence space are observed; they cannot be drawn at random.")

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Sequence)
            and type(self) is type(other)
            and (self.name, self.size_range, self.opaque_data_format, self.scalar_range)
            == (other.name, other.size_range, other.opaque_data_format, other.scalar_range)
            and np.dtype(self.dtype) == np.dtype(other.dtype)
        )

    def __repr__(self) -> str:
        shortest, longest = self.size_range
        suffix = f" -> {self.opaque_data_format}" if self.opaque_data_format else ""
        # HELM: the brackets do not match in the original either
        return f"{self.dtype.__name__}_list<>[{shortest},{'inf' if longest is None else longest}]){suffix}"


class Permutation(Sequence):
    """Permutations of the integers of a range; only length and range are checked, not that each integer occurs once."""

    def __init__(self, name: str | None, scalar_range: Scalar):
        size = scalar_range.max - scalar_range.min + 1
        super().__init__(name, (size, size), scalar_range.dtype, scalar_range=scalar_range)

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        assert self.scalar_range is not None
        return self.np_random.permutation(np.arange(self.scalar_range.min, self.scalar_range.max + 1, dtype=self.dtype))


class SpaceSequence(gymnasium.spaces.Space):
    """A list of values of one space, of a length within `size_range`."""

    def __init__(
        self,
        name: str | None,
        space: gymnasium.spaces.Space,
        size_range: tuple[int, int | None] = (0, None),
    ):
        super().__init__(shape=None, dtype=None)
        self.name, self.space = name, space
        self.size_range = (size_range[0], size_range[1])

    def contains(self, x: Any) -> bool:
        if not hasattr(x, "__len__") or isinstance(x, (str, bytes)):
            return False
        shortest, longest = self.size_range
        if len(x) < shortest or (longest is not None and len(x) > longest):
            return False
        return all(self.space.contains(element) for element in x)

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        shortest, longest = self.size_range
        length = shortest if longest is None else int(self.np_random.integers(shortest, longest, endpoint=True))
        return [self.space.sample() for _ in range(length)]

    def seed(self, seed: Any = None) -> Any:
        self.space.seed(seed)
        return super().seed(seed)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SpaceSequence) and (self.name, self.size_range, self.space) == (
            other.name,
            other.size_range,
            other.space,
        )

    def __repr__(self) -> str:
        shortest, longest = self.size_range
        return f"SpaceSequence({self.space}, [{shortest},{'inf' if longest is None else longest}])"


class _Named:
    """Adds a name to one of Gymnasium's spaces and includes it in the comparison."""

    name: str | None = None

    def __eq__(self, other: object) -> bool:
        return self.name == getattr(other, "name", None) and bool(super().__eq__(other))


class Discrete(_Named, gymnasium.spaces.Discrete):
    """The integers from 0 to n - 1."""

    def __init__(self, n: int, name: str | None = None):
        super().__init__(n)
        self.name = name


class Box(_Named, gymnasium.spaces.Box):
    """Arrays of one shape, with bounds for each element."""

    def __init__(self, low: Any, high: Any, shape: Any = None, dtype: Any = np.float32, name: str | None = None):
        super().__init__(low, high, shape, dtype)
        self.name = name

    def contains(self, x: Any) -> bool:
        if isinstance(x, list):
            x = np.asarray(x, dtype=self.dtype)
        return super().contains(x)

    def __repr__(self) -> str:
        return f"Box({self.low}, {self.high}, {self.shape}, {self.dtype})"


class Tuple(_Named, gymnasium.spaces.Tuple):
    """One value of each of several spaces."""

    def __init__(self, spaces: Iterable[gymnasium.spaces.Space], name: str | None = None):
        super().__init__(tuple(spaces))
        self.name = name


class Dict(_Named, gymnasium.spaces.Dict):
    """A dictionary with one value of each of several spaces, in the order given."""

    def __init__(self, spaces: Mapping[str, gymnasium.spaces.Space], name: str | None = None):
        super().__init__(dict(spaces))
        self.name = name

    def __repr__(self) -> str:
        return f"Dict({', '.join(f'{key}:{space!r}' for key, space in self.spaces.items())})"


class NamedDiscrete(Discrete):
    """Actions with names; a value is an index."""

    def __init__(self, items: Iterable[str], name: str | None = None):
        """Give each item the number of its position.

        Raises: ValueError without a single item.
        """
        self.names = [str(item) for item in items]
        if not self.names:
            raise ValueError("A space of named actions needs at least one name.")
        super().__init__(len(self.names), name)
        self._indices = {item: index for index, item in reversed(list(enumerate(self.names)))}

    def __getitem__(self, name: str) -> int:
        """Return the index of a name.

        Raises: ValueError naming the nearest one.
        """
        try:
            return self._indices[name]
        except KeyError:
            raise ValueError(f"'{name}' is not an action of this space.{suggest(str(name), self.names)}") from None

    def to_string(self, values: int | Iterable[int]) -> str:
        """Join the names with single spaces."""
        if isinstance(values, (int, np.integer)):
            return self.names[values]
        return " ".join(self.names[value] for value in values)

    def from_string(self, names: str | Iterable[str]) -> list[int]:
        """Return the indices of names, which are a list or a text separated by white space.

        Raises: ValueError for an unknown name.
        """
        return [self[name] for name in (names.split() if isinstance(names, str) else names)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NamedDiscrete) and (self.name, self.names) == (other.name, other.names)

    def __repr__(self) -> str:
        return f"{type(self).__name__}([{', '.join(self.names)}])"


@dataclass(frozen=True)
class CommandlineFlag:
    """One flag of a command line."""

    name: str
    """Its name for people."""

    flag: str
    """The flag on the command line, which is also the name of the action."""

    description: str = ""
    """What it does."""


class Commandline(NamedDiscrete):
    """Flags of a command line as actions; `names` are the flags."""

    def __init__(self, items: SequenceOf[CommandlineFlag], name: str | None = None):
        items = list(items)
        super().__init__([item.flag for item in items], name)
        self.items = items
        self.flags = [item.flag for item in items]
        self.descriptions = [item.description for item in items]

    def commandline(self, values: int | Iterable[int]) -> str:
        """The older name of `to_string`."""
        return self.to_string(values)

    def from_commandline(self, text: str) -> list[int]:
        """The older name of `from_string`. Raises: LookupError for an unknown flag."""
        return self.from_string(text)

    def from_string(self, names: str | Iterable[str]) -> list[int]:
        """As `NamedDiscrete.from_string`. Raises: LookupError (which is also a ValueError) for an unknown flag."""
        try:
            return super().from_string(names)
        except ValueError as error:
            raise UnknownFlag(str(error)) from None

    def __repr__(self) -> str:
        return f"Commandline([{' '.join(self.flags)}])"


class UnknownFlag(ValueError, LookupError):
    """A command line names a flag that its space lacks."""


class ActionSpace(gymnasium.spaces.Space):
    """A space of actions that can always be written as text; everything else is left to the space that it wraps."""

    def __init__(self, space: gymnasium.spaces.Space):
        """Wrap a space.

        Args:
            space: the actions.
        """
        self.wrapped = space
        self.name = getattr(space, "name", None)

    def to_string(self, actions: Iterable[Any]) -> str:
        """Write actions: as the wrapped space does, else separated by commas."""
        if hasattr(self.wrapped, "to_string"):
            return self.wrapped.to_string(actions)
        return ",".join(str(action) for action in actions)

    def from_string(self, string: str) -> list[Any]:
        """Read actions that `to_string` wrote.

        Raises: ValueError when the text cannot be read.
        """
        if hasattr(self.wrapped, "from_string"):
            return self.wrapped.from_string(string)
        return [int(text) for text in string.split(",") if text.strip()]

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        return self.wrapped.sample()

    def seed(self, seed: Any = None) -> Any:
        return self.wrapped.seed(seed)

    def contains(self, x: Any) -> bool:
        return self.wrapped.contains(x)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or "wrapped" not in self.__dict__:
            raise AttributeError(name)
        return getattr(self.wrapped, name)

    def __getitem__(self, name: str) -> Any:
        return self.wrapped[name]  # type: ignore[index]

    def __eq__(self, other: object) -> bool:
        return self.wrapped == (other.wrapped if isinstance(other, ActionSpace) else other)

    def __repr__(self) -> str:
        return f"ActionSpace({self.wrapped!r})"
