"""Content types of images, sounds and videos, by their first bytes and by the endings of file names."""

HEAD_SIZE = 64
"""So many of the first bytes determine a content type."""

SUFFIXES = {
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/gif": ".gif",
    "image/webp": ".webp",
    "image/bmp": ".bmp",
    "image/tiff": ".tiff",
    "audio/wav": ".wav",
    "audio/mpeg": ".mp3",
    "audio/flac": ".flac",
    "audio/ogg": ".ogg",
    "audio/mp4": ".m4a",
    "audio/aac": ".aac",
    "video/mp4": ".mp4",
    "video/quicktime": ".mov",
    "video/webm": ".webm",
    "video/x-msvideo": ".avi",
}
"""Maps each content type that is recognised to the usual ending of its files."""

_OTHER_SUFFIXES = {".jpeg": "image/jpeg", ".tif": "image/tiff", ".wave": "audio/wav", ".oga": "audio/ogg"}

_STARTS = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"fLaC", "audio/flac"),
    (b"OggS", "audio/ogg"),
    (b"ID3", "audio/mpeg"),
    (b"\x1aE\xdf\xa3", "video/webm"),
)

_RIFF_KINDS = {b"WAVE": "audio/wav", b"WEBP": "image/webp", b"AVI ": "video/x-msvideo"}

_MP4_BRANDS = {b"M4A ": "audio/mp4", b"M4B ": "audio/mp4", b"qt  ": "video/quicktime"}


def content_type_of(head: bytes) -> str | None:
    """Return the content type that the first bytes of a file (at least 12, see `HEAD_SIZE`) show; None if unknown."""
    for start, content_type in _STARTS:
        if head.startswith(start):
            return content_type
    if head[:4] in (b"RIFF", b"RIFX"):
        return _RIFF_KINDS.get(head[8:12])
    if head[4:8] == b"ftyp":
        return _MP4_BRANDS.get(head[8:12], "video/mp4")
    if len(head) > 1 and head[0] == 0xFF:  # the eleven bits that begin a frame, then version and layer
        if head[1] & 0xF6 == 0xF0:
            return "audio/aac"
        if head[1] & 0xE0 == 0xE0 and head[1] & 0x06:
            return "audio/mpeg"
    return None


def content_type_of_name(name: str) -> str | None:
    """Return the content type that the ending of a file name stands for; None if it stands for none."""
    dot = name.rfind(".")
    suffix = name[dot:].lower() if dot >= 0 else ""
    by_suffix = {suffix: content_type for content_type, suffix in SUFFIXES.items()}
    return by_suffix.get(suffix) or _OTHER_SUFFIXES.get(suffix)
