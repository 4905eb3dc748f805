"""Runs with the keys for chat models, from the run entry to what a server really gets."""

import json
from dataclasses import replace

import pytest

import conformance_server as faults
from conformance_server import ConformanceServer
from helm.benchmark import run
from helm.benchmark.adaptation.adapter_spec import AdapterSpec, ChatSpec
from helm.benchmark.adaptation.request_state import new_request_state
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.assembly.chat_presets import PRESETS
from helm.benchmark.executor import ExecutionSpec, Executor
from helm.benchmark.model_deployment_registry import DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT, get_model_deployment
from helm.benchmark.presentation import summarize
from helm.benchmark.run_spec_factory import construct_recipe, construct_run_specs
from helm.benchmark.scenarios.scenario import Input, Instance
from helm.common.authentication import Authentication
from helm.common.errors import ConfigError
from helm.common.object_spec import ObjectSpec, parse_object_spec
from helm.common.request import Request

pytestmark = pytest.mark.usefixtures("built_in_catalogue")

QUESTIONS = [
    {
        "input": {"text": f"Question {i}?"},
        "references": [
            {"output": {"text": "yes"}, "tags": ["correct"]},
            {"output": {"text": "no"}, "tags": []},
        ],
        "split": "test" if i > 1 else "train",
    }
    for i in range(5)
]


@pytest.fixture
def server(tmp_path, monkeypatch):
    from helm.clients.pacing.limiter import forget_limiters

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HELM_RETRIES", "0")
    forget_limiters()
    server = ConformanceServer()
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.origin}/vllm/v1")
    folder = tmp_path / "benchmark_output" / "scenarios" / "custom_mcqa"
    folder.mkdir(parents=True)
    (folder / "q.jsonl").write_text("".join(json.dumps(line) + "\n" for line in QUESTIONS))
    yield server
    server.close()
    forget_limiters()


@pytest.fixture
def helm(server, tmp_path):
    """Runs `helm-run`; returns the run's error, or None, and its folder."""

    def helm(*args, flags=()):
        entry = ",".join(["custom_mcqa:path=q.jsonl,num_train_instances=1", *args])
        if not any(arg.startswith("model=") for arg in args):
            entry += ",model=openai-compat/m"
        try:
            run.main(["-r", entry, "-m", "2", "--disable-cache", *flags])
            message = None
        except SystemExit as e:
            message = str(e.code)
            for path in tmp_path.glob("benchmark_output/runs/default/*/error.json"):
                message = json.loads(path.read_text())["message"]
        return message, next(iter(tmp_path.glob("benchmark_output/runs/default/custom_mcqa*")), None)

    return helm


def no_route(server, body, fault):
    raise faults.Response(404, {"detail": "Not Found"})


def own_requests(server):
    """Without the one that finds out whether the server takes messages."""
    return [r for r in server.requests if "Say hi." not in json.dumps(r["body"])]


def test_a_chat_server_gets_messages_and_options(helm, server):
    server.strict = True
    error, folder = helm(
        "prompt=chat",
        'system_prompt="Be careful, a=b, and brief."',
        "fewshot_as_turns=true",
        'extra_body={"guided_regex": "[AB], x=1"}',
        'chat_template_kwargs={"enable_thinking":false}',
        "seed=3",
        "max_tokens=99",
    )
    assert error is None
    requests = own_requests(server)
    assert len(requests) == 2
    body = requests[0]["body"]
    assert requests[0]["path"].endswith("/chat/completions")
    assert [message["role"] for message in body["messages"]] == ["system", "user", "assistant", "user"]
    assert body["messages"][0]["content"] == "Be careful, a=b, and brief."
    assert body["messages"][2]["content"] == "A"
    assert body["guided_regex"] == "[AB], x=1" and body["chat_template_kwargs"] == {"enable_thinking": False}
    assert body["seed"] == 3 and body["max_tokens"] == 99 and "stop" not in body
    spec = json.loads((folder / "run_spec.json").read_text())
    assert spec["adapter_spec"]["chat"]["mode"] == "auto" and spec["extractor_spec"]["class_name"].endswith("Extractor")
    state = json.loads((folder / "scenario_state.json").read_text())["request_states"][0]
    assert state["output_mapping"] == {"A": "yes", "B": "no"}
    assert state["request"]["options"]["seed"] == 3


