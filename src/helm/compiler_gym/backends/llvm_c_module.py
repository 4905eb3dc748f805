"""Modules of a libLLVM, with the attributes of llvmlite's modules that this package uses."""

import ctypes
from typing import Any

from helm.compiler_gym.backends.llvm_c import OPCODES, LlvmLibrary
from helm.compiler_gym.backends.llvm_library import INTEGER_TYPE, Visitor

_RETURN_STATUS = 2
_FUNCTION_INDEX = 0xFFFFFFFF
"""Where the attributes of a function itself are, as LLVM-C counts."""


class LibraryModule:
    """A module that owns its context."""

    def __init__(self, library: LlvmLibrary, context: int, pointer: int):
        self.library = library
        self._context = context
        self._ptr = pointer
        self._runner = library.runner
        self._watch: Any = None if self._runner is None else self._runner.create_watch()

    @classmethod
    def parse(cls, library: LlvmLibrary, source: bytes) -> "LibraryModule":
        """Read bitcode or textual IR.

        Raises: RuntimeError when LLVM cannot read it.
        """
        context = library.LLVMContextCreate()
        library.LLVMContextSetDiagnosticHandler(context, library.keep_diagnostic, None)
        buffer = library.LLVMCreateMemoryBufferWithMemoryRangeCopy(source, len(source), b"-")
        pointer, message = ctypes.c_void_p(), ctypes.c_void_p()
        has_failed = library.LLVMParseIRInContext(context, buffer, pointer, message)  # it frees the buffer
        errors = library.take_errors()
        if has_failed:
            library.LLVMContextDispose(context)
            text = library.take_text(message.value).decode(errors="replace").strip()
            raise RuntimeError(text or "; ".join(errors) or "LLVM cannot read it")
        module = cls(library, context, pointer.value or 0)
        module.name = "-"
        return module

    def __del__(self) -> None:
        pointer, self._ptr = getattr(self, "_ptr", 0), 0
        if pointer:
            if self._runner is not None:
                self._runner.dispose_watch(self._watch)
            self.library.LLVMDisposeModule(pointer)
            self.library.LLVMContextDispose(self._context)

    def _set_name(self, name: str) -> None:
        text = name.encode()
        self.library.LLVMSetModuleIdentifier(self._ptr, text, len(text))

    name = property(fset=_set_name, doc="The identifier, which bitcode does not contain.")

    @property
    def triple(self) -> str:
        """The target."""
        return (self.library.LLVMGetTarget(self._ptr) or b"").decode()

    @triple.setter
    def triple(self, value: str) -> None:
        self.library.LLVMSetTarget(self._ptr, value.encode())

    @property
    def data_layout(self) -> str:
        """Sizes and alignments of the target."""
        return (self.library.LLVMGetDataLayoutStr(self._ptr) or b"").decode()

    @data_layout.setter
    def data_layout(self, value: str) -> None:
        self.library.LLVMSetDataLayout(self._ptr, value.encode())

    def verify(self) -> None:
        """Run LLVM's verifier, with a runner only over what may have changed since it found the module valid.

        Raises: RuntimeError with its findings.
        """
        library = self.library
        if self._runner is not None:
            message = ctypes.c_void_p()
            if self._runner.verify(self._ptr, self._watch, message):
                raise RuntimeError(library.take_text(message.value).decode(errors="replace").strip())
        elif library.LLVMVerifyModule(self._ptr, _RETURN_STATUS, None):
            message = ctypes.c_void_p()
            library.LLVMVerifyModule(self._ptr, _RETURN_STATUS, message)
            raise RuntimeError(library.take_text(message.value).decode(errors="replace").strip())

    def as_bitcode(self) -> bytes:
        """Write bitcode."""
        return self.library.take_buffer(self.library.LLVMWriteBitcodeToMemoryBuffer(self._ptr))

    def as_text(self) -> bytes:
        """Write textual IR."""
        return self.library.take_text(self.library.LLVMPrintModuleToString(self._ptr))

    def __str__(self) -> str:
        return self.as_text().decode("utf-8", "replace")

    def emit_object(self) -> bytes:
        """Compile a copy at code-generation level 0, because code generation changes the module.

        Raises: RuntimeError when LLVM cannot make code of it.
        """
        copy = self.library.LLVMCloneModule(self._ptr)
        try:
            return self.library.emit_object(copy)
        finally:
            self.library.LLVMDisposeModule(copy)

    def run_passes(self, pipeline: bytes, inlining_threshold: int | None = None) -> bool | None:
        """Run the passes of a textual pipeline.

        Returns what LLVM says, whether one of them changed the module; None without a runner.

        Raises: PassError; if the text is wrong, no pass has been run.
        """
        if self._runner is not None:
            return self.library.run_watched(self._runner, self._ptr, self._watch, pipeline, inlining_threshold)
        self.library.run_passes(self._ptr, pipeline, inlining_threshold)
        return None

    def count_watched(self) -> int | None:
        """Count the instructions: only those of functions that passes say they changed anew. None without a runner."""
        return None if self._runner is None else int(self._runner.count(self._ptr, self._watch))

    @property
    def functions(self) -> list["LibraryFunction"]:
        """Definitions and declarations."""
        found, function = [], self.library.LLVMGetFirstFunction(self._ptr)
        while function:
            found.append(LibraryFunction(self, function))
            function = self.library.LLVMGetNextFunction(function)
        return found

    def get_function(self, name: str) -> "LibraryFunction":
        """Find a function.

        Raises: NameError when there is none.
        """
        function = self.library.LLVMGetNamedFunction(self._ptr, name.encode())
        if not function:
            raise NameError(f"The module has no function {name}.")
        return LibraryFunction(self, function)


