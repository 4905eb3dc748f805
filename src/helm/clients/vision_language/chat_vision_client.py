"""Chat models that see, for which the processor writes the conversation as text and the pictures are given beside it."""

from collections.abc import Sequence
from typing import Any

from helm.clients.local_media_client import LocalChatClient
from helm.clients.vision_language.local_vision_client import LocalVisionClient, pictures_of
from helm.common.media_object import MediaObject


class ChatVisionClient(LocalChatClient, LocalVisionClient):
    """Any model of the hub for pictures and texts whose processor has a chat template; see LocalMediaClient."""

    MEDIUM_KEY = "image"

    def _media_arguments(self, media: Sequence[MediaObject]) -> dict[str, Any]:
        return {"images": pictures_of(media)}
