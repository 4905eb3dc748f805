"""Reads kernels for acts that have nothing to do with their operation, before they are run.

It is no protection: machine code and clever Python can hide anything. What counts is what the supervisor sees from outside;
this names the plain cases, so that a reader of the results knows what was attempted.
"""

from __future__ import annotations

import ast
import re
import warnings

from helm.kernels.catalogue import COMPILED

CLOCK_CHANGED, INSPECTS_HARNESS, READS_REFERENCE, LOWERED_PRECISION = (
    "clock_changed",
    "inspects_harness",
    "reads_reference",
    "lowered_precision",
)

_C_WORDS = {
    CLOCK_CHANGED: r"(?:clock_gettime|gettimeofday|__vdso_\w+|clock_settime)\s*\([^;{]*\)\s*\{|\bmprotect\s*\(",
    INSPECTS_HARNESS: r"\b(?:ptrace|process_vm_readv|process_vm_writev|dl_iterate_phdr|Py[A-Z]\w+_\w+)\s*\(",
    READS_REFERENCE: r"\b(?:fopen|freopen|open|openat|opendir|popen|system|execv\w*|readlink|syscall)\s*\(|\bsyscall\b"
    r"|/proc/|^[ \t]*#[ \t]*include\s*[<\"]/|\.incbin|#[ \t]*embed",
    LOWERED_PRECISION: r"\b(?:_Float16|__fp16|__bf16|bfloat16|_mm\w*_cvtps_ph|_mm\w*_cvtneps_pbh|__m\d+bh|__m\d+h)\b",
}
_INSPECTION = {
    "_getframe",
    "settrace",
    "setprofile",
    "_current_frames",
    "get_objects",
    "get_referrers",
    "tb_frame",
    "f_back",
}
_INSPECTING_MODULES = {"gc", "inspect", "traceback", "ctypes.util"}
_NARROW = {"float16", "half", "bfloat16", "HalfTensor", "autocast"}
_COMMENTS = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


def scan_kernel(source: str, language: str, dtype: str) -> dict[str, str]:
    """Return what a kernel's source attempts: kinds of cheats, and the words that say so."""
    if language in COMPILED:
        text = _COMMENTS.sub(" ", source)
        found = {cheat: re.search(words, text, re.MULTILINE) for cheat, words in _C_WORDS.items()}
        return {cheat: f"it says {match.group().strip()[:80]}" for cheat, match in found.items() if match}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return {}
    seen: dict[str, str] = {}
    for node in ast.walk(tree):
        for cheat, what in _acts_of(node, dtype):
            seen.setdefault(cheat, f"it uses {what}")
    return seen


def _acts_of(node: ast.AST, dtype: str) -> list[tuple[str, str]]:
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
        names = [module] if module else [alias.name for alias in node.names]
        acts = [(READS_REFERENCE, name) for name in names if name.partition(".")[0] == "helm"]
        return acts + [(INSPECTS_HARNESS, name) for name in names if name in _INSPECTING_MODULES]
    if isinstance(node, ast.Attribute):
        if (
            isinstance(node.ctx, ast.Store)
            and isinstance(node.value, ast.Name)
            and node.value.id in ("time", "builtins")
        ):
            return [(CLOCK_CHANGED, f"{node.value.id}.{node.attr} = ...")]
        if node.attr in _INSPECTION:
            return [(INSPECTS_HARNESS, node.attr)]
        if node.attr in _NARROW or (dtype == "float64" and node.attr == "float32"):
            return [(LOWERED_PRECISION, node.attr)]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "setattr" and node.args:
        target = node.args[0]
        if isinstance(target, ast.Name) and target.id in ("time", "builtins"):
            return [(CLOCK_CHANGED, f"setattr({target.id}, ...)")]
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        if node.value in _NARROW:
            return [(LOWERED_PRECISION, repr(node.value))]
        if node.value.startswith("/proc/"):
            return [(READS_REFERENCE, repr(node.value[:80]))]
    return []
