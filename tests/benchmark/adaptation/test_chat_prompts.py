"""What adapters send for chat models: presets and keys of run entries by adapter method."""

import json
import re
from dataclasses import replace

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec, ChatSpec
from helm.benchmark.adaptation.adapters.adapter_factory import AdapterFactory
from helm.benchmark.adaptation.common_adapter_specs import (
    get_generation_adapter_spec,
    get_multiple_choice_joint_adapter_spec,
    get_multiple_choice_separate_adapter_spec,
)
from helm.benchmark.metrics.common_metric_specs import get_basic_metric_specs, get_exact_match_metric_specs
from helm.benchmark.model_deployment_registry import ClientSpec, ModelDeployment, register_model_deployment
from helm.benchmark.run_expander import RUN_EXPANDERS
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.scenarios.scenario import CORRECT_TAG, Input, Instance, Output, Reference
from helm.benchmark.specs import ScenarioSpec
from helm.benchmark.window_services.tokenizer_service import TokenizerService
from helm.common.codec import asdict_without_nones, structure
from helm.common.errors import ConfigError
from helm.common.request import Request
from helm.common.request_options import RequestOptions

DEPLOYMENT = {"model": "vec/plain", "model_deployment": "vec/roomy"}
GENERATION = replace(
    get_generation_adapter_spec(
        instructions="Answer.",
        input_noun="Question",
        output_noun="Answer",
        max_train_instances=2,
        stop_sequences=["\n"],
    ),
    max_tokens=5,
    **DEPLOYMENT,
)
JOINT = replace(
    get_multiple_choice_joint_adapter_spec(
        instructions="Choose.", input_noun="Question", output_noun="Answer", max_train_instances=2
    ),
    **DEPLOYMENT,
)
LETTER = 'End with a line of the form "Answer: X", where X is the letter of the correct choice.'
SHORT = 'End with a line of the form "Answer: X", where X is your final answer and nothing else.'


def instance(number, split="test"):
    references = [Reference(Output(text=str(2 * number + i)), [CORRECT_TAG] if i == 0 else []) for i in range(2)]
    return Instance(Input(text=f"twice {number}?"), references, split=split, id=f"id{number}")


INSTANCES = [instance(1, "train"), instance(2, "train"), instance(3)]


@pytest.fixture
def deployment(vector_environment):
    """One with room for long answers."""
    register_model_deployment(
        ModelDeployment(
            name="vec/roomy",
            model_name="vec/plain",
            tokenizer_name="simple/tokenizer1",
            max_sequence_length=100_000,
            client_spec=ClientSpec("helm.clients.simple_client.SimpleClient"),
        )
    )


@pytest.fixture
def adapt(deployment, local_context):
    def run(spec, instances=INSTANCES):
        return AdapterFactory.get_adapter(spec, TokenizerService(local_context)).adapt(instances, 1)

    return run


def run_spec_of(spec, metrics=None):
    metric_specs = get_exact_match_metric_specs() if metrics is None else metrics
    return RunSpec("run", ScenarioSpec("x.Y"), spec, metric_specs)


def expanded(spec, metrics=None, **keys):
    """The run spec after the keys of an entry; what `auto` becomes before a server of chats."""
    run_spec = run_spec_of(spec, metrics)
    for key, value in keys.items():
        (run_spec,) = RUN_EXPANDERS[key](value).expand(run_spec)
    return run_spec


def sent(adapt, run_spec, mode="on", instances=INSTANCES):
    spec = run_spec.adapter_spec
    if spec.chat is not None and spec.chat.mode == "auto":
        spec = replace(spec, chat=replace(spec.chat, mode=mode))
    (state,) = adapt(spec, instances)
    return state


EXAMPLES = "Question: twice 1?\nAnswer: 2\n\nQuestion: twice 2?\nAnswer: 4\n\n"
CHOICES = [f"Question: twice {n}?\nA. {2 * n}\nB. {2 * n + 1}\n" for n in (1, 2, 3)]
ALL_CHOICES = f"{CHOICES[0]}Answer: A\n\n{CHOICES[1]}Answer: A\n\n{CHOICES[2]}"


