"""Chat models that hear, for which the processor writes the conversation as text and the sounds are given beside it."""

from collections.abc import Sequence
from typing import Any

from helm.clients.audio_language.local_audio_client import SAMPLE_RATE, LocalAudioClient, read_samples
from helm.clients.local_media_client import LocalChatClient
from helm.common.media_object import MediaObject


class ChatAudioClient(LocalChatClient, LocalAudioClient):
    """Any model of the hub for sounds and texts whose processor has a chat template; see LocalMediaClient."""

    MEDIUM_KEY = "audio"

    def _media_arguments(self, media: Sequence[MediaObject]) -> dict[str, Any]:
        return {"audio": [read_samples(part) for part in media], "sampling_rate": SAMPLE_RATE}
