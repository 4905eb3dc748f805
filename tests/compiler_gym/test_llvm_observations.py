import base64
import importlib.util
import sys
from pathlib import Path

import pytest

from helm.compiler_gym import proto
from helm.compiler_gym.backends.cpu_info import get_cpu_info
from helm.compiler_gym.backends.llvm_lexer import TOKEN_KINDS, lex
from helm.compiler_gym.backends.llvm_tools import find_llvm_tool
from helm.compiler_gym.envs.environment import CompilerEnvironment
from helm.compiler_gym.errors import ServiceError, ServiceTimeoutError
from helm.compiler_gym.programs import load_benchmark
from helm.compiler_gym.rewards import create_reward
from helm.compiler_gym.runtime.conversions import event_to_python
from helm.compiler_gym.runtime.service_client import InProcessConnection
from vectors_support import load_vectors, vector_cases

_IR = b"""
@g = global i32 7
declare i32 @outside(i32)
define i32 @f(i32 %x) {
entry:
  %c = icmp eq i32 %x, 0
  br i1 %c, label %yes, label %no
yes:
  ret i32 1
no:
  %y = call i32 @outside(i32 %x)
  %z = call i32 @f(i32 %y)
  ret i32 %z
}
"""


@pytest.fixture(scope="module")
def llvm():
    with InProcessConnection("llvm") as connection:
        yield connection


def _make_env(connection, benchmark, reward="IrInstructionCountOz"):
    env = CompilerEnvironment(connection, benchmark, create_reward(reward, connection.observation_spaces))
    env.reset()
    return env


_OURS = {"Ir2Vec", "Ir2VecFlowAware"}
"""Observations that the original does not have."""
_HAS_IR2VEC = find_llvm_tool("llvm-ir2vec") is not None and importlib.util.find_spec("ir2vec") is not None


def _program(text=_IR, **config):
    benchmark = proto.Benchmark(uri="benchmark://test-v0/x", program=proto.File(contents=text))
    benchmark.dynamic_config.CopyFrom(proto.BenchmarkDynamicConfig(**config))
    return benchmark


def test_vector_llvm_spaces_are_the_messages_of_the_original(llvm):
    cases = vector_cases("compiler-gym/llvm_spaces.json", key="observation_spaces")
    assert llvm.action_spaces[0].name == load_vectors("compiler-gym/llvm_spaces.json")["action_space_name"]
    names = [space.name for space in llvm.observation_spaces]
    assert names[: len(cases)] == [case["name"] for case in cases] and set(names[len(cases) :]) == _OURS
    for index, (case, space) in enumerate(zip(cases, llvm.observation_spaces, strict=False)):
        assert index == case["index"]
        assert space.space.WhichOneof("value") == case["kind"], case["name"]
        assert (space.deterministic, space.platform_dependent) == (case["deterministic"], case["platform_dependent"])
        assert space.default_observation.WhichOneof("value") == case["default"], case["name"]
        assert space.ByteSize() == case["byte_size"], case["name"]
        if case["base64"] is not None:
            assert space.SerializeToString(deterministic=True) == base64.b64decode(case["base64"]), case["name"]


def test_every_observation_of_a_program_can_be_made_and_converted(llvm):
    env = _make_env(llvm, load_benchmark("benchmark://helm-v0/crc32"))
    for space in llvm.observation_spaces:
        if space.name in _OURS and not _HAS_IR2VEC:
            continue  # see test_llvm_ir2vec.py
        value = env[space.name]
        assert value is not None, space.name
    path = Path(env["BitcodeFile"])
    assert path.read_bytes() == env["Bitcode"].tobytes()
    assert env["IsBuildable"] is True and env["IsRunnable"] is True
    for level in ("O0", "O3", "Oz"):
        assert env[f"TextSize{level}"] == env[f"ObjectTextSize{level}"]
    assert env["TextSizeBytes"] == env["ObjectTextSizeBytes"]
    env.close()


def test_each_bitcode_file_is_a_new_one(llvm):
    env = _make_env(llvm, _program())
    first = env["BitcodeFile"]
    env._observed.clear()
    second = env["BitcodeFile"]
    assert first != second and Path(first).read_bytes() == Path(second).read_bytes()