@pytest.mark.parametrize(
    ("preset", "lead", "max_tokens", "temperature"),
    [
        ("chat", "", 2048, 0.0),
        ("cot", "Think step by step before you answer. ", 4096, 0.0),
        ("reasoning", "", 32768, 0.6),
    ],
)
def test_presets_ask_generation_for_a_form_with_room_and_without_stops(adapt, preset, lead, max_tokens, temperature):
    run_spec = expanded(GENERATION, prompt=preset)
    assert run_spec.name == f"run:prompt={preset}"
    assert run_spec.extractor_spec.class_name.endswith(".LastLineExtractor")
    request = sent(adapt, run_spec).request
    assert request == Request(
        **DEPLOYMENT,
        messages=[{"role": "user", "content": f"Answer.\n\n{EXAMPLES}Question: twice 3?\n\n{lead}{SHORT}"}],
        temperature=temperature,
        max_tokens=max_tokens,
        stop_sequences=[],
        options=RequestOptions(split_thinking=True),
    )


@pytest.mark.parametrize("preset", ["chat", "cot", "reasoning"])
def test_presets_make_joint_multiple_choice_a_text_with_a_letter_in_it(adapt, preset):
    run_spec = expanded(JOINT, prompt=preset)
    assert run_spec.extractor_spec.class_name.endswith(".LetterExtractor")
    state = sent(adapt, run_spec)
    assert state.output_mapping == {"A": "6", "B": "7"}
    lead = "Think step by step before you answer. " if preset == "cot" else ""
    content = f"Choose.\n\n{ALL_CHOICES.rstrip()}\n\n{lead}{LETTER}"
    assert state.request.messages == [{"role": "user", "content": content}]
    assert state.request.prompt == "" and state.request.stop_sequences == []
    assert state.request.max_tokens >= 2048 and state.request.num_completions == 1


def test_free_form_text_gets_room_and_no_instruction(adapt):
    metrics = get_basic_metric_specs(["rouge_l"])
    run_spec = expanded(GENERATION, metrics, prompt="chat")
    assert run_spec.extractor_spec is None and run_spec.adapter_spec.chat == ChatSpec()
    content = f"Answer.\n\n{EXAMPLES}Question: twice 3?\nAnswer:"
    assert sent(adapt, run_spec).request.messages == [{"role": "user", "content": content}]


def test_a_prompt_is_sent_where_the_endpoint_takes_no_messages(adapt):
    request = sent(adapt, expanded(JOINT, prompt="chat", system_prompt="Be brief."), mode="auto").request
    assert request.messages is None and request.options == RequestOptions(split_thinking=True)
    assert request.prompt == f"Be brief.\n\nChoose.\n\n{ALL_CHOICES.rstrip()}\n\n{LETTER}"


def test_chat_off_sends_a_plain_prompt(adapt):
    request = sent(adapt, expanded(JOINT, chat="off")).request
    assert request.options == RequestOptions(plain_prompt=True) and request.messages is None
    assert request.prompt == sent(adapt, run_spec_of(JOINT)).request.prompt


@pytest.mark.parametrize("spec", [GENERATION, JOINT], ids=["generation", "joint"])
def test_the_default_preset_changes_nothing(adapt, spec):
    assert expanded(spec, prompt="helm") == run_spec_of(spec)
    request = sent(adapt, run_spec_of(spec)).request
    assert request.options is None and request.messages is None and "options" not in asdict_without_nones(request)


def test_chat_on_sends_helm_s_prompt_as_one_message(adapt):
    plain = sent(adapt, run_spec_of(GENERATION)).request
    request = sent(adapt, expanded(GENERATION, chat="on")).request
    assert request == replace(
        plain, prompt="", messages=[{"role": "user", "content": plain.prompt}], options=RequestOptions()
    )


def test_examples_become_turns(adapt):
    run_spec = expanded(GENERATION, system_prompt="Be brief.", fewshot_as_turns="true", chat="on")
    assert sent(adapt, run_spec).request.messages == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Answer.\n\nQuestion: twice 1?\nAnswer:"},
        {"role": "assistant", "content": "2"},
        {"role": "user", "content": "Question: twice 2?\nAnswer:"},
        {"role": "assistant", "content": "4"},
        {"role": "user", "content": "Question: twice 3?\nAnswer:"},
    ]


