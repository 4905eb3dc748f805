"""Prompts with sounds: what clients send to services, how they call models in this process, and two tiny models."""

import base64
import json
import re
import subprocess
import sys
import threading
import wave
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import numpy as np
import pytest

from helm.clients.audio_language import local_audio_client
from helm.common.cache import BlackHoleCacheConfig, SqliteCacheConfig
from helm.common.errors import ConfigError
from helm.common.media_object import MediaObject, MultimediaObject
from helm.common.object_spec import get_class_by_name
from helm.common.request import Request
from helm.common.request_options import RequestOptions
from media_requests_support import MEDIA, VECTORS, request_of, tiny_tokenizer, write_media

HEARD = "hello from the tape"


@pytest.fixture
def sounds(tmp_path):
    return write_media(tmp_path)


def cases_of(*clients):
    chosen = [
        case
        for case in VECTORS["cases"]
        if case["client"] in clients
        and (case["client"] != "openai" or "audio" in json.dumps(case["request"]["multimodal_prompt"]))
    ]
    return pytest.mark.parametrize("case", chosen, ids=lambda case: case["id"])


# ---- Services


@pytest.fixture
def service():
    """A server that answers OpenAI's chat and transcription routes, and keeps what it was sent."""
    received = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            received.append((self.path, self.headers["Content-Type"], body))
            choice = {"index": 0, "message": {"role": "assistant", "content": "An answer."}, "finish_reason": "stop"}
            answer = {"text": HEARD} if self.path.endswith("transcriptions") else {"choices": [choice]}
            data = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield SimpleNamespace(url=f"http://127.0.0.1:{server.server_address[1]}/v1", received=received)
    server.shutdown()
    server.server_close()
    thread.join()


def with_contents(value):
    """Replace `$BASE64(name)` by the content."""
    return json.loads(
        re.sub(r"\$BASE64\(([^)]*)\)", lambda m: base64.b64encode(MEDIA[m[1]]).decode(), json.dumps(value))
    )


@cases_of("openai", "openai_transcribe_then_complete")
def test_services_get_what_helm_sends(case, sounds, service, monkeypatch):
    from helm.clients.openai_client import OpenAIClient

    monkeypatch.setattr(OpenAIClient, "BASE_URL", service.url)
    request = request_of(case, sounds)
    client = get_class_by_name(case["client_class"])(BlackHoleCacheConfig(), api_key="k", **case["client_args"])
    result = client.make_request(request)
    if "raises" in case:
        assert not result.success and result.outcome == "refused" and not service.received
        return
    assert result.success, result.error
    assert [completion.text for completion in result.completions] == [c["text"] for c in case["result"]["completions"]]
    for completion, expected in zip(result.completions, case["result"]["completions"], strict=True):
        if expected["multimodal"] is not None:
            assert [part.to_dict() for part in completion.multimodal_content.media_objects] == expected["multimodal"]
    assert len(service.received) == len(case["sent"])
    for (path, content_type, body), sent in zip(service.received, case["sent"], strict=True):
        assert sent["url"].endswith(path)
        if "multipart" in sent:
            assert content_type.startswith("multipart/form-data")
            names = [re.search(r'name="(\w+)"', part["header"])[1] for part in sent["multipart"]]
            assert re.findall(rb'form-data; name="(\w+)"', body) == [name.encode() for name in names]
            assert case["request"]["model"].split("/")[1].split("_")[0].encode() in body and MEDIA["tone1.wav"] in body
            continue
        expected = with_contents(sent["json"])
        got = {name: value for name, value in json.loads(body).items() if value is not None}
        if case["id"] == "transcribe_then_complete":  # HELM loses the request's own parameters here
            expected.update(temperature=case["request"]["temperature"], max_tokens=case["request"]["max_tokens"])
        assert got == expected


COMPATIBLE = "helm.clients.openai_compatible_client.OpenAICompatibleClient"
OPENAI = "helm.clients.openai_client.OpenAIClient"