def test_the_graph_has_control_data_and_calls(llvm):
    env = _make_env(llvm, _program())
    graph = env["ProgramlJson"]
    texts = {node["id"]: node["text"] for node in graph["nodes"]}
    assert texts[0] == "[external]"
    assert [f["name"] for f in graph["graph"]["function"]] == ["outside", "f"]
    links = [(texts[link["source"]], texts[link["target"]], link["flow"], link["position"]) for link in graph["links"]]
    for link in (
        ("icmp", "br", 0, 0),
        ("br", "ret", 0, 0),  # when true
        ("br", "call", 0, 1),  # when false
        ("val", "icmp", 1, 1),
        ("var", "icmp", 1, 0),
        ("icmp", "var", 1, 0),
        ("[external]", "icmp", 2, 0),
        ("call", "[external]", 2, 0),
        ("[external]", "call", 2, 0),
        ("call", "icmp", 2, 0),
        ("ret", "call", 2, 0),
    ):
        assert link in links, link
    networkx = pytest.importorskip("networkx")
    assert isinstance(env["Programl"], networkx.MultiDiGraph)
    assert env["Programl"].number_of_nodes() == len(graph["nodes"])


def test_tokens_of_ir():
    tokens = lex(
        '@s = constant [3 x i8] c"a;\\00" ; comment\ndefine double @f(ptr %0) #1 {\nl: ret double -1.5e+3, !tbaa !4\n}'
    )
    assert [(kind, value) for _, kind, _, value in tokens] == [
        ("global_identifier", "@s"),
        ("punctuation", "="),
        ("keyword", "constant"),
        ("punctuation", "["),
        ("integer", "3"),
        ("keyword", "x"),
        ("type", "i8"),
        ("punctuation", "]"),
        ("string", 'c"a;\\00"'),
        ("keyword", "define"),
        ("type", "double"),
        ("global_identifier", "@f"),
        ("punctuation", "("),
        ("type", "ptr"),
        ("local_identifier", "%0"),
        ("punctuation", ")"),
        ("attribute_group", "#1"),
        ("punctuation", "{"),
        ("label", "l:"),
        ("keyword", "ret"),
        ("type", "double"),
        ("float", "-1.5e+3"),
        ("punctuation", ","),
        ("metadata", "!tbaa"),
        ("metadata", "!4"),
        ("punctuation", "}"),
    ]
    assert all(TOKEN_KINDS[number] == kind for number, kind, _, _ in tokens)


def test_the_programs_have_no_unknown_token(llvm):
    for program in ("sha256", "json", "fft"):
        env = _make_env(llvm, load_benchmark(f"benchmark://helm-v0/{program}"))
        tokens = env["LexedIr"]
        assert "unknown" not in set(tokens["token_kind"].tolist())
        assert len(tokens["token_id"]) == len(tokens["token_value"]) > 1000


def test_cpu_info_counts_each_shared_cache_once(tmp_path):
    for cpu in range(4):
        for index, (level, kind, size, shared) in enumerate(
            [
                ("1", "Data", "32K", f"{cpu}"),
                ("1", "Instruction", "64K", f"{cpu}"),
                ("2", "Unified", "1M", f"{cpu // 2}"),
            ]
        ):
            folder = tmp_path / f"cpu{cpu}" / "cache" / f"index{index}"
            folder.mkdir(parents=True)
            for name, text in (("level", level), ("type", kind), ("size", size), ("shared_cpu_list", shared)):
                (folder / name).write_text(text + "\n")
    (tmp_path / "cpuinfo").write_text("processor\t: 0\nmodel name\t: Toy CPU\n")
    info = get_cpu_info(tmp_path, tmp_path / "cpuinfo")
    assert info["name"] == "Toy CPU" and info["cores_count"] >= 1
    assert (info["l1d_cache_size"], info["l1d_cache_count"]) == (32768, 4)
    assert (info["l1i_cache_size"], info["l2_cache_size"], info["l2_cache_count"]) == (65536, 1 << 20, 2)
    assert (info["l3_cache_size"], info["l3_cache_count"], info["l4_cache_size"]) == (-1, 0, -1)


_BUILD = """
import os, sys
import llvmlite.binding as llvm
llvm.initialize_native_target(); llvm.initialize_native_asmprinter()
module = llvm.parse_bitcode(open(os.environ["IN"], "rb").read())
machine = llvm.Target.from_triple(module.triple).create_target_machine(codemodel="default", reloc="pic")
open(sys.argv[1], "wb").write(machine.emit_object(module))
"""


_RUN = "import os; open('ran', 'a').write('x' + os.environ['WHO'])"


