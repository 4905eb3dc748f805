"""IDEFICS of 2023, in this process."""

from collections.abc import Sequence
from typing import Any

from helm.clients.local_media_client import LoadedModel, sampling_arguments
from helm.clients.vision_language.local_vision_client import VisionBatchClient, new_texts, read_picture
from helm.common.media_object import TEXT_TYPE, MediaObject
from helm.common.request import Request


class IDEFICSClient(VisionBatchClient):
    """IDEFICS, whose prompts are lists of texts and pictures; see LocalMediaClient.

    The answer is what the model adds to the prompt. HELM takes what follows the last `Assistant: ` or, if the model has
    learned no conversations, what follows as many characters as the prompt's texts have.
    """

    MODEL_CLASS = "IdeficsForVisionText2Text"

    END_OF_UTTERANCE_TOKEN = "<end_of_utterance>"
    BAD_WORD_TOKENS = ["<image>", "<fake_token_around_image>"]
    """Tokens that stand for pictures, which the model must not write."""

    def _key(self, request: Request, prompt: str, index: int) -> dict[str, Any]:
        return {**super()._key(request, prompt, index), **self._token_arguments(self._loaded(request), request)}

    def _token_arguments(self, loaded: LoadedModel, request: Request) -> dict[str, Any]:
        """Return the arguments of `generate` that hold ids of tokens, which are part of HELM's cache keys."""
        tokenizer = loaded.processor.tokenizer
        arguments = {"bad_words_ids": tokenizer(self.BAD_WORD_TOKENS, add_special_tokens=False).input_ids}
        if self.END_OF_UTTERANCE_TOKEN in request.stop_sequences:
            arguments["eos_token_id"] = tokenizer(self.END_OF_UTTERANCE_TOKEN, add_special_tokens=False).input_ids
        return arguments

    def _generate_many(
        self, loaded: LoadedModel, parts: Sequence[MediaObject], request: Request, seed: int | None
    ) -> list[str]:
        prompt = [part.text if part.is_type(TEXT_TYPE) else read_picture(part) for part in parts]
        ends_turns = {}
        if self.END_OF_UTTERANCE_TOKEN in request.stop_sequences:  # the prompt ends its turns itself
            ends_turns = {"add_end_of_utterance_token": False}
        inputs = loaded.processor(text=[prompt] * request.num_completions, return_tensors="pt", **ends_turns)
        inputs = inputs.to(loaded.model.device)
        output = loaded.model.generate(
            **inputs,
            max_new_tokens=request.max_tokens,
            **self._token_arguments(loaded, request),
            **sampling_arguments(request, seed),
        )
        return [text.removeprefix(" ") for text in new_texts(loaded, inputs, output)]
