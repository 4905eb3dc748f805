"""Models that see and that transcribe behind `transformers serve`, a server that others wrote, and the same in this process."""

import json
import socket
import subprocess
import sys
import time
import urllib.request
import wave
from pathlib import Path

import pytest

from helm.common.cache import BlackHoleCacheConfig
from helm.common.media_object import MediaObject, MultimediaObject
from helm.common.object_spec import get_class_by_name
from helm.common.request import Request
from lazy_support import import_when_used
from media_requests_support import tiny_tokenizer

torch, transformers = import_when_used("torch"), import_when_used("transformers")
for _name in ("fastapi", "uvicorn", "accelerate", "openai"):
    import_when_used(_name)

COMMAND = Path(sys.executable).with_name("transformers")
TEMPLATE = (
    "{% for m in messages %}<{{ m.role }}>{% if m.content is string %}{{ m.content }}{% else %}{% for p in m.content %}"
    "{% if p.type == 'image' %}<image>{% else %}{{ p.text }}{% endif %}{% endfor %}{% endif %}{% endfor %}<assistant>"
)
LAYER = {"hidden_size": 16, "intermediate_size": 16, "num_attention_heads": 2}


def serve(path):
    """Start a server for one model; returns the process and its address."""
    if not COMMAND.exists():
        pytest.skip("no command transformers")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = path.parent / f"{path.name}.log"
    words = [str(COMMAND), "serve", path.name, "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    with log.open("w") as out:
        process = subprocess.Popen(words, cwd=path.parent, stdout=out, stderr=subprocess.STDOUT)
    end = time.monotonic() + 300
    while time.monotonic() < end:
        assert process.poll() is None, log.read_text()[-2000:]
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5):
                return process, f"http://127.0.0.1:{port}/v1"
        except OSError:
            time.sleep(0.2)
    process.kill()
    raise AssertionError(log.read_text()[-2000:])


@pytest.fixture
def served(request, tmp_path):
    """A tiny model of random weights, made by a function of this module, and where it is served."""
    torch.manual_seed(0)
    path = tmp_path / f"tiny-{request.param.__name__}"
    model, processors = request.param()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(std=0.5)  # with small weights, nothing would depend on what is seen or heard
    for part in [model, *processors]:
        part.save_pretrained(path)
    process, address = serve(path)
    yield path, address
    process.kill()
    process.wait()


def llava():
    tokenizer = tiny_tokenizer(["</s>", "<image>"])
    images = transformers.CLIPImageProcessor(size={"shortest_edge": 8}, crop_size={"height": 8, "width": 8})
    processor = transformers.LlavaProcessor(
        images, tokenizer, patch_size=4, vision_feature_select_strategy="default", image_token="<image>",
        num_additional_image_tokens=1, chat_template=TEMPLATE,
    )  # fmt: skip
    vision = {"model_type": "clip_vision_model", "num_hidden_layers": 2, "image_size": 8, "patch_size": 4, **LAYER}
    text = {
        "model_type": "llama",
        "vocab_size": len(tokenizer),
        "num_hidden_layers": 1,
        "num_key_value_heads": 2,
        **LAYER,
    }
    tokens = {"bos_token_id": 0, "eos_token_id": 0, "pad_token_id": 0}
    config = transformers.LlavaConfig(
        vision_config={**vision, "projection_dim": 16},
        text_config={**text, **tokens},
        image_token_index=processor.image_token_id,
    )
    return transformers.LlavaForConditionalGeneration(config), [processor]


def whisper():
    tokenizer = tiny_tokenizer(["<|endoftext|>", "<|startoftranscript|>", "<|notimestamps|>"])
    extractor = transformers.WhisperFeatureExtractor(feature_size=8)
    unwritten = [token for token in range(len(tokenizer)) if not tokenizer.decode([token]).isalpha()]
    config = transformers.WhisperConfig(
        vocab_size=len(tokenizer), num_mel_bins=8, d_model=16, encoder_layers=1, decoder_layers=1,
        encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=16, decoder_ffn_dim=16,
        decoder_start_token_id=1, bos_token_id=0, eos_token_id=0, pad_token_id=0, suppress_tokens=unwritten,
        begin_suppress_tokens=None, max_length=20,
    )  # fmt: skip
    return transformers.WhisperForConditionalGeneration(config), [extractor, tokenizer]


def picture(path, color):
    from PIL import Image

    Image.new("RGB", (9, 7), color).save(path)
    return MediaObject("image/png", location=str(path))


@pytest.mark.slow
@pytest.mark.parametrize("served", [llava], indirect=True)
def test_a_served_model_sees_what_it_sees_in_this_process(served, tmp_path):
    path, address = served
    there = get_class_by_name("helm.clients.openai_compatible_client.OpenAICompatibleClient")(
        BlackHoleCacheConfig(), base_url=address, api_key="", openai_model_name=path.name
    )
    here = get_class_by_name("helm.clients.vision_language.chat_vision_client.ChatVisionClient")(
        BlackHoleCacheConfig(), pretrained_model_name_or_path=str(path), device="cpu", torch_dtype="float32"
    )

    def ask(client, seen):
        parts = MultimediaObject([seen, MediaObject("text/plain", text="What is said?")])
        request = Request(
            model="a/tiny", model_deployment="a/tiny", multimodal_prompt=parts, max_tokens=8, temperature=0.0
        )
        result = client.make_request(request)
        assert result.success, result.error
        return result.completions[0].text

    red, blue = picture(tmp_path / "red.png", (255, 0, 0)), picture(tmp_path / "blue.png", (0, 0, 255))
    answers = [ask(there, red), ask(there, blue)]
    assert all(answers) and answers == [ask(here, red), ask(here, blue)]