class LibraryFunction:
    """A function of a `LibraryModule`; valid until the module changes."""

    def __init__(self, module: LibraryModule, pointer: int):
        self._module = module
        self._ptr = pointer

    @property
    def name(self) -> str:
        """Its name without the sigil."""
        size = ctypes.c_size_t()
        address = self._module.library.LLVMGetValueName2(self._ptr, size)
        return ctypes.string_at(address, size.value).decode("utf-8", "replace")

    @property
    def is_declaration(self) -> bool:
        """Whether it has no body."""
        return bool(self._module.library.LLVMIsDeclaration(self._ptr))

    def add_function_attribute(self, name: str) -> None:
        """Mark it with an attribute without value, such as `optsize`."""
        library, text = self._module.library, name.encode()
        kind = library.LLVMGetEnumAttributeKindForName(text, len(text))
        context = library.LLVMGetModuleContext(self._module._ptr)
        attribute = library.LLVMCreateEnumAttribute(context, kind, 0)
        library.LLVMAddAttributeAtIndex(self._ptr, _FUNCTION_INDEX, attribute)


class LibraryVisitor(Visitor):
    """Inspects the parts of modules of a libLLVM, like `Visitor` those of llvmlite."""

    def __init__(self, library: LlvmLibrary):
        self._c = library
        self.get_value_kind = library.LLVMGetValueKind
        self.is_constant = library.LLVMIsConstant
        self.has_cases_as_operands = library.major < 22

    def _list(self, first: str, following: str, parent: int) -> list[int]:
        begin, advance = getattr(self._c, f"LLVMGet{first}"), getattr(self._c, f"LLVMGet{following}")
        items, item = [], begin(parent)
        while item:
            items.append(item)
            item = advance(item)
        return items

    def get_functions(self, module: Any) -> list[int]:
        return self._list("FirstFunction", "NextFunction", module._ptr)

    def get_blocks(self, function: int) -> list[int]:
        # LLVMGetOperand and LLVMGetFirstBasicBlock give the same address for a block, so blocks can be compared.
        return self._list("FirstBasicBlock", "NextBasicBlock", function)

    def get_instructions(self, block: int) -> list[int]:
        return self._list("FirstInstruction", "NextInstruction", block)

    def get_operands(self, instruction: int) -> list[int]:
        return [self._c.LLVMGetOperand(instruction, i) for i in range(self._c.LLVMGetNumOperands(instruction))]

    def get_opcode_name(self, instruction: int) -> bytes:
        return OPCODES.get(self._c.LLVMGetInstructionOpcode(instruction), "unknown").encode()

    def get_integer_width(self, value: int) -> int:
        value_type = self._c.LLVMTypeOf(value)
        return self._c.LLVMGetIntTypeWidth(value_type) if self._c.LLVMGetTypeKind(value_type) == INTEGER_TYPE else 0

    def get_small_constant(self, constant: int) -> int:
        low = self._c.LLVMConstIntGetZExtValue(constant)
        # Equal constants of one type are one object, so this tells whether the upper bits are zero.
        return low if self._c.LLVMConstInt(self._c.LLVMTypeOf(constant), low, 0) == constant else -1

    def print_value(self, value: int) -> str:
        return self._c.take_text(self._c.LLVMPrintValueToString(value)).decode("utf-8", "replace")
