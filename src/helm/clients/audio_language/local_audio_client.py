"""Models that hear, run in this process by `transformers`."""

import json
import threading
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from helm.clients.client import CachingClient, failed_result, generate_uid_for_multimodal_prompt
from helm.clients.protocols.openai_protocol import cut_at_stop
from helm.common.cache import CacheConfig
from helm.common.data.media_store import checked_type
from helm.common.data.sounds import SoundError, samples
from helm.common.errors import ConfigError, HelmError
from helm.common.hierarchical_logger import htrack_block
from helm.common.media_object import AUDIO_TYPE, TEXT_TYPE, MediaObject
from helm.common.optional_dependencies import needs_extra
from helm.common.request import (
    EMBEDDING_UNAVAILABLE_REQUEST_RESULT,
    MALFORMED,
    OK,
    REFUSED,
    SERVER,
    GeneratedOutput,
    Request,
    RequestResult,
    Token,
    wrap_request_time,
)
from helm.common.request_options import SEED, TOP_P
from helm.tokenizers.tokenizer import Tokenizer

SAMPLE_RATE = 16_000
"""All these models hear sounds with 16,000 samples per second."""


class LoadedModel:
    """A model and its processor or tokenizer, used by one request at a time."""

    _loaded: ClassVar[dict[str, "LoadedModel"]] = {}
    _lock: ClassVar[threading.Lock] = threading.Lock()

    def __init__(self, name: str, model_class: str, processor_class: str, arguments: Mapping[str, Any]):
        with needs_extra("huggingface"):
            import torch
            import transformers
        arguments = dict(arguments)
        device = arguments.pop("device", None)
        if device is None and "device_map" not in arguments:
            device = "cuda:0" if torch.cuda.is_available() else "cpu"
        repository = {k: v for k, v in arguments.items() if k in ("revision", "trust_remote_code", "token")}
        with htrack_block(f"Loading the model {name}"):
            self.processor: Any = getattr(transformers, processor_class).from_pretrained(name, **repository)
            self.model: Any = getattr(transformers, model_class).from_pretrained(name, **arguments)
            if device is not None:
                self.model = self.model.to(device)
            self.model.eval()
        self.turn = threading.Lock()

    @classmethod
    def shared(cls, name: str, model_class: str, processor_class: str, arguments: Mapping[str, Any]) -> "LoadedModel":
        """Return the process's copy of a model, which is loaded on first use."""
        key = json.dumps([name, model_class, processor_class, arguments], sort_keys=True, default=str)
        with cls._lock:
            if key not in cls._loaded:
                cls._loaded[key] = cls(name, model_class, processor_class, arguments)
            return cls._loaded[key]


