"""Functions of machine code that models write: how each language declares them, and what calls one of OCaml like one of C."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_OCAML_ARRAYS = {"double": ("array", "(float, float64_elt, c_layout)"), "int64_t": ("ints", "(int, int_elt, c_layout)")}
"""By the type of C: the name of the type of arrays, and the parameters of Bigarray's."""

_OCAML_NUMBERS = {"double": "float", "int64_t": "int"}


@dataclass(frozen=True)
class Parameter:
    """A parameter of a function that writes its value to its last parameters."""

    name: str
    number: str
    """Its type, or that of its elements, in C: ``double`` or ``int64_t``."""

    depth: int
    """Number of dimensions; 0 for a number."""

    is_output: bool = False
    """Whether the function writes there; then its sizes are those of the value, and are not passed to C++."""


def cpp_declaration(name: str, parameters: Sequence[Parameter]) -> str:
    """Return the head of the function in C++, without linkage."""
    words = []
    for parameter in parameters:
        if parameter.is_output:
            words.append(f"double *{parameter.name}")
        elif parameter.depth:
            words.append(f"const {parameter.number} *{parameter.name}")
            words += [f"int64_t {parameter.name}_size{i}" for i in range(parameter.depth)]
        else:
            words.append(f"{parameter.number} {parameter.name}")
    return f"void {name}({', '.join(words)})"


def _ocaml_type(parameter: Parameter) -> str:
    # A number that is written needs a place: an array of one.
    depth = parameter.depth or int(parameter.is_output)
    return f"{_OCAML_ARRAYS[parameter.number][0]}{depth}" if depth else _OCAML_NUMBERS[parameter.number]


def ocaml_declaration(name: str, parameters: Sequence[Parameter]) -> str:
    """Return the types of arrays that the function has, and its own."""
    types = sorted({_ocaml_type(parameter) for parameter in parameters if parameter.depth or parameter.is_output})
    elements = dict(_OCAML_ARRAYS.values())
    lines = [f"type {type_} = {elements[type_[:-1]]} Array{type_[-1]}.t" for type_ in types]
    arrows = " -> ".join([*map(_ocaml_type, parameters), "unit"])
    return "\n".join(["open Bigarray", "", *lines, "", f"val {name} : {arrows}"])


def ocaml_registration(name: str, parameters: Sequence[Parameter]) -> str:
    """Return what is put behind a program so that C finds the function; it does not compile for another type."""
    *types, declaration = ocaml_declaration(name, parameters).splitlines()
    arrows = declaration.partition(" : ")[2]
    return "\n".join(["", *types, f'let () = Stdlib.Callback.register "{name}" ({name} : {arrows})', ""])


_GLUE = """\
#include <stdint.h>
#include <stdio.h>

#include <caml/alloc.h>
#include <caml/bigarray.h>
#include <caml/callback.h>
#include <caml/memory.h>
#include <caml/mlvalues.h>
#include <caml/printexc.h>

static char failure[256];

/* What the function raised, empty if nothing. */
const char *program_failure(void) { return failure; }

%(head)s {
    static const value *function = NULL;
    if (!function) {
        char *words[] = {"program", NULL};
        value started = caml_startup_exn(words);
        function = caml_named_value("%(name)s");
        if (Is_exception_result(started) || !function) {
            snprintf(failure, sizeof failure, "its beginning failed");
            return;
        }
    }
    CAMLparam0();
    CAMLlocalN(arguments, %(count)d);
    CAMLlocal1(result);
%(conversions)s
    result = caml_callbackN_exn(*function, %(count)d, arguments);
    if (Is_exception_result(result)) {
        char *text = caml_format_exception(Extract_exception(result));
        snprintf(failure, sizeof failure, "%%s", text);
    }
    CAMLreturn0;
}
"""


def ocaml_glue(name: str, parameters: Sequence[Parameter]) -> str:
    """Return a function in C that is called as one of C++ would be, but with the sizes of outputs, and calls that of OCaml."""
    with_sizes = [Parameter(p.name, p.number, p.depth or int(p.is_output)) for p in parameters]
    conversions = []
    for i, parameter in enumerate(with_sizes):
        if parameter.depth:
            kind = "CAML_BA_FLOAT64" if parameter.number == "double" else "CAML_BA_CAML_INT"
            sizes = ", ".join(f"(intnat){parameter.name}_size{axis}" for axis in range(parameter.depth))
            made = (
                f"caml_ba_alloc_dims({kind} | CAML_BA_C_LAYOUT, {parameter.depth}, (void *){parameter.name}, {sizes})"
            )
        else:
            convert = "caml_copy_double" if parameter.number == "double" else "Val_long"
            made = f"{convert}({parameter.name})"
        conversions.append(f"    arguments[{i}] = {made};")
    head = cpp_declaration(name, with_sizes)
    return _GLUE % {"head": head, "name": name, "count": len(parameters), "conversions": "\n".join(conversions)}
