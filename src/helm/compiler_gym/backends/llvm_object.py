"""Sizes read from an ELF object file."""

import struct

_ALLOCATED, _WRITABLE = 0x2, 0x1  # SHF_ALLOC, SHF_WRITE
_NO_BITS = 8  # SHT_NOBITS: occupies no space in the file


def get_text_size_bytes(elf: bytes) -> int:
    """Return what `size` (Berkeley format) prints under `text`: all loaded, read-only sections that occupy file space.

    Constants and unwind tables count as well, so the size grows when an optimisation makes a table constant.

    Raises: ValueError when the bytes are not an ELF object.
    """
    if elf[:4] != b"\x7fELF":
        raise ValueError("not an ELF object file")
    is_64_bit = elf[4] == 2
    order = "<" if elf[5] == 1 else ">"
    offset_format, header_at, count_at = ("Q", 0x28, 0x3A) if is_64_bit else ("I", 0x20, 0x2E)
    (table,) = struct.unpack_from(order + offset_format, elf, header_at)
    entry_size, count = struct.unpack_from(order + "HH", elf, count_at)
    section = struct.Struct(order + ("IIQQQQ" if is_64_bit else "IIIIII"))  # name, type, flags, address, offset, size
    total = 0
    for index in range(count):
        _, kind, flags, _, _, size = section.unpack_from(elf, table + index * entry_size)
        if flags & _ALLOCATED and not flags & _WRITABLE and kind != _NO_BITS:
            total += size
    return total
