"""Restricts users' requests to a proxy server: none may read its files or environment, or send its keys elsewhere."""

import binascii
import hashlib
import os
import re
import tempfile
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Any, TypeVar
from urllib.parse import urlsplit

from helm.clients.protocols.message_parts import split_data_url
from helm.common.errors import ConfigError, HelmError, suggest
from helm.common.request import Request
from helm.proxy.query import Query, QueryResult
from helm.proxy.services.service import MAX_EXPANSION, expand_environments, synthesize_request

T = TypeVar("T")

# Queries need no key, so these limit what anyone can make the server compute: a short query could expand exponentially.
_MOST_QUERY_CHARACTERS = 20_000
_MOST_EXPANDED_CHARACTERS = 10_000_000

_PART_KINDS = ("text", "image_url", "input_audio")
_TOOL_FIELDS = {"name", "description", "parameters", "strict"}
_FILE_ENDINGS = {"mpeg": "mp3", "x-wav": "wav"}


class RefusedRequestError(HelmError):
    """A request that this server refuses to make for its users."""


@dataclass(frozen=True)
class UserRequests:
    """Converts users' input to requests that are safe to make with the keys of this machine.

    Deployments and tokenizers must be registered here: a name such as `openai-compat/m@http://...` would let the user choose
    which server is contacted and gets a key. Media are sent as bytes, or are at allowed hosts.
    """

    media_folder: str
    """The folder for bytes that users send, by their SHA-256."""

    media_hosts: Collection[str] = ()
    """The hosts that URLs of media may name. The model's provider downloads them; this server never does."""

    def read_request(self, value: Any, is_admin: bool = False) -> Request:
        """Read a request. Raises RefusedRequestError, or ConfigError if it is not a Request.

        Args:
            is_admin: whether an administrator asks, who may add fields to what is sent to the provider.
        """
        value = dict(_object(value, "request"))
        _check_deployment(value)
        if value.get("options") is not None and not is_admin:
            _check_options(_object(value["options"], "options"))
        for message in _objects(value.get("messages"), "messages"):
            self._check_message(message)
        for tool in _objects(value.get("tools"), "tools"):
            _check_tool(tool)
        if value.get("multimodal_prompt") is not None:
            prompt = _object(value["multimodal_prompt"], "multimodal_prompt")
            media = _objects(prompt.get("media_objects"), "media_objects")
            value["multimodal_prompt"] = {"media_objects": [self._media(item) for item in media]}
        messages = value.pop("messages", None)  # their contents may be parts and calls, not only texts
        return replace(read_as(value, "request", Request), messages=messages)

    # --- media --------------------------------------------------------------------------------------------------------

    def _media(self, media: Mapping[str, Any]) -> dict[str, Any]:
        """Return the media object with a file of this server in place of bytes. Raises RefusedRequestError."""
        location = media.get("location")
        if location is None:
            return dict(media)
        if isinstance(location, str) and location.startswith("data:"):
            return {**media, "location": self._keep(location, str(media.get("content_type")))}
        self._check_address(location)
        return dict(media)

    def _keep(self, data_url: str, content_type: str) -> str:
        """Store the bytes of a `data:` URL and return the path; equal bytes share a file, so that answers are cached."""
        _, encoded = split_data_url(data_url)
        try:
            data = binascii.a2b_base64(encoded or "", strict_mode=True)
        except ValueError:  # binascii.Error is one
            data = b""
        if not data:
            raise RefusedRequestError("Bytes of media are sent as data:TYPE;base64,CONTENT.")
        subtype = content_type.rpartition("/")[2]
        ending = _FILE_ENDINGS.get(subtype, subtype) if re.fullmatch(r"[a-z0-9]{1,8}|x-wav", subtype) else "bin"
        path = os.path.join(self.media_folder, f"{hashlib.sha256(data).hexdigest()}.{ending}")
        if not os.path.exists(path):
            os.makedirs(self.media_folder, mode=0o700, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=self.media_folder)
            with open(handle, "wb") as file:
                file.write(data)
            os.replace(temporary, path)
        return path

    def _check_address(self, location: Any) -> None:
        """Raise RefusedRequestError unless a location is an http URL at one of the allowed hosts."""
        try:
            parts = urlsplit(location if isinstance(location, str) else "")
            scheme, host = parts.scheme, parts.hostname or ""
        except ValueError:
            scheme, host = "", ""
        if scheme not in ("http", "https"):
            raise RefusedRequestError(
                "This server reads no files for its users. Send the bytes: data:TYPE;base64,CONTENT as the location."
            )
        if host not in {name.lower() for name in self.media_hosts} or "@" in parts.netloc or "\\" in parts.netloc:
            raise RefusedRequestError(
                f"Addresses of media at '{host}' are not allowed here. Send the bytes, or ask for --allow-media-host {host}."
            )

    def _check_message(self, message: Mapping[str, Any]) -> None:
        if isinstance(message.get("content"), str):
            return
        for part in _objects(message.get("content"), "content"):
            kind = part.get("type")
            if kind not in _PART_KINDS or set(part) - {"type", kind}:
                raise RefusedRequestError(
                    f"A part of a message is {{type, TYPE}} here, TYPE one of {', '.join(_PART_KINDS)}; one has the keys "
                    f"{', '.join(part)} and the type {kind!r}."
                )
            if kind == "image_url":
                image = part.get("image_url")
                url = image.get("url") if isinstance(image, dict) else image
                if not isinstance(url, str) or split_data_url(url)[1] is None:
                    self._check_address(url)


