"""What the protocols of providers have in common: reading a program's request, and writing the model's answer."""

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from helm.common.request import Usage


class BadCall(ValueError):
    """A request that cannot be read; the program is told."""


@dataclass(frozen=True)
class BridgeCall:
    """A request of an outside program, in the form of OpenAI's chat protocol."""

    messages: list[dict[str, Any]]

    tools: list[dict[str, Any]] = field(default_factory=list)

    model: str = ""
    """The model that the program names. The deployment of the run answers, whatever it is."""

    temperature: float | None = None

    top_p: float | None = None

    max_tokens: int | None = None

    stop_sequences: list[str] = field(default_factory=list)

    is_stream: bool = False
    """Whether the answer is wanted as server-sent events."""

    ignored: tuple[str, ...] = ()
    """Parameters that have no effect."""

    namespaces: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Namespace and own name of the tools that the program groups, by the name that the model sees."""


@dataclass(frozen=True)
class BridgeAnswer:
    """An answer for an outside program."""

    number: int
    """The number of the answer in the episode, from 1; identifiers are made of it."""

    model: str
    """As the program named it."""

    text: str

    tool_calls: list[dict[str, Any]]
    """`id`, `name`, `arguments` as a text, usually of JSON, and the `namespace` if the tool has one."""

    is_cut: bool
    """Whether it was cut at the largest number of tokens."""

    usage: Usage


class Protocol(ABC):
    """One protocol of a provider. It has no state."""

    name: str

    @abstractmethod
    def read(self, path: str, body: Mapping[str, Any]) -> BridgeCall:
        """Return what a program asks for. `path` is that of the address. Raises: BadCall."""

    @abstractmethod
    def write(self, answer: BridgeAnswer) -> dict[str, Any]:
        """Return an answer as JSON."""

    @abstractmethod
    def events(self, answer: BridgeAnswer) -> Iterator[tuple[str, Any]]:
        """Return an answer as server-sent events: the name, empty if it has none, and the data, a JSON value or a text."""

    def error(self, status: int, message: str) -> dict[str, Any]:
        """Return an error as JSON."""
        return {"error": {"message": message, "type": error_type(status), "code": error_type(status)}}

    def count(self, num_tokens: int) -> dict[str, Any]:
        """Return an estimate of the number of tokens as JSON."""
        return {"input_tokens": num_tokens}


def error_type(status: int) -> str:
    """Return the name of an error by its HTTP status."""
    names = {
        400: "invalid_request_error",
        401: "authentication_error",
        404: "not_found_error",
        429: "rate_limit_error",
    }
    return names.get(status, "api_error")


def function_tool(name: Any, description: Any, parameters: Any) -> dict[str, Any]:
    """Return a tool in the form of the chat protocol. Raises: BadCall."""
    if not isinstance(name, str) or not name:
        raise BadCall("a tool lacks its name")
    schema = parameters if isinstance(parameters, dict) else {"type": "object", "properties": {}}
    function: dict[str, Any] = {"name": name, "parameters": schema}
    if isinstance(description, str):
        function["description"] = description
    return {"type": "function", "function": function}


def called_function(call_id: Any, name: Any, arguments: Any) -> dict[str, Any]:
    """Return a call of a tool in the form of the chat protocol."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments if arguments is not None else {})
    return {"id": str(call_id), "type": "function", "function": {"name": str(name), "arguments": text}}


def join_texts(content: Any, kinds: Sequence[str] = ("text", "input_text", "output_text")) -> str:
    """Return the text of a message's content: a text, or parts of which those of other kinds are named."""
    if isinstance(content, str) or content is None:
        return content or ""
    if not isinstance(content, list):
        raise BadCall(f"the content of a message is a text or a list, not {type(content).__name__}")
    found = []
    for part in content:
        if isinstance(part, str):
            found.append(part)
        elif isinstance(part, Mapping) and isinstance(part.get("text"), str) and part.get("type", "text") in kinds:
            found.append(part["text"])
        elif isinstance(part, Mapping):
            found.append(f"[{part.get('type', 'part')} left out]")
    return "\n".join(found)


def list_of(body: Mapping[str, Any], name: str) -> list[Any]:
    """Return a list of objects of a request; an absent one is empty. Raises: BadCall."""
    found = body.get(name)
    if found is None:
        return []
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise BadCall(f"'{name}' takes a list of objects")
    return found


def number_of(body: Mapping[str, Any], *names: str) -> float | None:
    """Return the first of some numbers that is given. Raises: BadCall."""
    for name in names:
        value = body.get(name)
        if value is not None:
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                raise BadCall(f"'{name}' takes a number")
            return float(value)
    return None


def whole_number_of(body: Mapping[str, Any], *names: str) -> int | None:
    """Return the first of some whole numbers above 0 that is given. Raises: BadCall."""
    found = number_of(body, *names)
    if found is None:
        return None
    if found < 1 or found != int(found):
        raise BadCall(f"'{names[0]}' takes a whole number above 0")
    return int(found)


def texts_of(value: Any) -> list[str]:
    """Return one text or a list of texts as a list."""
    found = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return [text for text in found if isinstance(text, str) and text]


def arguments_object(text: str) -> dict[str, Any]:
    """Return the arguments of a call as an object, for protocols that have no others."""
    try:
        found = json.loads(text) if text else {}
    except ValueError:
        return {"_raw": text}
    return found if isinstance(found, dict) else {"_raw": text}


def unknown_names(body: Mapping[str, Any], known: Sequence[str]) -> tuple[str, ...]:
    """Return the parameters of a request that have no effect."""
    return tuple(sorted(str(name) for name, value in body.items() if name not in known and value is not None))
