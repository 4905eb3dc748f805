"""Language models that need no weights, key or network: lower bounds that any real model should exceed."""

import hashlib
import json
import time
from abc import abstractmethod
from codecs import getincrementaldecoder
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import log
from random import Random
from typing import NamedTuple

from helm.clients.client import Client
from helm.clients.protocols.prompt_choices import read_prompt
from helm.common.formats.ppm import DEFAULT_ORDER, END, PPMModel
from helm.common.media_object import TEXT_TYPE
from helm.common.request import (
    EMBEDDING_UNAVAILABLE_REQUEST_RESULT,
    ErrorFlags,
    GeneratedOutput,
    Request,
    RequestResult,
    Token,
)
from helm.common.request_options import PLAIN_PROMPT


def prompt_text(request: Request) -> str:
    """Return the prompt as one text: chat messages as lines `role: content`, then `assistant:`; media by their text.

    Raises ValueError for media without text.
    """
    if request.messages:
        turns = [f"{message['role']}: {message['content']}\n" for message in request.messages]
        return "".join(turns) + "assistant:"
    if request.multimodal_prompt is not None and request.multimodal_prompt.media_objects:
        other = [media for media in request.multimodal_prompt.media_objects if not media.is_type(TEXT_TYPE)]
        if other:
            raise ValueError(f"it reads text only, and the prompt holds {other[0].content_type}")
        return request.multimodal_prompt.text
    return request.prompt


def encode_text(text: str) -> bytes:
    return text.encode("utf-8", errors="surrogatepass")


def request_random(request: Request, prompt: str, completion_index: int) -> Random:
    """Return a generator seeded by everything in the request that may change a draw: equal requests draw equally."""
    settings = [prompt, request.model, request.temperature, request.top_p, request.random, completion_index]
    digest = hashlib.sha256(json.dumps(settings).encode("ascii")).digest()
    return Random(int.from_bytes(digest, "big"))


class BaselineClient(Client):
    """Common parts of the baselines: refusals and timing. Answers are computed, never cached."""

    takes_options = frozenset((PLAIN_PROMPT,))

    def make_request(self, request: Request) -> RequestResult:
        if request.embedding:
            return EMBEDDING_UNAVAILABLE_REQUEST_RESULT
        started_at, started = time.time(), time.perf_counter()
        try:
            completions = self.complete(request, self.read(request))
        except ValueError as e:
            return RequestResult(
                success=False,
                cached=False,
                completions=[],
                embedding=[],
                error=f"{request.model_deployment or type(self).__name__} cannot answer: {e}",
                error_flags=ErrorFlags(is_retriable=False, is_fatal=True),
            )
        return RequestResult(
            success=True,
            cached=False,
            completions=completions,
            embedding=[],
            request_time=time.perf_counter() - started,
            request_datetime=int(started_at),
        )

    def read(self, request: Request) -> str:
        """Return the prompt as one text. Raises ValueError if it holds something that the model cannot read."""
        return prompt_text(request)

    @abstractmethod
    def complete(self, request: Request, prompt: str) -> list[GeneratedOutput]:
        """Return `num_completions` completions. Raises ValueError if the request needs something the model lacks."""


class PPMClient(BaselineClient):
    """Prediction by partial matching over bytes, trained on the prompt alone; see `helm.common.formats.ppm`.

    A token is a byte, so `max_tokens` counts bytes. The text of a multi-byte character belongs to the token of its last
    byte, so token texts always join to the text; an incomplete character at the end is omitted. Log-probabilities are
    the model's at any temperature: those of an echoed prompt and of the completion add up by the chain rule. Temperature 0
    selects the most likely byte, and the lowest of equally likely ones; higher temperatures draw bytes from
    p ** (1 / temperature) within `top_p`, seeded by the request. `top_k_per_token` and the penalties have no effect.

    Args:
        order: the longest context in bytes.
        end_of_text: a completion ends before this text, as before the request's stop sequences. Prompts contain no example
            of where a text ends, so the model cannot learn it; examples are separated by a blank line. "" disables it.
    """

    def __init__(self, order: int = DEFAULT_ORDER, end_of_text: str = "\n\n"):
        self.order = order
        self._end_of_text = encode_text(end_of_text)
        self._idle: list[PPMModel] = []
        """Models that no thread is using now. They are reused, because they need not read a known prompt again."""

    def complete(self, request: Request, prompt: str) -> list[GeneratedOutput]:
        if request.temperature < 0:
            raise ValueError(f"temperature must not be negative, got {request.temperature}")
        if request.max_tokens < 0:
            raise ValueError(f"max_tokens must not be negative, got {request.max_tokens}")
        try:
            model = self._idle.pop()
        except IndexError:
            model = PPMModel(self.order)
        try:
            return self._complete(model, request, prompt)
        finally:
            self._idle.append(model)

    def _complete(self, model: PPMModel, request: Request, prompt: str) -> list[GeneratedOutput]:
        data = encode_text(prompt)
        echo: GeneratedOutput | None = None
        if request.echo_prompt:
            model.rewind(0)
            echo = _output(data, model.score(data))
        else:
            model.become(data)
        completions: list[GeneratedOutput] = []
        for index in range(request.num_completions):
            if index and request.temperature == 0:
                completions.append(completions[0])
                continue
            completion = self._generate(model, request, request_random(request, prompt, index))
            model.rewind(len(data))
            if echo is not None:
                completion = replace(echo + completion, finish_reason=completion.finish_reason)
            completions.append(completion)
        return completions

    def _generate(self, model: PPMModel, request: Request, random: Random) -> GeneratedOutput:
        """Generate a completion by extending the model's history; the caller rewinds it."""
        stops = {encode_text(stop): "stop" for stop in request.stop_sequences}
        stops.setdefault(self._end_of_text, "endoftext")
        stops.pop(b"", None)
        data, logprobs, reason = bytearray(), [], "length"
        while len(data) < request.max_tokens and reason == "length":
            symbol, probability = _pick(model, request.temperature, request.top_p, random)
            if symbol == END:
                reason = "endoftext"
                break
            data.append(symbol)
            logprobs.append(log(probability))
            model.learn(bytes((symbol,)))
            ended = [stop for stop in stops if data.endswith(stop)]
            if ended:
                longest = max(ended, key=len)
                reason = stops[longest]
                del data[-len(longest) :], logprobs[-len(longest) :]
        return _output(bytes(data), logprobs, reason)


