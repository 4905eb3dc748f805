"""Models in the format of LitGPT, run in this process by its package."""

import os
from collections.abc import Sequence
from typing import Any

from helm.clients.local_media_client import LoadedModel, LocalMediaClient
from helm.common.cache import CacheConfig
from helm.common.errors import ConfigError
from helm.common.media_object import MediaObject
from helm.common.request import Request
from helm.tokenizers.tokenizer import Tokenizer


class _LoadedLitGPT(LoadedModel):
    """A model of LitGPT's, which has its tokenizer inside."""

    def _load_processor(self) -> Any:
        return None

    def _load_model(self) -> Any:
        try:
            from litgpt import LLM
        except ImportError as e:
            raise ConfigError(f"{self.name}: models of LitGPT need its package ({e}): pip install litgpt") from e
        model = LLM.load(self.name, distribute=None)
        model.distribute(**self._arguments)
        return model


class LitGPTClient(LocalMediaClient):
    """Asks a checkpoint of LitGPT, which writes the prompt in the style that the checkpoint's folder names.

    A temperature of 0 means greedy decoding. LitGPT reads weights with pickle, so use only checkpoints that you trust.

    Args:
        tokenizer: not needed; HELM passes it.
        tokenizer_name: not needed; HELM passes it.
        cache_config: where responses are cached.
        checkpoint_dir: the folder of the checkpoint, with `lit_model.pth` and `model_config.yaml`.
        precision: as in Lightning's Fabric, for example `bf16-true` or `32-true`.
        device: `cpu`, `cuda`, `mps` or `auto`.
        devices: how many devices are used.
        strategy: how a model is spread over devices, `sequential` or `tensor_parallel`; `auto` does not spread it.
        quantize: such as `bnb.nf4`; None does not quantize.
    """

    def __init__(
        self,
        tokenizer: Tokenizer | None = None,
        tokenizer_name: str | None = None,
        cache_config: CacheConfig | None = None,
        checkpoint_dir: str = "",
        precision: str = "bf16-true",
        device: str = "auto",
        devices: int = 1,
        strategy: str = "auto",
        quantize: str | None = None,
    ):
        super().__init__(cache_config)
        self._checkpoint_dir = checkpoint_dir
        self._arguments = {
            "accelerator": device,
            "devices": devices,
            "precision": precision,
            "quantize": quantize,
            "generate_strategy": None if strategy == "auto" else strategy,
        }
        self._key_extras = {"checkpoint_dir": checkpoint_dir, "precision": precision, "quantize": quantize}

    def _loaded(self, request: Request) -> LoadedModel:
        if not os.path.isfile(os.path.join(self._checkpoint_dir, "lit_model.pth")):
            raise ConfigError(
                f"{request.model_deployment}: args of the deployment must name the folder of a LitGPT checkpoint as "
                f"checkpoint_dir; there is no lit_model.pth in '{self._checkpoint_dir}'. `litgpt download NAME` makes one."
            )
        return _LoadedLitGPT.shared(self._checkpoint_dir, "", "", self._arguments)

    def _generate(self, loaded: LoadedModel, parts: Sequence[MediaObject], request: Request, seed: int | None) -> str:
        model = loaded.model
        is_greedy = request.temperature <= 0
        if seed is not None and not is_greedy:
            import torch

            torch.manual_seed(seed)
        sampling = {"top_k": 1} if is_greedy else {"temperature": request.temperature, "top_p": request.top_p}
        prompt = "".join(str(part.text) for part in parts)
        return model.generate(prompt, max_new_tokens=request.max_tokens, **sampling)
