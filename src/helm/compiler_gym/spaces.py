"""Readers for the messages that describe spaces."""

from collections.abc import Sequence as SequenceOf
from typing import Any

from helm.common.errors import ConfigError, suggest
from helm.compiler_gym import proto


def get_action_names(space: Any) -> list[str]:
    """Return the names of the actions of a `proto.Space` in the order of their indices; empty if it does not list them.

    Raises: ConfigError when the space is packed and of an unknown kind.
    """
    kind = space.WhichOneof("value")
    if kind == "any_value":
        commandline = proto.CommandlineSpace()
        if not space.any_value.Unpack(commandline):
            raise ConfigError(f"The action space is of an unknown kind, {space.any_value.type_url}.")
        return list(commandline.name)
    if kind == "named_discrete":
        return list(space.named_discrete.name)
    if kind == "discrete":
        return [str(action) for action in range(space.discrete.n)]
    return []


def find_action_space(spaces: SequenceOf[Any], name: str | None) -> tuple[int, list[str]]:
    """Return the index of a `proto.ActionSpace` by name (default: the first) and the names of its actions.

    Raises: ConfigError naming the nearest space.
    """
    names = [space.name for space in spaces]
    if not names or (name is not None and name not in names):
        known = ", ".join(names) or "none"
        raise ConfigError(f"The compiler has no action space '{name}'. It has: {known}.{suggest(name or '', names)}")
    index = 0 if name is None else names.index(name)
    return index, get_action_names(spaces[index].space)


__path__: list[str] = []  # so that the original's modules below this one can be imported


def __getattr__(name: str) -> Any:
    from helm.compiler_gym.original_names import find_name

    return find_name(__name__, name)
