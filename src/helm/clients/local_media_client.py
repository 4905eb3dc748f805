"""Models that take pictures or sounds beside texts, run in this process."""

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from helm.clients.capability_names import EMBEDDINGS, IMAGES, LOGPROBS, MESSAGES, PROMPT_LOGPROBS, SOUNDS, TOOLS
from helm.clients.client import CachingClient, failed_result, generate_uid_for_multimodal_prompt
from helm.clients.pretrained_arguments import (
    check_placement,
    key_of_arguments,
    model_arguments,
    repository_arguments,
)
from helm.clients.protocols.openai_protocol import cut_at_stop
from helm.common.cache import CacheConfig
from helm.common.data.pictures import PictureError
from helm.common.data.sounds import SoundError
from helm.common.errors import ConfigError
from helm.common.hierarchical_logger import htrack_block
from helm.common.media_object import AUDIO_TYPE, IMAGE_TYPE, TEXT_TYPE, MediaObject
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


class LoadedModel:
    """A model and its processor or tokenizer, each loaded when it is first needed, and used by one request at a time.

    Args:
        name: the name on the hub, or a folder.
        model_class: the class of `transformers` that loads the model.
        processor_class: the class of `transformers` that loads the processor or tokenizer.
        arguments: see `model_arguments`.
    """

    _loaded: ClassVar[dict[str, "LoadedModel"]] = {}
    _lock: ClassVar[threading.Lock] = threading.Lock()

    def __init__(self, name: str, model_class: str, processor_class: str, arguments: Mapping[str, Any]):
        self.name = name
        self.turn = threading.Lock()
        self._loading = threading.RLock()
        self._classes = (model_class, processor_class)
        self._arguments = arguments
        self._processor: Any = None
        self._model: Any = None

    @classmethod
    def shared(cls, name: str, model_class: str, processor_class: str, arguments: Mapping[str, Any]) -> "LoadedModel":
        """Return the process's copy of a model."""
        key = json.dumps([cls.__name__, name, model_class, processor_class, arguments], sort_keys=True, default=str)
        with cls._lock:
            if key not in cls._loaded:
                cls._loaded[key] = cls(name, model_class, processor_class, arguments)
            return cls._loaded[key]

    @property
    def processor(self) -> Any:
        with self._loading:
            if self._processor is None:
                self._processor = self._load(self._load_processor)
            return self._processor

    @property
    def model(self) -> Any:
        with self._loading:
            if self._model is None:
                with htrack_block(f"Loading the model {self.name}"):
                    self._model = self._load(self._load_model)
            return self._model

    def _load(self, load: Callable[[], Any]) -> Any:
        """Call a function that loads. Raises: ConfigError if it needs a package that is not installed."""
        try:
            return load()
        except ImportError as e:  # of a library that has extras of its own
            raise ConfigError(f"{self.name} cannot be loaded: {str(e).strip()}") from e

    def _load_processor(self) -> Any:
        with needs_extra("huggingface"):
            import torch  # noqa: F401
            import transformers
        loader = getattr(transformers, self._classes[1])
        return loader.from_pretrained(self.name, **repository_arguments(self._arguments))

    def _load_model(self) -> Any:
        with needs_extra("huggingface"):
            import torch  # noqa: F401
            import transformers
        arguments = model_arguments(self._arguments)
        device = arguments.pop("device", None)
        model = getattr(transformers, self._classes[0]).from_pretrained(self.name, **arguments)
        if device is not None:
            model = model.to(device)
        return model.eval()


