"""Models that see, tiny and with random weights, made here and asked by their clients."""

import hashlib
import json
import subprocess
import sys
from types import ModuleType

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from helm.common.cache import BlackHoleCacheConfig  # noqa: E402
from helm.common.errors import ConfigError  # noqa: E402
from helm.common.media_object import MediaObject, MultimediaObject  # noqa: E402
from helm.common.object_spec import get_class_by_name  # noqa: E402
from helm.common.request import Request  # noqa: E402
from helm.common.request_options import RequestOptions  # noqa: E402
from media_requests_support import VECTORS, request_of, tiny_tokenizer, write_media  # noqa: E402

TEXT = {
    "hidden_size": 16,
    "intermediate_size": 16,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "num_key_value_heads": 2,
    "bos_token_id": 0,
    "eos_token_id": 0,
    "pad_token_id": 0,
}
VISION = {
    "hidden_size": 16,
    "intermediate_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "image_size": 8,
    "patch_size": 4,
    "projection_dim": 16,
}
TEMPLATE = (
    "{% for m in messages %}<{{ m.role }}>{% for p in m.content %}{% if p.type == 'image' %}PLACE"
    "{% else %}{{ p.text }}{% endif %}{% endfor %}{% endfor %}<assistant>"
)


def llava():
    tokenizer = tiny_tokenizer(["</s>", "<image>"])
    images = transformers.CLIPImageProcessor(size={"shortest_edge": 8}, crop_size={"height": 8, "width": 8})
    processor = transformers.LlavaProcessor(
        images,
        tokenizer,
        patch_size=4,
        vision_feature_select_strategy="default",
        image_token="<image>",
        num_additional_image_tokens=1,
        chat_template=TEMPLATE.replace("PLACE", "<image>"),
    )
    config = transformers.LlavaConfig(
        vision_config={"model_type": "clip_vision_model", **VISION},
        text_config={"model_type": "llama", "vocab_size": len(tokenizer), **TEXT},
        image_token_index=processor.image_token_id,
    )
    return transformers.LlavaForConditionalGeneration(config), processor


def idefics2():
    tokenizer = tiny_tokenizer(["</s>"])
    images = transformers.Idefics2ImageProcessor(
        size={"shortest_edge": 8, "longest_edge": 16}, do_image_splitting=False
    )
    template = TEMPLATE.replace("PLACE", "<image>").replace("<assistant>", "<end_of_utterance>\nAssistant:")
    processor = transformers.Idefics2Processor(images, tokenizer, image_seq_len=4, chat_template=template)
    config = transformers.Idefics2Config(
        vision_config={**VISION, "image_size": 16},
        perceiver_config={
            "resampler_n_latents": 4,
            "resampler_depth": 1,
            "resampler_n_heads": 2,
            "resampler_head_dim": 8,
            "num_key_value_heads": 2,
            "hidden_size": 16,
        },
        text_config={"model_type": "mistral", "vocab_size": len(tokenizer), **TEXT},
        image_token_id=tokenizer.convert_tokens_to_ids("<image>"),
    )
    return transformers.Idefics2ForConditionalGeneration(config), processor


def idefics():
    special = ["</s>", "<fake_token_around_image>", "<image>", "<end_of_utterance>"]
    tokenizer = tiny_tokenizer(special, bos_token="</s>", unk_token="</s>")
    processor = transformers.IdeficsProcessor(transformers.IdeficsImageProcessor(image_size=8), tokenizer, image_size=8)
    config = transformers.IdeficsConfig(
        **TEXT,
        vocab_size=len(tokenizer),
        additional_vocab_size=0,
        vision_config={**VISION, "embed_dim": 16},
        perceiver_config={"use_resampler": False},
        cross_layer_interval=1,
        alpha_initializer="ones",
    )
    return transformers.IdeficsForVisionText2Text(config), processor


def paligemma():
    tokenizer = tiny_tokenizer(["</s>", "<image>"], bos_token="</s>")
    images = transformers.SiglipImageProcessor(size={"height": 8, "width": 8})
    images.image_seq_length = 4
    processor = transformers.PaliGemmaProcessor(images, tokenizer)
    config = transformers.PaliGemmaConfig(
        vision_config={"model_type": "siglip_vision_model", "vision_use_head": False, **VISION},
        text_config={"model_type": "gemma", "vocab_size": len(tokenizer), "head_dim": 8, **TEXT},
        image_token_index=processor.image_token_id,
        projection_dim=16,
        hidden_size=16,
    )
    return transformers.PaliGemmaForConditionalGeneration(config), processor


