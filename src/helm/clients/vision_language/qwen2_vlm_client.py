"""Qwen2-VL and Qwen2.5-VL, in this process."""

from helm.clients.vision_language.chat_vision_client import ChatVisionClient


class Qwen2VLMClient(ChatVisionClient):
    """Qwen2-VL-Instruct and Qwen2.5-VL-Instruct; see LocalMediaClient.

    The processor resizes pictures, for which HELM has the package qwen_vl_utils. HELM always asks for flash attention;
    here that is `attn_implementation: flash_attention_2`.
    """

    HUB_NAMES = {
        "qwen/qwen2-vl-7b-instruct": "Qwen/Qwen2-VL-7B-Instruct",
        "qwen/qwen2-vl-72b-instruct": "Qwen/Qwen2-VL-72B-Instruct",
        "qwen/qwen2.5-vl-3b-instruct": "Qwen/Qwen2.5-VL-3B-Instruct",
        "qwen/qwen2.5-vl-7b-instruct": "Qwen/Qwen2.5-VL-7B-Instruct",
        "qwen/qwen2.5-vl-32b-instruct": "Qwen/Qwen2.5-VL-32B-Instruct",
        "qwen/qwen2.5-vl-72b-instruct": "Qwen/Qwen2.5-VL-72B-Instruct",
    }
