"""Adapters: what the golden vectors do not reach."""

import logging
import random
from dataclasses import replace

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec, Substitution
from helm.benchmark.adaptation.adapters.adaptation_error import AdaptationError
from helm.benchmark.adaptation.adapters.adapter_factory import AdapterFactory
from helm.benchmark.adaptation.adapters.generation_adapter import GenerationAdapter
from helm.benchmark.adaptation.prompt import Prompt
from helm.benchmark.scenarios.scenario import CORRECT_TAG, Input, Instance, Output, Reference
from helm.benchmark.window_services.tokenizer_service import TokenizerService
from helm.common.errors import ConfigError, HelmError

SPEC = AdapterSpec(method="generation", model="vec/plain", model_deployment="vec/plain", max_train_instances=2)


def instance(number, split="test", labels=("red",), **kwargs):
    references = [Reference(Output(text=label), tags=[CORRECT_TAG] if i == 0 else []) for i, label in enumerate(labels)]
    return Instance(Input(text=f"thing {number}"), references, split=split, id=f"id{number}", **kwargs)


INSTANCES = [instance(i, "train", ("red" if i % 2 else "blue",)) for i in range(6)] + [instance(i) for i in (6, 7, 8)]


@pytest.fixture
def adapt(vector_environment, local_context):
    def run(spec, instances=INSTANCES, parallelism=1):
        return AdapterFactory.get_adapter(spec, TokenizerService(local_context)).adapt(instances, parallelism)

    return run


def prompts(states):
    return [state.request.prompt for state in states]


# --- order, trials, threads -------------------------------------------------------------------------------------------


def test_trials_come_one_after_another_and_draw_other_examples(adapt):
    states = adapt(replace(SPEC, num_train_trials=3))
    assert [state.train_trial_index for state in states] == [0] * 3 + [1] * 3 + [2] * 3
    assert len({prompt.rpartition("Input")[0] for prompt in prompts(states)}) == 3


def test_repeats_follow_their_trial_and_differ_in_random_only(adapt):
    states = adapt(replace(SPEC, num_trials=3, random="seed"))
    assert [state.request.random for state in states] == ["seed"] * 3 + ["1"] * 3 + ["2"] * 3
    assert prompts(states[:3]) * 3 == prompts(states)
    assert [state.instance.id for state in states] == ["id6", "id7", "id8"] * 3


def test_a_tokenizer_that_waits_is_asked_by_several_threads_with_the_same_result(adapt, vector_environment):
    expected = adapt(replace(SPEC, model_deployment="win/seq300"))
    vector_environment.WordTokenizer.waits_on_io = True
    try:
        states = adapt(replace(SPEC, model_deployment="win/seq300"), parallelism=4)
    finally:
        del vector_environment.WordTokenizer.waits_on_io
    assert states == expected


@pytest.mark.parametrize("seed", range(10))
def test_the_order_of_evaluation_instances_changes_nothing_else(adapt, seed):
    shuffled = INSTANCES[6:]
    random.Random(seed).shuffle(shuffled)
    by_id = {state.instance.id: state.request for state in adapt(SPEC, INSTANCES[:6] + shuffled)}
    assert by_id == {state.instance.id: state.request for state in adapt(SPEC)}


def test_the_callers_generators_are_left_alone(adapt):
    random.seed(7)
    expected = random.random()
    random.seed(7)
    adapt(SPEC)
    assert random.random() == expected


def test_the_first_prompt_is_logged_line_by_line(adapt, caplog):
    with caplog.at_level(logging.DEBUG, logger="helm"):
        states = adapt(replace(SPEC, num_train_trials=2))
    logged = [record.getMessage().strip() for record in caplog.records if record.levelno == logging.DEBUG]
    assert logged[1:] == [line.strip() for line in states[0].request.prompt.split("\n")]


def test_too_few_examples_are_warned_of(adapt, caplog):
    adapt(replace(SPEC, max_train_instances=9))
    assert "only 6 training instances, wanted 9" in caplog.text


# --- examples ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(30))
def test_examples_are_distinct_as_many_as_asked_and_labelled_first(seed):
    rng = random.Random(seed)
    labels = [rng.choice(["", "a", "b", "c", None]) for _ in range(rng.randrange(12))]
    train = [instance(i, "train", () if label is None else (label,)) for i, label in enumerate(labels)]
    wanted = rng.randrange(8)
    adapter = GenerationAdapter(AdapterSpec(max_train_instances=wanted), None)
    examples = adapter.sample_examples(train, seed=seed)
    assert len(examples) == len({id(example) for example in examples}) == min(wanted, len(train))
    is_unlabelled = [example.first_correct_reference is None for example in examples]
    assert is_unlabelled == sorted(is_unlabelled)
    assert adapter.sample_examples(train, seed=seed) == examples
    counts = {
        label: sum(e.first_correct_reference is not None and e.references[0].output.text == label for e in examples)
        for label in set(labels) - {None}
    }
    for label, count in counts.items():  # balanced, unless a label has run out
        assert count >= min(max(counts.values()) - 1, labels.count(label))


