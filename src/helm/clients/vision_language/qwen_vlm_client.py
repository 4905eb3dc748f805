"""Qwen-VL and Qwen-VL-Chat of 2023, in this process."""

from collections.abc import Sequence
from typing import Any

from helm.clients.local_media_client import LoadedModel, sampling_arguments
from helm.clients.vision_language.local_vision_client import LocalVisionClient
from helm.common.media_object import TEXT_TYPE, MediaObject
from helm.common.request import Request


class QwenVLMClient(LocalVisionClient):
    """Qwen-VL and Qwen-VL-Chat, whose repositories on the hub have their own code: they need `trust_remote_code: true`.

    That code was written for versions 4 of `transformers`. The chat model's own settings decide how it draws, and how long its
    answers are, as in HELM. HELM counts the prompt of the other model among `max_tokens`; here only new tokens count. See
    LocalMediaClient.
    """

    HUB_NAMES = {"qwen/qwen-vl": "Qwen/Qwen-VL", "qwen/qwen-vl-chat": "Qwen/Qwen-VL-Chat"}
    MODEL_CLASS = "AutoModelForCausalLM"
    PROCESSOR_CLASS = "AutoTokenizer"
    LENGTH_KEY = "max_length"

    END_OF_TEXT_TOKEN = "<|endoftext|>"

    def _generate(self, loaded: LoadedModel, parts: Sequence[MediaObject], request: Request, seed: int | None) -> str:
        tokenizer: Any = loaded.processor
        query = tokenizer.from_list_format(
            [{"text": part.text} if part.is_type(TEXT_TYPE) else {"image": part.location} for part in parts]
        )
        if request.model.endswith("-chat"):
            answer, _ = loaded.model.chat(tokenizer, query=query, history=None)
            return answer
        inputs = tokenizer(query, return_tensors="pt").to(loaded.model.device)
        output = loaded.model.generate(**inputs, max_new_tokens=request.max_tokens, **sampling_arguments(request, seed))
        new = output[0, inputs["input_ids"].shape[1] :]
        return tokenizer.decode(new, skip_special_tokens=False).replace(self.END_OF_TEXT_TOKEN, "")