@pytest.mark.parametrize(
    "class_name, arguments",
    [
        (COMPATIBLE, {"openai_model_name": "openai/Whisper-large-v3"}),
        (COMPATIBLE, {"openai_model_name": "canary", "route": "audio/transcriptions"}),
        (OPENAI, {"openai_model_name": "gpt-4o-transcribe"}),
    ],
)
def test_models_that_only_transcribe_get_the_file_at_their_route(class_name, arguments, sounds, service, tmp_path):
    cache = SqliteCacheConfig(str(tmp_path / "cache.sqlite"))
    sound, text = MediaObject("audio/wav", location=str(sounds / "tone1.wav")), MediaObject("text/plain", text="Write.")
    picture = MediaObject("image/png", location=str(sounds / "rgb1.png"))
    far = MediaObject("audio/wav", location="http://127.0.0.1:9/a.wav")

    def ask(*parts, **more):
        client = get_class_by_name(class_name)(
            cache, base_url=service.url, api_key="a-key-of-this-test", **arguments, **more
        )
        request = Request(model="a/b", model_deployment="a/b", multimodal_prompt=MultimediaObject(list(parts)))
        assert "takes no seed" in client.why_not(replace(request, options=RequestOptions(seed=1)))
        assert client.why_not(request) is None
        return client.make_request(replace(request, num_completions=2))

    result = ask(sound)
    assert result.success and not result.cached and [output.text for output in result.completions] == [HEARD] * 2
    ((path, kind, body),) = service.received
    assert path == "/v1/audio/transcriptions" and kind.startswith("multipart/form-data")
    assert MEDIA["tone1.wav"] in body and arguments["openai_model_name"].encode() in body
    assert ask(sound).cached and len(service.received) == 1
    for parts, reason in [
        ([sound, text], "only transcribes, and the prompt has texts; `ignores_texts: true`"),
        ([text], "exactly one sound, not 0"),
        ([sound, sound], "exactly one sound, not 2"),
        ([picture], "not image/png"),
        ([far], "takes a file with a sound"),
    ]:
        refused = ask(*parts)
        assert not refused.success and refused.outcome == "refused" and reason in refused.error
    assert len(service.received) == 1
    assert ask(sound, text, ignores_texts=True).success
    assert len(service.received) == 2 and b"Write." not in service.received[1][2]


def test_the_chat_model_behind_a_transcriber_takes_its_options():
    client = get_class_by_name("helm.clients.openai_client.OpenAITranscriptionThenCompletionClient")(None, api_key="k")
    request = Request(model="openai/whisper-1_gpt-4o", options=RequestOptions(seed=1))
    assert client.why_not(request) is None


def test_gemini_gets_the_sound_with_its_type(sounds):
    from helm.clients.google_genai_client import GoogleGenAIClient

    parts = [MediaObject("audio/flac", location=str(sounds / "tone1.flac")), MediaObject("text/plain", text="What?")]
    request = Request(model="google/gemini-2.0-flash", prompt="", multimodal_prompt=MultimediaObject(parts))
    (content,) = GoogleGenAIClient(BlackHoleCacheConfig(), api_key="k")._raw_request(request)["contents"]
    encoded = base64.b64encode(MEDIA["tone1.flac"]).decode()
    assert content["parts"] == [{"inlineData": {"mimeType": "audio/flac", "data": encoded}}, {"text": "What?"}]


# ---- Models in this process, called as in the vectors


class Inputs(dict):
    def to(self, device):
        return self


class StandIn:
    """Model and processor at once: keeps the calls, and answers like those of the vectors."""

    device = "cpu"

    def __init__(self):
        self.calls = []
        self.turn = threading.Lock()
        self.model = self.processor = self

    def apply_chat_template(self, conversation, **kwargs):
        self.calls.append(("processor.apply_chat_template", [conversation], kwargs))
        return "<templated>"

    def __call__(self, **kwargs):
        sounds = [{"$array": {"dtype": str(a.dtype), "shape": list(a.shape)}} for a in kwargs.get("audio", [])]
        self.calls.append(("processor", [], {**kwargs, "audio": sounds}))
        return Inputs(input_ids=np.zeros((1, 11), int))

    def generate(self, *args, **kwargs):
        if "input_ids" in kwargs:
            self.calls.append(("model.generate", [], {k: v for k, v in kwargs.items() if k != "input_ids"}))
            return np.zeros((1, 15), int)
        shown = [{"$array": {"dtype": str(a.dtype), "shape": list(a.shape)}} for a in args[0]]
        self.calls.append(("model.generate", [shown, *args[1:]], kwargs))
        return ["An answer."]

    def decode(self, ids, **kwargs):
        assert len(ids) == 4  # without the prompt
        self.calls.append(("processor.decode", [], kwargs))
        return "An answer."

    def from_list_format(self, parts):
        self.calls.append(("tokenizer.from_list_format", [parts], {}))
        return "<listed>"

    def chat(self, tokenizer, **kwargs):
        self.calls.append(("model.chat", ["<tokenizer>"], kwargs))
        return "An answer.", None