def _command(*words, **fields):
    return proto.Command(argument=list(words), **fields)


def test_a_program_is_built_and_run_as_its_config_says(llvm):
    env = _make_env(
        llvm,
        _program(
            build_cmd=_command(sys.executable, "-c", _BUILD, "prog.o", outfile=["prog.o"]),
            run_cmd=_command(
                sys.executable, "-c", "import os; open('ran', 'a').write('x' + os.environ['WHO'])", env={"WHO": "y"}
            ),
            post_run_cmd=[_command(sys.executable, "-c", "assert open('ran').read() == 'xy' * 5", infile=["ran"])],
        ),
    )
    env._episode.send_parameters([("llvm.set_runtimes_per_observation_count", "3")])
    env._episode.send_parameters([("llvm.set_warmup_runs_count_per_runtime_observation", "2")])
    assert env["IsBuildable"] is True and env["IsRunnable"] is True
    assert env["Runtime"].shape == (3,) and (env["Runtime"] > 0).all()
    assert env["Buildtime"].shape == (1,)
    assert env["TextSizeBytes"] > 0 and env["TextSizeO0"] == env["TextSizeBytes"]


def _ir(llvm, text: str):
    return _make_env(llvm, proto.Benchmark(uri="benchmark://x-v0/x", program=proto.File(contents=text.encode())))


def test_a_whole_program_is_run_in_memory(llvm):
    env = _make_env(llvm, load_benchmark("benchmark://helm-v0/sha256"))
    env._episode.send_parameters([("llvm.set_runtimes_per_observation_count", "4")])
    env._episode.send_parameters([("llvm.set_warmup_runs_count_per_runtime_observation", "1")])
    env._episode.send_parameters([("llvm.set_buildtimes_per_observation_count", "2")])
    assert env["Runtime"].shape == (4,) and (env["Runtime"] > 0).all() and (env["Runtime"] < 1).all()
    assert env["Buildtime"].shape == (2,) and (env["Buildtime"] > 0).all()
    env.close()


def test_what_is_no_whole_program_has_no_running_time(llvm):
    env = _ir(llvm, "declare i32 @main()\n\ndefine i32 @f() {\n  ret i32 0\n}\n")
    assert env["IsRunnable"] is False and env["IsBuildable"] is False
    assert env["Runtime"] is None and env["Buildtime"] is None
    env.close()


@pytest.mark.parametrize(
    "body, complaint",
    [
        ("ret i32 3", "it ended with status 3"),
        ("call void @abort()\n  unreachable", "it ended with status -6"),
        ("call void @exit(i32 4)\n  unreachable", "it ended with status 4"),
    ],
)
def test_a_program_that_fails_has_no_running_time(llvm, body, complaint):
    declarations = "declare void @abort()\ndeclare void @exit(i32)\n"
    env = _ir(llvm, f"{declarations}define i32 @main() {{\n  {body}\n}}\n")
    with pytest.raises(ServiceError, match=complaint):
        env["Runtime"]
    env.close()


@pytest.mark.parametrize(
    "command, error, complaint",
    [
        (("false",), ServiceError, "failed with status 1"),
        (("no-such-program-here",), ServiceError, "cannot be started"),
        (("$NO_SUCH_VARIABLE_HERE",), ServiceError, "there is no variable NO_SUCH_VARIABLE_HERE"),
        (("sleep", "30"), ServiceTimeoutError, "did not end within 1 seconds"),
    ],
    ids=["fails", "missing", "variable", "hangs"],
)
def test_a_build_that_fails_is_an_error_and_no_figure(llvm, command, error, complaint):
    env = _make_env(llvm, _program(build_cmd=_command(*command, timeout_seconds=1)))
    with pytest.raises(error, match=complaint):
        env["Buildtime"]
    assert env["IrInstructionCount"] == 6


@pytest.mark.parametrize(
    "name, smallest",
    [
        ("runtimes_per_observation_count", 1),
        ("warmup_runs_count_per_runtime_observation", 0),
        ("buildtimes_per_observation_count", 1),
    ],
)
def test_counts_of_measurements_are_checked(llvm, name, smallest):
    env = _make_env(llvm, _program())
    for value in (str(smallest - 1), "many"):
        with pytest.raises(ValueError, match=f"{name} .*Received: {value}"):
            env._episode.send_parameters([(f"llvm.set_{name}", value)])


def test_defaults_convert(llvm):
    for space in llvm.observation_spaces:
        event_to_python(space.default_observation)
