"""Access tokens of Google Cloud."""

import threading
from typing import Any, Dict, Optional

from helm.common.optional_dependencies import handle_module_not_found_error

_SCOPE = "https://www.googleapis.com/auth/cloud-platform"


class GoogleCredentials:
    """The application-default credentials of this machine (`gcloud auth application-default login`), found on first use."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._credentials: Optional[Any] = None

    def headers(self) -> Dict[str, str]:
        """`Authorization` with a token that is valid now. Raises: what google-auth raises when there are none."""
        try:
            import google.auth
            from google.auth.transport.urllib3 import Request as AuthRequest
        except ModuleNotFoundError as e:
            handle_module_not_found_error(e, ["google"])
        import urllib3

        with self._lock:
            if self._credentials is None:
                self._credentials, _ = google.auth.default(scopes=[_SCOPE])
            if not self._credentials.valid:
                self._credentials.refresh(AuthRequest(urllib3.PoolManager()))
            return {"Authorization": f"Bearer {self._credentials.token}"}
