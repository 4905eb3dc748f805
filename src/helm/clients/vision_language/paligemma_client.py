"""PaliGemma, in this process."""

from collections.abc import Sequence
from typing import Any

from helm.clients.local_media_client import LoadedModel, sampling_arguments
from helm.clients.vision_language.local_vision_client import LocalVisionClient, new_texts, pictures_of, texts_of
from helm.common.media_object import TEXT_TYPE, MediaObject
from helm.common.request import Request


class PaliGemmaClient(LocalVisionClient):
    """PaliGemma, which reads all pictures of a prompt before its texts; see LocalMediaClient."""

    MODEL_CLASS = "PaliGemmaForConditionalGeneration"

    def _key(self, request: Request, prompt: str, index: int) -> dict[str, Any]:
        return {
            "n": request.num_completions,
            "i": index,
            "model": request.model,
            "prompt": prompt,
            self.LENGTH_KEY: request.max_tokens,
        }

    def _why_refused(self, parts: Sequence[MediaObject]) -> str | None:
        has_picture = any(not part.is_type(TEXT_TYPE) for part in parts)
        return None if has_picture else "this model needs at least one picture"

    def _generate(self, loaded: LoadedModel, parts: Sequence[MediaObject], request: Request, seed: int | None) -> str:
        pictures = pictures_of(parts)
        images: Sequence[Any] = pictures if len(pictures) == 1 else [pictures]  # one list for each prompt
        inputs = loaded.processor(text="\n".join(texts_of(parts)), images=images, return_tensors="pt")
        inputs.pop("labels", None)  # for training
        inputs = inputs.to(loaded.model.device)
        output = loaded.model.generate(**inputs, max_new_tokens=request.max_tokens, **sampling_arguments(request, seed))
        (text,) = new_texts(loaded, inputs, output)
        return text
