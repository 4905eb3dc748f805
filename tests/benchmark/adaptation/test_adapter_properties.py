"""Adapters always end, and a prompt that was not cut ends with the output prefix."""

import random
from dataclasses import replace

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.adapters.adapter_factory import AdapterFactory
from helm.benchmark.scenarios.scenario import CORRECT_TAG, Input, Instance, Output, Reference
from helm.benchmark.window_services.tokenizer_service import TokenizerService
from helm.common.errors import ConfigError
from helm.common.media_object import MediaObject, MultimediaObject
from helm_core_support import within_a_second

WORDS = ["red", "a", "blue house", "Übermut", "漢字", "x" * 30, "", "\n", "two  spaces"]
METHODS = ["generation", "multiple_choice_joint", "multiple_choice_separate_original", "ranking_binary"]
DEPLOYMENTS = ["vec/plain", "win/seq40", "win/seq80", "win/seq160", "win/seq300"]


def draw_text(rng, longest):
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(0, longest)))


def draw_instance(rng, number, method):
    texts = [draw_text(rng, 3) for _ in range(rng.randint(1, 4))]
    references = [Reference(Output(text), [CORRECT_TAG] if i == 0 else []) for i, text in enumerate(texts)]
    if method in ("generation",) and rng.random() < 0.2:
        references = []
    split = "train" if number < 6 else "test"
    return Instance(Input(draw_text(rng, rng.choice([3, 30]))), references, split=split, id=f"id{number}")


def draw_spec(rng, method):
    return AdapterSpec(
        method=method,
        global_prefix=rng.choice(["", "[G]"]),
        global_suffix=rng.choice(["", " [S]"]),
        instructions=rng.choice(["", "Answer the question."]),
        input_prefix="Question: ",
        output_prefix=rng.choice(["Answer: ", "\nAnswer:\n", "=>"]),
        max_train_instances=rng.choice([0, 1, 5]),
        num_train_trials=rng.choice([1, 2]),
        max_tokens=rng.choice([0, 1, 10, 39, 40, 41, 100, 5000]),
        sample_train=rng.random() < 0.8,
        model="vec/plain",
        model_deployment=rng.choice(DEPLOYMENTS),
    )


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("method", METHODS)
def test_adapters_end_and_uncut_prompts_keep_the_output_prefix(method, seed, vector_environment, local_context):
    rng = random.Random(f"{method} {seed}")
    spec = draw_spec(rng, method)
    instances = [draw_instance(rng, number, method) for number in range(rng.randint(4, 9))]
    adapter = AdapterFactory.get_adapter(spec, TokenizerService(local_context))
    window = adapter.window_service
    try:
        states = within_a_second(adapter.adapt, instances, 1)
    except ConfigError as error:
        assert "max_tokens" in str(error)
        assert spec.max_tokens > window.max_request_length
        return
    whole = {}
    for state in states:
        prompt = state.request.prompt
        if state.prompt_truncated:
            # HELM: what is too long without any example is cut from the right, whatever stands there.
            assert state.num_train_instances == 0
            fits = window.fits_within_context_window(prompt, spec.max_tokens)
            assert fits or spec.max_tokens == window.max_request_length
            continue
        if method not in ("generation", "multiple_choice_joint"):
            continue  # their requests carry a text behind the prefix
        assert prompt.startswith(spec.global_prefix)
        assert prompt.endswith(f"{spec.output_prefix.rstrip()}{spec.global_suffix}")
        whole[state.train_trial_index, state.instance.id] = prompt
    if method == "generation" and whole:  # examples are dropped before anything else
        large = replace(spec, model_deployment="vec/plain", max_tokens=0)
        for state in AdapterFactory.get_adapter(large, TokenizerService(local_context)).adapt(instances, 1):
            given = whole.get((state.train_trial_index, state.instance.id))
            assert given is None or given.endswith(state.request.prompt.rpartition("Question: ")[2])


@pytest.mark.parametrize("seed", range(10))
def test_an_ehr_prompt_keeps_what_follows_the_record(seed, vector_environment, local_context):
    rng = random.Random(seed)
    text = "Q: {question}\nRecord: {ehr}\nAnswer:"
    record = " ".join(rng.choice(["fever", "cough", "2020"]) for _ in range(rng.choice([2, 60])))
    spec = AdapterSpec(
        method="ehr_instruction",
        model="vec/plain",
        model_deployment=rng.choice(["win/seq120", "win/seq300"]),
        max_train_instances=0,
        max_tokens=rng.choice([1, 10, 30]),
        output_prefix="Answer:",
        instructions="",
    )
    instance = Instance(
        Input("Why?"),
        [Reference(Output("x"), [CORRECT_TAG])],
        split="test",
        id="id0",
        extra_data={"ehr": record, "prompt_template": text},
    )
    adapter = AdapterFactory.get_adapter(spec, TokenizerService(local_context))
    states = within_a_second(adapter.adapt, [instance], 1)
    assert states[0].request.prompt.rstrip().endswith("Answer:")


@pytest.mark.parametrize("method", ["generation_multimodal", "multiple_choice_joint_multimodal"])
@pytest.mark.parametrize("seed", range(10))
def test_a_multimodal_prompt_is_never_cut(method, seed, vector_environment, local_context):
    rng = random.Random(f"{method} {seed}")
    spec = replace(draw_spec(rng, method), max_tokens=rng.choice([1, 10, 5000]))
    picture = MediaObject(content_type="image/png", location="http://localhost/picture.png")
    instances = []
    for number in range(8):
        plain = draw_instance(rng, number, method)
        texts = [MediaObject(content_type="text/plain", text=draw_text(rng, 20))]
        content = MultimediaObject(rng.choice([[picture], [picture, *texts], [*texts, picture], [picture, picture]]))
        instances.append(replace(plain, input=Input(multimedia_content=content)))
    adapter = AdapterFactory.get_adapter(spec, TokenizerService(local_context))
    for state in within_a_second(adapter.adapt, instances, 1):
        assert not state.prompt_truncated
        prompt = state.request.multimodal_prompt
        assert prompt.text.endswith(f"{spec.output_prefix.rstrip()}{spec.global_suffix}")
        media = [item for item in prompt.media_objects if not item.is_type("text")]
        shown = state.instance.input.multimedia_content.media_objects
        assert media[-1] == picture and len(media) >= len([item for item in shown if not item.is_type("text")])