@cases_of("qwen_audio", "qwen2_audio", "qwen2_5_omni", "diva")
def test_models_in_this_process_are_called_as_in_helm(case, sounds, tmp_path, monkeypatch):
    stand_in = StandIn()
    monkeypatch.setattr(local_audio_client.LoadedModel, "shared", lambda *args: stand_in)
    client = get_class_by_name(case["client_class"])(SqliteCacheConfig(str(tmp_path / "cache.sqlite")))
    request = request_of(case, sounds)
    results = [client.make_request(request) for _ in range(2)]
    assert [(r.success, r.cached, r.completions[0].text) for r in results] == [
        (True, False, "An answer."),
        (True, True, "An answer."),
    ]
    tokens = case["result"]["completions"][0]["tokens"]
    assert not tokens or [token.text for token in results[0].completions[0].tokens] == tokens
    expected = json.loads(json.dumps(case["sent"]).replace("$DIR", str(sounds)))
    expected = [call for call in expected if call["call"] != "tokenizer.tokenize"]
    assert [name for name, _, _ in stand_in.calls] == [call["call"] for call in expected]
    for (name, args, kwargs), call in zip(stand_in.calls, expected, strict=True):
        assert args == call.get("args", [])
        wanted = dict(call.get("kwargs", {}))
        if name == "processor":
            # The argument is `audio` in transformers 5; the omni model gets neither pictures nor videos.
            arrays = wanted.pop("audios")
            wanted = {k: v for k, v in wanted.items() if k not in ("images", "videos", "use_audio_in_video")}
            assert kwargs.pop("audio") == arrays or arrays == ["<audio>"]
            wanted["sampling_rate"] = 16000
        elif name == "model.generate" and wanted:
            # The same number of new tokens; temperature 0 is greedy here.
            assert set(wanted.values()) <= {20, 31}
            wanted = {"max_new_tokens": 20, "do_sample": False}
        assert kwargs == wanted, name


def test_what_models_in_this_process_refuse(sounds):
    sound = MediaObject("audio/wav", location=str(sounds / "tone1.wav"))
    text, picture = MediaObject("text/plain", text="What?"), MediaObject("image/png", location=str(sounds / "rgb1.png"))
    (sounds / "bad.wav").write_bytes(b"RIFF\x10\0\0\0WAVEjunk")
    broken = MediaObject("audio/wav", location=str(sounds / "bad.wav"))
    for name, parts, reason in [
        (
            "qwen2_audiolm_client.Qwen2AudioLMClient",
            [picture, text],
            "takes texts and files with sounds, not image/png",
        ),
        ("diva_llama_client.DivaLlamaClient", [sound, sound], "exactly one sound, not 2"),
        ("whisper_client.WhisperClient", [sound, text], "only transcribes"),
        ("whisper_client.WhisperClient", [text], "exactly one sound, not 0"),
    ]:
        client = get_class_by_name(f"helm.clients.audio_language.{name}")(BlackHoleCacheConfig())
        request = Request(model="a/b", model_deployment="a/b", prompt="", multimodal_prompt=MultimediaObject(parts))
        result = client.make_request(request)
        assert not result.success and result.outcome == "refused" and reason in result.error
    with pytest.raises(local_audio_client.SoundError, match=r"bad\.wav: it cannot be decoded"):
        local_audio_client.read_samples(broken)


