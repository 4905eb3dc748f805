"""Runs `program.bc` of the current folder from its function main, compiled in memory. A program, not a module.

Ends with the status of main. Before main begins, 125 with a line on standard error that begins `NOT RUNNABLE:` says that
there is nothing to run, 126 with `INVALID MODULE:` that LLVM does not accept the file.
"""

import ctypes
import os
import sys


def _end(status: int, line: str) -> None:
    sys.stderr.write(line + "\n")
    sys.stderr.flush()
    os._exit(status)


def main() -> None:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    with open("program.bc", "rb") as file:
        bitcode = file.read()
    try:
        module = llvm.parse_bitcode(bitcode)
        module.verify()
    except RuntimeError as error:
        _end(126, f"INVALID MODULE: {error}")
    functions = {function.name: function for function in module.functions}
    if "main" not in functions or functions["main"].is_declaration:
        _end(125, "NOT RUNNABLE: the module has no function main")
    machine = llvm.Target.from_default_triple().create_target_machine()
    jit = llvm.create_mcjit_compiler(module, machine)
    jit.finalize_object()
    jit.run_static_constructors()
    words = (ctypes.c_char_p * 2)(b"program", None)
    call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.POINTER(ctypes.c_char_p))
    status = call(jit.get_function_address("main"))(1, words)
    jit.run_static_destructors()
    ctypes.CDLL(None).fflush(None)
    os._exit(status & 255)


if __name__ == "__main__":
    main()