def test_turns_of_multiple_choice_answer_with_the_letter(adapt):
    messages = sent(adapt, expanded(JOINT, prompt="chat", fewshot_as_turns="true")).request.messages
    assert [message["role"] for message in messages] == ["user", "assistant", "user", "assistant", "user"]
    assert messages[0]["content"] == f"Choose.\n\n{CHOICES[0].rstrip()}"
    assert messages[1]["content"] == messages[3]["content"] == "A"
    assert messages[4]["content"] == f"{CHOICES[2].rstrip()}\n\n{LETTER}"


def test_turns_without_examples_are_one_message(adapt):
    run_spec = expanded(replace(GENERATION, max_train_instances=0), fewshot_as_turns="true", chat="on")
    content = "Answer.\n\nQuestion: twice 3?\nAnswer:"
    assert sent(adapt, run_spec).request.messages == [{"role": "user", "content": content}]


def test_turns_of_a_ranking_ask_for_each_passage(adapt):
    spec = AdapterSpec(
        method="ranking_binary",
        input_prefix="Query: ",
        reference_prefix="Passage: ",
        output_prefix="Relevant? ",
        max_train_instances=1,
        **DEPLOYMENT,
    )
    run_spec = expanded(spec, fewshot_as_turns="true", chat="on")
    states = adapt(run_spec.adapter_spec)
    assert len(states) == 2
    contents = [message["content"] for message in states[1].request.messages]
    assert contents[1] == "Yes" and contents[3] == "No"
    assert contents[4] == "Passage: 7\nQuery: twice 3?\nRelevant?"


def test_a_ranking_asks_for_the_word_that_its_metrics_read():
    spec = AdapterSpec(method="ranking_binary", **DEPLOYMENT)
    for preset in ("chat", "cot"):
        run_spec = expanded(spec, prompt=preset)
        assert run_spec.adapter_spec.chat.answer_instruction == "Answer with one word, Yes or No, without punctuation."
        assert run_spec.extractor_spec is None


@pytest.mark.parametrize("preset", ["chat", "cot", "reasoning"])
def test_examples_that_reason_do_so_in_their_turns(adapt, preset):
    spec = replace(
        JOINT,
        method="multiple_choice_joint_chain_of_thought",
        chain_of_thought_prefix="Let me think. ",
        max_train_instances=1,
    )
    train = replace(instance(1, "train"), extra_data={"chain_of_thought": "Twice one is two."})
    run_spec = expanded(spec, prompt=preset, fewshot_as_turns="true")
    messages = sent(adapt, run_spec, instances=[train, instance(3)]).request.messages
    assert messages[1] == {"role": "assistant", "content": "Let me think. Twice one is two.\nA."}
    assert messages[2]["content"].endswith("where X is the letter of the correct choice.")
    assert run_spec.extractor_spec.class_name.endswith(".LetterExtractor")


@pytest.mark.parametrize(("preset", "added"), [("chat", ""), ("cot", "\n\nThink step by step before you answer.")])
def test_presets_send_a_conversation_of_the_data_with_room(adapt, preset, added):
    conversation = [{"role": "user", "content": "Hi"}]
    one = Instance(Input(text="Hi", messages=conversation), [], split="test", id="id1")
    run_spec = expanded(AdapterSpec(method="chat", stop_sequences=["x"], **DEPLOYMENT), prompt=preset)
    request = sent(adapt, run_spec, instances=[one]).request
    assert request.messages == [{"role": "user", "content": f"Hi{added}"}]
    assert request.stop_sequences == [] and request.max_tokens >= 2048


def test_a_conversation_of_the_data_gets_system_prompt_and_instruction(adapt):
    messages = [{"role": "system", "content": "Own."}, {"role": "user", "content": "Hi"}]
    one = Instance(Input(text="Hi", messages=messages), [], split="test", id="id1")
    spec = AdapterSpec(
        method="chat", chat=ChatSpec(system_prompt="Be brief.", answer_instruction="One word."), **DEPLOYMENT
    )
    (state,) = adapt(spec, [one])
    assert state.request.messages == [
        {"role": "system", "content": "Be brief.\n\nOwn."},
        {"role": "user", "content": "Hi\n\nOne word."},
    ]
    assert one.input.messages == messages


