"""Qwen2.5-Omni, in this process."""

from helm.clients.audio_language.chat_audio_client import ChatAudioClient


class Qwen2_5OmniAudioLMClient(ChatAudioClient):
    """The part of Qwen2.5-Omni that hears and writes; the part that speaks is not loaded. See LocalMediaClient.

    HELM loads the whole model and, for one new token, cuts a full answer to its first word; here the model writes one token.
    """

    HUB_NAMES = {"qwen/qwen2.5-omni-7b": "Qwen/Qwen2.5-Omni-7B", "qwen/qwen2.5-omni-3b": "Qwen/Qwen2.5-Omni-3B"}
    MODEL_CLASS = "Qwen2_5OmniThinkerForConditionalGeneration"
    # The system message with which the model was trained; others make it answer worse, as its authors say.
    SYSTEM = (
        "You are Qwen, a virtual human developed by the Qwen Team, Alibaba Group, capable of perceiving auditory and visual "
        "inputs, as well as generating text and speech."
    )