def test_models_hear_the_mean_of_the_channels_at_16_khz(tmp_path):
    channels = np.stack([np.full(8000, 16000), np.full(8000, 8000)], axis=1).astype("<i2")
    with wave.open(str(tmp_path / "stereo.wav"), "wb") as file:
        file.setparams((2, 2, 8000, 0, "NONE", ""))
        file.writeframes(channels.tobytes())
    heard = local_audio_client.read_samples(MediaObject("audio/wav", location=str(tmp_path / "stereo.wav")))
    assert heard.dtype == np.float32 and heard.shape == (16000,)
    assert heard[8000] == pytest.approx(12000 / 32768, abs=1e-3)


# ---- Tiny models with random weights, made here


@pytest.fixture(scope="module")
def tiny_qwen(tmp_path_factory):
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    torch.manual_seed(0)
    special = ["</s>", "<|AUDIO|>", "<|audio_bos|>", "<|audio_eos|>"]
    tokenizer = tiny_tokenizer(special)
    extractor = transformers.WhisperFeatureExtractor(feature_size=8)
    template = (
        "{% for m in messages %}<{{ m.role }}>{% if m.content is string %}{{ m.content }}{% else %}{% for p in m.content %}"
        "{% if p.type == 'audio' %}<|audio_bos|><|AUDIO|><|audio_eos|>{% else %}{{ p.text }}{% endif %}{% endfor %}{% endif %}"
        "{% endfor %}<assistant>"
    )
    processor = transformers.Qwen2AudioProcessor(extractor, tokenizer, chat_template=template)
    config = transformers.Qwen2AudioConfig(
        audio_config={
            "num_mel_bins": 8,
            "encoder_layers": 1,
            "encoder_attention_heads": 2,
            "encoder_ffn_dim": 16,
            "d_model": 16,
            "max_source_positions": 1500,
        },
        text_config={
            "model_type": "qwen2",
            "vocab_size": len(tokenizer),
            "hidden_size": 16,
            "intermediate_size": 16,
            "num_hidden_layers": 1,
            "num_attention_heads": 2,
            "num_key_value_heads": 2,
            "eos_token_id": 0,
            "pad_token_id": 0,
        },
        audio_token_index=tokenizer.convert_tokens_to_ids("<|AUDIO|>"),
    )
    path = tmp_path_factory.mktemp("qwen2-audio")
    transformers.Qwen2AudioForConditionalGeneration(config).save_pretrained(path)
    processor.save_pretrained(path)
    return str(path)


@pytest.fixture(scope="module")
def tiny_whisper(tmp_path_factory):
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    torch.manual_seed(0)
    tokenizer = tiny_tokenizer(["<|endoftext|>", "<|startoftranscript|>", "<|notimestamps|>"])
    config = transformers.WhisperConfig(
        vocab_size=len(tokenizer),
        num_mel_bins=8,
        d_model=16,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=16,
        decoder_ffn_dim=16,
        decoder_start_token_id=1,
        bos_token_id=0,
        eos_token_id=0,
        pad_token_id=0,
        suppress_tokens=None,
        begin_suppress_tokens=None,
    )
    path = tmp_path_factory.mktemp("whisper")
    transformers.WhisperForConditionalGeneration(config).save_pretrained(path)
    transformers.WhisperFeatureExtractor(feature_size=8).save_pretrained(path)
    tokenizer.save_pretrained(path)
    return str(path)


@pytest.mark.slow
def test_a_tiny_model_that_hears_answers_from_both_sound_and_text(tiny_qwen, sounds):
    client = get_class_by_name("helm.clients.audio_language.qwen2_audiolm_client.Qwen2AudioLMClient")(
        BlackHoleCacheConfig(), pretrained_model_name_or_path=tiny_qwen, device="cpu"
    )

    def ask(name="mp1.mp3", text="What is said?", **fields):
        parts = [MediaObject("audio/mpeg", location=str(sounds / name)), MediaObject("text/plain", text=text)]
        request = Request(model="a/tiny", model_deployment="a/tiny", prompt="", multimodal_prompt=MultimediaObject(parts),
                          max_tokens=6, **{"temperature": 0.0, **fields})  # fmt: skip
        result = client.make_request(request)
        assert result.success, result.error
        return [completion.text for completion in result.completions]

    first = ask()
    assert first == ask() and first[0]
    drawn = ask(temperature=1.0, num_completions=2, options=RequestOptions(seed=1))
    assert len(drawn) == 2 and drawn == ask(temperature=1.0, num_completions=2, options=RequestOptions(seed=1))
    assert {tuple(first), tuple(ask(text="Who?")), tuple(drawn)} != {tuple(first)}


