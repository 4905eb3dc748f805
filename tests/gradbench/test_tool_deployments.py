import subprocess
import sys

import pytest

from container_support import IMAGE, _podman, podman  # noqa: F401
from helm.benchmark.executing.execution import ExecutorError, create_subject_client
from helm.benchmark.model_deployment_registry import get_model_deployment
from helm.common.errors import ConfigError
from helm.common.evaluate_request import EvaluateRequest
from helm.common.sandbox.container_engine import limit_options
from helm.gradbench import containers

TOOL = """
from helm.gradbench.tools.server import Tool, ToolFunction, serve

HELLO = {
    "square": ToolFunction(lambda x: x * x, is_repeated=False),
    "double": ToolFunction(lambda x: 2 * x, is_repeated=False),
}
serve(Tool("mine", {"hello": HELLO}.get))
"""


def test_a_python_file_is_a_tool_by_its_name_alone(tmp_path, monkeypatch):
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "mine.py").write_text(TOOL)
    monkeypatch.chdir(tmp_path)
    deployment = get_model_deployment("tool/tools/mine.py")
    assert deployment.client_spec.args["command"] == [sys.executable, "tools/mine.py"]
    with create_subject_client("tool/tools/mine.py") as client:
        assert client.define("hello", 60).success
        assert client.define("gmm", 60).status == "undefined"
        assert client.reported_name == "mine"


def test_a_command_on_the_path_is_a_tool():
    assert get_model_deployment("tool/cat").client_spec.args["command"] == ["cat"]


def test_a_program_that_does_not_exist_is_named():
    with pytest.raises(ConfigError, match="'no/such/tool.py' is neither"):
        get_model_deployment("tool/no/such/tool.py")


ENGINE = """#!{python}
import os, sys
with open({calls!r}, "a") as calls:
    calls.write(" ".join([os.path.basename(sys.argv[0]), *sys.argv[1:]]) + "\\n")
os.execv(sys.executable, [sys.executable, {tool!r}])
"""


@pytest.mark.parametrize("program", ["docker", "podman"])
def test_an_image_is_a_tool_by_its_name_alone(tmp_path, monkeypatch, program):
    """The engine stands in for one that cannot run here: it takes down its words and is the tool."""
    (tmp_path / "mine.py").write_text(TOOL)
    engine = tmp_path / "bin" / program
    engine.parent.mkdir()
    calls = str(tmp_path / "calls")
    engine.write_text(ENGINE.format(python=sys.executable, calls=calls, tool=str(tmp_path / "mine.py")))
    engine.chmod(0o755)
    monkeypatch.setenv("PATH", str(engine.parent))
    monkeypatch.setenv("GRADBENCH_REGISTRY", "registry.example")
    digest = f"codipack@sha256:{'0123456789abcdef' * 4}"
    with create_subject_client(f"image/{digest}") as client:
        assert client.define("hello", 60).success
    with create_subject_client("image/ad-hpp") as client:
        assert client.define("hello", 60).success
    limits = "".join(f"{word} " for word in limit_options()) if program == "podman" else ""
    flags = f"{program} run --rm --interactive --network none {limits}registry.example/gradbench/tool-"
    assert (tmp_path / "calls").read_text().splitlines() == [f"{flags}{digest}", f"{flags}ad-hpp:latest"]


SHELL_TOOL = """
while IFS= read -r line; do
  id=$(sed 's/.*"id": *\\([0-9]*\\).*/\\1/' <<< "$line")
  case "$line" in
    *'"start"'*) echo "{\\"id\\": $id, \\"tool\\": \\"shell\\"}" ;;
    *'"evaluate"'*) echo "{\\"id\\": $id, \\"success\\": true, \\"output\\": 9.0, \\"timings\\": []}" ;;
    *'"define"'*) echo "{\\"id\\": $id, \\"success\\": true}" ;;
    *) echo "{\\"id\\": $id}" ;;
  esac
done
"""


@pytest.mark.usefixtures("podman")
def test_an_image_runs_in_a_real_podman(tmp_path, monkeypatch):
    (tmp_path / "tool.sh").write_text(SHELL_TOOL)
    (tmp_path / "Dockerfile").write_text(f'FROM {IMAGE}\nCOPY tool.sh /tool.sh\nENTRYPOINT ["bash", "/tool.sh"]\n')
    build = ["podman", "build", "--quiet", "--tag", "localhost/gradbench/tool-shell", str(tmp_path)]
    subprocess.run(build, check=True, capture_output=True, text=True)
    monkeypatch.setattr(containers, "engine", lambda: "podman")  # where Docker is installed, too
    monkeypatch.setenv("GRADBENCH_REGISTRY", "localhost")
    with create_subject_client("image/shell") as client:
        assert client.define("hello", 60).success
        result = client.evaluate(EvaluateRequest(module="hello", function="square", input=3.0), 60)
        assert result.success and result.output == 9.0
        assert client.reported_name == "shell"


def test_without_an_engine_no_image_is_a_tool(monkeypatch):
    monkeypatch.setenv("PATH", "/no-such-folder")
    with pytest.raises(ExecutorError, match="The image 'codipack' needs docker or podman, and neither is installed"):
        create_subject_client("image/codipack")


@pytest.mark.parametrize("name", ["", "Codipack", "--privileged", "a/b", "a@sha256:123", "a:b:c", "a b"])
def test_what_names_no_image_is_refused(name):
    with pytest.raises(ExecutorError, match="names no image of a tool"):
        create_subject_client(f"image/{name}")
