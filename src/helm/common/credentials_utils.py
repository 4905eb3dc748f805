from collections.abc import Mapping
from typing import Any

from helm.common.hierarchical_logger import hwarn


def provide_api_key(credentials: Mapping[str, Any], host_organization: str, model: str | None = None) -> str | None:
    """Return the key `<host>ApiKey`, else the one for this deployment under `deployments`, else None with a warning.

    Numeric values are returned as text; names of deployments may contain dots.
    """
    name = f"{host_organization}ApiKey"
    if name in credentials:
        return str(credentials[name])
    deployments = credentials.get("deployments")
    if deployments is None:
        hwarn(f"Could not find key '{name}' under key 'deployments' in credentials.conf")
        return None
    if model is None:
        return None
    if model not in deployments:
        hwarn(f"Could not find key '{model}' under key 'deployments' in credentials.conf")
        return None
    return str(deployments[model])
