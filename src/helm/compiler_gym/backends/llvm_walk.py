"""The parts of a module as arrays, gathered at the speed of compiled code.

A call from Python to LLVM's C functions takes 0.3 microseconds, and a module of 15,000 instructions needs 100,000 of them.
So a function in LLVM IR, `llvm_walk.ll`, makes these calls; LLVM compiles it in memory, once per process. If the system
forbids a process to run code that it has compiled, Python makes the calls.
"""

import ctypes
import re
from collections.abc import Callable
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

import numpy as np

from helm.compiler_gym.backends.llvm_c import OPCODES, LlvmLibrary
from helm.compiler_gym.backends.llvm_c_module import LibraryModule, LibraryVisitor
from helm.compiler_gym.backends.llvm_library import CONSTANT_INT, Visitor, get_pointer, get_visitor, load_library
from helm.compiler_gym.backends.llvm_passes import import_llvmlite

_NAME = re.compile(r"@([A-Z]\w+)@")
_NUM_OPCODES = 128
_MARGIN = 64  # records; for small modules
_OPERANDS_OF_INSTRUCTION = 3  # initial space, which grows when there are more

_INSTRUCTION = np.dtype([("address", "<i8"), ("name", "<i8"), ("block", "<i4"), ("width", "<i4")])
_OPERAND = np.dtype(
    [("value", "<i8"), ("instruction", "<i4"), ("kind", "<i4"), ("is_constant", "<i4"), ("width", "<i4")]
)


class _Buffer(ctypes.Structure):
    _fields_ = [("records", ctypes.c_void_p), ("capacity", ctypes.c_int64), ("count", ctypes.c_int64)]


class _Walk(ctypes.Structure):
    _fields_ = [
        ("blocks", _Buffer),
        ("instructions", _Buffer),
        ("operands", _Buffer),
        ("num_functions", ctypes.c_int64),
    ]


class Walk(NamedTuple):
    """The parts of a module in their order. Addresses are valid until the module changes."""

    num_functions: int
    """Definitions and declarations."""

    blocks: np.ndarray
    """Addresses (int64)."""

    instructions: np.ndarray
    """Records: `address`; `name`, see `encode_name`; `block`, its number; `width` of a scalar integer in bits, else 0."""

    operands: np.ndarray
    """Records: `value`, an address, or for an integer constant what it is (-1 when it needs more than 64 bits);
    `instruction`, its number; `kind` as in `llvm_library`; `is_constant`; `width` of a scalar integer constant, else 0.
    """


def encode_name(name: bytes) -> int:
    """Return the first eight bytes of an opcode's name as one number; they differ for all opcodes."""
    return int.from_bytes(name[:8].ljust(8, b"\0"), "little")


class _Compiled(NamedTuple):
    count: Callable[[Any], int]
    walk: Callable[[int, Any], None]
    owners: Any
    """What owns the two functions and their data, and keeps them alive."""


@cache
def _compile(library: LlvmLibrary | None) -> _Compiled | None:
    """Compile the functions of `llvm_walk.ll`; returns None where compiled code must not run.

    Args:
        library: whose modules they walk. None: llvmlite's.
    """
    llvm = import_llvmlite()
    try:
        llvm.check_jit_execution()
    except OSError:
        return None
    text = _read("llvm_walk.ll")
    kept = None
    if library is None:
        own = load_library()
        text = _NAME.sub(lambda match: _write_address(getattr(own, f"LLVMPY_{match[1]}")), text)
    else:
        kept = _make_opcode_table()
        functions = _read("llvm_walk_c.ll").replace("@OPCODES@", str(ctypes.addressof(kept)))
        functions = _NAME.sub(lambda match: _write_address(getattr(library, match[1])), functions)
        text = functions + _NAME.sub(r"@\1", text)
    module = llvm.parse_assembly(text)
    # Optimisation would gain nothing, because the time goes into the calls.
    machine = llvm.Target.from_default_triple().create_target_machine(opt=0)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    # These types keep the interpreter lock: calls are short, and the module must not change meanwhile.
    count = ctypes.PYFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(engine.get_function_address("count_instructions"))
    walk = ctypes.PYFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(engine.get_function_address("walk"))
    return _Compiled(count, walk, (engine, kept))


