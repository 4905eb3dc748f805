"""Run entries and run specs with epochs: what they say, and what is refused before anything is sent."""

from dataclasses import replace

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import new_request_state
from helm.benchmark.config_registry import register_builtin_configs_from_helm_package
from helm.benchmark.run_spec_factory import construct_run_specs
from helm.benchmark.running.epochs.repeating import check_epochs, repeat_states
from helm.benchmark.scenarios.scenario import Input, Instance
from helm.benchmark.specs import EpochSpec
from helm.common.errors import ConfigError
from helm.common.object_spec import parse_object_spec
from helm.common.request import Request
from helm.common.request_options import RequestOptions


@pytest.fixture(autouse=True)
def built_in_models(isolated_registries):
    register_builtin_configs_from_helm_package()


ENTRY = "simple_mcqa:model=baseline/ppm"


def construct(entry):
    (run_spec,) = construct_run_specs(parse_object_spec(entry), as_command=True)
    return run_spec


@pytest.mark.parametrize("keys", ["epochs=5,reducer=pass@1+pass^5", "reducer=pass@1+pass^5,epochs=5"])
def test_keys_in_any_order(keys):
    run_spec = construct(f"{ENTRY},{keys}")
    assert run_spec.epochs == EpochSpec(5, ["pass@1", "pass^5"])
    assert run_spec.name.endswith(keys)
    assert construct(f"{ENTRY},epochs=2").epochs == EpochSpec(2, ["mean"])
    assert construct(ENTRY).epochs is None


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ("epochs=3,reducer=pass@5", "reducer=pass@5 needs at least 5 epochs, but epochs=3 asks for fewer."),
        ("reducer=at_least_2", "reducer=at_least_2 needs epochs=N"),
        ("epochs=0", "epochs takes a whole number from 1 on, not '0'."),
        ("epochs=2.5", "epochs takes a whole number from 1 on, not '2.5'."),
        ("epochs=two", "epochs takes a whole number from 1 on, not 'two'."),
        ("epochs=2,reducer=meen", "not 'meen'. Did you mean 'mean'?"),
        ("epochs=2,reducer=mean+mean", "one or more different reducers"),
        ("epochs=2,reducer=mean+", "not ''"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(keys, message):
    with pytest.raises(ConfigError) as caught:
        construct(f"{ENTRY},{keys}")
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_compilers_and_tools_are_refused():
    from helm.benchmark.adaptation.adapter_spec import ADAPT_EPISODE

    run_spec = construct(f"{ENTRY},epochs=2")
    other = replace(run_spec, adapter_spec=replace(run_spec.adapter_spec, method=ADAPT_EPISODE))
    with pytest.raises(ConfigError, match="epochs=2 is for language models"):
        check_epochs(other)


def repeated(request, number=3, **changes):
    run_spec = replace(construct(f"{ENTRY},epochs={number}"), adapter_spec=AdapterSpec(temperature=1, **changes))
    instances = [Instance(Input(text), [], "test", id=text) for text in "ab"]
    states = [new_request_state(instance, replace(request, prompt=instance.id)) for instance in instances]
    return list(repeat_states(states, run_spec))


def test_epochs_of_an_instance_are_next_to_each_other_and_different_draws():
    states = repeated(Request())
    assert [(s.instance.id, s.epoch, s.request.random) for s in states] == [
        (name, epoch, random) for name in "ab" for epoch, random in ((1, None), (2, "1"), (3, "2"))
    ]
    assert len({id(state.instance) for state in states}) == 2


def test_no_seed_occurs_in_two_epochs():
    request = Request(num_completions=4, options=RequestOptions(seed=7))
    seeds = [
        [replace(state.request, random=random).seed_of(there) for there in range(4)]
        for state in repeated(request, num_trials=1)[:3]
        for random in [state.request.random]
    ]
    assert sorted(seed for epoch in seeds for seed in epoch) == list(range(7, 19))
    named = repeated(Request(random="mine", options=RequestOptions(seed=7)))[:3]
    assert [(state.request.random, state.request.seed_of(0)) for state in named] == [
        ("mine", 7), ("mine epoch 2", 8), ("mine epoch 3", 9),
    ]  # fmt: skip
