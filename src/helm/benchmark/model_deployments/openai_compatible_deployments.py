"""Derives deployments on any server with OpenAI's protocol: `model=openai-compat/NAME@URL`.

NAME is the model's name on the server, and URL is the base of `/chat/completions` and `/completions`, for example
`http://localhost:8000/v1`. Without `@URL`, the environment variable OPENAI_BASE_URL is used.
"""

import os
import re

from helm.benchmark.model_deployment_registry import ClientSpec, ModelDeployment, model_deployment_generator
from helm.common.errors import ConfigError

PREFIX = "openai-compat"
BASE_URL_VARIABLE = "OPENAI_BASE_URL"


def split_base_url(deployment_name: str) -> tuple[str, str | None]:
    """Split `name@http://...` into name and URL; the URL is None if there is none."""
    match = re.fullmatch(r"(.*?)@(https?://.*)", deployment_name)
    return (match[1], match[2]) if match else (deployment_name, None)


@model_deployment_generator(PREFIX)
def generate_openai_compatible_deployment(name: str) -> ModelDeployment:
    """Create the deployment. Raises: ConfigError if the name contains no model, or neither source gives a URL."""
    plain_name, base_url = split_base_url(name)
    server_model_name = plain_name.partition("/")[2]
    base_url = base_url or os.environ.get(BASE_URL_VARIABLE)
    example = f"for example model={PREFIX}/{server_model_name or 'NAME'}@http://localhost:8000/v1"
    if not server_model_name:
        raise ConfigError(f"Deployment '{name}' does not name a model: expected {PREFIX}/NAME@URL, {example}.")
    if not base_url:
        raise ConfigError(
            f"Deployment '{name}' has no address: give it after '@', {example}, or in the environment variable "
            f"{BASE_URL_VARIABLE}."
        )
    return ModelDeployment(
        name=name,
        client_spec=ClientSpec(
            "helm.clients.openai_compatible_client.OpenAICompatibleClient",
            {"base_url": base_url, "openai_model_name": server_model_name},
        ),
        model_name="/".join(plain_name.split("/")[-2:]),
    )
