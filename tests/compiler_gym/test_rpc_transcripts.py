"""Recorded calls against fresh services, with the deviations that we choose on purpose."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from google.protobuf import json_format
from toy_compiler import TOY_BACKEND, ToySession

from helm.compiler_gym import proto
from helm.compiler_gym.errors import StatusError
from helm.compiler_gym.runtime.isolation import IsolatedCompilerService
from helm.compiler_gym.runtime.service import CompilerService
from helm.compiler_gym.runtime.service_process import ServiceProcess, get_service_command
from vectors_support import vector_cases

_LLVM_ONLY_IN_THE_ORIGINAL = {
    "llvm.get_runtimes_per_observation_count",
    "llvm.set_runtimes_per_observation_count",
    "llvm.get_warmup_runs_count_per_runtime_observation",
    "llvm.set_warmup_runs_count_per_runtime_observation",
    "llvm.get_buildtimes_per_observation_count",
    "llvm.set_buildtimes_per_observation_count",
}


Handle = Callable[[str, Any], Any]
"""(call, request message) -> reply message; raises StatusError"""


@contextmanager
def _in_process() -> Iterator[Handle]:
    yield CompilerService(ToySession).handle


@contextmanager
def _over_grpc(backend: str = TOY_BACKEND, *args: str) -> Iterator[Handle]:
    """A bare gRPC client, which knows the messages and nothing else of ours, and a service in another process."""
    import grpc

    process = ServiceProcess([*get_service_command(backend), *args])
    schema = proto.get_schema()
    channel = grpc.insecure_channel(f"localhost:{process.port}")

    def handle(call: str, request: Any) -> Any:
        stub = channel.unary_unary(
            f"/compiler_gym.CompilerGymService/{call}",
            request_serializer=type(request).SerializeToString,
            response_deserializer=schema.messages[schema.calls[call][1]].FromString,
        )
        try:
            return stub(request, timeout=60)
        except grpc.RpcError as error:
            raise StatusError(error.code().name, error.details()) from error

    try:
        yield handle
    finally:
        channel.close()
        process.kill()


def _parse(message_name: str, fields: dict) -> Any:
    pool = proto.get_schema().pool
    return json_format.ParseDict(fields, getattr(proto, message_name)(), descriptor_pool=pool)


def _call(handle: Handle, step: dict) -> tuple[str, Any]:
    """(status, details of a failure or reply as a dictionary)"""
    request_name, _ = proto.get_schema().calls[step["rpc"]]
    try:
        reply = handle(step["rpc"], _parse(request_name, step["request"]))
    except StatusError as error:
        return error.status, error.details
    pool = proto.get_schema().pool
    return "OK", json_format.MessageToDict(reply, preserving_proto_field_name=True, descriptor_pool=pool)


def _expect(step: dict, num_extra_sessions: int) -> tuple[str, Any]:
    """What ours answers: the recorded answer, but for what the original's Python runtime gets wrong."""
    status, details = step["status"], step.get("details")
    if details == "list index out of range":  # a space index: ours is INVALID_ARGUMENT and names the index
        key = "observation_space" if "observation_space" in step["request"] else "action_space"
        index = step["request"][key][-1] if key == "observation_space" else step["request"][key]
        kind = "Observation" if key == "observation_space" else "Action"
        return "INVALID_ARGUMENT", f"{kind} space index out of range: {index}"
    if step["rpc"] == "ForkSession" and status == "NOT_FOUND":
        return status, f"Session not found: {details}"
    if step["rpc"] == "EndSession":
        remaining = step["reply"].get("remaining_sessions", 0) + num_extra_sessions
        return status, {"remaining_sessions": remaining} if remaining else {}
    return status, details if status != "OK" else step["reply"]


@contextmanager
def _isolated() -> Iterator[Handle]:
    service = IsolatedCompilerService(TOY_BACKEND)
    try:
        yield service.handle
    finally:
        service.close()


@pytest.mark.parametrize("connect", [_in_process, _over_grpc, _isolated])
def test_vector_toy_transcripts_are_answered_alike(connect):
    for case in vector_cases("compiler-gym/rpc_transcripts.json"):
        if case["service"].startswith("toy"):
            with connect() as handle:
                _play_toy_transcript(handle, case)


def _play_toy_transcript(handle: Handle, case: dict) -> None:
    num_extra_sessions = 0  # the original loses forked sessions
    num_counts_more = 0  # the original goes on after the end of a session
    for number, step in enumerate(case["steps"]):
        answer = _call(handle, step)
        if step.get("peer_bug"):
            num_extra_sessions += step["rpc"] == "ForkSession"
            assert answer[0] == "OK", (case["id"], number, answer)
            continue
        if "goes on after end_of_session" in step.get("note", ""):
            assert answer[1]["end_of_session"], (case["id"], number)
            num_counts_more += 1
            continue
        status, expected = _expect(step, num_extra_sessions)
        if num_counts_more and status == "OK" and "observation" in expected:
            continue  # the counters differ from here on, as they should
        assert answer == (status, expected), (case["id"], number)


def _get_status(handle: Handle, call: str, request: Any) -> str:
    try:
        handle(call, request)
    except StatusError as error:
        return error.status
    return "OK"


