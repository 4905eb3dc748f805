"""The processor of this machine and its caches."""

import os
import re
from pathlib import Path
from typing import Any

_CACHES = {
    "l1i": ("1", "Instruction"),
    "l1d": ("1", "Data"),
    "l2": ("2", ""),
    "l3": ("3", ""),
    "l4": ("4", ""),
}
CACHE_NAMES = tuple(_CACHES)
"""Level 1 of instructions and of data, and further levels."""

_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "": 1}
_SYSTEM = Path("/sys/devices/system/cpu")
_PROCESSOR_FILE = Path("/proc/cpuinfo")


def get_cpu_info(system: Path = _SYSTEM, processor_file: Path = _PROCESSOR_FILE) -> dict[str, Any]:
    """Return `name`, `cores_count`, and for l1i, l1d, l2, l3, l4 `<x>_cache_size` (bytes of one) and `<x>_cache_count`.

    A cache that does not exist, or that the system does not report, has size -1 and count 0.
    """
    caches: dict[str, dict[str, int]] = {name: {} for name in _CACHES}
    for folder in sorted(system.glob("cpu[0-9]*/cache/index[0-9]*")):
        level, kind, size, shared = (_read(folder / name) for name in ("level", "type", "size", "shared_cpu_list"))
        for name, (wanted_level, wanted_kind) in _CACHES.items():
            if level == wanted_level and wanted_kind in ("", kind):
                caches[name][shared] = _parse_size(size)
    info: dict[str, Any] = {"name": _get_name(processor_file), "cores_count": os.cpu_count() or 1}
    for name, found in caches.items():
        info[f"{name}_cache_size"] = max(found.values(), default=-1)
        info[f"{name}_cache_count"] = len(found)
    return info


def _read(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:  # virtual machines report some caches incompletely
        return ""


def _parse_size(text: str) -> int:
    match = re.fullmatch(r"(\d+)([KMG]?)", text)
    return int(match[1]) * _UNITS[match[2]] if match else -1


def _get_name(processor_file: Path) -> str:
    match = re.search(r"^(?:model name|Processor|cpu model)\s*:\s*(.+)$", _read(processor_file), re.MULTILINE)
    return match[1].strip() if match else ""
