"""Run expanders for chat and reasoning models: conversations, options of requests, and presets for whole styles."""

import json
import os
import re
from dataclasses import replace
from typing import Any

from helm.benchmark.adaptation.adapter_spec import CHAT_MODES, ChatSpec
from helm.benchmark.adaptation.chat_methods import check_chat, check_options
from helm.benchmark.assembly.run_expander_base import RunExpander, adapt, unknown_value, with_suffix
from helm.benchmark.run_spec import RunSpec
from helm.common.errors import ConfigError
from helm.common.request_options import RequestOptions
from helm.common.response_format import ResponseFormat

_SECRET = re.compile(
    r"(?i)(?:x[-_])?api[-_]?key|(?:proxy[-_])?authorization|(?:access|auth|bearer)[-_]?token|password|secret"
)
_SEED_LIMIT = 2**63
_PLAIN_LABEL = re.compile(r"[\w.+-]{1,24}")
_MOST_SLUG_CHARACTERS = 12  # all keys together have to fit into the name of a folder


def label_of(value: Any) -> str:
    """Return a value as a part of the run's name: as it is if it is short and plain, else its beginning and a digest."""
    from hashlib import sha256

    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True)
    if _PLAIN_LABEL.fullmatch(text):
        return text
    slug = re.sub(r"[^A-Za-z0-9]+", "-", text)[:_MOST_SLUG_CHARACTERS].strip("-")
    return f"{slug}-{sha256(text.encode()).hexdigest()[:6]}".lstrip("-")


def read_text(key: str, value: Any) -> str:
    """Return the text that a value of an entry means; one in quotation marks is JSON.

    Raises: ConfigError if it begins with a quotation mark and is not JSON.
    """
    text = str(value)
    if not text.startswith('"'):
        return text
    try:
        return str(json.loads(text))
    except ValueError:
        raise ConfigError(f"{key}: {text} begins with a quotation mark and is no text in quotation marks.") from None


def read_object(key: str, value: Any) -> dict[str, Any]:
    """Return a JSON object that is given as such, as JSON, or as the path of a file with JSON.

    Raises: ConfigError if it is none of these.
    """
    from helm.common.formats.json_reading import read_json

    if isinstance(value, dict):
        return value
    text, what = str(value), key
    if not text.lstrip().startswith("{"):
        if not os.path.isfile(text):
            raise ConfigError(f"{key} takes a JSON object or a file with one, not '{text}'.")
        what = f"{key}: {text}"
        try:
            with open(text, encoding="utf-8") as file:
                text = file.read()
        except (OSError, UnicodeError) as e:
            raise ConfigError(f"{what} cannot be read: {e}") from e
    try:
        found = read_json(text)
    except ValueError as e:
        raise ConfigError(f"{what} is not JSON: {e}") from e
    if not isinstance(found, dict):
        raise ConfigError(f"{what} takes a JSON object, not {text[:60]}.")
    return found


def check_secrets(key: str, value: Any) -> None:
    """Raise ConfigError if a field at any depth is named like a secret: values are written to `run_spec.json` and the cache."""
    if isinstance(value, list):
        for item in value:
            check_secrets(key, item)
    if not isinstance(value, dict):
        return
    for name, inner in value.items():
        if _SECRET.fullmatch(str(name)):
            raise ConfigError(
                f"{key}: '{name}' looks like a secret, and what {key} holds is written to the files of the run and to the "
                "cache. Put keys into credentials.conf or an environment variable."
            )
        check_secrets(key, inner)


def read_bool(key: str, value: Any) -> bool:
    """Return whether a value is `true`; any case will do. Raises: ConfigError if it is neither `true` nor `false`."""
    text = str(value).lower()
    if text not in ("true", "false"):
        raise ConfigError(f"{key} takes true or false, not '{value}'.")
    return text == "true"


def with_chat(run_spec: RunSpec, name: str, **changes: Any) -> RunSpec:
    """Return the run spec with another name and changed fields of its `chat`."""
    return adapt(run_spec, name, chat=replace(run_spec.adapter_spec.chat or ChatSpec(), **changes))


def with_options(run_spec: RunSpec, name: str, **changes: Any) -> RunSpec:
    """Return the run spec with another name and changed fields of its `request_options`."""
    options = run_spec.adapter_spec.request_options or RequestOptions()
    return adapt(run_spec, name, request_options=replace(options, **changes))


class _ChatRunExpander(RunExpander):
    """A key that needs a method that sends text. It is left to run specs with an argument of its own by that name."""

    def __init__(self, value: Any):
        self.value = self.read(value)

    def read(self, value: Any) -> Any:
        """Return the value as it is meant. Raises: ConfigError."""
        return value

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        self.check(run_spec)
        return [self.change(run_spec, with_suffix(run_spec.name, f"{self.name}={label_of(self.value)}"))]

    def check(self, run_spec: RunSpec) -> None:
        """Raise ConfigError if the run's adapter method cannot do it."""
        check_options(run_spec.adapter_spec.method, f"{self.name}=")

    def change(self, run_spec: RunSpec, name: str) -> RunSpec:
        """Return the changed run spec."""
        raise NotImplementedError


class SystemPromptRunExpander(_ChatRunExpander):
    """Sets the system prompt."""

    name = "system_prompt"

    def read(self, value: Any) -> str:
        text = read_text(self.name, value)
        if not text.strip():
            raise ConfigError("system_prompt is empty; leave the key out to send none.")
        return text

    def check(self, run_spec: RunSpec) -> None:
        check_chat(run_spec.adapter_spec.method, f"{self.name}=")

    def change(self, run_spec: RunSpec, name: str) -> RunSpec:
        return with_chat(run_spec, name, system_prompt=self.value)


