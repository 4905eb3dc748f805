"""What goes wrong with downloads; apart from them, because every run names these errors and few fetch anything."""

from helm.common.errors import HelmError


class DownloadError(HelmError):
    """A file could not be fetched or unpacked. The message names the URL and the cause."""

    status: int | None = None
    """The HTTP status that says so, if one does."""


class GatedDataError(DownloadError):
    """The Hub gives the file only to users who have accepted its terms; says which page and which credential."""


class OfflineError(DownloadError):
    """A file is not on this machine, and fetching is forbidden."""
