"""Uploads to Google Cloud Storage, for services that fetch files from an address."""

import mimetypes
import time
from typing import Any
from urllib.parse import quote

from helm.clients.http.google_credentials import GoogleCredentials
from helm.clients.http.http_endpoint import HTTPEndpoint
from helm.clients.http.request_failure import RequestFailure
from helm.common.cache import Cache, CacheConfig
from helm.common.errors import HelmError
from helm.common.file_upload_request import FileUploadRequest, FileUploadResult

_PAUSE_S = 1.0
_TIMEOUT_S = 60.0


class GCSClientError(HelmError):
    """A file could not be uploaded, or cannot be read afterwards."""


class NoBucketError(GCSClientError):
    """The credentials name no bucket."""


class GCSClient:
    """Uploads files to a bucket whose objects everybody can read. An object has the name of the local path.

    Args:
        bucket_name: the bucket.
        cache_config: remembers what was uploaded.
        base_url: the service's address.
        credentials: what gives access tokens; None means the default credentials of this machine.

    Raises:
        NoBucketError: No bucket is named.
    """

    MAX_CHECK_ATTEMPTS = 10

    def __init__(
        self,
        bucket_name: str,
        cache_config: CacheConfig,
        base_url: str = "https://storage.googleapis.com",
        credentials: GoogleCredentials | None = None,
    ):
        if not bucket_name:
            raise NoBucketError("Uploads need a bucket of Google Cloud Storage: set gcsBucketName in credentials.conf.")
        self._bucket_name = bucket_name
        self._cache = Cache(cache_config)
        self._endpoint = HTTPEndpoint(base_url)
        self._credentials = credentials or GoogleCredentials()

    def upload(self, request: FileUploadRequest) -> FileUploadResult:
        """Upload a file, unless that was done before, and return its address.

        Raises:
            GCSClientError: There is no such file, an object of this name exists, or nobody can read it afterwards.
        """

        def send() -> dict[str, Any]:
            self._send(request.path)
            self._wait_until_readable(request.path)
            return {"url": self._get_url(request.path)}

        response, cached = self._cache.get({"path": request.path}, send)
        return FileUploadResult(success=True, cached=cached, url=response["url"])

    def _get_url(self, path: str) -> str:
        return self._endpoint.url(self._route(path))

    def _route(self, path: str) -> str:
        name = quote(path.lstrip("/"))
        return f"{self._bucket_name}/{name}"

    def _send(self, path: str) -> None:
        name = quote(path.lstrip("/"), safe="")
        # An object of generation 0 does not exist yet.
        route = f"upload/storage/v1/b/{self._bucket_name}/o?uploadType=media&ifGenerationMatch=0&name={name}"
        content_type = mimetypes.guess_type(path)[0] or "application/octet-stream"

        def headers(renews: bool) -> dict[str, str]:
            return {**self._credentials.headers(renews), "Content-Type": content_type}

        try:
            with open(path, "rb") as file:
                self._endpoint.send("POST", route, file.read(), headers=headers, is_paid=False)
        except OSError as e:
            raise GCSClientError(f"{path} cannot be read: {e.strerror or e}") from e
        except RequestFailure as e:
            why = "there is an object of this name" if e.status == 412 else str(e)
            raise GCSClientError(f"{path} cannot be uploaded to the bucket {self._bucket_name}: {why}") from e

    def _wait_until_readable(self, path: str) -> None:
        import urllib3

        url, why = self._get_url(path), ""
        for attempt in range(self.MAX_CHECK_ATTEMPTS):
            if attempt:
                time.sleep(_PAUSE_S)
            try:  # as anybody, so without the account's limiter and token
                status = urllib3.request("HEAD", url, timeout=_TIMEOUT_S, retries=False).status
            except urllib3.exceptions.HTTPError as e:
                why = str(e)
            else:
                if status == 200:
                    return
                why = f"HTTP status {status}"
        raise GCSClientError(f"{path} was uploaded, but {url} cannot be read: {why}")