@pytest.mark.slow
@pytest.mark.parametrize("served", [llava], indirect=True)
def test_a_run_asks_a_served_model_about_pictures(served, tmp_path, monkeypatch):
    from helm.benchmark import run

    path, address = served
    monkeypatch.chdir(tmp_path)
    for name, color in {"red": (255, 0, 0), "blue": (0, 0, 255)}.items():
        picture(tmp_path / f"{name}.png", color)
    entry = {
        "name": "tiny_colours",
        "description": "The colours of two pictures.",
        "source": {"rows": [{"colour": "red"}, {"colour": "blue"}]},
        "split": "test",
        "media": {"picture": {"path": f"{tmp_path}/{{colour}}.png"}},
        "input": ["{picture}", "Which colour?"],
        "references": {"answers": ["colour"]},
        "run": {
            "adapter": {"preset": "none", "method": "generation_multimodal", "max_tokens": 5, "max_train_instances": 0,
                        "temperature": 0.0, "num_outputs": 1},
            "metrics": ["exact_match"],
        },
    }  # fmt: skip
    (tmp_path / "tiny_colours.yaml").write_text(json.dumps(entry))
    model = f"openai-compat/{path.name}@{address}"
    run.main(["-r", f"tiny_colours:model={model}", "--plugins", "tiny_colours.yaml", "-m", "2", "--suite", "s"])
    (folder,) = (tmp_path / "benchmark_output/runs/s").glob("tiny_colours*")
    states = json.loads((folder / "scenario_state.json").read_text())["request_states"]
    assert len(states) == 2 and all(state["result"]["success"] for state in states)
    assert all(state["result"]["completions"][0]["text"] for state in states)


def write_sound(path, period):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        file.writeframes(bytes(range(period)) * (32_000 // period))
    return MediaObject("audio/wav", location=str(path))


@pytest.mark.slow
@pytest.mark.parametrize("served", [whisper], indirect=True)
def test_a_served_model_transcribes_what_it_transcribes_in_this_process(served, tmp_path):
    """It has no chat route (500 for a sound there); its own one for transcriptions is asked."""
    path, address = served
    here = get_class_by_name("helm.clients.audio_language.whisper_client.WhisperClient")(
        BlackHoleCacheConfig(), pretrained_model_name_or_path=str(path), device="cpu", torch_dtype="float32"
    )
    by_route = get_class_by_name("helm.clients.openai_compatible_client.OpenAICompatibleClient")(
        BlackHoleCacheConfig(),
        base_url=address,
        api_key="",
        openai_model_name=path.name,
        route="audio/transcriptions",
    )
    by_name = get_class_by_name("helm.clients.openai_client.OpenAIClient")(
        BlackHoleCacheConfig(), base_url=address, api_key="x", openai_model_name=path.name
    )

    def ask(client, sound):
        prompt = MultimediaObject([sound])
        request = Request(
            model="a/tiny", model_deployment="a/tiny", multimodal_prompt=prompt, max_tokens=20, temperature=0
        )
        result = client.make_request(request)
        assert result.success, result.error
        return result.completions[0].text.strip()

    sounds = [write_sound(tmp_path / f"{period}.wav", period) for period in (256, 20)]
    heard = [ask(here, sound) for sound in sounds]
    assert all(heard) and heard[0] != heard[1]
    assert heard == [ask(by_route, sound) for sound in sounds] == [ask(by_name, sound) for sound in sounds]


@pytest.mark.slow
@pytest.mark.parametrize("served", [whisper], indirect=True)
def test_a_run_has_a_served_model_transcribe(served, tmp_path, monkeypatch):
    from helm.benchmark import run

    path, address = served
    monkeypatch.chdir(tmp_path)
    write_sound(tmp_path / "noise.wav", 256)
    entry = {
        "name": "tiny_noise",
        "description": "One recording.",
        "source": {"rows": [{"file": "noise.wav", "text": "a b"}]},
        "split": "test",
        "media": {"recording": {"path": "{file}"}},
        "input": ["{recording}"],
        "references": {"answers": ["text"]},
        "run": {
            "adapter": {"preset": "none", "method": "generation_multimodal", "max_tokens": 5, "max_train_instances": 0,
                        "temperature": 0.0, "num_outputs": 1, "input_prefix": "", "input_suffix": "",
                        "output_prefix": "", "output_suffix": ""},
            "metrics": ["asr"],
        },
    }  # fmt: skip
    (tmp_path / "tiny_noise.yaml").write_text(json.dumps(entry))
    run.main(
        ["-r", f"tiny_noise:model={address}#{path.name}", "--plugins", "tiny_noise.yaml", "-m", "1", "--suite", "s"]
    )
    (folder,) = (tmp_path / "benchmark_output/runs/s").glob("tiny_noise*")
    (state,) = json.loads((folder / "scenario_state.json").read_text())["request_states"]
    assert state["result"]["success"] and state["result"]["completions"][0]["text"]
