"""Derives models that are Python functions from their name alone: `model=python/MODULE.FUNCTION` needs no configuration file.

The function gets a prompt and returns the answer. A callable that is given to `helm.evaluate` has such a name, too.
"""

from helm.benchmark.model_deployment_registry import ClientSpec, ModelDeployment, model_deployment_generator
from helm.common.errors import ConfigError
from helm.common.live_functions import find_function

PREFIX = "python"


@model_deployment_generator(PREFIX)
def generate_python_deployment(name: str) -> ModelDeployment:
    """Create the deployment of `python/FUNCTION`. Raises: ConfigError if there is no such function."""
    function = name.partition("/")[2]
    if not function:
        raise ConfigError(f"'{name}' does not name a function: expected {PREFIX}/MODULE.FUNCTION.")
    find_function(function, "model")
    return ModelDeployment(
        name=name, client_spec=ClientSpec("helm.clients.function_client.FunctionClient", {"function": function})
    )