class LocalMediaClient(CachingClient):
    """Asks a model in this process about texts and media of one type; a subclass defines `_generate`.

    A temperature of 0 means greedy decoding. HELM sends no sampling parameters to these models, which then draw as their own
    settings say, and it ignores stop sequences; here both count.

    Args:
        cache_config: where responses are cached.
        tokenizer: not needed; HELM passes it.
        pretrained_model_name_or_path: the name on the hub, or a folder; None means the name that the class knows for the
            deployment's model, or else the model's name.
        tokenizer_name: not needed; HELM passes it.
        kwargs: arguments of `from_pretrained`; `device` (default: CUDA if available) or `device_map`. Models that bring their
            own code need `trust_remote_code: true`.
    """

    MEDIA_TYPE: ClassVar[str | None] = None
    """The media type that the model takes beside texts; None if it takes texts only."""

    MEDIA_WORD: ClassVar[str] = ""
    """What messages call media of this type, in the plural."""

    HUB_NAMES: ClassVar[Mapping[str, str]] = {}
    """For models of HELM, the names of the weights on the hub."""

    MODEL_CLASS: ClassVar[str] = "AutoModelForMultimodalLM"
    PROCESSOR_CLASS: ClassVar[str] = "AutoProcessor"

    LENGTH_KEY: ClassVar[str] = "max_tokens"
    """The name of `max_tokens` in cache keys."""

    GIVES_MANY: ClassVar[bool] = False
    """Whether the completions of a request are made together, and cached together."""

    takes_options = frozenset((TOP_P, SEED))
    lacks = {
        **dict.fromkeys((LOGPROBS, PROMPT_LOGPROBS), "this client gives no log-probabilities"),
        MESSAGES: "this client takes prompts, not messages",
        TOOLS: "this client takes no tools",
        EMBEDDINGS: "this client makes no embeddings",
        IMAGES: "this model does not see",
        SOUNDS: "this model does not hear",
    }

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        taken = {IMAGE_TYPE: IMAGES, AUDIO_TYPE: SOUNDS}.get(cls.MEDIA_TYPE or "")
        cls.lacks = {name: reason for name, reason in cls.lacks.items() if name != taken}

    def __init__(
        self,
        cache_config: CacheConfig | None,
        tokenizer: Tokenizer | None = None,
        pretrained_model_name_or_path: str | None = None,
        tokenizer_name: str | None = None,
        **kwargs: Any,
    ):
        super().__init__(cache_config)
        check_placement(kwargs)
        self._name = pretrained_model_name_or_path
        self._arguments = kwargs
        self._key_extras: dict[str, Any] = {}

    def _loaded(self, request: Request) -> LoadedModel:
        name = self._name or self._usual_name(request)
        return LoadedModel.shared(name, self.MODEL_CLASS, self.PROCESSOR_CLASS, self._arguments)

    def _usual_name(self, request: Request) -> str:
        return self.HUB_NAMES.get(request.model, request.model)

    def _key_of_weights(self, request: Request) -> dict[str, Any]:
        """Return what cache keys have beside HELM's: the weights, if they are not those that the class knows for the model."""
        is_other = self._name is not None and self._name != self._usual_name(request)
        name = {"pretrained_model_name_or_path": self._name} if is_other else {}
        return {**name, **key_of_arguments(self._arguments)}

    # --- what a subclass defines --------------------------------------------------------------------------------------

    def _generate(self, loaded: LoadedModel, parts: Sequence[MediaObject], request: Request, seed: int | None) -> str:
        """Return the model's answer to the parts of a prompt."""
        raise NotImplementedError

    def _generate_many(
        self, loaded: LoadedModel, parts: Sequence[MediaObject], request: Request, seed: int | None
    ) -> list[str]:
        """Return `num_completions` answers, if GIVES_MANY."""
        raise NotImplementedError

    def _why_refused(self, parts: Sequence[MediaObject]) -> str | None:
        """Return why the model cannot be asked with these parts, beyond their types; None if it can."""
        return None

    def _key(self, request: Request, prompt: str, index: int) -> dict[str, Any]:
        """Return HELM's cache key of the completion at an index."""
        return {
            "completion_index": index,
            "model": request.model,
            "prompt": prompt,
            self.LENGTH_KEY: request.max_tokens,
        }

    # --- the request's path -------------------------------------------------------------------------------------------

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
        except (SoundError, PictureError, OSError, ValueError) as e:
            return failed_result(f"{request.model_deployment}: {type(e).__name__}: {e}", MALFORMED)
        except RuntimeError as e:
            outcome = SERVER if "out of memory" in str(e).lower() else MALFORMED
            return failed_result(f"{request.model_deployment}: {type(e).__name__}: {e}", outcome)

    def _refusal(self, request: Request) -> str | None:
        taken = f"prompts with {self.MEDIA_WORD}" if self.MEDIA_TYPE is not None else "prompts"
        if request.messages:
            return f"this client takes {taken}, not messages"
        if request.echo_prompt:
            return "this client cannot repeat the prompt"
        parts = _parts(request)
        for part in parts:
            is_taken = self.MEDIA_TYPE is not None and part.is_type(self.MEDIA_TYPE) and part.is_local_file
            if not part.is_type(TEXT_TYPE) and not is_taken:
                files = f" and files with {self.MEDIA_WORD}" if self.MEDIA_TYPE is not None else ""
                return f"this model takes texts{files}, not {part.content_type} at {part.location}"
        return self._why_refused(parts)

    def _complete(self, request: Request) -> RequestResult:
        prompt = request.multimodal_prompt
        uid = generate_uid_for_multimodal_prompt(prompt) if prompt is not None else request.prompt
        completions: list[GeneratedOutput] = []
        cached, seconds, first_datetime = True, 0.0, None
        for index in range(1 if self.GIVES_MANY else request.num_completions):
            seed = request.seed_of(index)
            key = {**self._key(request, uid, index), **self._key_of_weights(request), **self._key_extras}
            if request.temperature > 0:  # HELM's keys have no parameters of sampling
                key.update(temperature=request.temperature, top_p=request.top_p, seed=seed)

            def compute(seed: int | None = seed) -> dict[str, Any]:
                loaded = self._loaded(request)
                with loaded.turn:
                    make = self._generate_many if self.GIVES_MANY else self._generate
                    return {"output": make(loaded, _parts(request), request, seed)}

            response, was_cached = self.cache.get(self.make_cache_key(key, request), wrap_request_time(compute))
            cached, seconds = cached and was_cached, seconds + response["request_time"]
            first_datetime = first_datetime or response["request_datetime"]
            for text in response["output"] if self.GIVES_MANY else [response["output"]]:
                tokens = [Token(text=word, logprob=0) for word in text.split()]
                output = GeneratedOutput(text=text, logprob=0, tokens=tokens)
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


