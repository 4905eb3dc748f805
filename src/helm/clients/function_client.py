"""Python functions as language models: `python/my_module.my_function`, and any callable given to `helm.evaluate`."""

import inspect
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args, get_origin, get_type_hints

from helm.clients.client import Client
from helm.clients.huggingface_batches import Batcher
from helm.common.budgets.spending import get_ledger
from helm.common.errors import ConfigError
from helm.common.live_functions import EventLoop, current_live, find_function, is_async
from helm.common.request import GeneratedOutput, Request, RequestResult
from helm.common.request_options import PLAIN_PROMPT, SEED, TOP_P

TEXT, MESSAGES = "text", "messages"
KINDS_OF_PROMPT = (TEXT, MESSAGES)

_MOST_ASYNC = 32
_BATCH_SIZE = 32
_OPTIONS = ("max_tokens", "temperature", "top_p", "stop", SEED)
"""Parameters that a function may have besides its prompt."""


@dataclass(frozen=True)
class FunctionTraits:
    """How a function that stands for a model is called."""

    takes: str = TEXT
    """`text`: the prompt as one string; `messages`: a list of `{"role": ..., "content": ...}`."""

    batch_size: int | None = None
    """The most prompts that are passed at once, as a list; None passes one prompt, not in a list."""

    concurrency: int | None = None
    """How many calls may run at the same time. None: one, or 32 of an asynchronous function."""


def traits_of(function: Callable[..., Any]) -> FunctionTraits:
    """Return how a function is called: as its decorator says, else as the annotation or name of its first parameter does.

    `str`, or no annotation: the prompt. `list[str]`, or the name `prompts`: a batch of prompts. `list[dict]`, or the name
    `messages`: a chat. `list[list[dict]]`: a batch of chats.
    """
    declared = getattr(function, "__helm_model__", None)
    if isinstance(declared, FunctionTraits):
        return declared
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # of a builtin
        return FunctionTraits()
    if not parameters:
        raise ConfigError(
            f"The function '{getattr(function, '__name__', function)}' takes no argument, so it cannot be a model: it gets the "
            "prompt and returns the answer."
        )
    first = parameters[0]
    try:
        hints = get_type_hints(function if inspect.isroutine(function) else type(function).__call__)
    except Exception:  # an annotation that cannot be evaluated says nothing
        hints = {}
    hint = hints.get(first.name, inspect.Parameter.empty)
    if hint is inspect.Parameter.empty:
        return {
            "messages": FunctionTraits(MESSAGES),
            "prompts": FunctionTraits(TEXT, _BATCH_SIZE),
        }.get(first.name, FunctionTraits())
    inner = _item_type(hint)
    if inner is None:
        return FunctionTraits()
    if _item_type(inner) is not None:
        return FunctionTraits(MESSAGES, _BATCH_SIZE)
    return FunctionTraits(TEXT, _BATCH_SIZE) if inner is str else FunctionTraits(MESSAGES)


def _item_type(hint: Any) -> Any | None:
    """Return the type of the items of a list or sequence; None for other types."""
    origin = get_origin(hint) or hint
    if origin is str or not (isinstance(origin, type) and issubclass(origin, Sequence)):
        return None
    return (get_args(hint) or (dict,))[0]


