"""Qwen-Audio-Chat of 2023, in this process."""

from collections.abc import Sequence

from helm.clients.audio_language.local_audio_client import LoadedModel, LocalAudioClient
from helm.common.media_object import TEXT_TYPE, MediaObject
from helm.common.request import Request


class QwenAudioLMClient(LocalAudioClient):
    """Qwen-Audio-Chat, whose repository on the hub has its own code: it needs `trust_remote_code: true`.

    That code was written for versions 4 of `transformers`. The model's own settings decide how it draws, and how long its
    answers are, as in HELM. See LocalMediaClient.
    """

    HUB_NAMES = {"qwen/qwen-audio-chat": "Qwen/Qwen-Audio-Chat"}
    MODEL_CLASS = "AutoModelForCausalLM"
    PROCESSOR_CLASS = "AutoTokenizer"

    def _generate(self, loaded: LoadedModel, parts: Sequence[MediaObject], request: Request, seed: int | None) -> str:
        query = loaded.processor.from_list_format(
            [{"text": part.text} if part.is_type(TEXT_TYPE) else {"audio": part.location} for part in parts]
        )
        answer, _ = loaded.model.chat(loaded.processor, query=query, history=None)
        return answer
