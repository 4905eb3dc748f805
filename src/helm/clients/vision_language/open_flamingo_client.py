"""OpenFlamingo, in this process, with its authors' package of 2023."""

from collections.abc import Sequence
from typing import Any

from helm.clients.local_media_client import LoadedModel, sampling_arguments
from helm.clients.vision_language.local_vision_client import VisionBatchClient, pictures_of
from helm.common.cache import CacheConfig
from helm.common.errors import ConfigError
from helm.common.media_object import TEXT_TYPE, MediaObject
from helm.common.request import Request

CHECKPOINT = "checkpoint.pt"
"""The file with the weights in a repository of OpenFlamingo's."""

_TOKENIZERS_OF_HELM = ("anas-awadalla/mpt-7b", "anas-awadalla-2/mpt-7b")
"""Two names of one model, neither of which is in HELM's cache keys."""


class _LoadedFlamingo(LoadedModel):
    """A model, and for its processor the pair of the transformation of pictures and the tokenizer."""

    def _load_processor(self) -> Any:
        try:
            from open_flamingo import create_model_and_transforms
        except ImportError as e:
            raise ConfigError(
                f"{self.name}: OpenFlamingo needs the package open_flamingo ({e}). Its last version, of 2023, needs torch 2.0.1: "
                "pip install open_flamingo in an environment of its own, with Python 3.11."
            ) from e
        tokenizer_name = self._arguments["tokenizer_name"]
        self._flamingo, transform, tokenizer = create_model_and_transforms(
            clip_vision_encoder_path="ViT-L-14",
            clip_vision_encoder_pretrained="openai",
            lang_encoder_path=tokenizer_name,
            tokenizer_path=tokenizer_name,
            cross_attn_every_n_layers=self._arguments["cross_attn_every_n_layers"],
        )
        tokenizer.padding_side = "left"
        return transform, tokenizer

    def _load_model(self) -> Any:
        import os

        import torch
        from huggingface_hub import hf_hub_download

        _ = self.processor  # makes the model without its weights
        is_folder = os.path.isdir(self.name)
        path = os.path.join(self.name, CHECKPOINT) if is_folder else hf_hub_download(self.name, CHECKPOINT)
        self._flamingo.load_state_dict(torch.load(path, map_location="cpu", weights_only=True), strict=False)
        device = self._arguments.get("device") or ("cuda:0" if torch.cuda.is_available() else "cpu")
        return self._flamingo.to(device).eval()


class OpenFlamingoClient(VisionBatchClient):
    """OpenFlamingo, whose language model brings its own code: it needs `trust_remote_code: true`.

    Several completions come from as many beams, as in HELM. The answer is what the model adds to the prompt.

    Args:
        cache_config: where responses are cached.
        checkpoint_path: the name on the hub of the weights, or a folder.
        tokenizer_name: the name on the hub of the language model and its tokenizer.
        cross_attn_every_n_layers: how many layers of the language model lie between those that look at pictures.
        trust_remote_code: whether the code in the language model's repository may run, with all rights of the user.
        device: where the model is; None means CUDA if available.
    """

    END_OF_CHUNK_TOKEN = "<|endofchunk|>"
    IMAGE_TOKEN = "<image>"

    def __init__(
        self,
        cache_config: CacheConfig | None,
        checkpoint_path: str | None = None,
        tokenizer_name: str | None = None,
        cross_attn_every_n_layers: int = 4,
        trust_remote_code: bool = False,
        device: str | None = None,
    ):
        super().__init__(cache_config)
        self._checkpoint = checkpoint_path
        self._trusts_code = trust_remote_code
        self._tokenizer_name, self._num_layers = tokenizer_name, cross_attn_every_n_layers
        self._arguments = {
            "tokenizer_name": tokenizer_name,
            "cross_attn_every_n_layers": cross_attn_every_n_layers,
            "device": device,
        }

    def _key_of_weights(self, request: Request) -> dict[str, Any]:
        own = {
            "checkpoint_path": None if self._checkpoint == request.model else self._checkpoint,
            "tokenizer_name": None if self._tokenizer_name in _TOKENIZERS_OF_HELM else self._tokenizer_name,
            "cross_attn_every_n_layers": None if self._num_layers == 4 else self._num_layers,
        }
        return {name: value for name, value in own.items() if value is not None}

    def _loaded(self, request: Request) -> LoadedModel:
        if not self._checkpoint or not self._arguments["tokenizer_name"]:
            raise ConfigError(
                f"{request.model_deployment}: OpenFlamingo needs checkpoint_path and tokenizer_name in args of the deployment."
            )
        if not self._trusts_code:
            raise ConfigError(
                f"{request.model_deployment}: the language model of OpenFlamingo brings its own code. If you trust it, give "
                "trust_remote_code: true in args of the deployment; the code then runs with all rights of the user."
            )
        return _LoadedFlamingo.shared(self._checkpoint, "", "", self._arguments)

    def _why_refused(self, parts: Sequence[MediaObject]) -> str | None:
        has_picture = any(not part.is_type(TEXT_TYPE) for part in parts)
        return None if has_picture else "this model needs at least one picture"

    def _generate_many(
        self, loaded: LoadedModel, parts: Sequence[MediaObject], request: Request, seed: int | None
    ) -> list[str]:
        import torch

        model, (transform, tokenizer) = loaded.model, loaded.processor
        # One prompt, its pictures, one frame each.
        pictures = torch.stack([transform(picture) for picture in pictures_of(parts)])[None, :, None]
        prompt = "".join(str(part.text) if part.is_type(TEXT_TYPE) else self.IMAGE_TOKEN for part in parts)
        inputs = tokenizer([prompt], return_tensors="pt")
        is_greedy = request.temperature <= 0
        device = next(model.parameters()).device
        output = model.generate(
            vision_x=pictures.to(device),
            lang_x=inputs["input_ids"].to(device),
            attention_mask=inputs["attention_mask"].to(device),
            max_new_tokens=request.max_tokens,
            num_beams=request.num_completions,
            num_return_sequences=request.num_completions,
            **({} if is_greedy else sampling_arguments(request, seed)),
        )
        length = inputs["input_ids"].shape[1]
        return [tokenizer.decode(row[length:]).replace(self.END_OF_CHUNK_TOKEN, "").strip() for row in output]
