"""OpenAI's transcription route: one sound goes to the server as a file of a form, and its words come back."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from helm.clients.client import generate_uid_for_multimodal_prompt
from helm.clients.http.http_client import Call, Reading, Upload
from helm.clients.http.http_endpoint import HTTPEndpoint
from helm.clients.protocols.openai_protocol import read_usage
from helm.common.media_object import AUDIO_TYPE, TEXT_TYPE, MediaObject
from helm.common.request import MALFORMED, REFUSED, GeneratedOutput, Request

TRANSCRIPTIONS_ROUTE = "audio/transcriptions"
_FRAGMENTS = ("whisper", "transcribe")


@lru_cache(maxsize=64)
def only_transcribes(model: str) -> bool:
    """Whether a model's name, such as `whisper-1` or `gpt-4o-transcribe`, says that it knows no other route than this one."""
    name = model.lower()
    return any(fragment in name for fragment in _FRAGMENTS)


def why_not_one_sound(parts: Sequence[MediaObject], ignores_texts: bool) -> str | None:
    """Say why parts of a prompt cannot be transcribed, or None: a transcriber takes one sound, and cannot read."""
    sounds = [part for part in parts if not part.is_type(TEXT_TYPE)]
    if len(sounds) != 1:
        return f"transcription takes exactly one sound, not {len(sounds)}"
    if len(parts) > 1 and not ignores_texts:
        return "this model only transcribes, and the prompt has texts; `ignores_texts: true` leaves them out"
    return None


def why_not_options(request: Request) -> str | None:
    """Say which options of a request the route does not have, or None: a form has the model and the file only."""
    if not request.option_names:
        return None
    return f"{request.model_deployment} is asked to transcribe, which takes no {' or '.join(request.option_names)}"


def transcription_call(
    endpoint: HTTPEndpoint,
    request: Request,
    model: str,
    make_key: Callable[[Mapping[str, Any], Request, int], Mapping[str, Any]],
    ignores_texts: bool,
) -> Call:
    """Return the call that transcribes the sound of a prompt.

    Args:
        endpoint: where the call goes.
        request: the request. Its texts are not sent, nor are its decoding parameters, which the route does not have.
        model: the server's name of the model.
        make_key: makes a cache key of its fields, which are HELM's, the request, and the index of a completion. The index is
            always 0, because all completions are the same words.
        ignores_texts: whether texts beside the sound are left out; otherwise a prompt with texts is refused.

    Raises:
        RequestFailure: The prompt is not one sound in a file here.
    """
    parts = request.multimodal_prompt.media_objects if request.multimodal_prompt else []
    reason = why_not_one_sound(parts, ignores_texts)
    if reason:
        raise endpoint.failure(REFUSED, TRANSCRIPTIONS_ROUTE, f"{reason}.")
    (sound,) = (part for part in parts if not part.is_type(TEXT_TYPE))
    if not sound.is_type(AUDIO_TYPE) or not sound.is_local_file:
        reason = f"transcription takes a file with a sound, not {sound.content_type} at {sound.location}."
        raise endpoint.failure(REFUSED, TRANSCRIPTIONS_ROUTE, reason)
    assert request.multimodal_prompt is not None
    path, uid = str(sound.location), generate_uid_for_multimodal_prompt(request.multimodal_prompt)
    key = make_key({"audio": path, "model": model, "multimodal_prompt": uid}, request, 0)

    def check(response: Any) -> None:
        if not isinstance(response, dict) or not isinstance(response.get("text"), str):
            raise endpoint.failure(MALFORMED, TRANSCRIPTIONS_ROUTE, f"the answer holds no text: {response}")

    def read(response: Mapping[str, Any]) -> Reading:
        return [GeneratedOutput(text=response["text"], logprob=0, tokens=[])], read_usage(response)

    return Call(TRANSCRIPTIONS_ROUTE, partial(_form, path, model), key, check, read)


def _form(path: str, model: str) -> Upload:
    from urllib3.filepost import encode_multipart_formdata

    with open(path, "rb") as file:
        fields: dict[str, Any] = {"model": model, "file": (os.path.basename(path), file.read())}
    return Upload(*encode_multipart_formdata(fields))