# --- what else there is in a request ------------------------------------------------------------------------------------


def _check_deployment(value: dict[str, Any]) -> None:
    """Fill in the model. Raises RefusedRequestError if the deployment is unregistered, or belongs to another model."""
    from helm.benchmark.model_deployment_registry import DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT

    name = value.get("model_deployment")
    deployment = DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT.get(name) if isinstance(name, str) else None
    if deployment is None:
        hint = suggest(name, DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT) if isinstance(name, str) else ""
        raise RefusedRequestError(
            f"This server has no deployment {name!r}: only those in its catalogue can be used. "
            f"model_deployments.yaml in its folder adds more.{hint}"
        )
    model = value.get("model") or deployment.model_name
    if model != deployment.model_name:
        raise RefusedRequestError(
            f"Deployment '{name}' belongs to the model {deployment.model_name} here, not {model!r}."
        )
    value["model"] = model


def check_tokenizer(name: str) -> None:
    """Raise RefusedRequestError if the tokenizer is not registered: names on the hub would be downloaded, or be paths."""
    from helm.benchmark.tokenizer_config_registry import TOKENIZER_NAME_TO_CONFIG

    if name not in TOKENIZER_NAME_TO_CONFIG:
        raise RefusedRequestError(
            f"This server has no tokenizer '{name}': only those in its catalogue can be used. "
            f"tokenizer_configs.yaml in its folder adds more.{suggest(name, TOKENIZER_NAME_TO_CONFIG)}"
        )


def _check_options(options: Mapping[str, Any]) -> None:
    """Refuse options that undo the other checks: fields replace model, messages and tools, a template is a program."""
    if options.get("extra_body"):
        raise RefusedRequestError(
            "Only an administrator may send extra_body here: its fields would replace the model, the messages and the tools."
        )
    variables = options.get("chat_template_kwargs")
    if variables is not None and "chat_template" in _object(variables, "chat_template_kwargs"):
        raise RefusedRequestError(
            "Only an administrator may send a chat_template here: the model's server would run it."
        )


def _check_tool(tool: Mapping[str, Any]) -> None:
    """Refuse providers' own tools, which fetch URLs and search data of the key's owner."""
    function = tool.get("function")
    if tool.get("type") != "function" or not isinstance(function, Mapping) or set(function) - _TOOL_FIELDS:
        raise RefusedRequestError(
            'Tools are functions here, {"type": "function", "function": {...}} with '
            + ", ".join(sorted(_TOOL_FIELDS))
            + "."
        )


# --- queries ------------------------------------------------------------------------------------------------------------


def expand_query_of_strangers(query: Query) -> QueryResult:
    """Expand a query like `expand_query`, for users without a key: with limits, and reading nothing except the query.

    Raises RefusedRequestError for a query that is too large, or ConfigError.
    """
    from helm.common.formats.hocon import parse_hocon_of_strangers

    if len(query.prompt) + len(query.settings) + len(query.environments) > _MOST_QUERY_CHARACTERS:
        raise RefusedRequestError(f"A query may have {_MOST_QUERY_CHARACTERS} characters.")
    variables = parse_hocon_of_strangers(query.environments) if query.environments.strip() else {}
    lists = {name: value if isinstance(value, list) else [value] for name, value in variables.items()}
    if prod(len(values) for values in lists.values()) > MAX_EXPANSION:
        raise RefusedRequestError(f"A query may stand for {MAX_EXPANSION} requests.")
    requests, size = [], 0
    for environment in expand_environments(lists):
        requests.append(synthesize_request(query.prompt, query.settings, environment, parse_hocon_of_strangers))
        size += len(requests[-1].prompt)
        if size > _MOST_EXPANDED_CHARACTERS:
            raise RefusedRequestError(
                f"The prompts of a query may have {_MOST_EXPANDED_CHARACTERS} characters together."
            )
    return QueryResult(requests)


# --- reading ------------------------------------------------------------------------------------------------------------


def read_as(value: Any, name: str, kind: type[T]) -> T:
    """Convert a field to a `kind`. Raises ConfigError, which names the field, if that is not possible."""
    from helm.common.codec import structure

    try:
        return structure(value, kind)
    except (TypeError, ValueError, LookupError, AssertionError) as e:
        raise ConfigError(f"The field '{name}' of the query is no {kind.__name__}: {e}") from e


def _object(value: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ConfigError(f"The field '{name}' takes an object, not {type(value).__name__}.")
    return value


def _objects(value: Any, name: str) -> list[Mapping[str, Any]]:
    """Return the objects of a list; none if there is no list."""
    if value is not None and not isinstance(value, list):
        raise ConfigError(f"The field '{name}' takes a list, not {type(value).__name__}.")
    return [_object(item, name) for item in value or []]
