"""Epochs of a run: what an `EpochSpec` may say, and the request states that it adds."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.running.epochs.reducers import parse_reducer
from helm.benchmark.subjects import LANGUAGE_MODEL, kind_of_run
from helm.common.agent_request import AgentRequest
from helm.common.errors import ConfigError
from helm.common.hierarchical_logger import hwarn
from helm.common.request import Request


def check_epochs(run_spec: RunSpec) -> None:
    """Raise ConfigError if the run cannot have its epochs: a wrong number, an unknown reducer, or another kind of subject."""
    spec = run_spec.epochs
    if spec is None:
        return
    if not spec.number:
        raise ConfigError(
            f"reducer={'+'.join(spec.reducers)} needs epochs=N, the number of times each instance is asked."
        )
    if isinstance(spec.number, bool) or not isinstance(spec.number, int) or spec.number < 1:
        raise ConfigError(f"epochs takes a whole number from 1 on, not '{spec.number}'.")
    if not spec.reducers or len(set(spec.reducers)) < len(spec.reducers):
        raise ConfigError(
            f"reducer takes one or more different reducers, joined by +, not '{'+'.join(spec.reducers)}'."
        )
    for name in spec.reducers:
        if parse_reducer(name).k > spec.number:
            raise ConfigError(
                f"reducer={name} needs at least {parse_reducer(name).k} epochs, but epochs={spec.number} asks for fewer."
            )
    kind = kind_of_run(run_spec)
    if not kind.has_epochs or (kind is LANGUAGE_MODEL and run_spec.executor_spec is not None):
        raise ConfigError(
            f"epochs={spec.number} is for language models and agents; the run {run_spec.name} measures another kind of subject, "
            "whose repetitions are arguments of its own run spec."
        )


def repeat_states(request_states: Iterable[RequestState], run_spec: RunSpec) -> Iterator[RequestState]:
    """Yield the request states of all epochs, those of one instance next to each other.

    The first epoch makes the requests of a run without epochs, so a cache with the answers of one run serves the other.
    In each further epoch, `Request.random` differs, and so does the seed that is sent, if there is one.
    """
    spec = run_spec.epochs
    assert spec is not None
    if run_spec.adapter_spec.temperature == 0 and spec.number > 1:
        hwarn(
            f"Run {run_spec.name}: epochs={spec.number} at temperature 0, where most models repeat their answer; with "
            "temperature=0.7, for example, the epochs are different draws."
        )
    # `states` holds the last instance while the next is looked at, so no two in a row have the same id.
    for _, group in groupby(request_states, key=lambda state: (id(state.instance), state.train_trial_index)):
        states = list(group)
        for epoch in range(1, spec.number + 1):
            for state in states:
                yield _in_epoch(state, epoch, run_spec.adapter_spec)


def _in_epoch(state: RequestState, epoch: int, adapter_spec: AdapterSpec) -> RequestState:
    if epoch == 1:
        return replace(state, epoch=1)
    request = state.request
    if isinstance(request, AgentRequest):
        return replace(state, epoch=epoch, request=replace(request, epoch=epoch - 1))
    assert isinstance(request, Request), "Epochs are for language models"
    offset = (epoch - 1) * max(1, adapter_spec.num_trials)  # `Request.seed_of` makes seeds of these numbers
    if request.random is None or request.random.isdecimal():
        return replace(state, epoch=epoch, request=replace(request, random=str(int(request.random or 0) + offset)))
    options = request.options
    if options is not None and options.seed is not None:
        options = replace(options, seed=options.seed + offset * max(1, request.num_completions))
    random = f"{request.random} epoch {epoch}"
    return replace(state, epoch=epoch, request=replace(request, random=random, options=options))
