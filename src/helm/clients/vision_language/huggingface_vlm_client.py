"""LLaVA and models like it, in this process."""

from collections.abc import Sequence
from typing import Any

from helm.clients.local_media_client import LoadedModel, sampling_arguments
from helm.clients.vision_language.local_vision_client import LocalVisionClient, new_texts, pictures_of, texts_of
from helm.common.media_object import TEXT_TYPE, MediaObject
from helm.common.request import Request


class HuggingFaceVLMClient(LocalVisionClient):
    """LLaVA, BakLLaVA and Prometheus-Vision, asked about one picture or none; see LocalMediaClient.

    `<image>` stands for the picture in the prompt. Where no text has it, it is put in the picture's place. HELM gives one
    completion however many are wanted; here there are as many as are wanted.
    """

    HUB_NAMES = {
        "microsoft/llava-1.5-7b-hf": "llava-hf/llava-1.5-7b-hf",
        "microsoft/llava-1.5-13b-hf": "llava-hf/llava-1.5-13b-hf",
        "mistralai/bakLlava-v1-hf": "llava-hf/bakLlava-v1-hf",
        "uw-madison/llava-v1.6-vicuna-7b-hf": "llava-hf/llava-v1.6-vicuna-7b-hf",
        "uw-madison/llava-v1.6-vicuna-13b-hf": "llava-hf/llava-v1.6-vicuna-13b-hf",
        "uw-madison/llava-v1.6-mistral-7b-hf": "llava-hf/llava-v1.6-mistral-7b-hf",
        "uw-madison/llava-v1.6-34b-hf": "llava-hf/llava-v1.6-34b-hf",
        "kaistai/prometheus-vision-13b-v1.0-hf": "PahaII/prometheus-vision-13b-v1.0-hf",
    }

    PLACEHOLDER = "<image>"
    ASSISTANT = "ASSISTANT: "
    """Begins a turn of the model's; an answer ends where the model begins another one."""

    def _key(self, request: Request, prompt: str, index: int) -> dict[str, Any]:
        key = {"model": request.model, "prompt": prompt, self.LENGTH_KEY: request.max_tokens}
        return {**key, "completion_index": index} if index else key

    def _why_refused(self, parts: Sequence[MediaObject]) -> str | None:
        texts = texts_of(parts)
        number, places = len(parts) - len(texts), sum(text.count(self.PLACEHOLDER) for text in texts)
        if number > 1:
            return f"this model takes one picture, not {number}"
        if places in (0, number):
            return None
        times, pictures = "time" if places == 1 else "times", "picture" if number == 1 else "pictures"
        return f"the texts hold {self.PLACEHOLDER} {places} {times}, for {number} {pictures}"

    def _prompt(self, parts: Sequence[MediaObject]) -> str:
        texts = texts_of(parts)
        if not any(self.PLACEHOLDER in text for text in texts):
            texts = [str(part.text) if part.is_type(TEXT_TYPE) else self.PLACEHOLDER for part in parts]
        return "".join(f"\n{text}" for text in texts)

    def _generate(self, loaded: LoadedModel, parts: Sequence[MediaObject], request: Request, seed: int | None) -> str:
        pictures = pictures_of(parts)
        images = {"images": pictures} if pictures else {}
        inputs = loaded.processor(text=[self._prompt(parts)], return_tensors="pt", **images).to(loaded.model.device)
        output = loaded.model.generate(**inputs, max_new_tokens=request.max_tokens, **sampling_arguments(request, seed))
        (text,) = new_texts(loaded, inputs, output)
        return text.removeprefix(" ").partition(self.ASSISTANT)[0]
