"""A chat model behind `transformers serve`, a server that others wrote: what it answers, and what we make of it."""

import json
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from lazy_support import import_when_used

torch, transformers = import_when_used("torch"), import_when_used("transformers")
for _name in ("fastapi", "uvicorn", "accelerate", "openai"):
    import_when_used(_name)

COMMAND = Path(sys.executable).with_name("transformers")
TEMPLATE = (
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}\n{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% if mood is defined %}({{ mood }}){% endif %}{% endif %}"
)
SYSTEM = "Be careful, and brief."


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A tiny model of random weights with a chat template."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=400, special_tokens=["</s>"], initial_alphabet=alphabet)
    tokenizer.train_from_iterator(["Question: Is 7 even or odd? A. Even B. Odd Answer: A"] * 4, trainer)
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="</s>")
    fast.chat_template = TEMPLATE
    path = tmp_path_factory.mktemp("models") / "tiny"
    fast.save_pretrained(path)
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=len(fast), eos_token_id=0, bos_token_id=0, pad_token_id=0, hidden_size=32, intermediate_size=48,
        num_hidden_layers=2, num_attention_heads=2, max_position_embeddings=4096,
    )  # fmt: skip
    model = transformers.LlamaForCausalLM(config)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(4.0)  # far from uniform
    model.save_pretrained(path)
    return path


@pytest.fixture(scope="module")
def address(folder):
    if not COMMAND.exists():
        pytest.skip("no command transformers")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = (folder.parent / "serve.log").open("w")
    words = [str(COMMAND), "serve", folder.name, "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    process = subprocess.Popen(words, cwd=folder.parent, stdout=log, stderr=subprocess.STDOUT)
    origin = f"http://127.0.0.1:{port}"
    try:
        _wait_for(f"{origin}/health", process, folder.parent / "serve.log")
        yield f"{origin}/v1"
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        log.close()


def _wait_for(url, process, log):
    end = time.monotonic() + 300
    while time.monotonic() < end:
        assert process.poll() is None, log.read_text()[-2000:]
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(log.read_text()[-2000:])


@pytest.fixture
def helm(tmp_path, monkeypatch):
    """Runs an entry for three instances, and returns its run spec and its request states."""
    from helm.benchmark import run

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")

    def helm(entry, *flags):
        run.main(["-r", entry, "-m", "3", "--disable-cache", *flags])
        (folder,) = tmp_path.glob("benchmark_output/runs/default/simple_mcqa*")
        spec, state = (json.loads((folder / f"{name}.json").read_text()) for name in ("run_spec", "scenario_state"))
        return spec, state["request_states"]

    return helm


KEYS = f'prompt=chat,system_prompt="{SYSTEM}",fewshot_as_turns=true,max_train_instances=1,max_tokens=12'


def test_a_preset_runs_on_a_real_server_and_equals_the_template_in_this_process(address, folder, helm, tmp_path):
    spec, states = helm(f"simple_mcqa:{KEYS},model=openai-compat/tiny@{address}")
    assert spec["extractor_spec"]["class_name"].endswith(".LetterExtractor") and len(states) == 3
    served = []
    for state in states:
        roles = [message["role"] for message in state["request"]["messages"]]
        assert roles == ["system", "user", "assistant", "user"]
        assert state["request"]["messages"][-1]["content"].endswith("is the letter of the correct choice.")
        assert state["result"]["success"] and state["result"]["usage"]["completion_tokens"] == 12
        served.append(state["result"]["completions"][0]["text"])

    from helm.clients.huggingface_client import HuggingFaceClient
    from helm.common.cache import BlackHoleCacheConfig
    from helm.common.codec import structure
    from helm.common.request import Request

    client = HuggingFaceClient(BlackHoleCacheConfig(), pretrained_model_name_or_path=str(folder), device="cpu")
    assert client.takes_messages("tiny")
    results = [client.make_request(structure(state["request"], Request)) for state in states]
    assert [result.completions[0].text for result in results] == served
    assert [result.usage.prompt_tokens for result in results] == [
        state["result"]["usage"]["prompt_tokens"] for state in states
    ]


@pytest.mark.parametrize("has_template", [True, False])
def test_a_template_in_this_process_decides_whether_messages_are_sent(folder, helm, tmp_path, has_template):
    arguments = {"pretrained_model_name_or_path": str(folder), "device": "cpu"}
    if not has_template:
        arguments["apply_chat_template"] = False
    (tmp_path / "prod_env").mkdir()
    (tmp_path / "prod_env" / "model_deployments.yaml").write_text(
        "model_deployments:\n- name: mine/tiny\n  tokenizer_name: simple/tokenizer1\n  max_sequence_length: 4096\n"
        "  client_spec:\n    class_name: helm.clients.huggingface_client.HuggingFaceClient\n"
        f"    args: {json.dumps(arguments)}\n"
    )
    _, states = helm(f"simple_mcqa:{KEYS},seed=1,model=mine/tiny")
    request = states[0]["request"]
    assert ("messages" in request) == has_template and bool(request["prompt"]) != has_template
    assert all(state["result"]["success"] for state in states)


def test_variables_reach_the_template_of_the_server(address):
    from helm.clients.openai_compatible_client import OpenAICompatibleClient
    from helm.common.cache import BlackHoleCacheConfig
    from helm.common.request import Request
    from helm.common.request_options import RequestOptions

    client = OpenAICompatibleClient(BlackHoleCacheConfig(), base_url=address, api_key="", openai_model_name="tiny")

    def num_prompt_tokens(options):
        messages = [{"role": "user", "content": "hi"}]
        request = Request(
            model="org/tiny", model_deployment="org/tiny", messages=messages, max_tokens=2, options=options
        )
        result = client.make_request(request)
        assert result.success, result.error
        return result.usage.prompt_tokens

    plain = num_prompt_tokens(RequestOptions(seed=1))
    assert num_prompt_tokens(RequestOptions(chat_template_kwargs={"mood": "~~~~"})) == plain + 6