class LocalChatClient(LocalMediaClient):
    """A model whose processor writes the conversation as text, and takes the media beside it."""

    SYSTEM: ClassVar[str | None] = None
    """The system message."""

    MEDIUM_KEY: ClassVar[str] = ""
    """The key of the path in a part with a medium."""

    def _conversation(self, parts: Sequence[MediaObject]) -> list[dict[str, Any]]:
        content = [
            {"type": "text", "text": part.text}
            if part.is_type(TEXT_TYPE)
            else {"type": self.MEDIA_TYPE, self.MEDIUM_KEY: part.location}
            for part in parts
        ]
        messages: list[dict[str, Any]] = [{"role": "user", "content": content}]
        if self.SYSTEM is not None:
            messages.insert(0, {"role": "system", "content": self.SYSTEM})
        return messages

    def _media_arguments(self, media: Sequence[MediaObject]) -> dict[str, Any]:
        """Return the processor's arguments for the media of a prompt, of which there is at least one."""
        raise NotImplementedError

    def _generate(self, loaded: LoadedModel, parts: Sequence[MediaObject], request: Request, seed: int | None) -> str:
        text = loaded.processor.apply_chat_template(
            self._conversation(parts), add_generation_prompt=True, tokenize=False
        )
        media = [part for part in parts if not part.is_type(TEXT_TYPE)]
        given = self._media_arguments(media) if media else {}
        inputs = loaded.processor(text=text, return_tensors="pt", padding=True, **given).to(loaded.model.device)
        output = loaded.model.generate(**inputs, max_new_tokens=request.max_tokens, **sampling_arguments(request, seed))
        new = output[0, inputs["input_ids"].shape[1] :]
        return loaded.processor.decode(new, skip_special_tokens=True, clean_up_tokenization_spaces=False)


def _parts(request: Request) -> Sequence[MediaObject]:
    if request.multimodal_prompt is not None:
        return request.multimodal_prompt.media_objects
    return [MediaObject("text/plain", text=request.prompt)]


def sampling_arguments(request: Request, seed: int | None) -> dict[str, Any]:
    """Return the arguments of `generate` for a request's temperature and top_p; seeds torch's generator if there is a seed."""
    if request.temperature <= 0:
        return {"do_sample": False}
    if seed is not None:
        import torch

        torch.manual_seed(seed)
    return {"do_sample": True, "temperature": request.temperature, "top_p": request.top_p}
