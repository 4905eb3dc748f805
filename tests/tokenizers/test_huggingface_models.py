"""Models named by a flag or by their name in the hub, with a real tokenizer in a local folder."""

import json

import pytest

from helm.benchmark import run
from helm.benchmark.model_deployment_registry import get_model_deployment
from helm.benchmark.window_services.tokenizer_service import TokenizerService
from helm.benchmark.window_services.window_service_factory import WindowServiceFactory
from registries_support import empty_registries

pytest.importorskip("transformers")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """`saved/tiny` below the working folder: a byte-level tokenizer for a window of 300 tokens."""
    from transformers import PreTrainedTokenizerFast

    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    vocabulary = {symbol: i for i, symbol in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()) + ["<end>"])}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    saved = PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=300, eos_token="<end>")
    saved.save_pretrained(str(tmp_path / "saved" / "tiny"))
    monkeypatch.chdir(tmp_path)
    with empty_registries():
        yield tmp_path


def run_dry(folder, name, *flags):
    run.main([*flags, "-r", f"simple_mcqa:model={name}", "-m", "2", "--dry-run", "--suite", "s"])
    (path,) = (folder / "benchmark_output" / "runs" / "s").glob("simple_mcqa*/scenario_state.json")
    return json.loads(path.read_text())


def test_a_local_folder_by_flag(folder, local_context):
    state = run_dry(folder, "huggingface/tiny", "--enable-local-huggingface-models", "saved/tiny")
    prompts = [request_state["request"]["prompt"] for request_state in state["request_states"]]
    max_tokens = state["adapter_spec"]["max_tokens"]
    assert all(len(prompt) + max_tokens <= 300 < len(prompt) + max_tokens + 60 for prompt in prompts)
    window = WindowServiceFactory.get_window_service("huggingface/tiny", TokenizerService(local_context))
    assert (window.max_sequence_length, window.end_of_text_token, window.prefix_token) == (300, "<end>", "")
    assert window.decode(window.encode("aé").tokens) == "aé" and window.get_num_tokens("aé") == 3


def test_a_name_of_the_hub_by_flag(folder):
    run_dry(folder, "saved/tiny", "--enable-huggingface-models", "saved/tiny")
    deployment = get_model_deployment("saved/tiny")
    assert (deployment.tokenizer_name, deployment.max_sequence_length) == ("saved/tiny", 300)


def test_a_name_of_the_hub_needs_no_flag(folder):
    """The deployment is made from the name, and its window is that of the tokenizer."""
    state = run_dry(folder, "huggingface/saved/tiny")
    assert state["adapter_spec"]["model"] == "saved/tiny"
    assert state["adapter_spec"]["model_deployment"] == "huggingface/saved/tiny"
    assert all(len(s["request"]["prompt"]) <= 300 for s in state["request_states"])
