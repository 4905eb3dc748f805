"""Idefics2 and models like it, in this process."""

from collections.abc import Sequence

from helm.clients.local_media_client import LoadedModel, sampling_arguments
from helm.clients.vision_language.local_vision_client import VisionBatchClient, new_texts, pictures_of
from helm.common.media_object import TEXT_TYPE, MediaObject
from helm.common.request import Request


class HuggingFaceVision2SeqClient(VisionBatchClient):
    """Chat models such as Idefics2, asked for all completions at once; see LocalMediaClient.

    The answer is what the model adds to the prompt. HELM takes what follows the last `Assistant:`, which is the same unless
    the model writes that itself.
    """

    def _generate_many(
        self, loaded: LoadedModel, parts: Sequence[MediaObject], request: Request, seed: int | None
    ) -> list[str]:
        content = [
            {"type": "text", "text": part.text} if part.is_type(TEXT_TYPE) else {"type": "image"} for part in parts
        ]
        prompt = loaded.processor.apply_chat_template(
            [{"role": "user", "content": content}], add_generation_prompt=True, tokenize=False
        )
        pictures, number = pictures_of(parts), request.num_completions
        images = {"images": [pictures] * number} if pictures else {}
        inputs = loaded.processor(text=[prompt] * number, return_tensors="pt", **images).to(loaded.model.device)
        output = loaded.model.generate(**inputs, max_new_tokens=request.max_tokens, **sampling_arguments(request, seed))
        return new_texts(loaded, inputs, output)
