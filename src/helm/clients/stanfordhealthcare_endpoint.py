"""What the clients of Stanford Health Care's gateways share: an address and a key that only this organization has."""

from helm.common.errors import ConfigError

KEY_HEADER = "Ocp-Apim-Subscription-Key"
CREDENTIAL = "stanfordhealthcareApiKey"
KEY_VARIABLE = "STANFORDHEALTHCARE_API_KEY"


def need_endpoint(endpoint: str | None, host: str = "stanfordhealthcare") -> str:
    """Return the address of the gateway. Raises: ConfigError that names the credential if there is none."""
    if not endpoint:
        raise ConfigError(
            f"its gateway is reached from inside the organization only. {host}Endpoint in credentials.conf has its address, "
            f"and {host}ApiKey the key. Another deployment of the model is asked without model_deployment=."
        )
    return endpoint


def fill_endpoint(base_url: str | None, endpoint: str | None) -> str | None:
    """Return an address in which `{endpoint}` stands for that of the gateway."""
    return base_url.replace("{endpoint}", need_endpoint(endpoint)) if base_url and "{endpoint}" in base_url else base_url