def qwen2_vl():
    pytest.importorskip("torchvision")
    special = ["</s>", "<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>"]
    tokenizer = tiny_tokenizer(special)
    sizes = {"size": {"shortest_edge": 64, "longest_edge": 1024}, "patch_size": 4, "merge_size": 2}
    processor = transformers.Qwen2VLProcessor(
        transformers.Qwen2VLImageProcessor(**sizes),
        tokenizer,
        transformers.Qwen2VLVideoProcessor(**sizes),
        chat_template=TEMPLATE.replace("PLACE", "<|vision_start|><|image_pad|><|vision_end|>"),
    )
    names = ["vision_start_token_id", "vision_end_token_id", "image_token_id", "video_token_id"]
    rope = {"rope_type": "default", "mrope_section": [1, 1, 2], "rope_theta": 10000.0}
    vision = {"depth": 1, "embed_dim": 16, "hidden_size": 16, "num_heads": 2, "mlp_ratio": 1, "patch_size": 4}
    config = transformers.Qwen2VLConfig(
        vision_config=vision,
        text_config={"vocab_size": len(tokenizer), "rope_parameters": rope, **TEXT},
        **dict(zip(names, tokenizer.convert_tokens_to_ids(special[1:]), strict=True)),
    )
    return transformers.Qwen2VLForConditionalGeneration(config), processor


MODELS = {
    "chat_vision_client.ChatVisionClient": llava,
    "huggingface_vlm_client.HuggingFaceVLMClient": llava,
    "huggingface_vision2seq_client.HuggingFaceVision2SeqClient": idefics2,
    "idefics_client.IDEFICSClient": idefics,
    "paligemma_client.PaliGemmaClient": paligemma,
    "qwen2_vlm_client.Qwen2VLMClient": qwen2_vl,
}


@pytest.fixture(scope="module")
def folder_of(tmp_path_factory):
    """The folder of a tiny model, made once."""
    folders = {}

    def make(build):
        if build not in folders:
            torch.manual_seed(0)
            model, processor = build()
            with torch.no_grad():
                for parameter in model.parameters():
                    parameter.normal_(std=0.5)  # with the usual small weights, nothing would depend on the picture
            folder = tmp_path_factory.mktemp(build.__name__)
            model.save_pretrained(folder)
            processor.save_pretrained(folder)
            folders[build] = str(folder)
        return folders[build]

    return make


@pytest.fixture
def pictures(tmp_path):
    from PIL import Image

    for name, color in {"red": (255, 0, 0), "blue": (0, 0, 255)}.items():
        Image.new("RGBA", (9, 7), (*color, 255)).save(tmp_path / f"{name}.png")  # of a mode that models do not take
    return write_media(tmp_path)


@pytest.mark.parametrize("name", MODELS)
def test_a_tiny_model_answers_from_both_picture_and_text(name, folder_of, pictures):
    client = get_class_by_name(f"helm.clients.vision_language.{name}")(
        BlackHoleCacheConfig(),
        pretrained_model_name_or_path=folder_of(MODELS[name]),
        device="cpu",
        torch_dtype="float32",
    )

    def ask(picture="red", text="What is said?", **fields):
        parts = [
            MediaObject("text/plain", text="system "),
            MediaObject("image/png", location=str(pictures / f"{picture}.png")),
            MediaObject("text/plain", text=text),
        ]
        wanted = {"max_tokens": 8, "temperature": 0.0, **fields}
        prompt = MultimediaObject(parts)
        result = client.make_request(
            Request(model="a/tiny", model_deployment="a/tiny", multimodal_prompt=prompt, **wanted)
        )
        assert result.success, result.error
        return [completion.text for completion in result.completions]

    first = ask()
    assert first == ask() and first[0] and "What is" not in first[0], "the prompt is not part of the answer"
    assert len(first[0].encode()) < 100
    assert ask(num_completions=2) == first * 2
    drawing = {"temperature": 3.0, "num_completions": 2, "max_tokens": 32, "options": RequestOptions(seed=1)}
    drawn = ask(**drawing)
    assert drawn == ask(**drawing) and len(set(drawn)) == 2
    assert ask(picture="blue", **drawing) != drawn and ask(text="Who?", **drawing) != drawn
    if name != "paligemma_client.PaliGemmaClient":
        plain = Request(model="a/tiny", model_deployment="a/tiny", prompt="Who?", temperature=0.0, max_tokens=4)
        assert client.make_request(plain).success