class FunctionClient(Client):
    """Asks a Python function.

    The function gets the prompt and returns the text of the answer; if it has parameters `max_tokens`, `temperature`, `top_p`,
    `stop` or `seed`, it gets these, too. Requests for a `top_p` or a `seed` that it does not take are refused. What it returns
    is cut at the stop sequences of the request. Its answers are not cached, because nobody knows whether it would give them
    again; those of an interrupted run are in the run's journal. An exception fails the request, and with it the run unless
    `on_failure` says otherwise.

    Args:
        function: the name of the function (see `helm.common.live_functions`).
    """

    retries_requests = True  # an exception of the user's own code is not transient

    def __init__(self, function: str):
        self._function = find_function(function, "model")
        self._name = function.partition("@")[0]
        self._traits = traits_of(self._function)
        self._is_async = is_async(self._function)
        live = current_live()
        self._loop = live.loop if live is not None else EventLoop()
        size = self._traits.batch_size
        default = _MOST_ASYNC if self._is_async else 1
        self.useful_concurrency = self._traits.concurrency or (live.concurrency if live else None) or default
        self._batcher: Batcher | None = None
        if size is not None:
            self._batcher = Batcher(self._run_batch, size)
            self.useful_concurrency = 2 * size  # the next batch gathers while one is computed
        self._options = _accepted_options(self._function)
        self.sends_messages = self._traits.takes == MESSAGES
        self.takes_options = frozenset(self._options).intersection((TOP_P, SEED)) | (
            frozenset() if self.sends_messages else {PLAIN_PROMPT}
        )

    def make_request(self, request: Request) -> RequestResult:
        get_ledger().check()
        if request.echo_prompt or request.embedding:
            what = "log-probabilities of prompts" if request.echo_prompt else "embeddings"
            return RequestResult(
                False,
                [],
                [],
                False,
                error=f"The function '{self._name}' gives answers, and no {what}.",
                outcome="refused",
            )
        started_at, started = time.time(), time.perf_counter()
        prompt = _messages_of(request) if self._traits.takes == MESSAGES else _text_of(request)
        texts = [
            self._ask(prompt, {name: _option(request, name, number) for name in self._options})
            for number in range(request.num_completions)
        ]
        return RequestResult(
            success=True,
            embedding=[],
            completions=[_completion(text, request.stop_sequences) for text in texts],
            cached=False,
            request_time=time.perf_counter() - started,
            request_datetime=int(started_at),
            outcome="ok",
        )

    def _ask(self, prompt: Any, options: Mapping[str, Any]) -> str:
        if self._batcher is not None:
            answer = self._batcher.run((self, {"prompt": prompt, **options}))
        else:
            answer = self._call(prompt, options)
        if not isinstance(answer, str):
            raise ConfigError(
                f"The function '{self._name}' returned {_described(answer)} where the text of an answer was expected."
            )
        return answer

    def _call(self, prompt: Any, options: Mapping[str, Any]) -> Any:
        answer = self._function(prompt, **options)
        return self._loop.run(answer) if inspect.isawaitable(answer) else answer

    def _run_batch(self, items: Sequence[tuple[Any, Mapping[str, Any]]]) -> list[Any]:
        options = {name: value for name, value in items[0][1].items() if name != "prompt"}
        answers = self._call([raw["prompt"] for _, raw in items], options)
        if isinstance(answers, str) or not isinstance(answers, Sequence) or len(answers) != len(items):
            raise ConfigError(
                f"The function '{self._name}' got {len(items)} prompts and returned {_described(answers)}: expected a list of as "
                "many answers."
            )
        return list(answers)


def _described(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return f"a list of {len(value)}"
    return "nothing (None)" if value is None else f"a value of type {type(value).__name__}"


def _accepted_options(function: Callable[..., Any]) -> list[str]:
    try:
        parameters = list(inspect.signature(function).parameters.values())[1:]
    except (TypeError, ValueError):
        return []
    names = {parameter.name for parameter in parameters}
    return [name for name in _OPTIONS if name in names]


def _option(request: Request, name: str, number: int) -> Any:
    """Return the value of a parameter for one of the request's completions."""
    if name == SEED:
        return request.seed_of(number)
    return list(request.stop_sequences) if name == "stop" else getattr(request, name)


def _messages_of(request: Request) -> list[dict[str, Any]]:
    if request.messages:
        return [dict(message) for message in request.messages]
    return [{"role": "user", "content": _text_of(request)}]


def _text_of(request: Request) -> str:
    if request.messages:
        if len(request.messages) == 1:
            return str(request.messages[0].get("content", ""))
        return "\n\n".join(f"{message.get('role')}: {message.get('content')}" for message in request.messages)
    if request.multimodal_prompt is not None:
        return "\n".join(media.text for media in request.multimodal_prompt.media_objects if media.text)
    return request.prompt


def _completion(text: str, stop_sequences: Sequence[str]) -> GeneratedOutput:
    found = [position for stop in stop_sequences if stop and (position := text.find(stop)) >= 0]
    reason = "stop" if found else "endoftext"
    return GeneratedOutput(text[: min(found)] if found else text, 0, [], finish_reason={"reason": reason})
