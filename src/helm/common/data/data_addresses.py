"""Where the bytes behind a URL may be asked for: mirrors of this site, the source itself, further mirrors; and keys.

`HELM_DATA_MIRROR` names mirrors, separated by commas. Each is a prefix: `https://host/path?query` is asked for at
`<prefix>/https/host/path?query`. Mirrors are asked before the source, in the order given; whoever has the file ends the
search. The last word may be `off`: then the source is never asked. `HF_ENDPOINT` replaces `https://huggingface.co`, whether
a URL was written out or belongs to a data set; with `off` it is asked only when it is set.
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
    """One place to ask."""

    url: str

    is_hub: bool = False
    """It is the Hugging Face Hub, or the server that stands in for it: the only one that is shown the token."""

    authorization: str | None = field(default=None, repr=False)
    """What a mirror wants to be told, of `https://USER:PASSWORD@HOST/...`."""

    def headers(self) -> dict[str, str]:
        if self.authorization is not None:
            return {"Authorization": self.authorization}
        token = hub_token() if self.is_hub else None
        return {"Authorization": f"Bearer {token}"} if token else {}


def is_set(variable: str) -> bool:
    """Whether an environment variable says yes."""
    return os.environ.get(variable, "").strip().lower() not in ("", "0", "no", "false", "off")


def offline_variable() -> str | None:
    """The environment variable that forbids fetching, or None."""
    return next((name for name in OFFLINE_VARIABLES if is_set(name)), None)


def hub_endpoint() -> str:
    """The address of the Hub, without a slash at the end."""
    return (os.environ.get(ENDPOINT_VARIABLE) or HUB).rstrip("/")


def is_hub_url(url: str) -> bool:
    """Whether a URL is written for the Hub."""
    return url.startswith((HUB + "/", "https://www.huggingface.co/"))


def is_web_url(url: str) -> bool:
    return urlsplit(url).scheme in ("http", "https")


def addresses(source_url: str, mirrors: Sequence[str] = ()) -> list[Address]:
    """Where to ask for `source_url`, in order; `mirrors` are other URLs of the same bytes, asked after it.

    Addresses that are no web URL (paths, `file:`) stand for themselves. Raises: ConfigError for a malformed
    `HELM_DATA_MIRROR`, or when it leaves nobody to ask.
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
        raise ConfigError(f"{MIRROR_VARIABLE} is '{_OFF}' and names no mirror, so {source_url} cannot be asked for.")
    return result


def _below(prefix: str, path: str) -> Address:
    """An address of a mirror; user and password move from the prefix, which messages show, into a header."""
    parts = urlsplit(prefix)
    userinfo, at, host = parts.netloc.rpartition("@")
    if not at:
        return Address(prefix + path)
    words = unquote(userinfo).encode()
    return Address(parts._replace(netloc=host).geturl() + path, authorization="Basic " + b64encode(words).decode())


def _site_mirrors() -> tuple[list[str], bool]:
    """The prefixes of `HELM_DATA_MIRROR`, and whether sources may be asked too."""
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
    """The folder of the Hub's own tools: `HF_HOME`, by default `huggingface` in the user's cache folder."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join("~", ".cache")
    return os.path.expanduser(os.environ.get("HF_HOME") or os.path.join(cache, "huggingface"))


def hub_token() -> str | None:
    """The user's token for the Hub: `HF_TOKEN`, the key `huggingfaceToken` of the credentials, or where the Hub's own
    tools keep it (`HF_TOKEN_PATH`, else `token` in `HF_HOME`). None without one.
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
