"""Decodes sounds of data sets, with limits, since files of data sets are not trusted, and writes them in other formats."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from helm.common.errors import HelmError
from helm.common.formats.sound_head import read_sound_head
from helm.common.media_types import HEAD_SIZE, content_type_of
from helm.common.optional_dependencies import needs_extra

if TYPE_CHECKING:
    import av
    import numpy as np

MAX_SECONDS = 6 * 3600
"""Decoding stops with an error when a sound is longer."""

_DEMUXERS = {
    "audio/wav": "wav",
    "audio/mpeg": "mp3",
    "audio/flac": "flac",
    "audio/ogg": "ogg",
    "audio/mp4": "mp4",
    "audio/aac": "aac",
    "video/mp4": "mp4",
    "video/quicktime": "mov",
    "video/webm": "webm",
    "video/x-msvideo": "avi",
}
"""Files are opened with the demuxer of their type, since FFmpeg would also guess playlists, which name other files."""

_ENCODERS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "audio/wav": ("wav", "pcm_s16le", {}),
    "audio/flac": ("flac", "flac", {}),
    "audio/mpeg": ("mp3", "libmp3lame", {"bit_rate": 192_000}),
}
"""For each type that can be written: container, codec and options. HELM writes MP3 with 192 kbit/s and WAV with 16 bits."""

_MP3_RATES = (8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000)


class SoundError(HelmError):
    """A sound cannot be decoded or converted."""


def seconds_of(path: str) -> float:
    """Return how long a sound or video lasts, as the head of its file says.

    Raises: SoundError; OSError; OptionalDependencyNotInstalled without PyAV, unless it is WAV or FLAC.
    """
    head = read_sound_head(path)
    if head is not None:
        return head.seconds
    with open(path, "rb") as file:
        content_type = content_type_of(file.read(HEAD_SIZE)) or ""
        if content_type not in _DEMUXERS:
            raise SoundError(f"{path} is no sound that is known.")
        with needs_extra("audio"):
            import av
        file.seek(0)
        try:
            with av.open(file, "r", format=_DEMUXERS[content_type]) as container:
                duration = container.duration
        except (av.FFmpegError, ValueError) as e:
            raise SoundError(f"{path}: it cannot be decoded: {e}.") from e
    if not duration or duration < 0:
        raise SoundError(f"{path}: its head does not say how long it is.")
    return float(duration) / 1_000_000


def has_samples(content: bytes, content_type: str) -> bool:
    """Return whether a sound can be decoded and holds at least one sample.

    Args:
        content: the encoded sound.
        content_type: its type, as its first bytes show it.

    Raises: OptionalDependencyNotInstalled without PyAV.
    """
    try:
        with _opened(content, content_type) as (container, stream):
            return any(frame.samples for frame in container.decode(stream))
    except SoundError:
        return False


def samples(content: bytes, content_type: str, rate: int) -> "np.ndarray":
    """Return the mean of the channels of a sound.

    Args:
        content: the encoded sound, or a video with sound.
        content_type: its type, as its first bytes show it.
        rate: samples per second of the result.

    Returns: shape (samples,), float32, from -1 to 1.
    Raises: SoundError; OptionalDependencyNotInstalled without PyAV.
    """
    import numpy as np

    with _opened(content, content_type) as (container, stream):
        # FFmpeg would add the channels with weights of 0.7, which is louder than their mean.
        blocks = [block.to_ndarray().mean(axis=0) for block in _resampled(container, stream, "fltp", None, rate)]
    return np.concatenate(blocks) if blocks else np.zeros(0, np.float32)


def converted(
    content: bytes,
    content_type: str,
    wanted: str,
    rate: int | None = None,
    segment: tuple[int, int] | None = None,
) -> bytes | None:
    """Return a sound in another format, or None if the sound is so already.

    Args:
        content: the encoded sound, or a video with sound.
        content_type: its type, as its first bytes show it.
        wanted: the desired content type.
        rate: samples per second of the result, which is then mono; None keeps rate and channels.
        segment: begin and end of the part to keep, in milliseconds; None keeps everything.

    Raises: SoundError; OptionalDependencyNotInstalled without PyAV.
    """
    if wanted not in _ENCODERS:
        raise SoundError(f"sounds cannot be written as {wanted}, but as {', '.join(_ENCODERS)}.")
    with _opened(content, content_type) as (container, stream):
        own_rate = stream.rate
        if content_type == wanted and segment is None and rate in (None, own_rate):
            return None
        if rate is None:
            rate = own_rate if wanted != "audio/mpeg" or own_rate in _MP3_RATES else 44100
            layout = "mono" if stream.channels == 1 else "stereo"
        else:
            layout = "mono"
        blocks = _resampled(container, stream, "s16", layout, rate)
        if segment is not None:
            blocks = _cut(blocks, *(int(position * rate / 1000) for position in segment))
        return _encoded(blocks, wanted, layout, rate)


def _encoded(blocks: "Iterator[av.AudioFrame]", wanted: str, layout: str, rate: int) -> bytes:
    import av

    container_format, codec, options = _ENCODERS[wanted]
    buffer = io.BytesIO()
    position = 0
    with av.open(buffer, "w", format=container_format) as output:
        stream: Any = output.add_stream(codec, rate=rate, layout=layout, **options)
        for block in blocks:
            block.pts, block.time_base = position, Fraction(1, rate)
            position += block.samples
            output.mux(stream.encode(block))
        output.mux(stream.encode(None))
    return buffer.getvalue()


@contextmanager
def _opened(content: bytes, content_type: str) -> "Iterator[tuple[Any, Any]]":
    with needs_extra("audio"):
        import av
    demuxer = _DEMUXERS.get(content_type)
    if demuxer is None:
        raise SoundError(f"{content_type} holds no sound.")
    try:
        with av.open(io.BytesIO(content), format=demuxer) as container:
            if not container.streams.audio:
                raise SoundError(f"the {content_type} holds no sound.")
            yield container, container.streams.audio[0]
    except (av.FFmpegError, ValueError) as e:
        raise SoundError(f"it cannot be decoded: {e}.") from e


def _resampled(
    container: Any, stream: Any, sample_format: str, layout: str | None, rate: int
) -> "Iterator[av.AudioFrame]":
    import av

    resampler = av.AudioResampler(format=sample_format, layout=layout, rate=rate)
    left = MAX_SECONDS * rate
    for frame in container.decode(stream):
        for block in resampler.resample(frame):
            left -= block.samples
            if left < 0:
                raise SoundError(f"it is longer than {MAX_SECONDS:,} seconds.")
            yield block
    yield from resampler.resample(None)


def _cut(blocks: "Iterator[av.AudioFrame]", first: int, last: int) -> "Iterator[av.AudioFrame]":
    """Yield the samples with the positions first, ..., last - 1."""
    import av

    position = 0
    for block in blocks:
        start, end = max(first - position, 0), min(last - position, block.samples)
        position += block.samples
        if start < end:
            channels = len(block.layout.channels)
            kept = av.AudioFrame.from_ndarray(
                block.to_ndarray()[:, start * channels : end * channels], format="s16", layout=block.layout.name
            )
            kept.rate = block.rate
            yield kept
