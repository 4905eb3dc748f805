"""The C functions of llvmlite's library, called without llvmlite's wrapper objects.

This saves about 2.7 of 3 microseconds for each visited instruction, and 20 for each pass. Modules, values, blocks,
functions and types are addresses (int).
"""

import ctypes
from functools import cache
from importlib import resources
from typing import Any

_ADDRESS = ctypes.c_void_p

_ITERATORS = {
    "Functions": "ModuleFunctionsIter",
    "Blocks": "FunctionBlocksIter",
    "Instructions": "BlockInstructionsIter",
    "Operands": "InstructionOperandsIter",
}

BASIC_BLOCK, FUNCTION, CONSTANT_INT = 1, 5, 18
"""Kinds of values, as LLVM's C interface numbers them."""

INTEGER_TYPE = 8
"""Kind of a type."""


@cache
def load_library() -> Any:
    """Load llvmlite's own library a second time, so that calls keep the interpreter lock: most take under a microsecond."""
    from llvmlite.binding import ffi

    library = ctypes.PyDLL(str(resources.files("llvmlite.binding").joinpath(ffi.get_library_name())))
    for plural, begin in _ITERATORS.items():
        for name in (begin, f"{plural}IterNext"):
            function = getattr(library, f"LLVMPY_{name}")
            function.argtypes, function.restype = [_ADDRESS], _ADDRESS
        function = getattr(library, f"LLVMPY_Dispose{plural}Iter")
        function.argtypes, function.restype = [_ADDRESS], None
    for name, result in (
        ("GetOpcodeName", _ADDRESS),
        ("TypeOf", _ADDRESS),
        ("GetTypeKind", ctypes.c_int),
        ("GetTypeBitWidth", ctypes.c_uint64),
        ("GetValueKind", ctypes.c_int),
        ("IsConstant", ctypes.c_bool),
        ("GetConstantIntNumWords", ctypes.c_uint),
        ("DisposeString", None),
    ):
        function = getattr(library, f"LLVMPY_{name}")
        function.argtypes, function.restype = [_ADDRESS], result
    library.LLVMPY_GetConstantIntRawValue.argtypes = [_ADDRESS, ctypes.POINTER(ctypes.c_bool)]
    library.LLVMPY_GetConstantIntRawValue.restype = ctypes.POINTER(ctypes.c_uint64)
    library.LLVMPY_PrintValueToString.argtypes = [_ADDRESS, ctypes.POINTER(ctypes.c_char_p)]
    library.LLVMPY_PrintValueToString.restype = None
    return library


def get_pointer(wrapper: Any) -> Any:
    """Return the address of an object that llvmlite has wrapped. The caller has to keep the wrapper alive."""
    return wrapper._ptr


class LockedLibrary:
    """Slow functions, called without the interpreter lock, but with llvmlite's own lock, because threads share LLVM."""

    def __init__(self) -> None:
        from llvmlite.binding import ffi

        self.lock = ffi.lib._lock
        """The lock to hold during calls; llvmlite holds it during its own."""
        self._library = ctypes.CDLL(load_library()._name)
        self.create_manager = self.get("CreateNewModulePassManager", [], _ADDRESS)
        self.dispose_manager = self.get("DisposeNewModulePassManger", [_ADDRESS])
        self.create_builder = self.get("CreatePassBuilder", [_ADDRESS, _ADDRESS], _ADDRESS)
        self.dispose_builder = self.get("DisposePassBuilder", [_ADDRESS])
        self.run = self.get("RunNewModulePassManager", [_ADDRESS, _ADDRESS, _ADDRESS])
        self._print = self.get("PrintModuleToString", [_ADDRESS, _ADDRESS])
        self._write = self.get("WriteBitcodeToString", [_ADDRESS, _ADDRESS, _ADDRESS])
        self._dispose_string = self.get("DisposeString", [_ADDRESS])

    def get(self, name: str, arguments: list[Any], result: Any = None) -> Any:
        """Return the function `LLVMPY_NAME`.

        Raises: AttributeError when there is none.
        """
        function = getattr(self._library, f"LLVMPY_{name}")
        function.argtypes, function.restype = arguments, result
        return function

    def print_module(self, module: Any) -> bytes:
        """Write the module as textual IR."""
        text = _ADDRESS()
        with self.lock:
            self._print(module, ctypes.addressof(text))
        return self._take(text, -1)

    def write_bitcode(self, module: Any) -> bytes:
        """Write the module as bitcode."""
        text, size = _ADDRESS(), ctypes.c_size_t()
        with self.lock:
            self._write(module, ctypes.addressof(text), ctypes.addressof(size))
        return self._take(text, size.value)

    def _take(self, text: Any, size: int) -> bytes:
        try:
            return ctypes.string_at(text.value, size)
        finally:
            self._dispose_string(text)


