"""Static features of an LLVM module: InstCount.

Instructions are visited through the C functions that llvmlite's library exports, called without llvmlite's wrapper
objects: 0.3 instead of 3 microseconds per instruction.
"""

import ctypes
from functools import cache
from importlib import resources
from typing import Any

OPCODES = (
    "Ret Br Switch IndirectBr Invoke Resume Unreachable CleanupRet CatchRet CatchSwitch CallBr FNeg Add FAdd "
    "Sub FSub Mul FMul UDiv SDiv FDiv URem SRem FRem Shl LShr AShr And Or Xor Alloca Load Store GetElementPtr "
    "Fence AtomicCmpXchg AtomicRMW Trunc ZExt SExt FPToUI FPToSI UIToFP SIToFP FPTrunc FPExt PtrToInt IntToPtr "
    "BitCast AddrSpaceCast CleanupPad CatchPad ICmp FCmp PHI Call Select UserOp1 UserOp2 VAArg ExtractElement "
    "InsertElement ShuffleVector ExtractValue InsertValue LandingPad Freeze"
).split()
"""The opcodes that InstCount tells apart, in its order."""

INST_COUNT_NAMES = ["TotalInsts", "TotalBlocks", "TotalFuncs", *OPCODES]

_PRINTED_NAMES = {"AtomicCmpXchg": b"cmpxchg", "VAArg": b"va_arg"}
_INDEX_BY_PRINTED_NAME = {
    _PRINTED_NAMES.get(opcode, opcode.lower().encode()): index for index, opcode in enumerate(OPCODES, 3)
}


@cache
def _load_library() -> Any:
    """llvmlite's own library once more; keeping the interpreter lock, as calls take under a microsecond."""
    from llvmlite.binding import ffi

    library = ctypes.PyDLL(str(resources.files("llvmlite.binding").joinpath(ffi.get_library_name())))
    for name in ("ModuleFunctionsIter", "FunctionBlocksIter", "BlockInstructionsIter"):
        function = getattr(library, f"LLVMPY_{name}")
        function.argtypes, function.restype = [ctypes.c_void_p], ctypes.c_void_p
    for name in ("Functions", "Blocks", "Instructions"):
        function = getattr(library, f"LLVMPY_{name}IterNext")
        function.argtypes, function.restype = [ctypes.c_void_p], ctypes.c_void_p
        function = getattr(library, f"LLVMPY_Dispose{name}Iter")
        function.argtypes, function.restype = [ctypes.c_void_p], None
    library.LLVMPY_GetOpcodeName.argtypes = [ctypes.c_void_p]
    library.LLVMPY_GetOpcodeName.restype = ctypes.c_void_p
    library.LLVMPY_DisposeString.argtypes = [ctypes.c_void_p]
    library.LLVMPY_DisposeString.restype = None
    return library


def _pointer(module: Any) -> int:
    return ctypes.cast(module._ptr, ctypes.c_void_p).value or 0


def _visit(iterator: int, advance: Any, dispose: Any) -> list[int]:
    """All items of one of the library's iterators."""
    items = []
    while item := advance(iterator):
        items.append(item)
    dispose(iterator)
    return items


def _get_functions(library: Any, module: Any) -> list[int]:
    return _visit(
        library.LLVMPY_ModuleFunctionsIter(_pointer(module)),
        library.LLVMPY_FunctionsIterNext,
        library.LLVMPY_DisposeFunctionsIter,
    )


def _get_blocks(library: Any, function: int) -> list[int]:
    return _visit(
        library.LLVMPY_FunctionBlocksIter(function), library.LLVMPY_BlocksIterNext, library.LLVMPY_DisposeBlocksIter
    )


def count_instructions(module: Any) -> int:
    """Instructions in all functions of a llvmlite module."""
    library = _load_library()
    begin, advance = library.LLVMPY_BlockInstructionsIter, library.LLVMPY_InstructionsIterNext
    dispose = library.LLVMPY_DisposeInstructionsIter
    count = 0
    for function in _get_functions(library, module):
        for block in _get_blocks(library, function):
            iterator = begin(block)
            while advance(iterator):
                count += 1
            dispose(iterator)
    return count


def get_inst_count(module: Any) -> list[int]:
    """The 70 numbers of `INST_COUNT_NAMES`: totals of instructions, blocks and functions, then one for each opcode.

    Functions include declarations. An opcode that is not in the list (newer than it) counts in the total only.
    """
    library = _load_library()
    counts = [0] * len(INST_COUNT_NAMES)
    for function in _get_functions(library, module):
        counts[2] += 1
        for block in _get_blocks(library, function):
            counts[1] += 1
            instructions = _visit(
                library.LLVMPY_BlockInstructionsIter(block),
                library.LLVMPY_InstructionsIterNext,
                library.LLVMPY_DisposeInstructionsIter,
            )
            counts[0] += len(instructions)
            for instruction in instructions:
                index = _INDEX_BY_PRINTED_NAME.get(_get_opcode_name(library, instruction))
                if index is not None:
                    counts[index] += 1
    return counts


def _get_opcode_name(library: Any, instruction: int) -> bytes:
    text = library.LLVMPY_GetOpcodeName(instruction)
    try:
        return ctypes.string_at(text)
    finally:
        library.LLVMPY_DisposeString(text)