@pytest.mark.slow
def test_a_tiny_model_transcribes(tiny_whisper, sounds):
    parts = [
        MediaObject("text/plain", text="Transcribe."),
        MediaObject("audio/wav", location=str(sounds / "fast2.wav")),
    ]
    request = Request(model="a/tiny", model_deployment="a/tiny", prompt="", multimodal_prompt=MultimediaObject(parts),
                      max_tokens=6, temperature=0.0)  # fmt: skip
    client = get_class_by_name("helm.clients.audio_language.whisper_client.WhisperClient")(
        BlackHoleCacheConfig(), pretrained_model_name_or_path=tiny_whisper, ignores_texts=True, device="cpu"
    )
    result = client.make_request(request)
    assert result.success, result.error
    assert result.completions[0].text == client.make_request(request).completions[0].text


@pytest.mark.slow
def test_a_run_from_a_folder_of_recordings_to_error_rates(tiny_whisper, sounds, tmp_path):
    entry = {
        "name": "tiny_asr",
        "description": "Transcription of two recordings.",
        "source": {"rows": [{"f": "tone1.flac", "said": "one"}, {"f": "fast2.wav", "said": "two"}]},
        "split": "test",
        "media": {"sound": {"path": f"{sounds}/{{f}}"}},
        "input": ["{sound}"],
        "references": {"answers": ["said"]},
        "run": {
            "adapter": {"preset": "none", "method": "generation_multimodal", "instructions": "Transcribe.", "max_tokens": 5,
                        "max_train_instances": 0, "temperature": 0.0, "num_outputs": 1},
            "metrics": ["asr"],
        },
    }  # fmt: skip
    client = {
        "class_name": "helm.clients.audio_language.whisper_client.WhisperClient",
        "args": {"pretrained_model_name_or_path": tiny_whisper, "ignores_texts": True, "device": "cpu"},
    }
    deployment = {"name": "mine/ears", "model_name": "mine/ears", "tokenizer_name": "simple/tokenizer1",
                  "max_sequence_length": 100, "client_spec": client}  # fmt: skip
    model = {
        "name": "mine/ears",
        "display_name": "Ears",
        "description": "",
        "access": "open",
        "creator_organization_name": "-",
        "tags": ["AUDIO_LANGUAGE_MODEL_TAG"],
    }
    (tmp_path / "prod_env").mkdir()
    for name, value in {
        "tiny_asr.yaml": entry,
        "prod_env/model_deployments.yaml": {"model_deployments": [deployment]},
        "prod_env/model_metadata.yaml": {"models": [model]},
    }.items():
        (tmp_path / name).write_text(json.dumps(value), encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "helm.benchmark.run",
        "-r",
        "tiny_asr:model=mine/ears",
        "--plugins",
        "tiny_asr.yaml",
    ]
    finished = subprocess.run([*command, "--suite", "s", "-m", "5"], cwd=tmp_path, capture_output=True, text=True)
    assert finished.returncode == 0, finished.stderr[-3000:]
    (run,) = (tmp_path / "benchmark_output/runs/s").glob("tiny_asr*")
    states = json.loads((run / "scenario_state.json").read_text(encoding="utf-8"))["request_states"]
    parts = [state["request"]["multimodal_prompt"]["media_objects"] for state in states]
    assert [next(p["content_type"] for p in part if p["content_type"] != "text/plain") for part in parts] == [
        "audio/flac",
        "audio/wav",
    ]
    stats = json.loads((run / "stats.json").read_text(encoding="utf-8"))
    (rate,) = [s for s in stats if s["name"]["name"] == "wer_score" and "perturbation" not in s["name"]]
    assert rate["count"] == 1 and rate["mean"] > 0


@cases_of("llama_omni")
def test_llama_omni_says_why_it_cannot_be_run(case, sounds):
    client = get_class_by_name(case["client_class"])(BlackHoleCacheConfig(), **case["client_args"])
    with pytest.raises(ConfigError, match="omni_speech, which was never on a package registry"):
        client.make_request(request_of(case, sounds))
