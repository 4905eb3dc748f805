"""Chat models that hear, for which the processor writes the conversation as text and the sounds are given beside it."""

from collections.abc import Sequence
from typing import Any, ClassVar

from helm.clients.audio_language.local_audio_client import (
    SAMPLE_RATE,
    LoadedModel,
    LocalAudioClient,
    read_samples,
    sampling_arguments,
)
from helm.common.media_object import TEXT_TYPE, MediaObject
from helm.common.request import Request


class ChatAudioClient(LocalAudioClient):
    """Any model of the hub for sounds and texts whose processor has a chat template; see LocalAudioClient."""

    SYSTEM: ClassVar[str | None] = None
    """The system message."""

    SOUND_KEY: ClassVar[str] = "audio"
    """The key of the path in a part with a sound."""

    def _conversation(self, parts: Sequence[MediaObject]) -> list[dict[str, Any]]:
        content = [
            {"type": "text", "text": part.text}
            if part.is_type(TEXT_TYPE)
            else {"type": "audio", self.SOUND_KEY: part.location}
            for part in parts
        ]
        messages: list[dict[str, Any]] = [{"role": "user", "content": content}]
        if self.SYSTEM is not None:
            messages.insert(0, {"role": "system", "content": self.SYSTEM})
        return messages

    def _generate(self, loaded: LoadedModel, parts: Sequence[MediaObject], request: Request, seed: int | None) -> str:
        text = loaded.processor.apply_chat_template(
            self._conversation(parts), add_generation_prompt=True, tokenize=False
        )
        sounds = [read_samples(part) for part in parts if not part.is_type(TEXT_TYPE)]
        heard = {"audio": sounds, "sampling_rate": SAMPLE_RATE} if sounds else {}
        inputs = loaded.processor(text=text, return_tensors="pt", padding=True, **heard).to(loaded.model.device)
        output = loaded.model.generate(**inputs, max_new_tokens=request.max_tokens, **sampling_arguments(request, seed))
        new = output[0, inputs["input_ids"].shape[1] :]
        return loaded.processor.decode(new, skip_special_tokens=True, clean_up_tokenization_spaces=False)