class LocalAudioClient(CachingClient):
    """Asks a model in this process about sounds and texts, once for each completion.

    A temperature of 0 means greedy decoding. HELM sends no sampling parameters to these models, which then draw as their own
    settings say, and it ignores stop sequences; here both count.

    Args:
        cache_config: where responses are cached.
        tokenizer: not needed; HELM passes it.
        pretrained_model_name_or_path: the name on the hub, or a folder; None means the name that the class knows for the
            deployment's model, or else the model's name.
        kwargs: arguments of `from_pretrained`; `device` (default: CUDA if available) or `device_map`. Models that bring their
            own code need `trust_remote_code: true`.
    """

    HUB_NAMES: ClassVar[Mapping[str, str]] = {}
    """For models of HELM, the names of the weights on the hub."""

    MODEL_CLASS: ClassVar[str] = "AutoModelForMultimodalLM"
    PROCESSOR_CLASS: ClassVar[str] = "AutoProcessor"

    takes_options = frozenset((TOP_P, SEED))

    def __init__(
        self,
        cache_config: CacheConfig | None,
        tokenizer: Tokenizer | None = None,
        pretrained_model_name_or_path: str | None = None,
        **kwargs: Any,
    ):
        super().__init__(cache_config)
        self._name = pretrained_model_name_or_path
        self._arguments = kwargs
        self._key_extras: dict[str, Any] = {}

    def _loaded(self, request: Request) -> LoadedModel:
        name = self._name or self.HUB_NAMES.get(request.model, request.model)
        return LoadedModel.shared(name, self.MODEL_CLASS, self.PROCESSOR_CLASS, self._arguments)

    @abstractmethod
    def _generate(self, loaded: LoadedModel, parts: Sequence[MediaObject], request: Request, seed: int | None) -> str:
        """Return the model's answer to the parts of a prompt."""

    def _why_refused(self, parts: Sequence[MediaObject]) -> str | None:
        """Return why the model cannot be asked with these parts, beyond their types; None if it can."""
        return None

    def make_request(self, request: Request) -> RequestResult:
        if request.embedding:
            return EMBEDDING_UNAVAILABLE_REQUEST_RESULT
        refusal = self.why_not(request) or self._refusal(request)
        if refusal is not None:
            return failed_result(f"{request.model_deployment}: {refusal}.", REFUSED)
        try:
            return self._complete(request)
        except ConfigError:
            raise
        except (SoundError, OSError, ValueError) as e:
            return failed_result(f"{request.model_deployment}: {type(e).__name__}: {e}", MALFORMED)
        except RuntimeError as e:
            outcome = SERVER if "out of memory" in str(e).lower() else MALFORMED
            return failed_result(f"{request.model_deployment}: {type(e).__name__}: {e}", outcome)

    def _refusal(self, request: Request) -> str | None:
        if request.messages:
            return "this client takes prompts with sounds, not messages"
        if request.echo_prompt:
            return "this client cannot repeat the prompt"
        parts = request.multimodal_prompt.media_objects if request.multimodal_prompt else []
        for part in parts:
            if not part.is_type(TEXT_TYPE) and not (part.is_type(AUDIO_TYPE) and part.is_local_file):
                return f"this model takes texts and files with sounds, not {part.content_type} at {part.location}"
        return self._why_refused(parts)

    def _complete(self, request: Request) -> RequestResult:
        prompt = request.multimodal_prompt
        parts = prompt.media_objects if prompt is not None else [MediaObject("text/plain", text=request.prompt)]
        completions, cached, seconds, first_datetime = [], True, 0.0, None
        for index in range(request.num_completions):
            seed = request.seed_of(index)
            raw: dict[str, Any] = {
                "completion_index": index,
                "model": request.model,
                "prompt": generate_uid_for_multimodal_prompt(prompt) if prompt is not None else request.prompt,
                "max_tokens": request.max_tokens,
            }
            raw.update(self._key_extras)
            if request.temperature > 0:  # HELM's keys have no parameters of sampling
                raw.update(temperature=request.temperature, top_p=request.top_p, seed=seed)

            def compute(seed: int | None = seed) -> dict[str, Any]:
                loaded = self._loaded(request)
                with loaded.turn:
                    return {"output": self._generate(loaded, parts, request, seed)}

            response, was_cached = self.cache.get(self.make_cache_key(raw, request), wrap_request_time(compute))
            cached, seconds = cached and was_cached, seconds + response["request_time"]
            first_datetime = first_datetime or response["request_datetime"]
            text = response["output"]
            output = GeneratedOutput(
                text=text, logprob=0, tokens=[Token(text=word, logprob=0) for word in text.split()]
            )
            completions.append(cut_at_stop(output, request.stop_sequences))
        return RequestResult(
            success=True,
            cached=cached,
            completions=completions,
            embedding=[],
            request_time=seconds,
            request_datetime=first_datetime,
            outcome=OK,
        )


def read_samples(part: MediaObject) -> Any:
    """Return the samples of a local sound: one float32 array with `SAMPLE_RATE`. Raises: SoundError; OSError."""
    path = str(part.location)
    with open(path, "rb") as file:
        content = file.read()
    try:
        return samples(content, checked_type(path), SAMPLE_RATE)
    except SoundError as e:
        raise SoundError(f"{path}: {e}") from e
    except HelmError as e:
        raise SoundError(str(e)) from e


def sampling_arguments(request: Request, seed: int | None) -> dict[str, Any]:
    """Return the arguments of `generate` for a request's temperature and top_p; seeds torch's generator if there is a seed."""
    if request.temperature <= 0:
        return {"do_sample": False}
    if seed is not None:
        import torch

        torch.manual_seed(seed)
    return {"do_sample": True, "temperature": request.temperature, "top_p": request.top_p}