def test_tables_and_pages_show_the_conversation(helm, server, tmp_path):
    assert helm("prompt=chat", "system_prompt=Be brief.", "max_tokens=99")[0] is None
    summarize.main(["--suite", "default", "--auto-generate-schema"])
    (shown,) = tmp_path.glob("benchmark_output/runs/default/custom_mcqa*/display_requests.json")
    request = json.loads(shown.read_text())[0]["request"]
    assert request["messages"][0] == {"role": "system", "content": "Be brief."}
    assert request["options"] == {"split_thinking": True}


def test_thinking_and_answer_are_kept_apart_in_the_files(helm, server):
    server.text = "<think>\nHm.\n</think>\n\nAnswer: A"
    error, folder = helm("prompt=reasoning", "max_tokens=500")
    assert error is None
    stats = json.loads((folder / "stats.json").read_text())
    (exact,) = [s for s in stats if s["name"] == {"name": "exact_match", "split": "test"}]
    assert exact["mean"] == 1.0
    state = json.loads((folder / "scenario_state.json").read_text())["request_states"][0]
    (completion,) = state["result"]["completions"]
    assert completion["text"] == "Answer: A" and completion["thinking"] == {"text": "Hm."}


def test_auto_sends_prompts_to_a_server_without_a_chat_route(helm, server, monkeypatch):
    monkeypatch.setitem(faults.DIALECTS, "chat", no_route)
    error, _ = helm("prompt=chat", "max_tokens=99")
    assert error is None
    answered = [request for request in own_requests(server) if request["path"].endswith("/v1/completions")]
    assert len(answered) == 2
    assert answered[0]["body"]["prompt"].endswith("where X is the letter of the correct choice.")


def test_auto_sends_prompts_to_a_model_that_declares_no_messages(helm, server, tmp_path):
    (tmp_path / "prod_env").mkdir()
    (tmp_path / "prod_env" / "model_deployments.yaml").write_text(
        "model_deployments:\n- name: mine/m\n  tokenizer_name: simple/tokenizer1\n  max_sequence_length: 9000\n"
        "  capabilities: {messages: false}\n  client_spec:\n"
        "    class_name: helm.clients.openai_compatible_client.OpenAICompatibleClient\n"
        f"    args: {{base_url: '{server.origin}/vllm/v1'}}\n"
    )
    error, _ = helm("prompt=chat", "max_tokens=99", "model=mine/m")
    assert error is None
    assert [message["role"] for message in server.bodies[0]["messages"]] == ["user"]  # the client's own form


def test_on_is_an_error_where_there_is_no_chat_route(helm, server, monkeypatch):
    monkeypatch.setitem(faults.DIALECTS, "chat", no_route)
    error, _ = helm("chat=on")
    assert "needs messages, which openai-compat/m does not give" in error and own_requests(server) == []


def test_off_continues_a_plain_prompt(helm, server):
    assert helm("chat=off")[0] is None
    assert {request["path"] for request in server.requests} == {"/vllm/v1/completions"}
    assert all("messages" not in body for body in server.bodies)


def test_a_baseline_gets_the_question_as_text(helm, tmp_path):
    error, folder = helm("prompt=chat", "max_tokens=50", "model=simple/model1")
    assert error is None
    request = json.loads((folder / "scenario_state.json").read_text())["request_states"][0]["request"]
    assert request["prompt"].endswith("correct choice.") and "messages" not in request


def test_the_tokens_of_messages_are_counted(helm, tmp_path):
    def num_prompt_tokens(*args):
        error, _ = helm(*args, "model=baseline/ppm", flags=["--suite", f"s{len(args)}"])
        assert error is None
        (path,) = tmp_path.glob(f"benchmark_output/runs/s{len(args)}/custom_mcqa*/stats.json")
        stats = json.loads(path.read_text())
        return next(s["mean"] for s in stats if s["name"] == {"name": "num_prompt_tokens", "split": "test"})

    plain = num_prompt_tokens()
    assert plain > 20 and num_prompt_tokens("chat=on") == plain
    assert num_prompt_tokens("chat=on", "system_prompt=Be brief.") > plain


@pytest.mark.parametrize("flags", [[], ["--no-probe"]])
def test_what_a_client_cannot_send_ends_the_run_before_its_first_request(helm, server, flags):
    error, _ = helm("seed=1", "top_p=0.5", "model=simple/model1", flags=flags)
    assert error == "simple/model1 (SimpleClient) takes no seed or top_p. None of the requests was sent."
    assert server.requests == []


