"""The addresses from which a URL's bytes may be downloaded (the site's mirrors, the source, other mirrors), and keys.

`HELM_DATA_MIRROR` lists mirrors, separated by commas. Each is a prefix: `https://host/path?query` is requested at
`<prefix>/https/host/path?query`. Mirrors are tried before the source, in the order given, until one has the file. If the last
word is `off`, the source is never used. `HF_ENDPOINT` replaces `https://huggingface.co`, whether a URL was written out or
belongs to a dataset; with `off`, the Hub is used only if this variable is set.
"""

import os
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from helm.common.errors import ConfigError

MIRROR_VARIABLE = "HELM_DATA_MIRROR"
ENDPOINT_VARIABLE = "HF_ENDPOINT"
OFFLINE_VARIABLES = ("HELM_OFFLINE", "HF_HUB_OFFLINE")
HUB = "https://huggingface.co"
TOKEN_CREDENTIAL = "huggingfaceToken"

_OFF = "off"


@dataclass(frozen=True)
class Address:
    """One address to download from."""

    url: str

    is_hub: bool = False
    """Whether it is the Hugging Face Hub or its replacement, the only server that gets the token."""

    authorization: str | None = field(default=None, repr=False)
    """The header with a mirror's user and password, from `https://USER:PASSWORD@HOST/...`."""

    def headers(self) -> dict[str, str]:
        if self.authorization is not None:
            return {"Authorization": self.authorization}
        token = hub_token() if self.is_hub else None
        return {"Authorization": f"Bearer {token}"} if token else {}


def is_set(variable: str) -> bool:
    """Return whether an environment variable is set to a true value."""
    return os.environ.get(variable, "").strip().lower() not in ("", "0", "no", "false", "off")


def offline_variable() -> str | None:
    """Return the environment variable that forbids downloads, or None."""
    return next((name for name in OFFLINE_VARIABLES if is_set(name)), None)


def hub_endpoint() -> str:
    """Return the address of the Hub, without a trailing slash."""
    return (os.environ.get(ENDPOINT_VARIABLE) or HUB).rstrip("/")


def is_hub_url(url: str) -> bool:
    """Return whether a URL belongs to the Hub."""
    return url.startswith((HUB + "/", "https://www.huggingface.co/"))


def is_web_url(url: str) -> bool:
    return urlsplit(url).scheme in ("http", "https")


def addresses(source_url: str, mirrors: Sequence[str] = ()) -> list[Address]:
    """Return the addresses of `source_url` in order; `mirrors` are other URLs of the same bytes, tried after it.

    Addresses that are not web URLs (paths, `file:`) are used as they are. Raises ConfigError for a malformed
    `HELM_DATA_MIRROR`, or if it leaves no address.
    """
    prefixes, direct = _site_mirrors()
    result: list[Address] = []
    for url in [source_url, *mirrors]:
        if not is_web_url(url):
            result.append(Address(url))
            continue
        parts = urlsplit(url)
        rest = url[url.index("://") + 3 :]
        result.extend(_below(prefix, f"/{parts.scheme}/{rest}") for prefix in prefixes)
        if is_hub_url(url):
            if direct or os.environ.get(ENDPOINT_VARIABLE):
                path = url[len(HUB) :] if url.startswith(HUB) else url[len("https://www.huggingface.co") :]
                result.append(Address(hub_endpoint() + path, is_hub=True))
        elif direct:
            result.append(Address(url))
    if not result:
        raise ConfigError(
            f"{MIRROR_VARIABLE} is '{_OFF}' and does not name a mirror, so {source_url} cannot be downloaded."
        )
    return result


def _below(prefix: str, path: str) -> Address:
    """Return an address at a mirror, with user and password moved from the prefix, which messages show, to a header."""
    parts = urlsplit(prefix)
    userinfo, at, host = parts.netloc.rpartition("@")
    if not at:
        return Address(prefix + path)
    words = unquote(userinfo).encode()
    return Address(parts._replace(netloc=host).geturl() + path, authorization="Basic " + b64encode(words).decode())


def _site_mirrors() -> tuple[list[str], bool]:
    """Return the prefixes of `HELM_DATA_MIRROR`, and whether sources may be used, too."""
    words = [word.strip() for word in os.environ.get(MIRROR_VARIABLE, "").split(",") if word.strip()]
    direct = _OFF not in words
    if not direct and words[-1] != _OFF:
        raise ConfigError(f"{MIRROR_VARIABLE}: '{_OFF}' has to be the last word.")
    prefixes = words if direct else words[:-1]
    for prefix in prefixes:
        if not is_web_url(prefix):
            raise ConfigError(f"{MIRROR_VARIABLE} takes addresses that begin with http:// or https://, not '{prefix}'.")
    return [prefix.rstrip("/") for prefix in prefixes], direct


def hub_home() -> str:
    """Return the folder of the Hub's own tools: `HF_HOME`, by default `huggingface` in the user's cache folder."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join("~", ".cache")
    return os.path.expanduser(os.environ.get("HF_HOME") or os.path.join(cache, "huggingface"))


def hub_token() -> str | None:
    """Return the user's token for the Hub, or None.

    It is `HF_TOKEN`, the key `huggingfaceToken` of the credentials, or the file of the Hub's own tools (`HF_TOKEN_PATH`, else
    `token` in `HF_HOME`).
    """
    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"):
        if os.environ.get(name, "").strip():
            return os.environ[name].strip()
    from helm.common.data.data_session import current_session
    from helm.common.general import get_credentials

    token = get_credentials(current_session().local_path).get(TOKEN_CREDENTIAL)
    if token:
        return str(token)
    path = os.environ.get("HF_TOKEN_PATH") or os.path.join(hub_home(), "token")
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().strip() or None
    except OSError:
        return None
