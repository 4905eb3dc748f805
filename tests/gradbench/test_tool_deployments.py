import sys

import pytest

from helm.benchmark.executing.execution import create_subject_client
from helm.benchmark.model_deployment_registry import get_model_deployment
from helm.common.errors import ConfigError

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