# --- prompts ----------------------------------------------------------------------------------------------------------


def test_prompt_joins_blocks_and_substitutes_last():
    prompt = Prompt(
        global_prefix="<",
        global_suffix=">",
        instance_prefix="|",
        substitutions=[Substitution("<(.)", r"[\1"), Substitution("b$", "!"), Substitution(">$", "]")],
        instructions_block="i",
        train_instance_blocks=["a"],
        eval_instance_block="b",
    )
    assert prompt.text == "[i|a|b]"
    assert (prompt.truncated, prompt.num_train_instances) == (False, 1)
    assert replace(prompt, truncated_text="x").text == "x"
    empty = replace(prompt, truncated_text="")
    assert (empty.text, empty.truncated) == ("[i|a|b]", True)


def test_a_completion_as_long_as_the_window_is_warned_of_and_sent_whole(adapt, caplog):
    spec = replace(SPEC, model_deployment="win/simple20", max_tokens=20, max_train_instances=0)
    (state,) = adapt(spec, INSTANCES[6:7])
    assert state.request.prompt == "Input: thing 6\nOutput:" and state.prompt_truncated
    assert "max_tokens=20 leaves no room" in caplog.text


def test_a_completion_longer_than_the_window_names_the_deployment(adapt):
    spec = replace(SPEC, model_deployment="win/simple20", max_tokens=21)
    with pytest.raises(ConfigError, match=r"'win/simple20': max_tokens=21 .* window of 20 tokens"):
        adapt(spec)


# --- single methods ---------------------------------------------------------------------------------------------------


def test_an_unknown_method_offers_the_nearest():
    with pytest.raises(ConfigError, match="Invalid adaptation method: generatoin Did you mean 'generation'"):
        AdapterFactory.get_adapter(AdapterSpec(method="generatoin"), None)


def joint(**kwargs):
    return replace(SPEC, method="multiple_choice_joint", max_train_instances=0, **kwargs)


def test_labels_go_on_after_z(adapt):
    (state,) = adapt(joint(reference_prefix="Y. "), [instance(0, labels="abcd")])
    assert state.output_mapping == {"Y": "a", "Z": "b", "[": "c", "\\": "d"}


@pytest.mark.parametrize(
    "kwargs, message",
    [
        ({"reference_prefix_characters": ["X"]}, "has 1 labels .* at least 2 references"),
        ({"reference_prefix": "- "}, "'- ' has no letter or digit"),
    ],
)
def test_labels_that_cannot_be_made_are_explained(adapt, kwargs, message):
    with pytest.raises(HelmError, match=message):
        adapt(joint(**kwargs), [instance(0, labels="ab")])


def test_every_instance_that_lacks_something_is_named(adapt):
    for method in ("ehr_instruction", "generation_multimodal"):
        with pytest.raises(AdaptationError, match="id0"):
            adapt(replace(SPEC, method=method), [instance(0)])


def test_a_record_is_cut_at_its_beginning_and_a_template_that_does_not_fit_is_named(adapt):
    spec = replace(SPEC, method="ehr_instruction", model_deployment="win/simple20", max_tokens=5, max_train_instances=0)
    data = {"ehr": "0123456789", "prompt_template": "Q {question}: {ehr}"}
    short = replace(instance(0, extra_data=data), input=Input(text="why"))
    (state,) = adapt(spec, [short])
    assert state.request.prompt == "Q why: 23456789" and state.prompt_truncated
    with pytest.raises(AdaptationError, match="id0.*6 tokens too long.*win/simple20"):
        adapt(spec, [replace(short, input=Input(text="why " * 4 + "?"))])


def test_a_window_with_room_for_nothing_is_refused_by_language_modeling(adapt):
    spec = replace(SPEC, method="language_modeling", model_deployment="win/gen", max_tokens=27)
    with pytest.raises(AdaptationError, match="max_tokens=27 leaves no room.*win/gen"):
        adapt(spec, INSTANCES[6:])


@pytest.mark.parametrize("seed", range(10))
def test_the_windows_of_language_modeling_predict_every_character_once(adapt, seed):
    text = "".join(random.Random(seed).choice("abc \n") for _ in range(150))
    spec = replace(SPEC, method="language_modeling", model_deployment="win/simple20", max_tokens=0)
    states = adapt(spec, [replace(instance(0), input=Input(text=text))])
    predicted = "".join(state.request.prompt[state.num_conditioning_tokens :] for state in states[1:])
    # HELM: a prefix token of three characters pushes the last ones of the first window out.
    first = states[0].request.prompt
    assert first == "<s>" + text[:17] and states[0].num_conditioning_tokens == 1
    assert text[20:] == predicted
    assert all(len(state.request.prompt) <= 20 for state in states)
