"""Diffusion models that run in this process, with the package `diffusers`."""

import io
import json
import threading
from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

from helm.clients.client import CachingClient, failed_result
from helm.clients.image_generation.image_generation_client_utils import picture_output
from helm.clients.image_generation.image_making_client import find_picture, keep_picture
from helm.common.cache import CacheConfig
from helm.common.errors import ConfigError
from helm.common.file_caches.file_cache import FileCache
from helm.common.hierarchical_logger import htrack_block
from helm.common.image_generation_parameters import ImageGenerationParameters
from helm.common.key_value_store import request_to_key
from helm.common.optional_dependencies import needs_extra
from helm.common.request import (
    EMBEDDING_UNAVAILABLE_REQUEST_RESULT,
    OK,
    REFUSED,
    SERVER,
    Request,
    RequestResult,
    wrap_request_time,
)
from helm.common.request_options import SEED

_models_lock = threading.Lock()
_models: dict[str, "LoadedPipeline"] = {}
"""The pipelines of this process by name and arguments."""

_PROMPTIST = "promptist-stable-diffusion-v1-4"
_PROMPTIST_MODEL, _PROMPTIST_TOKENIZER = "microsoft/Promptist", "gpt2"
_REPHRASE = " Rephrase:"

_FIELDS = {
    "guidance_scale": "guidance_scale",
    "diffusion_denoising_steps": "num_inference_steps",
    "output_image_width": "width",
    "output_image_height": "height",
}
"""Maps a request's parameters to the arguments of pipelines, in the order in which HELM's keys have them."""

_BLACKED_OUT = "the pipeline's own filter blacked the picture out"


class LoadedPipeline:
    """A pipeline, used by one request at a time."""

    def __init__(self, pipeline: Any):
        self.pipeline = pipeline
        self.turn = threading.Lock()


