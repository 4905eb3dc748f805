"""The class that some of HELM's deployments name for models of the Hugging Face hub."""

from typing import Any

from helm.clients.huggingface_client import HuggingFaceClient
from helm.common.cache import CacheConfig


class HuggingFacePipelineClient(HuggingFaceClient):
    """The same as HuggingFaceClient; its model defaults to the deployment's `model_name`."""

    def __init__(
        self,
        cache_config: CacheConfig | None,
        model_name: str,
        pretrained_model_name_or_path: str | None = None,
        apply_chat_template: bool | None = None,
        **kwargs: Any,
    ):
        super().__init__(
            cache_config,
            pretrained_model_name_or_path=pretrained_model_name_or_path or model_name,
            apply_chat_template=apply_chat_template,
            **kwargs,
        )
