"""Qwen2-Audio, in this process."""

from helm.clients.audio_language.chat_audio_client import ChatAudioClient


class Qwen2AudioLMClient(ChatAudioClient):
    """Qwen2-Audio-Instruct; see LocalMediaClient."""

    HUB_NAMES = {"qwen/qwen2-audio-7b-instruct": "Qwen/Qwen2-Audio-7B-Instruct"}
    MODEL_CLASS = "Qwen2AudioForConditionalGeneration"
    SYSTEM = "You are a helpful assistant."
    MEDIUM_KEY = "audio_url"
