"""Models that see, run in this process by `transformers`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from helm.clients.local_media_client import LoadedModel, LocalMediaClient
from helm.common.data.pictures import PictureError, decoded
from helm.common.media_object import IMAGE_TYPE, TEXT_TYPE, MediaObject
from helm.common.request import Request

if TYPE_CHECKING:
    from PIL import Image


class LocalVisionClient(LocalMediaClient):
    """Asks a model in this process about pictures and texts. See LocalMediaClient."""

    MEDIA_TYPE = IMAGE_TYPE
    MEDIA_WORD = "pictures"
    MODEL_CLASS = "AutoModelForImageTextToText"
    LENGTH_KEY = "max_new_tokens"


class VisionBatchClient(LocalVisionClient):
    """A model that gives all completions of a request in one batch, which holds the prompt once for each of them."""

    GIVES_MANY = True

    def _key(self, request: Request, prompt: str, index: int) -> dict[str, Any]:
        return {
            "n": request.num_completions,
            "model": request.model,
            "prompt": prompt,
            self.LENGTH_KEY: request.max_tokens,
        }


def texts_of(parts: Sequence[MediaObject]) -> list[str]:
    return [str(part.text) for part in parts if part.is_type(TEXT_TYPE)]


def pictures_of(parts: Sequence[MediaObject]) -> "list[Image.Image]":
    """Return the pictures of a prompt, each as RGB. Raises: PictureError; OSError."""
    return [read_picture(part) for part in parts if not part.is_type(TEXT_TYPE)]


def read_picture(part: MediaObject) -> "Image.Image":
    """Return a local picture as RGB. Raises: PictureError; OSError."""
    path = str(part.location)
    with open(path, "rb") as file:
        content = file.read()
    try:
        with decoded(content) as picture:
            return picture.convert("RGB")
    except PictureError as e:
        raise PictureError(f"{path}: {e}") from e


def new_texts(loaded: LoadedModel, inputs: Any, output: Any) -> list[str]:
    """Return what each row of the output of `generate` holds beyond the prompt, as text."""
    new = output[:, inputs["input_ids"].shape[1] :]
    return loaded.processor.batch_decode(new, skip_special_tokens=True, clean_up_tokenization_spaces=False)
