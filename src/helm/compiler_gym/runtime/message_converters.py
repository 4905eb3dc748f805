"""Conversions between the messages of a service and what agents see, which an environment may replace."""

from collections.abc import Callable
from typing import Any


class ServiceMessageConverters:
    """How an environment reads the action spaces of its service, and how it sends actions."""

    def __init__(
        self,
        action_space_converter: Callable[[Any], Any] | None = None,
        action_converter: Callable[[Any], Any] | None = None,
    ):
        """Replace conversions.

        Args:
            action_space_converter: makes a space of a `proto.ActionSpace`. Default: `space_from_proto`.
            action_converter: makes a `proto.Event` of an action, or another value of which the usual conversion makes
                one. Default: the usual conversion alone.
        """
        self.action_space_converter = action_space_converter or _convert_space
        self.action_converter = action_converter or _keep


def _convert_space(message: Any) -> Any:
    from helm.compiler_gym.runtime.space_conversions import space_from_proto

    return space_from_proto(message)


def _keep(action: Any) -> Any:
    return action


def make_message_default_converter() -> Callable[[Any], Any]:
    """Return the function that makes a Python value of a `proto.Event`, or a space of a message that describes one.

    It raises KeyError for a kind that has no Python value.
    """

    def convert(message: Any) -> Any:
        from helm.compiler_gym.runtime.conversions import event_to_python
        from helm.compiler_gym.runtime.space_conversions import space_from_proto

        return event_to_python(message) if message.DESCRIPTOR.name == "Event" else space_from_proto(message)

    return convert


def to_event_message_default_converter() -> Callable[[Any], Any]:
    """Return the function that makes a `proto.Event` of a Python value; it raises KeyError for other types."""
    from helm.compiler_gym.runtime.conversions import python_to_event

    return python_to_event