def test_every_call_and_every_status_travels_over_grpc():
    """What the transcripts do not reach: calls without a session, limits, a compiler that cannot fork."""
    program = proto.Benchmark(uri="benchmark://x-v0/1", program=proto.File(contents=b"hello"))
    start = proto.StartSessionRequest(benchmark=program)
    with _over_grpc(TOY_BACKEND + "WithoutFork", "--max_sessions=2") as handle:
        assert handle("GetVersion", proto.GetVersionRequest()).compiler_version == "toy 1.0"
        spaces = handle("GetSpaces", proto.GetSpacesRequest())
        assert [space.name for space in spaces.observation_space_list] == ["source", "features", "cost", "blob"]
        unknown = proto.StartSessionRequest(benchmark=proto.Benchmark(uri=program.uri))
        assert _get_status(handle, "StartSession", unknown) == "NOT_FOUND"
        handle("AddBenchmark", proto.AddBenchmarkRequest(benchmark=[program]))
        session = handle("StartSession", unknown).session_id
        reply = handle("Step", proto.StepRequest(session_id=session, action=[proto.Event(int64_value=0)]))
        assert (reply.end_of_session, reply.action_had_no_effect) == (False, False)
        parameter = proto.SessionParameter(key="toy.echo", value="x")
        request = proto.SendSessionParameterRequest(session_id=session, parameter=[parameter])
        assert list(handle("SendSessionParameter", request).reply) == ["x"]
        assert _get_status(handle, "ForkSession", proto.ForkSessionRequest(session_id=session)) == "UNIMPLEMENTED"
        for action, status in (
            (33, "INVALID_ARGUMENT"),
            (7, "NOT_FOUND"),
            (6, "INTERNAL"),
            (5, "FAILED_PRECONDITION"),
            (4, "DEADLINE_EXCEEDED"),
        ):
            step = proto.StepRequest(session_id=session, action=[proto.Event(int64_value=action)])
            assert _get_status(handle, "Step", step) == status
        broken = proto.SessionParameter(key="toy.break", value="1")
        handle("SendSessionParameter", proto.SendSessionParameterRequest(session_id=session, parameter=[broken]))
        assert _get_status(handle, "Step", proto.StepRequest(session_id=session)) == "DATA_LOSS"
        handle("StartSession", start)
        assert _get_status(handle, "StartSession", start) == "RESOURCE_EXHAUSTED"
        assert handle("EndSession", proto.EndSessionRequest(session_id=session)).remaining_sessions == 1
        assert handle("EndSession", proto.EndSessionRequest(session_id=99)).remaining_sessions == 1
        die = proto.StepRequest(session_id=1, action=[proto.Event(int64_value=8)])
        assert _get_status(handle, "Step", die) == "UNAVAILABLE"


def test_vector_llvm_transcripts_are_answered_alike_but_for_what_depends_on_the_llvm_release():
    from helm.compiler_gym.backends.llvm import LlvmSession
    from helm.compiler_gym.backends.llvm_passes import get_action_flags

    for case in vector_cases("compiler-gym/rpc_transcripts.json"):
        if "LLVM" not in case["service"]:
            continue
        service = CompilerService(LlvmSession)
        names = [space.name for space in service.handle("GetSpaces", proto.GetSpacesRequest()).observation_space_list]
        num_actions = len(get_action_flags())
        for number, step in enumerate(case["steps"]):
            where = (case["id"], number)
            if any(p["key"] in _LLVM_ONLY_IN_THE_ORIGINAL for p in step["request"].get("parameter", [])):
                continue
            if step["request"].get("parameter", [{}])[0].get("value") == "-O1":
                continue  # the original knows two pipelines, ours all
            translated = _translate(step, names)
            if translated is None:
                continue
            status, answer = _call(service.handle, translated)
            assert status == step["status"], (where, answer)
            if "received kStringValue" in step.get("details", ""):
                continue  # ours takes passes by name too, and has its own words for an unknown one
            if status != "OK":
                assert _loosen(answer, num_actions) == _loosen(step["details"], 124), where
            elif "observation" in step["reply"]:
                recorded = [value.get("int64_value") for value in step["reply"]["observation"]]
                ours = [value.get("int64_value") for value in answer["observation"]]
                assert ours == recorded, where
            elif "llvm.apply_baseline_optimizations" in str(step["request"]):
                assert answer["reply"][0] in ("0", "1"), where  # whether a pipeline finds something to do
            else:
                assert answer == step["reply"], where


def _translate(step: dict, names: list[str]) -> Any:
    """The request with our indices; None when it asks for an observation that we lack."""
    known = {1: "IrSha1", 9: "IrInstructionCount"}
    indices = step["request"].get("observation_space")
    if not indices:
        return step
    if any(0 <= index <= 25 and index not in known for index in indices):
        return None
    translated = [names.index(known[index]) if index in known else index for index in indices]
    return {**step, "request": {**step["request"], "observation_space": translated}}


def _loosen(details: str, num_actions: int) -> str:
    """Error text without the size of the action space, and without the original's cut to 32 bits."""
    details = re.sub(r"LlvmAction\(-?\d+\)", "LlvmAction(N)", details)
    return details.replace(f"[0, {num_actions})", "[0, END)")
