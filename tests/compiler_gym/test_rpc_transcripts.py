"""Recorded calls against fresh services, with the deviations that we choose on purpose."""

import re
from typing import Any

from google.protobuf import json_format
from toy_compiler import ToySession

from helm.compiler_gym import proto
from helm.compiler_gym.errors import StatusError
from helm.compiler_gym.service import CompilerService
from vectors_support import vector_cases

_LLVM_ONLY_IN_THE_ORIGINAL = {
    "llvm.get_runtimes_per_observation_count",
    "llvm.set_runtimes_per_observation_count",
    "llvm.get_warmup_runs_count_per_runtime_observation",
    "llvm.set_warmup_runs_count_per_runtime_observation",
    "llvm.get_buildtimes_per_observation_count",
    "llvm.set_buildtimes_per_observation_count",
}


def _parse(message_name: str, fields: dict) -> Any:
    pool = proto.get_schema().pool
    return json_format.ParseDict(fields, getattr(proto, message_name)(), descriptor_pool=pool)


def _call(service: CompilerService, step: dict) -> tuple[str, Any]:
    """(status, details of a failure or reply as a dictionary)"""
    request_name, _ = proto.get_schema().calls[step["rpc"]]
    try:
        reply = service.handle(step["rpc"], _parse(request_name, step["request"]))
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


def test_vector_toy_transcripts_are_answered_alike():
    for case in vector_cases("compiler-gym/rpc_transcripts.json"):
        if not case["service"].startswith("toy"):
            continue
        service = CompilerService(ToySession)
        num_extra_sessions = 0  # the original loses forked sessions
        num_counts_more = 0  # the original goes on after the end of a session
        for number, step in enumerate(case["steps"]):
            answer = _call(service, step)
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
            status, answer = _call(service, translated)
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
