"""Whisper and other models that only transcribe, in this process."""

from collections.abc import Sequence
from typing import Any

from helm.clients.audio_language.local_audio_client import (
    SAMPLE_RATE,
    LoadedModel,
    LocalAudioClient,
    read_samples,
    sampling_arguments,
)
from helm.clients.protocols.openai_transcription import why_not_one_sound
from helm.common.cache import CacheConfig
from helm.common.media_object import TEXT_TYPE, MediaObject
from helm.common.request import Request
from helm.tokenizers.tokenizer import Tokenizer


class WhisperClient(LocalAudioClient):
    """Transcribes the one sound of a prompt with a model for speech recognition. See LocalMediaClient.

    Args:
        cache_config: where responses are cached.
        tokenizer: not needed; HELM passes it.
        pretrained_model_name_or_path: the name on the hub, or a folder; None means the deployment's model.
        ignores_texts: whether texts beside the sound, such as the instruction to transcribe it, are left out. Otherwise such
            prompts are refused, since these models cannot read.
        language: the language that is spoken, for models that take one; None lets the model find out.
        kwargs: see LocalMediaClient.
    """

    MODEL_CLASS = "AutoModelForSpeechSeq2Seq"

    def __init__(
        self,
        cache_config: CacheConfig | None,
        tokenizer: Tokenizer | None = None,
        pretrained_model_name_or_path: str | None = None,
        ignores_texts: bool = False,
        language: str | None = None,
        **kwargs: Any,
    ):
        super().__init__(cache_config, tokenizer, pretrained_model_name_or_path, **kwargs)
        self._ignores_texts = ignores_texts
        self._key_extras = {"language": language} if language else {}

    def _why_refused(self, parts: Sequence[MediaObject]) -> str | None:
        return why_not_one_sound(parts, self._ignores_texts)

    def _generate(self, loaded: LoadedModel, parts: Sequence[MediaObject], request: Request, seed: int | None) -> str:
        (sound,) = [read_samples(part) for part in parts if not part.is_type(TEXT_TYPE)]
        inputs = loaded.processor(sound, sampling_rate=SAMPLE_RATE, return_tensors="pt").to(loaded.model.device)
        output = loaded.model.generate(
            **inputs, max_new_tokens=request.max_tokens, **self._key_extras, **sampling_arguments(request, seed)
        )
        return loaded.processor.batch_decode(output, skip_special_tokens=True)[0].strip()