def _pick(model: PPMModel, temperature: float, top_p: float, random: Random) -> tuple[int, float]:
    """Return the next symbol and its probability under the model."""
    if temperature == 0:
        return model.most_likely()
    probabilities = model.distribution()
    order = sorted(range(len(probabilities)), key=lambda symbol: (-probabilities[symbol], symbol))
    top = probabilities[order[0]]
    # Weights are relative to the most likely symbol, so that they do not all underflow at low temperatures.
    weights = [(probabilities[symbol] / top) ** (1 / temperature) for symbol in order]
    total, kept, mass = sum(weights), 0, 0.0
    while kept < len(weights) and (kept == 0 or mass < top_p * total):
        mass += weights[kept]
        kept += 1
    threshold = random.random() * mass
    chosen = 0
    while chosen < kept - 1 and threshold >= weights[chosen]:
        threshold -= weights[chosen]
        chosen += 1
    return order[chosen], probabilities[order[chosen]]


def _output(data: bytes, logprobs: Sequence[float], reason: str | None = None) -> GeneratedOutput:
    decoder = getincrementaldecoder("utf-8")(errors="replace")
    tokens = [Token(text=decoder.decode(data[i : i + 1]), logprob=logprobs[i]) for i in range(len(data))]
    return GeneratedOutput(
        text="".join([token.text for token in tokens]),
        logprob=sum(logprobs),
        tokens=tokens,
        finish_reason={"reason": reason} if reason else None,
    )


class _Guess(NamedTuple):
    text: str
    probability: float


class ChoiceClient(BaselineClient):
    """Answers with one of the choices in the prompt; see `read_prompt`. `max_tokens` counts bytes, as for `PPMClient`.

    The answer is one token. Echoed prompts are refused, because these models have no probabilities of texts.
    """

    def complete(self, request: Request, prompt: str) -> list[GeneratedOutput]:
        if request.echo_prompt:
            raise ValueError(
                "it has no log-probabilities of prompts (echo_prompt); "
                "use baseline/ppm, or the adaptation method multiple_choice_joint"
            )
        return [self._complete(request, prompt, index) for index in range(request.num_completions)]

    def _complete(self, request: Request, prompt: str, index: int) -> GeneratedOutput:
        labels, answers = read_prompt(prompt)
        text, probability = self.guess(labels, answers, request_random(request, prompt, index))
        reason = "endoftext"
        for stop in request.stop_sequences:
            if stop and stop in text:
                text, reason = text[: text.index(stop)], "stop"
        data = encode_text(text)
        if len(data) > request.max_tokens:
            text, reason = data[: max(request.max_tokens, 0)].decode("utf-8", errors="ignore"), "length"
        logprob = log(probability)
        tokens = [Token(text=text, logprob=logprob)] if text else []
        total = sum([token.logprob for token in tokens])
        return GeneratedOutput(text=text, logprob=total, tokens=tokens, finish_reason={"reason": reason})

    @abstractmethod
    def guess(self, labels: list[str], answers: list[str], random: Random) -> _Guess:
        """Choose an answer from the labels of the question and the answers of the examples; either may be empty."""


class RandomChoiceClient(ChoiceClient):
    """One of the offered labels, or else one of the examples' distinct answers, each with probability 1 / n.

    The draw is a hash of the request, so a run gives the same answers each time. Without choices the answer is empty.
    """

    def guess(self, labels: list[str], answers: list[str], random: Random) -> _Guess:
        candidates = labels or list(dict.fromkeys(answers))
        return _Guess(random.choice(candidates), 1 / len(candidates)) if candidates else _Guess("", 1.0)


class MajorityChoiceClient(ChoiceClient):
    """The most frequent answer of the examples; ties go to the first label, or without labels to the first answer seen.

    If there are labels, only they count, and an example's answer may list several (`A, C`). Probabilities are add-one
    counts over the labels, or over the distinct answers plus one for all unseen ones. Without choices the answer is empty.
    """

    def guess(self, labels: list[str], answers: list[str], random: Random) -> _Guess:
        if labels:
            given = [label for answer in answers for label in answer.split(", ")]
            counts = Counter(label for label in given if label in labels)
            best = max(labels, key=lambda label: counts[label])  # the first of equals
            return _Guess(best, (counts[best] + 1) / (sum(counts.values()) + len(labels)))
        if not answers:
            return _Guess("", 1.0)
        counts = Counter(answers)
        best = max(counts, key=lambda answer: counts[answer])
        return _Guess(best, (counts[best] + 1) / (len(answers) + len(counts) + 1))