def test_a_health_record_is_shortened_for_the_messages_around_it(adapt):
    data = {"ehr": "word " * 400, "prompt_template": "Record: {ehr}\nQuestion: {question}"}
    one = Instance(Input(text="Ill?"), [], split="test", id="id1", extra_data=data)
    spec = AdapterSpec(
        method="ehr_instruction", max_tokens=20, model="win/seq300", model_deployment="win/seq300",
        chat=ChatSpec(mode="on", system_prompt="Be a doctor. " * 20, answer_instruction="Say yes or no."),
    )  # fmt: skip
    (with_chat,) = adapt(spec, [one])
    (without,) = adapt(replace(spec, chat=None), [one])
    system, user = with_chat.request.messages
    assert system["role"] == "system" and user["content"].endswith("word \nQuestion: Ill?\n\nSay yes or no.")
    assert len(user["content"]) < len(without.request.prompt)


# --- the window ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("as_turns", ["true", "false"])
def test_examples_are_dropped_until_all_messages_fit(adapt, as_turns):
    many = [instance(i, "train") for i in range(60)] + [instance(99)]
    spec = replace(GENERATION, max_train_instances=60, model="win/seq300", model_deployment="win/seq300")
    run_spec = expanded(spec, fewshot_as_turns=as_turns, system_prompt="Be brief.", chat="on")
    state = sent(adapt, run_spec, instances=many)
    assert 0 < state.num_train_instances < 60 and not state.prompt_truncated
    texts = [message["content"] for message in state.request.messages]
    assert sum(len(text.split()) for text in texts) + 5 <= 300
    assert texts[0] == "Be brief." and texts[-1].endswith("Question: twice 99?\nAnswer:")
    if as_turns == "true":
        assert len(texts) == 2 * state.num_train_instances + 2


def test_a_question_that_is_too_long_loses_its_end_and_keeps_the_instruction(adapt):
    long = replace(instance(3), input=Input(text="word " * 500))
    spec = replace(GENERATION, max_train_instances=0, model="win/seq300", model_deployment="win/seq300")
    chat = ChatSpec(mode="on", system_prompt="Be brief.", answer_instruction=SHORT)
    (state,) = adapt(replace(spec, chat=chat), [long])
    system, user = (message["content"] for message in state.request.messages)
    assert state.prompt_truncated and system == "Be brief." and user.endswith(f"word\n\n{SHORT}")
    assert len(f"{system} {user}".split()) + 5 <= 300


def test_a_window_that_is_full_of_the_answer_is_an_error(adapt):
    spec = replace(GENERATION, max_tokens=300, model="win/seq300", model_deployment="win/seq300")
    with pytest.raises(ConfigError, match="Lower max_tokens"):
        adapt(replace(spec, chat=ChatSpec(mode="on", answer_instruction=SHORT)), INSTANCES)


# --- keys -----------------------------------------------------------------------------------------------------------------


def test_options_reach_the_request(adapt):
    keys = {
        "seed": 7, "top_p": 0.9, "reasoning_effort": "low", "max_tokens": 77, "extra_body": '{"a": {"b": 1}}',
        "chat_template_kwargs": '{"enable_thinking": false}', "response_format": '{"type": "object"}',
    }  # fmt: skip
    for spec in (GENERATION, JOINT):
        run_spec = expanded(spec, **keys)
        request = sent(adapt, run_spec).request
        assert request.top_p == 0.9 and request.max_tokens == 77
        assert request.response_format.json_schema == {"type": "object"}
        assert request.options == RequestOptions(
            seed=7, reasoning_effort="low", extra_body={"a": {"b": 1}}, chat_template_kwargs={"enable_thinking": False}
        )
        assert structure(json.loads(json.dumps(asdict_without_nones(run_spec))), RunSpec) == run_spec
        assert structure(json.loads(json.dumps(asdict_without_nones(request))), Request) == request


