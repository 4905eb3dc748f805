"""The functions with which MLIR programs print, such as `printF64`, as LLVM IR, so that nothing has to be linked."""

import re

_DECLARATION = re.compile(r"^declare void @(print\w+)\(([^)]*)\).*$", re.MULTILINE)
_PRINTF = "declare i32 @printf(ptr, ...)"

_FUNCTIONS = {
    "printI64": ("i64", "%lld"),
    "printU64": ("i64", "%llu"),
    "printF32": ("float", "%g"),
    "printF64": ("double", "%.17g"),
    "printOpen": ("", "( "),
    "printClose": ("", " )"),
    "printComma": ("", ", "),
    "printNewline": ("", "\n"),
}
"""Name of a function of MLIR's runner library -> type of its argument, and format of C's printf."""


def add_printing(text: str) -> str:
    """Define the printing functions that a module declares.

    Args:
        text: LLVM IR as `mlir-translate` writes it.
    """
    is_changed = False

    def define(found: re.Match[str]) -> str:
        nonlocal is_changed
        name, parameters = found[1], found[2].split()
        if name not in _FUNCTIONS or parameters[:1] != [word for word in [_FUNCTIONS[name][0]] if word]:
            return found[0]
        is_changed = True
        return _write_function(name)

    changed = _DECLARATION.sub(define, text)
    return changed + f"\n{_PRINTF}\n" if is_changed and "@printf(ptr, ...)\n" not in text else changed


def _write_function(name: str) -> str:
    kind, form = _FUNCTIONS[name]
    size = len(form) + 1
    escaped = form.replace("\n", "\\0A")
    values = {"": "", "float": ", double %value"}.get(kind, f", {kind} %argument")
    widen = "  %value = fpext float %argument to double\n" if kind == "float" else ""
    return (
        f'@{name}.format = private constant [{size} x i8] c"{escaped}\\00"\n'
        f"define internal void @{name}({kind + ' %argument' if kind else ''}) {{\n{widen}"
        f"  %printed = call i32 (ptr, ...) @printf(ptr @{name}.format{values})\n  ret void\n}}"
    )
