"""Tokens of sounds in estimates: so many for each second."""

import wave

import pytest

from helm.benchmark.running.sound_tokens import USUAL_SECONDS, sound_tokens, tokens_per_second
from helm.common.data.sounds import SoundError, converted, seconds_of
from helm.common.media_object import MediaObject, MultimediaObject
from helm.common.request import Request


def write_wav(path, seconds):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(bytes(2 * int(8000 * seconds)))
    return path


@pytest.mark.parametrize(
    ("model", "rate"),
    [("google/gemini-2.0-flash-001", 32), ("openai/gpt-4o-audio-preview-2024-12-17", 10), ("openai/whisper-1", 0),
     ("qwen/qwen2-audio-7b-instruct", 25)],
)  # fmt: skip
def test_the_model_decides_how_many_tokens_a_second_has(model, rate):
    assert tokens_per_second(model) == rate


def test_sounds_of_files_addresses_and_none(tmp_path):
    (tmp_path / "bad.wav").write_bytes(b"RIFF")
    parts = [
        MediaObject("text/plain", text="Transcribe."),
        MediaObject("audio/wav", location=str(write_wav(tmp_path / "a.wav", 2.5))),
        MediaObject("audio/wav", location="https://example.org/a.wav"),
        MediaObject("audio/wav", location=str(tmp_path / "bad.wav")),
        MediaObject("image/png", location="https://example.org/a.png"),
    ]
    request = Request(model="google/gemini-2.0-flash-001", multimodal_prompt=MultimediaObject(parts))
    assert sound_tokens([request, request]) == 2 * round(32 * (2.5 + 2 * USUAL_SECONDS))
    assert sound_tokens([Request(model="google/gemini-2.0-flash-001", prompt="Hi")]) is None


@pytest.mark.parametrize("content_type", ["audio/flac", "audio/mpeg"])
def test_compressed_sounds_have_the_same_length(tmp_path, content_type):
    pytest.importorskip("av")
    whole = write_wav(tmp_path / "a.wav", 2).read_bytes()
    path = tmp_path / "sound"
    path.write_bytes(converted(whole, "audio/wav", content_type))
    assert seconds_of(str(path)) == pytest.approx(2, abs=0.1)


def test_what_is_no_sound_is_an_error(tmp_path):
    (tmp_path / "a.mp3").write_bytes(b"<html>")
    with pytest.raises(SoundError, match="no sound"):
        seconds_of(str(tmp_path / "a.mp3"))