class HuggingFaceDiffusersClient(CachingClient):
    """Makes pictures with a pipeline of `diffusers` in this process, one for each call.

    As in HELM, pictures are drawn from the process's random state unless the request's options have a seed; what a pipeline's
    own filter withholds is a black picture.

    Args:
        hf_auth_token: the token for models that require one.
        cache_config: where answers are cached.
        file_cache: where pictures are stored.
        pretrained_model_name_or_path: the name on the hub, or a folder; None means the name that this class knows for the
            deployment's model, or else the model's name.
        device: where it runs; None means CUDA if available, else the CPU.
        kwargs: further arguments of `from_pretrained`, such as `revision`, `variant`, `torch_dtype` (a name like `bfloat16`;
            float16 on CUDA and float32 elsewhere by default).
    """

    HUB_NAMES: ClassVar[Mapping[str, str]] = {
        "stable-diffusion-v1-4": "CompVis/stable-diffusion-v1-4",
        _PROMPTIST: "CompVis/stable-diffusion-v1-4",
        "stable-diffusion-v1-5": "runwayml/stable-diffusion-v1-5",
        "stable-diffusion-v2-base": "stabilityai/stable-diffusion-2-base",
        "stable-diffusion-v2-1-base": "stabilityai/stable-diffusion-2-1-base",
        "dreamlike-diffusion-v1-0": "dreamlike-art/dreamlike-diffusion-1.0",
        "dreamlike-photoreal-v2-0": "dreamlike-art/dreamlike-photoreal-2.0",
        "openjourney-v1-0": "prompthero/openjourney",
        "openjourney-v2-0": "prompthero/openjourney-v2",
        "redshift-diffusion": "nitrosocke/redshift-diffusion",
        "vintedois-diffusion-v0-1": "22h/vintedois-diffusion-v0-1",
        "SSD-1B": "segmind/SSD-1B",
        **{
            f"stable-diffusion-safe-{level}": "AIML-TUDA/stable-diffusion-safe"
            for level in ("weak", "medium", "strong", "max")
        },
    }
    """Names on the hub by the second part of the models' names; other models have their own."""

    PROMPT_PREFIXES: ClassVar[Mapping[str, str]] = {
        "openjourney-v1-0": "mdjrny-v4 style ",
        "redshift-diffusion": "redshift style ",
    }
    """What a model's prompts begin with, because it was trained with that."""

    # From the paper on Safe Latent Diffusion.
    SAFETY_ARGUMENTS: ClassVar[Mapping[str, Mapping[str, float]]] = {
        "stable-diffusion-safe-weak": {
            "sld_warmup_steps": 15, "sld_guidance_scale": 20, "sld_threshold": 0.0, "sld_momentum_scale": 0.0,
            "sld_mom_beta": 0.0,
        },
        "stable-diffusion-safe-medium": {
            "sld_warmup_steps": 10, "sld_guidance_scale": 1000, "sld_threshold": 0.01, "sld_momentum_scale": 0.3,
            "sld_mom_beta": 0.4,
        },
        "stable-diffusion-safe-strong": {
            "sld_warmup_steps": 7, "sld_guidance_scale": 2000, "sld_threshold": 0.025, "sld_momentum_scale": 0.5,
            "sld_mom_beta": 0.7,
        },
        "stable-diffusion-safe-max": {
            "sld_warmup_steps": 0, "sld_guidance_scale": 5000, "sld_threshold": 1.0, "sld_momentum_scale": 0.5,
            "sld_mom_beta": 0.7,
        },
    }  # fmt: skip

    takes_options = frozenset((SEED,))
    useful_concurrency = 1

    def __init__(
        self,
        hf_auth_token: str | None,
        cache_config: CacheConfig,
        file_cache: FileCache,
        pretrained_model_name_or_path: str | None = None,
        device: str | None = None,
        **kwargs: Any,
    ):
        super().__init__(cache_config)
        self.file_cache = file_cache
        self._token = hf_auth_token
        self._name = pretrained_model_name_or_path
        self._device = device
        self._arguments = kwargs

    # --- the pipeline -------------------------------------------------------------------------------------------------

    def _get_diffuser(self, request: Request) -> LoadedPipeline:
        """Return the pipeline of a request's model, which is loaded once in a process."""
        name = self._name or self.HUB_NAMES.get(request.model_engine, request.model)
        key = json.dumps([name, self._device, self._arguments], sort_keys=True, default=str)
        with _models_lock:
            if key not in _models:
                with htrack_block(f"Loading the model {name}"):
                    _models[key] = LoadedPipeline(self._load(name))
            return _models[key]

    def _load(self, name: str) -> Any:
        with needs_extra("image-generation"):
            import torch
            from diffusers import DiffusionPipeline
        device = self._device or ("cuda" if torch.cuda.is_available() else "cpu")
        arguments = dict(self._arguments)
        dtype = arguments.pop("torch_dtype", None) or ("float16" if device.startswith("cuda") else "float32")
        pipeline = DiffusionPipeline.from_pretrained(
            name, torch_dtype=getattr(torch, dtype), token=self._token, **arguments
        )
        return pipeline.to(device)

    # --- requests -----------------------------------------------------------------------------------------------------

    def make_request(self, request: Request) -> RequestResult:
        if request.embedding:
            return EMBEDDING_UNAVAILABLE_REQUEST_RESULT
        refusal = self.why_not(request)
        if refusal is None and (request.messages or request.multimodal_prompt is not None):
            refusal = f"{request.model_deployment}: a model that makes pictures takes a text, not messages or media"
        if refusal is not None:
            return failed_result(f"{refusal}.", REFUSED)
        raw = self._raw_request(request)
        key = self.make_cache_key(raw, request)
        if self._name is not None:
            key["pretrained_model_name_or_path"] = self._name
        if self._arguments:
            key["arguments"] = {name: str(value) for name, value in self._arguments.items()}
        seed = request.seed_of(0)
        if seed is not None:
            key["seed"] = seed
        try:
            response, cached = self.cache.get(
                key, wrap_request_time(lambda: self._make(request, raw, key)), is_answer=self._is_answer
            )
        except ConfigError:
            raise
        except (RuntimeError, OSError, ValueError) as e:
            return self._failed(request, e)
        withheld = response.get("withheld") or []
        return RequestResult(
            success=True,
            cached=cached,
            request_time=response["request_time"],
            request_datetime=response.get("request_datetime"),
            completions=[
                picture_output(
                    find_picture(self.file_cache, path) or path,
                    finish_reason=_BLACKED_OUT if index in withheld else None,
                )
                for index, path in enumerate(response["file_locations"])
            ],
            embedding=[],
            outcome=OK,
        )

    def _raw_request(self, request: Request) -> dict[str, Any]:
        parameters = request.image_generation_parameters or ImageGenerationParameters()
        raw: dict[str, Any] = {
            "model": request.model_engine,
            "n": request.num_completions,
            "prompt": request.prompt,
            "num_images_per_prompt": 1,
        }
        for name, field in _FIELDS.items():
            value = getattr(parameters, name)
            if value is not None:
                raw[field] = value
        return {**raw, **self.SAFETY_ARGUMENTS.get(request.model_engine, {})}

    def _is_answer(self, response: Mapping[str, Any]) -> bool:
        paths = response.get("file_locations")
        return isinstance(paths, list) and bool(paths) and all(find_picture(self.file_cache, path) for path in paths)

    def _make(self, request: Request, raw: Mapping[str, Any], key: Mapping[str, Any]) -> dict[str, Any]:
        """Make the pictures of a request, and return the answer to cache."""
        loaded = self._get_diffuser(request)
        arguments = {name: value for name, value in raw.items() if name not in ("model", "n")}
        answer: dict[str, Any] = {}
        if request.model_engine == _PROMPTIST:
            arguments["prompt"] = answer["promptist_prompt"] = self._generate_promptist_prompt(request.prompt)
        arguments["prompt"] = self.PROMPT_PREFIXES.get(request.model_engine, "") + arguments["prompt"]
        text = request_to_key(key) if self.cache.is_enabled else None
        paths: list[str] = []
        withheld: list[int] = []
        for index in range(request.num_completions):
            with loaded.turn:
                made = loaded.pipeline(**arguments, **_generator(request.seed_of(index)))
            stream = io.BytesIO()
            made.images[0].save(stream, format="PNG")
            paths.append(keep_picture(self.file_cache, stream.getvalue(), text, index))
            if any(getattr(made, "nsfw_content_detected", None) or []):
                withheld.append(index)
        return {**answer, "file_locations": paths, **({"withheld": withheld} if withheld else {})}

    def _failed(self, request: Request, error: Exception) -> RequestResult:
        message = f"{type(self).__name__} error: {error}"
        if isinstance(error, OSError):
            name = self._name or self.HUB_NAMES.get(request.model_engine, request.model)
            message += f" The files of {name} may be elsewhere now: pretrained_model_name_or_path of the deployment names them."
        return failed_result(message, SERVER if "out of memory" in str(error).lower() else REFUSED)

    # --- Promptist ----------------------------------------------------------------------------------------------------

    @cached_property
    def _promptist(self) -> tuple[Any, Any]:
        with needs_extra("image-generation"):
            from transformers import AutoModelForCausalLM, AutoTokenizer
        model = AutoModelForCausalLM.from_pretrained(_PROMPTIST_MODEL)
        tokenizer = AutoTokenizer.from_pretrained(_PROMPTIST_TOKENIZER)
        tokenizer.pad_token = tokenizer.eos_token
        tokenizer.padding_side = "left"
        return model, tokenizer

    def _generate_promptist_prompt(self, prompt: str) -> str:
        """Return the prompt as Promptist rewrites it, or the prompt itself if nothing comes of that."""
        model, tokenizer = self._promptist
        question = prompt.strip() + _REPHRASE
        tokens = tokenizer(question, return_tensors="pt").input_ids
        outputs = model.generate(
            tokens,
            do_sample=False,
            max_new_tokens=75,
            num_beams=8,
            num_return_sequences=8,
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.eos_token_id,
            length_penalty=-1.0,
        )
        for text in tokenizer.batch_decode(outputs, skip_special_tokens=True):
            rewritten = text.replace(question, "").strip()
            if rewritten:
                return rewritten
        return prompt


def _generator(seed: int | None) -> dict[str, Any]:
    """Return the argument that makes a picture repeatable, on every device alike."""
    if seed is None:
        return {}
    import torch

    return {"generator": torch.Generator("cpu").manual_seed(seed)}
