"""Runs `program.bc` of the current folder from its function main, compiled in memory. A program, not a module.

With two arguments, the numbers of runs and of warm-up runs before them, it prints the seconds of each run as a JSON list
instead; every run is a process of its own, so all begin alike, and what they print is dropped. When one of them does not
end with status 0, so does this program, after a line on standard error that begins `RUN FAILED:`.

Ends with the status of main. Before main begins, 125 with a line on standard error that begins `NOT RUNNABLE:` says that
there is nothing to run, 126 with `INVALID MODULE:` that LLVM does not accept the file.
"""

import ctypes
import json
import os
import struct
import sys
import time


def _end(status: int, line: str) -> None:
    sys.stderr.write(line + "\n")
    sys.stderr.flush()
    os._exit(status)


def _measure(run) -> float:
    start = time.perf_counter()
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        sink = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(sink, number)
        start = time.perf_counter()
        status = run()
        os.write(writer, struct.pack("d", time.perf_counter() - start))
        os._exit(status & 255)
    os.close(writer)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    seconds = time.perf_counter() - start
    with open(reader, "rb") as told:
        text = told.read(8)
    if status != 0:
        _end(124, f"RUN FAILED: it ended with status {status}")
    return struct.unpack("d", text)[0] if len(text) == 8 else seconds  # it may have called exit()


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
    function = call(jit.get_function_address("main"))
    if len(sys.argv) == 3:
        count, num_warmups = int(sys.argv[1]), int(sys.argv[2])
        seconds = [_measure(lambda: function(1, words)) for _ in range(num_warmups + count)]
        print(json.dumps(seconds[num_warmups:]), flush=True)
        os._exit(0)
    status = function(1, words)
    jit.run_static_destructors()
    ctypes.CDLL(None).fflush(None)
    os._exit(status & 255)


if __name__ == "__main__":
    main()
