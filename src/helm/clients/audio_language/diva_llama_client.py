"""DiVA Llama 3, in this process."""

from collections.abc import Sequence

from helm.clients.audio_language.local_audio_client import LoadedModel, LocalAudioClient, read_samples
from helm.common.media_object import TEXT_TYPE, MediaObject
from helm.common.request import Request


class DivaLlamaClient(LocalAudioClient):
    """DiVA Llama 3, whose repository on the hub has its own code: it needs `trust_remote_code: true`.

    A prompt has exactly one sound and at most one text. HELM fails where an instruction and a question make two texts; here
    texts that follow each other become one, with a line break between them. See LocalMediaClient.
    """

    HUB_NAMES = {"stanford/diva-llama": "WillHeld/DiVA-llama-3-v0-8b"}
    MODEL_CLASS = "AutoModel"
    PROCESSOR_CLASS = "AutoConfig"  # the model brings its own tokenizer

    def _why_refused(self, parts: Sequence[MediaObject]) -> str | None:
        number = sum(not part.is_type(TEXT_TYPE) for part in parts)
        return None if number == 1 else f"this model takes exactly one sound, not {number}"

    def _generate(self, loaded: LoadedModel, parts: Sequence[MediaObject], request: Request, seed: int | None) -> str:
        (sound,) = [read_samples(part) for part in parts if not part.is_type(TEXT_TYPE)]
        texts = [str(part.text) for part in parts if part.is_type(TEXT_TYPE)]
        answers = loaded.model.generate([sound], ["\n".join(texts)]) if texts else loaded.model.generate([sound])
        return answers[0]
