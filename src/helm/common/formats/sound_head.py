"""Reads the heads of sound files: how long they are, and the outline of uncompressed ones. Nothing is decoded.

Files come from data sets and models, so what their heads say is checked, and only the standard library and numpy read them.
"""

import os
import struct
from dataclasses import dataclass
from typing import BinaryIO

_PCM, _EXTENSIBLE = 1, 0xFFFE
_MOST_CHUNKS = 1000
_FRAMES_PER_BAR = 2048
"""So many frames of each part of a sound are looked at, which is enough for an outline."""


@dataclass(frozen=True)
class SoundHead:
    """What the head of a sound file says."""

    seconds: float

    rate: int
    """Samples per second."""

    channels: int

    data_start: int = 0
    """Where the samples begin, in bytes; 0 if they are compressed."""

    num_frames: int = 0

    sample_bytes: int = 0
    """Bytes of each sample of one channel; 0 if they are compressed."""


def read_sound_head(path: str) -> SoundHead | None:
    """Return what the head of a WAV or FLAC file says; None for other files and for damaged ones. Raises: OSError."""
    with open(path, "rb") as file:
        start = file.read(4)
        try:
            if start == b"RIFF":
                return _read_wav(file)
            if start == b"fLaC":
                return _read_flac(file.read(4 + 34))
        except (struct.error, ValueError):
            pass
    return None


def _read_wav(file: BinaryIO) -> SoundHead | None:
    size = os.fstat(file.fileno()).st_size
    position, form = 12, None
    for _ in range(_MOST_CHUNKS):
        file.seek(position)
        name, length = struct.unpack("<4sI", file.read(8))
        position += 8
        if name == b"fmt ":
            form = struct.unpack("<HHIIHH", file.read(16))
        elif name == b"data":
            if form is None:
                return None
            kind, channels, rate, _, frame_bytes, bits = form
            length = min(length, size - position)  # programs that write to a pipe leave a length that is too large
            if not (1 <= channels <= 64 and 1 <= rate <= 10_000_000 and frame_bytes):
                return None
            num_frames = length // frame_bytes
            is_plain = kind in (_PCM, _EXTENSIBLE) and bits in (8, 16, 32) and frame_bytes == channels * bits // 8
            return SoundHead(num_frames / rate, rate, channels, position, num_frames, bits // 8 if is_plain else 0)
        position += length + length % 2
    return None


def _read_flac(head: bytes) -> SoundHead | None:
    """Read the block STREAMINFO, which comes first: 20 bits of rate, 3 of channels, 5 of depth, 36 of length."""
    if len(head) < 4 + 18 or head[0] & 0x7F != 0:
        return None
    packed = int.from_bytes(head[14:22], "big")
    rate, channels, num_frames = packed >> 44, (packed >> 41 & 7) + 1, packed & (1 << 36) - 1
    return SoundHead(num_frames / rate, rate, channels, num_frames=num_frames) if rate and num_frames else None


def read_outline(path: str, head: SoundHead, num_bars: int) -> list[float]:
    """Return how loud each of `num_bars` parts of a sound is: its largest sample, from 0 to 1, where the loudest part has 1.

    Only the first channel and, of long sounds, the beginning of each part are looked at. Empty for compressed sounds.
    Raises: OSError.
    """
    if not head.sample_bytes or not head.num_frames:
        return []
    import numpy as np

    kind = {1: "<u1", 2: "<i2", 4: "<i4"}[head.sample_bytes]
    shape = (head.num_frames, head.channels)
    try:
        frames = np.memmap(path, kind, "r", head.data_start, shape)
    except ValueError:  # the file became shorter
        return []
    middle = 128.0 if head.sample_bytes == 1 else 0.0
    bounds = np.linspace(0, head.num_frames, num_bars + 1).astype(int)
    peaks = [
        float(np.abs(part.astype(np.float64) - middle).max()) if len(part) else 0.0
        for start, end in zip(bounds[:-1], bounds[1:], strict=True)
        for part in [frames[start : min(end, start + _FRAMES_PER_BAR), 0]]
    ]
    loudest = max(peaks)
    return [peak / loudest for peak in peaks] if loudest else peaks
