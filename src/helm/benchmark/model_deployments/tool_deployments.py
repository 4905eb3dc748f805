"""Derives AD tools from their name alone: `model=tool/PROGRAM` and `model=image/NAME` need no configuration file.

PROGRAM is a command on PATH, the path of an executable file, or the path of a Python file, which runs in this Python.
A tool that needs arguments is registered in `model_deployments.yaml`.
"""

import os
import shutil
import sys

from helm.benchmark.model_deployment_registry import ClientSpec, ModelDeployment, model_deployment_generator
from helm.common.errors import ConfigError


@model_deployment_generator("tool")
def generate_tool_deployment(name: str) -> ModelDeployment | None:
    """Create the deployment of `tool/PROGRAM`. Raises: ConfigError if there is no such program."""
    program = name.partition("/")[2]
    if program.endswith(".py") and os.path.isfile(program):
        command = [sys.executable, program]
    elif shutil.which(program):
        command = [program]
    else:
        raise ConfigError(
            f"'{name}': '{program}' is neither a Python file nor an executable file nor a command. Paths are relative "
            f"to the current folder, {os.getcwd()}."
        )
    client_spec = ClientSpec("helm.gradbench.tool_client.ToolClient", {"command": command, "name": name})
    return ModelDeployment(name=name, client_spec=client_spec)


@model_deployment_generator("image")
def generate_image_deployment(name: str) -> ModelDeployment:
    """Create the deployment of a tool in its image, `image/NAME`, `image/NAME:TAG` or `image/NAME@sha256:DIGEST`."""
    client_spec = ClientSpec("helm.gradbench.tool_client.ToolClient", {"image": name.partition("/")[2], "name": name})
    return ModelDeployment(name=name, client_spec=client_spec)