class FewshotAsTurnsRunExpander(_ChatRunExpander):
    """Makes in-context examples turns of the user and the assistant."""

    name = "fewshot_as_turns"

    def read(self, value: Any) -> bool:
        return read_bool(self.name, value)

    def check(self, run_spec: RunSpec) -> None:
        check_chat(run_spec.adapter_spec.method, f"{self.name}=")

    def change(self, run_spec: RunSpec, name: str) -> RunSpec:
        return with_chat(run_spec, name, fewshot_as_turns=self.value)


class ChatRunExpander(_ChatRunExpander):
    """Says whether prompts are sent as messages of a chat."""

    name = "chat"

    def read(self, value: Any) -> str:
        if value not in CHAT_MODES:
            raise unknown_value(f"Unknown value: {value}", self.name, value, list(CHAT_MODES))
        return value

    def check(self, run_spec: RunSpec) -> None:
        if self.value == "on":
            check_chat(run_spec.adapter_spec.method, "chat=on")

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        if self.value == "off" and run_spec.adapter_spec.method == "chat":
            raise ConfigError("chat=off: the adapter method chat sends conversations, which are no plain prompts.")
        return super().expand(run_spec)

    def change(self, run_spec: RunSpec, name: str) -> RunSpec:
        return with_chat(run_spec, name, mode=self.value)


class TopPRunExpander(_ChatRunExpander):
    """Sets the threshold of nucleus sampling."""

    name = "top_p"

    def read(self, value: Any) -> float:
        if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 < value <= 1:
            raise ConfigError(f"top_p takes a number above 0 and up to 1, not '{value}'.")
        return value

    def change(self, run_spec: RunSpec, name: str) -> RunSpec:
        return adapt(run_spec, name, top_p=self.value)


class SeedRunExpander(_ChatRunExpander):
    """Sets the seed of the provider's sampling."""

    name = "seed"

    def read(self, value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise ConfigError(f"seed takes a whole number, not '{value}'.")
        if not -_SEED_LIMIT <= value < _SEED_LIMIT:
            raise ConfigError(f"seed takes a number of 64 bits, which {value} is not.")
        return value

    def change(self, run_spec: RunSpec, name: str) -> RunSpec:
        return with_options(run_spec, name, seed=self.value)


class ReasoningEffortRunExpander(_ChatRunExpander):
    """Sets how long a reasoning model thinks."""

    name = "reasoning_effort"

    def read(self, value: Any) -> str:
        if not isinstance(value, str) or not re.fullmatch(r"[A-Za-z_-]+", value):
            raise ConfigError(f"reasoning_effort takes a word such as low, medium or high, not '{value}'.")
        return value

    def change(self, run_spec: RunSpec, name: str) -> RunSpec:
        return with_options(run_spec, name, reasoning_effort=self.value)


class ExtraBodyRunExpander(_ChatRunExpander):
    """Adds fields to the body of every request."""

    name = "extra_body"

    def read(self, value: Any) -> dict[str, Any]:
        fields = read_object(self.name, value)
        check_secrets(self.name, fields)
        return fields

    def change(self, run_spec: RunSpec, name: str) -> RunSpec:
        return with_options(run_spec, name, extra_body=self.value)


class ChatTemplateKwargsRunExpander(_ChatRunExpander):
    """Sets variables of the model's chat template."""

    name = "chat_template_kwargs"

    def read(self, value: Any) -> dict[str, Any]:
        return read_object(self.name, value)

    def change(self, run_spec: RunSpec, name: str) -> RunSpec:
        return with_options(run_spec, name, chat_template_kwargs=self.value)


class ResponseFormatRunExpander(_ChatRunExpander):
    """Sets the JSON schema of answers."""

    name = "response_format"

    def read(self, value: Any) -> dict[str, Any]:
        schema = read_object(self.name, value)
        wrapped = schema.get("json_schema")
        if schema.get("type") == "json_schema" and isinstance(wrapped, dict):  # as OpenAI's protocol has it
            schema = wrapped.get("schema", wrapped)
        if schema.get("type") in ("json_object", "json_schema", "text"):
            raise ConfigError(
                f"response_format takes a JSON schema, and {json.dumps(schema)[:60]} is none. For any object: "
                '{"type": "object"}.'
            )
        return schema

    def change(self, run_spec: RunSpec, name: str) -> RunSpec:
        return adapt(run_spec, name, response_format=ResponseFormat(json_schema=self.value))


class MaxTokensRunExpander(_ChatRunExpander):
    """Sets the largest number of tokens of a completion."""

    name = "max_tokens"

    def read(self, value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise ConfigError(f"max_tokens takes a whole number above 0, not '{value}'.")
        return value

    def change(self, run_spec: RunSpec, name: str) -> RunSpec:
        return adapt(run_spec, name, max_tokens=self.value)


CHAT_RUN_EXPANDERS: list[type[_ChatRunExpander]] = [
    SystemPromptRunExpander,
    FewshotAsTurnsRunExpander,
    ChatRunExpander,
    TopPRunExpander,
    SeedRunExpander,
    ReasoningEffortRunExpander,
    ExtraBodyRunExpander,
    ChatTemplateKwargsRunExpander,
    ResponseFormatRunExpander,
    MaxTokensRunExpander,
]
"""HELM has no such keys: a run spec with an argument by one of these names gets the value itself."""

JSON_KEYS = frozenset(("system_prompt", "extra_body", "chat_template_kwargs", "response_format"))
"""Those whose value may be JSON: a text in quotation marks, or an object."""