@cache
def get_locked_library() -> LockedLibrary:
    """Return the only instance in this process."""
    return LockedLibrary()


class Visitor:
    """Inspects the parts of a module; results are valid until the module changes."""

    has_cases_as_operands = False
    """Whether the cases of a switch are among its operands, as before LLVM 22."""

    def __init__(self) -> None:
        library = load_library()
        self._library = library
        self._calls = {
            plural: (
                getattr(library, f"LLVMPY_{begin}"),
                getattr(library, f"LLVMPY_{plural}IterNext"),
                getattr(library, f"LLVMPY_Dispose{plural}Iter"),
            )
            for plural, begin in _ITERATORS.items()
        }
        self.get_value_kind = library.LLVMPY_GetValueKind
        self.is_constant = library.LLVMPY_IsConstant

    def _visit(self, plural: str, parent: Any) -> list[int]:
        begin, advance, dispose = self._calls[plural]
        iterator = begin(parent)
        items = []
        while item := advance(iterator):
            items.append(item)
        dispose(iterator)
        return items

    def get_functions(self, module: Any) -> list[int]:
        """Return the definitions and declarations of a llvmlite module."""
        return self._visit("Functions", get_pointer(module))

    def get_blocks(self, function: int) -> list[int]:
        return self._visit("Blocks", function)

    def get_instructions(self, block: int) -> list[int]:
        return self._visit("Instructions", block)

    def get_operands(self, instruction: int) -> list[int]:
        return self._visit("Operands", instruction)

    def get_opcode_name(self, instruction: int) -> bytes:
        """Return the opcode's name as LLVM prints it, for example `getelementptr`."""
        return self._take_string(self._library.LLVMPY_GetOpcodeName(instruction))

    def get_integer_width(self, value: int) -> int:
        """Return the number of bits of a scalar integer; 0 for a value of any other type."""
        value_type = self._library.LLVMPY_TypeOf(value)
        if self._library.LLVMPY_GetTypeKind(value_type) != INTEGER_TYPE:
            return 0
        return self._library.LLVMPY_GetTypeBitWidth(value_type)

    def get_small_constant(self, constant: int) -> int:
        """Return the unsigned value of an integer constant; -1 if it needs more than 64 bits."""
        words = self._library.LLVMPY_GetConstantIntNumWords(constant)
        raw = self._library.LLVMPY_GetConstantIntRawValue(constant, ctypes.byref(ctypes.c_bool()))
        return raw[0] if not any(raw[1:words]) else -1

    def print_value(self, value: int) -> str:
        """Write an instruction as in textual IR."""
        text = ctypes.c_char_p()
        self._library.LLVMPY_PrintValueToString(value, ctypes.byref(text))
        return self._take_string(ctypes.cast(text, _ADDRESS).value or 0).decode("utf-8", "replace")

    def _take_string(self, address: int) -> bytes:
        try:
            return ctypes.string_at(address)
        finally:
            self._library.LLVMPY_DisposeString(address)


@cache
def get_visitor() -> Visitor:
    """Return the only visitor in this process."""
    return Visitor()
