"""AWS Signature Version 4 for requests to Amazon's services."""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import parse_qsl, quote, urlsplit

_ALGORITHM = "AWS4-HMAC-SHA256"


@dataclass(frozen=True)
class AWSCredentials:
    """Credentials of a user, or temporary ones of a role."""

    access_key: str

    secret_key: str

    token: str | None = None
    """The session token of a role."""

    def __repr__(self) -> str:
        return f"AWSCredentials({self.access_key!r})"  # never the secrets


def sign(
    credentials: AWSCredentials,
    region: str,
    service: str,
    method: str,
    url: str,
    headers: Mapping[str, str],
    data: bytes,
    now: datetime,
) -> dict[str, str]:
    """Return `headers` with `X-Amz-Date`, `X-Amz-Security-Token` and `Authorization` added.

    Source: AWS, "Create a signed AWS API request".

    Args:
        url: the URL as sent, with its path encoded.
        now: the present time in UTC; a signature is valid for some minutes.
    """
    parts = urlsplit(url)
    time, day = now.strftime("%Y%m%dT%H%M%SZ"), now.strftime("%Y%m%d")
    signed = {**headers, "X-Amz-Date": time}
    if credentials.token:
        signed["X-Amz-Security-Token"] = credentials.token
    lower = {name.lower(): " ".join(value.split()) for name, value in {**signed, "Host": parts.netloc}.items()}
    names = ";".join(sorted(lower))
    query = "&".join(
        f"{quote(name, safe='-_.~')}={quote(value, safe='-_.~')}"
        for name, value in sorted(parse_qsl(parts.query, keep_blank_values=True))
    )
    canonical = "\n".join(
        [
            method,
            quote(parts.path or "/", safe="/-_.~"),  # encoded twice, as all services except S3 require
            query,
            *(f"{name}:{lower[name]}" for name in sorted(lower)),
            "",
            names,
            hashlib.sha256(data).hexdigest(),
        ]
    )
    scope = f"{day}/{region}/{service}/aws4_request"
    text = "\n".join([_ALGORITHM, time, scope, hashlib.sha256(canonical.encode()).hexdigest()])
    key = f"AWS4{credentials.secret_key}".encode()
    for part in (day, region, service, "aws4_request"):
        key = hmac.digest(key, part.encode(), "sha256")
    signature = hmac.digest(key, text.encode(), "sha256").hex()
    signed["Authorization"] = (
        f"{_ALGORITHM} Credential={credentials.access_key}/{scope}, SignedHeaders={names}, Signature={signature}"
    )
    return signed