def _read(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _write_address(function: Any) -> str:
    return f"inttoptr (i64 {ctypes.cast(function, ctypes.c_void_p).value} to ptr)"


def _make_opcode_table() -> Any:
    names = [OPCODES.get(number, "unknown").encode() for number in range(_NUM_OPCODES)]
    return (ctypes.c_char_p * _NUM_OPCODES)(*names)


def _get_library(module: Any) -> LlvmLibrary | None:
    return module.library if isinstance(module, LibraryModule) else None


def get_module_visitor(module: Any) -> Visitor:
    """Return a visitor of the parts of a module, of whichever LLVM it is."""
    library = _get_library(module)
    return get_visitor() if library is None else LibraryVisitor(library)


def count_instructions(module: Any) -> int:
    """Count the instructions in all functions of a module."""
    library = _get_library(module)
    watched = None if library is None else module.count_watched()
    if watched is not None:
        return watched
    if library is not None and library.count_instructions is not None:
        return library.count_instructions(get_pointer(module))
    compiled = _compile(library)
    if compiled is None:
        visitor = get_module_visitor(module)
        return sum(
            len(visitor.get_instructions(block))
            for function in visitor.get_functions(module)
            for block in visitor.get_blocks(function)
        )
    return compiled.count(get_pointer(module))


def walk_module(module: Any) -> Walk:
    """Return all parts of a module."""
    compiled = _compile(_get_library(module))
    return (
        _walk_from_python(get_module_visitor(module), module) if compiled is None else _walk_compiled(compiled, module)
    )


def _walk_compiled(compiled: _Compiled, module: Any) -> Walk:
    pointer = get_pointer(module)
    num_instructions = compiled.count(pointer) + _MARGIN
    capacities = [num_instructions, num_instructions, _OPERANDS_OF_INSTRUCTION * num_instructions]
    while True:
        arrays = [np.empty(n, dtype) for n, dtype in zip(capacities, (np.int64, _INSTRUCTION, _OPERAND), strict=True)]
        buffers = [_Buffer(array.ctypes.data, len(array), 0) for array in arrays]
        walk = _Walk(*buffers, 0)
        compiled.walk(ctypes.addressof(walk), pointer)
        counts = [walk.blocks.count, walk.instructions.count, walk.operands.count]
        if all(count <= capacity for count, capacity in zip(counts, capacities, strict=True)):
            return Walk(walk.num_functions, *[array[:n] for array, n in zip(arrays, counts, strict=True)])
        capacities = counts


def _walk_from_python(visitor: Visitor, module: Any) -> Walk:
    functions = visitor.get_functions(module)
    blocks = [block for function in functions for block in visitor.get_blocks(function)]
    instructions: list[tuple[int, ...]] = []
    operands: list[tuple[int, ...]] = []
    for number, block in enumerate(blocks):
        for instruction in visitor.get_instructions(block):
            for operand in visitor.get_operands(instruction):
                kind = visitor.get_value_kind(operand)
                is_integer = kind == CONSTANT_INT
                value = visitor.get_small_constant(operand) if is_integer else operand
                width = visitor.get_integer_width(operand) if is_integer else 0
                operands.append((_to_signed(value), len(instructions), kind, visitor.is_constant(operand), width))
            name = encode_name(visitor.get_opcode_name(instruction))
            instructions.append((instruction, name, number, visitor.get_integer_width(instruction)))
    return Walk(
        len(functions),
        np.array(blocks, np.int64),
        np.array(instructions, _INSTRUCTION),
        np.array(operands, _OPERAND),
    )


def _to_signed(value: int) -> int:
    return value - (1 << 64) if value >= 1 << 63 else value
