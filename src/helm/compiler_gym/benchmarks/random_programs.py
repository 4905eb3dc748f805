"""Random programs in LLVM IR from a seed: valid, without undefined behaviour, terminating, and equal on every machine.

A program computes with integers of several widths, doubles and vectors, has branches and loops, reads and writes arrays
within their bounds, calls its own functions, and prints checksums of the results.
"""

from helm.compiler_gym.benchmarks.random_functions import (
    ARRAYS,
    INTEGERS,
    MIXER,
    TABLE,
    Function,
    FunctionWriter,
    mark_array,
)
from helm.compiler_gym.benchmarks.random_values import Draws

_MOST_FURTHER_FUNCTIONS, _MOST_CALLS = 4, 4

_HELPERS = f"""\
define internal i64 @recurse(i64 %n, i64 %sum) {{
entry:
  %is_over = icmp eq i64 %n, 0
  br i1 %is_over, label %done, label %more

more:
  %next = add i64 %n, -1
  %scaled = mul i64 %sum, {MIXER}
  %mixed = xor i64 %scaled, %n
  %result = call i64 @recurse(i64 %next, i64 %mixed)
  ret i64 %result

done:
  ret i64 %sum
}}

define internal i64 @sum_words() {{
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %mixed, %loop ]
  %place = getelementptr inbounds [64 x i32], ptr @words, i64 0, i64 %i
  %word = load i32, ptr %place, align 4
  %wide = zext i32 %word to i64
  %scaled = mul i64 %sum, {MIXER}
  %mixed = xor i64 %scaled, %wide
  %next = add nuw nsw i64 %i, 1
  %goes_on = icmp ult i64 %next, 64
  br i1 %goes_on, label %loop, label %done

done:
  ret i64 %mixed
}}"""
_RECURSE = Function("recurse", "i64", ("i64 count", "i64"), work=16 * 7)
_SUM_WORDS = Function("sum_words", "i64", (), work=64 * 8)


def make_random_program(seed: int) -> str:
    """Make the text of a module with a function `main`, of about one hundred to two thousand instructions.

    Args:
        seed: >= 0.
    """
    draws = Draws(seed)
    declarations = {"declare i32 @printf(ptr, ...)": None}
    callees, texts = [_RECURSE, _SUM_WORDS], []
    for number in range(2 + draws.below(_MOST_FURTHER_FUNCTIONS)):
        writer = FunctionWriter(draws, f"f{number}", list(callees), declarations)
        texts.append(writer.write())
        callees.append(writer.describe())
    parts = [_make_globals(draws), _HELPERS, *texts, _make_main(draws, callees[2:]), "\n".join(sorted(declarations))]
    return f'source_filename = "{seed}"\n\n' + "\n\n".join(parts) + "\n"


def _make_globals(draws: Draws) -> str:
    lines = [r'@format = private constant [9 x i8] c"%016llx\0A\00"']
    for name, (element, length) in {**ARRAYS, **TABLE}.items():
        items = ", ".join(f"{element} {draws.integer(INTEGERS[element])}" for _ in range(length))
        kind = "constant" if name in TABLE else "global"
        lines.append(f"{name} = internal {kind} {mark_array(element, length)} [{items}]")
    return "\n".join(lines)


def _make_main(draws: Draws, functions: list[Function]) -> str:
    """Write a `main` that calls the last function, which calls others, and some more, and prints the results and the memory."""
    called = [functions[-1], *(draws.pick(functions) for _ in range(1 + draws.below(_MOST_CALLS)))]
    lines = ["define i32 @main() {", "entry:"]
    for number, function in enumerate(called):
        lines.append(
            f"  %r{number} = call i64 @{function.name}(i64 {draws.integer(64)}, i32 {draws.integer(32)}, ptr @words)"
        )
        lines.append(f"  %p{number} = call i32 (ptr, ...) @printf(ptr @format, i64 %r{number})")
    lines.append("  %sum = call i64 @sum_words()")
    lines.append("  %p = call i32 (ptr, ...) @printf(ptr @format, i64 %sum)")
    return "\n".join([*lines, "  ret i32 0", "}"])
