"""Tokens of pictures in estimates: the examples that providers publish."""

import pytest

from helm.benchmark.running.picture_tokens import picture_tokens, tokens_of_size
from helm.common.media_object import MediaObject, MultimediaObject
from helm.common.request import Request
from media_requests_support import write_media


@pytest.mark.parametrize(
    "model, size, tokens",
    [
        ("openai/gpt-4o-2024-11-20", (1024, 1024), 765),
        ("openai/gpt-4o-2024-11-20", (2048, 4096), 1105),
        ("openai/gpt-4o-2024-11-20", (20, 20), 255),
        ("openai/gpt-4o-mini-2024-07-18", (1024, 1024), 2833 + 4 * 5667),
        ("openai/gpt-4.1-mini-2025-04-14", (1024, 1024), 1659),
        ("openai/gpt-4.1-mini-2025-04-14", (8000, 8000), 2489),
        ("openai/o1-2024-12-17", (1024, 1024), 675),
        ("anthropic/claude-3-5-sonnet-20241022", (200, 200), 54),
        ("anthropic/claude-3-5-sonnet-20241022", (1000, 1000), 1334),
        ("anthropic/claude-3-5-sonnet-20241022", (8000, 8000), 1600),
        ("google/gemini-2.0-flash-001", (384, 300), 258),
        ("google/gemini-2.0-flash-001", (960, 540), 6 * 258),
        ("mistralai/pixtral-12b-2409", (1024, 1024), 64 * 65),
        ("qwen/qwen2-vl-7b-instruct", (280, 560), 200),
        ("google/paligemma-3b-mix-448", (10, 10), 1024),
        ("microsoft/llava-1.5-7b-hf", (10, 10), 576),
        ("mine/model", (1024, 1024), 765),
    ],
)
def test_the_size_decides(model, size, tokens):
    assert tokens_of_size(model, *size) == tokens


def test_requests_with_pictures_of_files_addresses_and_none(tmp_path):
    write_media(tmp_path)
    (tmp_path / "bad.png").write_bytes(b"\x89PNG")
    parts = [
        MediaObject("text/plain", text="Compare."),
        MediaObject("image/png", location=str(tmp_path / "rgb1.png")),
        MediaObject("image/png", location="https://example.org/a.png"),  # 1024 x 768
        MediaObject("image/png", location=str(tmp_path / "bad.png")),  # the same
        MediaObject("audio/wav", location=str(tmp_path / "tone1.wav")),
    ]
    request = Request(model="openai/gpt-4o", multimodal_prompt=MultimediaObject(parts))
    assert picture_tokens([request, request]) == 2 * (255 + 765 + 765)
    assert picture_tokens([Request(model="openai/gpt-4o", prompt="Hi")]) is None