def test_a_dry_run_makes_the_same_messages_and_asks_nothing(helm, server):
    error, folder = helm("prompt=chat", "max_tokens=99", flags=["--dry-run"])
    assert error is None and server.requests == []
    state = json.loads((folder / "scenario_state.json").read_text())["request_states"][0]
    assert state["request"]["messages"][0]["content"].endswith("is the letter of the correct choice.")


def test_an_adapter_that_ignores_what_was_asked_sends_nothing(server, tmp_path):
    """One of a plugin, that makes its requests itself."""
    spec = AdapterSpec(
        method="mine.Adapter", model="openai-compat/m", model_deployment="openai-compat/m", chat=ChatSpec(mode="on")
    )
    request = Request(model=spec.model, model_deployment=spec.model_deployment, prompt="Hi")
    state = new_request_state(Instance(Input(text="Hi"), [], id="id1"), request)
    executor = Executor(
        ExecutionSpec(url=None, auth=Authentication(""), local_path=str(tmp_path / "prod_env"), parallelism=1)
    )
    with pytest.raises(ConfigError, match="The adapter method mine.Adapter makes requests without chat"):
        executor.execute(ScenarioState(spec, [state]))
    assert server.requests == []


def test_the_error_names_the_other_method(tmp_path):
    entry = (
        f"custom_mcqa:path={tmp_path}/q.jsonl,method=multiple_choice_separate_original,prompt=chat,model=simple/model1"
    )
    with pytest.raises(ConfigError, match="Say method=multiple_choice_joint in the entry"):
        construct_run_specs(parse_object_spec(entry))


@pytest.mark.parametrize("entry", ["chat=off,fewshot_as_turns=true", "fewshot_as_turns=true,chat=off"])
def test_keys_that_contradict_each_other_are_an_error_in_any_order(entry):
    with pytest.raises(
        ConfigError, match="fewshot_as_turns=true needs messages of a chat, and chat=off sends a plain prompt"
    ):
        construct_run_specs(parse_object_spec(f"simple_mcqa:{entry},model=simple/model1"))


# --- entries ----------------------------------------------------------------------------------------------------------


def spec_of(entry):
    (run_spec,) = construct_run_specs(parse_object_spec(f"simple_mcqa:{entry},model=simple/model1"))
    return run_spec


def test_a_preset_yields_to_the_other_keys_wherever_they_stand():
    before, behind = spec_of("max_tokens=7,temperature=0.3,prompt=reasoning"), spec_of("prompt=reasoning,max_tokens=7")
    assert before.adapter_spec.max_tokens == behind.adapter_spec.max_tokens == 7
    assert before.adapter_spec.temperature == 0.3 and behind.adapter_spec.temperature == 0.6


def test_a_preset_leaves_half_of_a_small_window_to_the_prompt():
    assert spec_of("prompt=reasoning").adapter_spec.max_tokens == 1024
    assert spec_of("prompt=chat,max_tokens=1500").adapter_spec.max_tokens == 1500


@pytest.mark.parametrize(
    ("lengths", "preset", "max_tokens"),
    [
        ({"max_sequence_length": 100_000}, "reasoning", 32_768),
        ({"max_sequence_length": 16_384}, "reasoning", 8_192),
        ({"max_sequence_length": 6_000, "max_sequence_and_generated_tokens_length": 6_400}, "cot", 3_000),
        ({"max_sequence_length": 9_000, "max_sequence_and_generated_tokens_length": 6_400}, "cot", 3_200),
        ({"max_sequence_length": 1_000, "max_request_length": 6_400}, "cot", 3_200),
        ({"capabilities": {"context_length": 6_402}}, "cot", 3_201),
        ({"max_sequence_length": 512}, "cot", 256),
        (
            {"max_sequence_length": 500},
            "cot",
            "prompt=cot.* 256 .*small/500.*max_sequence_length=500.* is 250.*max_tokens",
        ),
        ({"capabilities": {"context_length": 200}}, "chat", "prompt=chat.* 128 .*context_length=200.* is 100"),
        ({}, "reasoning", 32_768),
    ],
)
def test_a_preset_fits_itself_to_the_window_of_the_deployment(lengths, preset, max_tokens, monkeypatch, caplog):
    name = f"small/{''.join(c for c in str(lengths) if c.isdigit())}"  # what is said once of a deployment is said in each case
    deployment = replace(
        get_model_deployment("simple/model1"), **{"name": name, "max_sequence_length": None, **lengths}
    )
    monkeypatch.setitem(DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT, name, deployment)
    entry = ObjectSpec("simple_mcqa", {"prompt": preset, "model_deployment": name, "model": "simple/model1"})
    if isinstance(max_tokens, str):
        with pytest.raises(ConfigError, match=max_tokens):
            construct_run_specs(entry)
        assert construct_run_specs(ObjectSpec(entry.class_name, {**entry.args, "max_tokens": 9}))
        return
    with caplog.at_level("INFO", logger="helm"):
        run_specs = [*construct_run_specs(entry), *construct_run_specs(entry)]
    assert {run_spec.adapter_spec.max_tokens for run_spec in run_specs} == {max_tokens}
    said = [record.getMessage() for record in caplog.records if f"max_tokens is {max_tokens:,}" in record.getMessage()]
    assert len(said) == (0 if max_tokens == PRESETS[preset].max_tokens else 1)


