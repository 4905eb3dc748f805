"""What the clients of Stanford Health Care's gateways share: an address and a key that only this organization has."""

from helm.clients.http.http_client import HTTPClient

KEY_HEADER = "Ocp-Apim-Subscription-Key"
CREDENTIAL = "stanfordhealthcareApiKey"
KEY_VARIABLE = "STANFORDHEALTHCARE_API_KEY"


def address_of(endpoint: str | None) -> str:
    """Return the address of the gateway, or one that can never be asked."""
    return endpoint or "https://stanfordhealthcare.invalid"


def fill_endpoint(base_url: str | None, endpoint: str | None) -> str | None:
    """Return an address in which `{endpoint}` stands for that of the gateway."""
    return base_url.replace("{endpoint}", address_of(endpoint)) if base_url else base_url


def check_endpoint(client: HTTPClient, endpoint: str | None, host: str = "stanfordhealthcare") -> None:
    """Make every request of a client without an address fail, with the credentials that are missing."""
    if not endpoint:
        client.missing_key = (
            f"this gateway is only for its organization. {host}Endpoint in credentials.conf names its address, and "
            f"{host}ApiKey the key. Other deployments of the model are in the catalogue, model_deployments.yaml."
        )
