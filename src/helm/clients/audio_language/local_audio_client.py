"""Models that hear, run in this process by `transformers`."""

from typing import Any

from helm.clients.local_media_client import LoadedModel as LoadedModel
from helm.clients.local_media_client import LocalMediaClient
from helm.clients.local_media_client import sampling_arguments as sampling_arguments
from helm.common.data.media_store import checked_type
from helm.common.data.sounds import SoundError, samples
from helm.common.errors import HelmError
from helm.common.media_object import AUDIO_TYPE, MediaObject

SAMPLE_RATE = 16_000
"""All these models hear sounds with 16,000 samples per second."""


class LocalAudioClient(LocalMediaClient):
    """Asks a model in this process about sounds and texts, once for each completion. See LocalMediaClient."""

    MEDIA_TYPE = AUDIO_TYPE
    MEDIA_WORD = "sounds"


def read_samples(part: MediaObject) -> Any:
    """Return the samples of a local sound: one float32 array with `SAMPLE_RATE`. Raises: SoundError; OSError."""
    path = str(part.location)
    with open(path, "rb") as file:
        content = file.read()
    try:
        return samples(content, checked_type(path), SAMPLE_RATE)
    except SoundError as e:
        raise SoundError(f"{path}: {e}") from e
    except HelmError as e:
        raise SoundError(str(e)) from e