def test_the_instruction_asks_for_the_form_that_the_entry_names():
    for entry in ("prompt=cot,extraction=boxed", "extraction=boxed,prompt=cot"):
        run_spec = spec_of(entry)
        instruction = "Think step by step before you answer. Put your final answer in \\boxed{}."
        assert run_spec.adapter_spec.chat.answer_instruction == instruction
        assert run_spec.extractor_spec.class_name.endswith(".BoxedExtractor")
    assert spec_of("prompt=chat,extraction=none").adapter_spec.chat.answer_instruction is None


def test_values_of_helm_keep_their_meaning_and_place():
    run_spec = spec_of("max_train_instances=1,prompt=qa")
    assert run_spec.name == "simple_mcqa:max_train_instances=1,prompt=qa,model=simple_model1"
    assert run_spec.adapter_spec.input_prefix == "Q: " and run_spec.adapter_spec.chat is None
    assert spec_of("prompt=helm") == spec_of("num_outputs=5") or spec_of("prompt=helm").name.endswith(
        "model=simple_model1"
    )


def test_a_recipe_with_an_argument_of_that_name_gets_it():
    spec = ObjectSpec("ad_programming", {"max_tokens": 123, "model": "simple/model1"})
    (run_spec,) = construct_run_specs(spec)
    assert run_spec.adapter_spec.max_tokens == 123 and construct_recipe(spec).adapter_spec.max_tokens == 123
    assert ":max_tokens" in run_spec.name or "max_tokens=" not in run_spec.name


def test_python_gives_values_as_they_are():
    args = {
        "extra_body": {"a": [1, 2]},
        "fewshot_as_turns": True,
        "system_prompt": "Hi, you.",
        "model": "simple/model1",
    }
    (run_spec,) = construct_run_specs(ObjectSpec("simple_mcqa", args))
    assert run_spec.adapter_spec.request_options.extra_body == {"a": [1, 2]}
    assert run_spec.adapter_spec.chat.fewshot_as_turns is True
    assert run_spec.adapter_spec.chat.system_prompt == "Hi, you."


@pytest.mark.parametrize(
    ("entry", "args"),
    [
        ('n:a={"x": 1, "y": [2, 3]},b=4', {"a": '{"x": 1, "y": [2, 3]}', "b": 4}),
        ('n:a="one, two",b=4', {"a": '"one, two"', "b": 4}),
        ('n:b=4,a={"x": "p=1, q=2"}', {"b": 4, "a": '{"x": "p=1, q=2"}'}),
        ('n:b=4,a={"x": "p=1\\u002cq=2"}', {"b": 4, "a": '{"x": "p=1\\u002cq=2"}'}),
        ('n:a="p=1,q=2"', {"a": '"p=1', "q": '2"'}),  # as HELM reads it
        ("n:a=[1,2]", {"a": "[1,2]"}),
        ('n:a="one"', {"a": '"one"'}),
        ('n:a="one,b=2', {"a": '"one', "b": 2}),
        ("n:a={one},b=2", {"a": "{one}", "b": 2}),
    ],
)
def test_json_in_an_entry_may_have_commas(entry, args):
    assert parse_object_spec(entry) == ObjectSpec("n", args)


@pytest.mark.parametrize("entry", ["n:a=1,two", 'n:a="one, two', 'n:a={"x": 1,}', 'n:a={"x": 1, "y": 2}z'])
def test_what_is_no_json_is_wrong_as_ever(entry):
    with pytest.raises(ValueError, match="Expected <key>=<value>"):
        parse_object_spec(entry)
