import random
import threading

import pytest
from toy_compiler import ToySession, ToySessionWithoutFork

from helm.common.errors import ConfigError
from helm.compiler_gym import proto
from helm.compiler_gym.backends import get_session_class
from helm.compiler_gym.errors import StatusError
from helm.compiler_gym.runtime.service import CompilerService


def _start(service: CompilerService, uri: str = "benchmark://x-v0/1", **kwargs) -> int:
    benchmark = proto.Benchmark(uri=uri, program=proto.File(contents=b"hello"))
    return service.handle("StartSession", proto.StartSessionRequest(benchmark=benchmark, **kwargs)).session_id


def _features(service: CompilerService, session_id: int) -> list[int]:
    reply = service.handle("Step", proto.StepRequest(session_id=session_id, observation_space=[1]))
    return list(reply.observation[0].int64_tensor.value)


def _step(service: CompilerService, session_id: int, *actions: int):
    events = [proto.Event(int64_value=action) for action in actions]
    return service.handle("Step", proto.StepRequest(session_id=session_id, action=events))


def _send(service: CompilerService, session_id: int, *parameters: tuple[str, str]) -> list[str]:
    messages = [proto.SessionParameter(key=key, value=value) for key, value in parameters]
    request = proto.SendSessionParameterRequest(session_id=session_id, parameter=messages)
    return list(service.handle("SendSessionParameter", request).reply)


def test_actions_after_the_end_of_a_session_are_not_applied():
    service = CompilerService(ToySession)
    session = _start(service)
    assert _step(service, session, 0, 3, 0).end_of_session
    assert _features(service, session) == [1, 0, 0]


def test_a_fork_is_independent_and_survives_its_parent():
    service = CompilerService(ToySession)
    parent = _start(service)
    _step(service, parent, 0)
    child = service.handle("ForkSession", proto.ForkSessionRequest(session_id=parent)).session_id
    _step(service, child, 1)
    assert (_features(service, parent), _features(service, child)) == ([1, 0, 0], [1, 1, 0])
    service.handle("EndSession", proto.EndSessionRequest(session_id=parent))
    assert _features(service, child) == [1, 1, 0]


def test_ids_are_never_used_again():
    service = CompilerService(ToySession)
    first = _start(service)
    service.handle("EndSession", proto.EndSessionRequest(session_id=first))
    assert _start(service) == first + 1


def test_a_session_that_cannot_start_leaves_nothing_behind():
    service = CompilerService(ToySession)
    for kwargs in ({"uri": "benchmark://x-v0/bad"}, {"observation_space": [9]}, {"action_space": -1}):
        with pytest.raises(StatusError) as error:
            _start(service, **kwargs)
        assert error.value.status == "INVALID_ARGUMENT"
    assert service.num_sessions == 0


def test_the_limit_of_sessions_is_an_answer():
    service = CompilerService(ToySession, max_sessions=2)
    _start(service), _start(service)
    for call, request in (
        ("StartSession", proto.StartSessionRequest(benchmark=proto.Benchmark(uri="benchmark://x-v0/1"))),
        ("ForkSession", proto.ForkSessionRequest(session_id=0)),
    ):
        with pytest.raises(StatusError, match="RESOURCE_EXHAUSTED: The service already has 2 sessions"):
            service.handle(call, request)


def test_parameters_before_the_unknown_one_take_effect():
    service = CompilerService(ToySession)
    session = _start(service)
    key = "service.benchmark_cache.set_max_size_in_bytes"
    with pytest.raises(StatusError, match="INVALID_ARGUMENT: Unknown parameter: nope"):
        _send(service, session, (key, "123"), ("nope", ""))
    assert _send(service, session, ("service.benchmark_cache.get_max_size_in_bytes", "")) == ["123"]
    with pytest.raises(StatusError, match="INVALID_ARGUMENT: .* needs an integer, got: many"):
        _send(service, session, (key, "many"))
    with pytest.raises(StatusError, match="INVALID_ARGUMENT: toy.fail: x"):
        _send(service, session, ("toy.fail", "x"))
    assert _send(service, session) == []


def _try(service, session, sequences, spaces=()):
    request = proto.TryActionsRequest(session_id=session, observation_space=spaces)
    for sequence in sequences:
        request.sequence.add(action=[proto.Event(int64_value=action) for action in sequence])
    return service.handle("TryActions", request).tried


def test_trying_actions_changes_nothing():
    service = CompilerService(ToySession)
    session = _start(service)
    tried = _try(service, session, [[0, 0], [1, 33, 0], [3, 0], []], [2])
    observed = [[[event.int64_value for event in after.observation] for after in one.after] for one in tried]
    assert observed == [[[90], [80]], [[99]], [[100]], []]
    assert [one.end_of_session for one in tried] == [False, False, True, False]
    assert (tried[1].status, tried[1].details) == ("INVALID_ARGUMENT", "Out-of-range")
    assert [one.status for one in tried][2:] == ["", ""]
    assert _features(service, session) == [0, 0, 0]
    assert service.num_sessions == 1


@pytest.mark.parametrize("seed", range(20))
def test_sequences_that_begin_alike_are_tried_as_if_alone(seed):
    rng = random.Random(seed)
    sequences: list[list[int]] = [[]]
    for _ in range(12):  # each goes on from a beginning of an earlier one; 3 ends a session, 33 is refused
        earlier = rng.choice(sequences[-2:])
        sequences.append(earlier[: rng.randint(0, 4)] + rng.choices([0, 0, 1, 1, 2, 3, 33], k=rng.randint(0, 3)))
    service = CompilerService(ToySession)
    session = _start(service)
    alone = [_try(service, session, [sequence], [2, 1])[0] for sequence in sequences]
    assert list(_try(service, session, sequences, [2, 1])) == alone


def test_a_beginning_that_sequences_share_is_applied_once(monkeypatch):
    applied = []
    apply_action = ToySession.apply_action
    monkeypatch.setattr(
        ToySession, "apply_action", lambda self, action: applied.append(action) or apply_action(self, action)
    )
    service = CompilerService(ToySession)
    _try(service, _start(service), [[0, 1, last] for last in (0, 1, 2, 4)] + [[1, 1, 0]])
    assert len(applied) == 2 + 4 + 3


def test_trying_actions_needs_a_session_and_known_spaces():
    service = CompilerService(ToySession)
    with pytest.raises(StatusError, match="NOT_FOUND: Session not found: 7"):
        _try(service, 7, [[0]])
    with pytest.raises(StatusError, match="INVALID_ARGUMENT: Observation space index out of range: 9"):
        _try(service, _start(service), [[0]], [9])


def test_trying_actions_needs_fork():
    service = CompilerService(ToySessionWithoutFork)
    with pytest.raises(StatusError, match="UNIMPLEMENTED: no fork here"):
        _try(service, _start(service), [[0]])


def test_calls_to_one_session_wait_for_each_other():
    service = CompilerService(ToySession)
    session = _start(service)
    threads = [threading.Thread(target=lambda: [_step(service, session, 0) for _ in range(50)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert _features(service, session) == [200, 0, 0]


def test_an_unknown_backend_names_the_nearest():
    with pytest.raises(ConfigError, match="Unknown compiler backend 'lvm'.*Did you mean 'llvm'"):
        get_session_class("lvm")
    with pytest.raises(ConfigError, match="is not a subclass"):
        get_session_class("json.JSONDecoder")
    assert get_session_class("toy_compiler.ToySession") is ToySession