@pytest.mark.parametrize("name, placeholder", [("chat_vision_client.ChatVisionClient", "<image>"),
                                               ("huggingface_vision2seq_client.HuggingFaceVision2SeqClient", "<image>"),
                                               ("paligemma_client.PaliGemmaClient", "<image><image>")])  # fmt: skip
def test_a_text_that_pretends_to_hold_pictures_fails_its_request_only(name, placeholder, folder_of, pictures):
    client = get_class_by_name(f"helm.clients.vision_language.{name}")(
        BlackHoleCacheConfig(), pretrained_model_name_or_path=folder_of(MODELS[name]), device="cpu"
    )
    parts = [
        MediaObject("image/png", location=str(pictures / "red.png")),
        MediaObject("text/plain", text=f"What is {placeholder}?"),
    ]
    request = Request(model="a/tiny", model_deployment="a/tiny", multimodal_prompt=MultimediaObject(parts),
                      max_tokens=4, temperature=0.0)  # fmt: skip
    result = client.make_request(request)
    assert not result.success and result.outcome == "malformed" and result.completions == []


def test_a_model_that_is_not_there_fails_its_requests_with_its_name(tmp_path):
    client = get_class_by_name("helm.clients.vision_language.chat_vision_client.ChatVisionClient")(
        BlackHoleCacheConfig(), pretrained_model_name_or_path=str(tmp_path / "nothing"), device="cpu"
    )
    result = client.make_request(Request(model="a/b", model_deployment="a/b", prompt="What?"))
    assert not result.success and "nothing" in result.error


# ---- OpenFlamingo, whose package is old: a stand-in for it


class Flamingo(torch.nn.Module):
    def __init__(self, calls):
        super().__init__()
        self.calls = calls
        self.weight = torch.nn.Parameter(torch.zeros(2))

    def generate(self, **kwargs):
        shown = {k: {"$tensor": {"dtype": str(v.dtype), "shape": list(v.shape)}} if isinstance(v, torch.Tensor) else v
                 for k, v in kwargs.items()}  # fmt: skip
        self.calls.append(("model.generate", shown))
        rows = kwargs["num_return_sequences"]
        return torch.cat([kwargs["lang_x"].expand(rows, -1), torch.full((rows, 2), 7)], dim=1)


def cases_of_open_flamingo():
    cases = [case for case in VECTORS["cases"] if case["client"] == "open_flamingo" and "result" in case]
    return pytest.mark.parametrize("case", cases, ids=lambda case: case["id"])


