"""Access tokens for Google Cloud."""

import threading
from typing import Any

from helm.clients.http.request_failure import RequestFailure, shortened
from helm.common.optional_dependencies import needs_extra
from helm.common.request import AUTH, SERVER

_SCOPE = "https://www.googleapis.com/auth/cloud-platform"


class GoogleCredentials:
    """The application-default credentials of this machine, found on first use.

    They come from the service account's key file that `$GOOGLE_APPLICATION_CREDENTIALS` names, from
    `gcloud auth application-default login`, or from the metadata server of a machine at Google.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._credentials: Any | None = None

    def headers(self, renews: bool = False) -> dict[str, str]:
        """Return `Authorization` with a valid token. `renews` requests a new one, because the last was rejected.

        Raises:
            OptionalDependencyNotInstalled: The package google-auth is missing.
            RequestFailure: There are no credentials or Google rejects them (auth), or Google is unreachable (server).
        """
        with needs_extra("google"):
            import google.auth
            from google.auth.exceptions import GoogleAuthError, TransportError
            from google.auth.transport.urllib3 import Request as AuthRequest
        import urllib3

        with self._lock:
            try:
                if self._credentials is None:
                    self._credentials, _ = google.auth.default(scopes=[_SCOPE])
                if renews or not self._credentials.valid:
                    self._credentials.refresh(AuthRequest(urllib3.PoolManager()))
            except TransportError as e:
                raise RequestFailure(SERVER, f"Google's tokens: {shortened(e)}") from e
            except (GoogleAuthError, ValueError, OSError) as e:
                raise RequestFailure(
                    AUTH,
                    f"Google's tokens: {shortened(e)} Set GOOGLE_APPLICATION_CREDENTIALS to the key file of a service "
                    "account, or run: gcloud auth application-default login.",
                    stops_endpoint=True,
                ) from e
            return {"Authorization": f"Bearer {self._credentials.token}"}