def test_the_name_of_a_run_says_what_was_asked():
    name = expanded(GENERATION, seed=7, system_prompt="You are careful, and brief.", response_format='{"a": 1}').name
    assert re.fullmatch(r"run:seed=7,system_prompt=You-are-care-[0-9a-f]{6},response_format=a-1-[0-9a-f]{6}", name)


def test_objects_may_be_in_files(tmp_path):
    path = tmp_path / "schema.json"
    path.write_text('{"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "object"}}}')
    spec = expanded(GENERATION, response_format=str(path)).adapter_spec
    assert spec.response_format.json_schema == {"type": "object"}


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("chat", "yes", "chat takes auto, on, off, not 'yes'"),
        ("prompt", "chats", "Did you mean 'chat'"),
        ("fewshot_as_turns", "maybe", "fewshot_as_turns takes true or false, not 'maybe'"),
        ("top_p", 0, "top_p takes a number above 0 and up to 1, not '0'"),
        ("seed", "x", "seed takes a whole number, not 'x'"),
        (
            "response_format",
            '{"type": "json_object"}',
            'takes a JSON schema, and {"type": "json_object"} is none. For any object',
        ),
        ("seed", 2**63, "seed takes a number of 64 bits, which 9223372036854775808 is not"),
        ("system_prompt", " ", "system_prompt is empty; leave the key out to send none"),
        ("max_tokens", 0, "max_tokens takes a whole number above 0, not '0'"),
        ("reasoning_effort", 3, "takes a word such as low, medium or high, not '3'"),
        ("extra_body", "nowhere.json", "extra_body takes a JSON object or a file with one, not 'nowhere.json'"),
        ("extra_body", "{1}", "extra_body is not JSON"),
        ("system_prompt", '"open', "begins with a quotation mark"),
    ],
)
def test_a_wrong_value_is_named(key, value, words):
    with pytest.raises(ConfigError) as raised:
        expanded(GENERATION, **{key: value})
    message = "\n".join([str(raised.value), *getattr(raised.value, "__notes__", [])])
    assert words in message and "abc" not in message


def test_fields_that_only_sound_like_secrets_are_taken():
    value = {"max_thinking_tokens": 5, "stop_token_ids": [1], "prompt_cache_key": "a", "token": 1}
    assert expanded(GENERATION, extra_body=value).adapter_spec.request_options.extra_body == value


SEPARATE = replace(get_multiple_choice_separate_adapter_spec(method="multiple_choice_separate_original"), **DEPLOYMENT)
KEYS = {"prompt": "chat", "chat": "on", "system_prompt": "Hi", "fewshot_as_turns": "true", "seed": 1, "top_p": 0.5}


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("method", ["multiple_choice_separate_original", "multiple_choice_separate_calibrated"])
def test_choices_by_log_probability_cannot_be_a_chat(method, key):
    with pytest.raises(ConfigError, match=f"{key}=.*{method}.*Say method=multiple_choice_joint in the entry"):
        expanded(replace(SEPARATE, method=method), **{key: KEYS[key]})


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("method", ["language_modeling", "evaluate", "episode"])
def test_other_runs_that_generate_no_text_say_so(method, key):
    with pytest.raises(ConfigError, match=f"{key}=.*{method}"):
        expanded(replace(SEPARATE, method=method), **{key: KEYS[key]})


def test_media_are_no_texts():
    for method in ("generation_multimodal", "multiple_choice_joint_multimodal"):
        with pytest.raises(ConfigError, match="prompt=chat is for text scenarios"):
            expanded(replace(JOINT, method=method), prompt="chat")


@pytest.mark.parametrize(
    "changes",
    [
        {"method": "multiple_choice_separate_original", "chat": ChatSpec(mode="on")},
        {"method": "language_modeling", "top_p": 0.5},
        {"method": "chat", "chat": ChatSpec(mode="off")},
        {"method": "generation", "chat": ChatSpec(mode="off", fewshot_as_turns=True)},
    ],
)
def test_an_adapter_spec_that_cannot_work_is_refused_before_adaptation(adapt, changes):
    with pytest.raises(ConfigError):
        adapt(replace(GENERATION, **changes))