@cases_of_open_flamingo()
def test_open_flamingo_is_asked_as_in_the_vectors(case, pictures, tmp_path, monkeypatch):
    calls, texts = [], [completion["text"] for completion in case["result"]["completions"]]

    def transform(picture):
        md5 = hashlib.md5(picture.tobytes()).hexdigest()
        calls.append(("image_processor", {"mode": picture.mode, "size": list(picture.size), "md5_of_pixels": md5}))
        return torch.zeros(3, 4, 4)

    class Tokenizer:
        def __call__(self, prompts, return_tensors):
            calls.append(("tokenizer", prompts))
            return {name: torch.ones(1, 5, dtype=torch.int64) for name in ("input_ids", "attention_mask")}

        def decode(self, ids):
            assert ids.tolist() == [7, 7], "the prompt is not part of the answer"
            return f" {texts[0]}<|endofchunk|>"

    def create_model_and_transforms(**kwargs):
        calls.append(("create", kwargs))
        return Flamingo(calls), transform, Tokenizer()

    package = ModuleType("open_flamingo")
    package.create_model_and_transforms = create_model_and_transforms
    monkeypatch.setitem(sys.modules, "open_flamingo", package)
    weights = tmp_path / "weights"
    weights.mkdir()
    torch.save({"weight": torch.ones(2)}, weights / "checkpoint.pt")
    client = get_class_by_name(case["client_class"])(
        BlackHoleCacheConfig(), str(weights), "org/words", trust_remote_code=True, device="cpu"
    )
    request = request_of(case, pictures)
    result = client.make_request(request)
    assert result.success, result.error
    assert [completion.text for completion in result.completions] == texts
    expected = {call["call"]: call for call in case["sent"]}
    images = [call["args"][0]["$image"] for call in case["sent"] if call["call"] == "image_processor"]
    assert [value for name, value in calls if name == "image_processor"] == images
    given = dict(calls)
    assert given["tokenizer"] == expected["tokenizer"]["args"][0]
    assert given["model.generate"] == expected["model.generate"]["kwargs"]
    assert given["create"] == {
        "clip_vision_encoder_path": "ViT-L-14",
        "clip_vision_encoder_pretrained": "openai",
        "lang_encoder_path": "org/words",
        "tokenizer_path": "org/words",
        "cross_attn_every_n_layers": 4,
    }
    monkeypatch.setitem(sys.modules, "open_flamingo", None)
    other = get_class_by_name(case["client_class"])(
        BlackHoleCacheConfig(), str(tmp_path), "org/words", trust_remote_code=True, device="cpu"
    )
    with pytest.raises(ConfigError, match="OpenFlamingo needs the package open_flamingo"):
        other.make_request(request)


# ---- A whole run


@pytest.mark.slow
def test_a_run_from_a_folder_of_pictures_to_a_table(folder_of, pictures, tmp_path):
    rows = [{"file": "red.png", "colour": "red"}, {"file": "blue.png", "colour": "blue"}]
    entry = {
        "name": "tiny_colours",
        "description": "The colours of two pictures.",
        "source": {"rows": rows},
        "split": "test",
        "media": {"picture": {"path": f"{pictures}/{{file}}"}},
        "input": ["{picture}", "Which colour?"],
        "references": {"answers": ["colour"]},
        "run": {
            "adapter": {"preset": "none", "method": "generation_multimodal", "max_tokens": 5, "max_train_instances": 0,
                        "temperature": 0.0, "num_outputs": 1},
            "metrics": ["exact_match"],
        },
    }  # fmt: skip
    client = {
        "class_name": "helm.clients.vision_language.chat_vision_client.ChatVisionClient",
        "args": {"pretrained_model_name_or_path": folder_of(llava), "device": "cpu"},
    }
    deployment = {"name": "mine/eyes", "model_name": "mine/eyes", "tokenizer_name": "simple/tokenizer1",
                  "max_sequence_length": 100, "client_spec": client}  # fmt: skip
    model = {
        "name": "mine/eyes",
        "display_name": "Eyes",
        "description": "",
        "access": "open",
        "creator_organization_name": "-",
        "tags": ["VISION_LANGUAGE_MODEL_TAG"],
    }
    (tmp_path / "prod_env").mkdir()
    for name, value in {
        "tiny_colours.yaml": entry,
        "prod_env/model_deployments.yaml": {"model_deployments": [deployment]},
        "prod_env/model_metadata.yaml": {"models": [model]},
    }.items():
        (tmp_path / name).write_text(json.dumps(value), encoding="utf-8")
    command = [sys.executable, "-m", "helm.benchmark.run", "-r", "tiny_colours:model=mine/eyes"]
    options = ["--plugins", "tiny_colours.yaml", "--suite", "s", "-m", "5"]
    finished = subprocess.run([*command, *options], cwd=tmp_path, capture_output=True, text=True)
    assert finished.returncode == 0, finished.stderr[-3000:]
    (run,) = (tmp_path / "benchmark_output/runs/s").glob("tiny_colours*")
    states = json.loads((run / "scenario_state.json").read_text(encoding="utf-8"))["request_states"]
    assert len(states) == 2 and all(state["result"]["completions"][0]["text"] for state in states)
    assert len({state["result"]["completions"][0]["text"] for state in states}) == 2, "the pictures decide"
