"""Random functions in LLVM IR, for `random_programs`, whose statements all have defined behaviour."""

from typing import NamedTuple

from helm.compiler_gym.benchmarks.random_values import Draws

INTEGERS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64}
"""Type -> bits."""
_BIT, _DOUBLE, _VECTOR = "i1", "double", "<4 x i32>"
_MERGED = (*INTEGERS, _DOUBLE, _VECTOR)
"""Types of values that come out of branches and loops."""

ARRAYS = {"@words": ("i32", 64), "@longs": ("i64", 32), "@bytes": ("i8", 64)}
"""Global variable -> (type of the elements, number of them, a power of two)."""
TABLE = {"@table": ("i32", 32)}
"""Type of the elements and their number for the constant array."""
_LOCAL = ("i32", 16)
"""Length of a function's local array; the array that it gets as an argument is at least as long."""
MIXER = 6364136223846793005

_MAX_TRIPS = 128
"""Limit for the number of times that nested loops repeat a statement."""
_MAX_WORK = 30_000
"""Limit for the instructions that one call of a function may execute, including the functions that it calls."""
_MAX_DEPTH = 3
_CONSTANT_CHANCE = 0.15
_DOUBLES = ("0.0", "1.0", "-1.0", "0.5", "1.5", "-2.25", "3.0", "1024.0", "-0.125")
_COMPARISONS = ("eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge")
_DOUBLE_COMPARISONS = ("oeq", "olt", "ole", "ogt", "one", "ueq", "ult", "uge", "ord", "uno")
_BITWISE = ("add", "sub", "mul", "and", "or", "xor")
_ATTRIBUTES = ("", "", " noinline", " inlinehint", " nounwind")


def mark_array(element: str, length: int) -> str:
    """Return the type of an array."""
    return f"[{length} x {element}]"


class Function(NamedTuple):
    """What a caller has to know about a function."""

    name: str
    result: str
    parameters: tuple[str, ...]
    """Types; `i64 count` is a number from 0 to 15, `ptr` an array of i32."""
    work: int
    """Approximate upper bound for the instructions that a call executes."""


class FunctionWriter:
    """Writes one function `i64 (i64, i32, ptr)`, statement by statement.

    Every value is defined: shifts are by less than the width, divisors are 1 to 127, indices are cut to the length of
    the array, all memory is written before it is read, conversions of doubles saturate. Loops have at most eight turns,
    a function calls only those written before it, and `_MAX_WORK` limits what a call may cost.
    """

    def __init__(self, draws: Draws, name: str, callees: list[Function], declarations: dict[str, None]):
        """Prepare an empty function.

        Args:
            draws: source of all random choices.
            name: name of the function in the module.
            callees: functions that it may call.
            declarations: declarations that the module needs (the keys of an ordered set); the function adds its own.
        """
        self._draws, self._name, self._callees, self._declarations = draws, name, callees, declarations
        self._lines: list[str] = []
        self._values: dict[str, list[str]] = {kind: [] for kind in (*_MERGED, _BIT)}
        self._block = "entry"
        self._depth, self._trips, self._work = 0, 1, 0
        self._num_names = 0
        self._statements = [
            (self._write_integer, 30),
            (self._write_division, 4),
            (self._write_shift, 6),
            (self._write_intrinsic, 5),
            (self._write_resize, 8),
            (self._write_comparison, 8),
            (self._write_select, 6),
            (self._write_double, 8),
            (self._write_conversion, 5),
            (self._write_vector, 8),
            (self._write_load, 9),
            (self._write_store, 9),
            (self._write_variable, 6),
            (self._write_vector_memory, 3),
            (self._write_block_of_memory, 1),
            (self._write_overflow, 2),
            (self._write_call, 5),
            (self._write_if, 7),
            (self._write_switch, 2),
            (self._write_loop, 5),
        ]
        self._choices = [write for write, weight in self._statements for _ in range(weight)]

    def describe(self) -> Function:
        """Describe the function that was written."""
        return Function(self._name, "i64", ("i64", "i32", "ptr"), self._work)

    def write(self) -> str:
        """Return the text of the function."""
        linkage = "internal " if self._draws.chance(0.8) else ""
        attributes = self._draws.pick(_ATTRIBUTES)
        self._begin()
        self._write_statements(10 + self._draws.below(50))
        result = self._fold()
        head = f"define {linkage}i64 @{self._name}(i64 %a, i32 %b, ptr %p){attributes} {{\nentry:"
        return "\n".join([head, *self._lines, f"  ret i64 {result}", "}"])

    # Text -----------------------------------------------------------------------------------------------------------

    def _get_name(self) -> str:
        self._num_names += 1
        return f"%v{self._num_names}"

    def _add(self, line: str) -> None:
        self._lines.append("  " + line)
        self._work += self._trips

    def _define(self, kind: str, text: str) -> str:
        """Define a new value, which later statements may use."""
        name = self._get_name()
        self._add(f"{name} = {text}")
        self._values[kind].append(name)
        return name

    def _compute(self, text: str) -> str:
        """Define a new value that only the current statement uses."""
        name = self._get_name()
        self._add(f"{name} = {text}")
        return name

    def _call(self, declaration: str, arguments: str) -> str:
        """Write the call of an intrinsic that is declared by `RESULT @NAME(TYPES)`."""
        self._declarations[f"declare {declaration}"] = None
        return f"call {declaration[: declaration.index('(')]}({arguments})"

    def _open(self, label: str) -> None:
        self._lines.append(f"\n{label}:")
        self._block = label

    def _make_labels(self, *words: str) -> list[str]:
        self._num_names += 1
        return [f"{word}{self._num_names}" for word in words]

    # Values ---------------------------------------------------------------------------------------------------------

    def _constant(self, kind: str) -> str:
        if kind in INTEGERS:
            return str(self._draws.integer(INTEGERS[kind]))
        if kind == _BIT:
            return "true" if self._draws.chance(0.5) else "false"
        if kind == _DOUBLE:
            return self._draws.pick(_DOUBLES)
        return "<" + ", ".join(f"i32 {self._draws.integer(32)}" for _ in range(4)) + ">"

    def _value(self, kind: str) -> str:
        """Draw a constant or a computed value, with a preference for recent ones."""
        known = self._values[kind]
        if not known or self._draws.chance(_CONSTANT_CHANCE):
            return self._constant(kind)
        return known[-1 - min(self._draws.below(len(known)), self._draws.below(len(known)))]

    def _pick_integer(self) -> str:
        return self._draws.pick(("i8", "i16", "i32", "i32", "i32", "i64", "i64"))

    def _mark(self) -> dict[str, int]:
        return {kind: len(known) for kind, known in self._values.items()}

    def _forget(self, mark: dict[str, int]) -> None:
        """Drop the values computed since `mark`, which do not dominate the following statements."""
        for kind, length in mark.items():
            del self._values[kind][length:]

    def _begin(self) -> None:
        """Make the arguments available as values, and initialize a local array and local variables."""
        self._values["i64"].append("%a")
        self._values["i32"].append("%b")
        for kind in ("i8", "i16"):
            self._define(kind, f"trunc i64 %a to {kind}")
        self._define(_DOUBLE, "sitofp i32 %b to double")
        single = self._compute("insertelement <4 x i32> zeroinitializer, i32 %b, i32 1")
        self._values[_VECTOR].append(single)
        element, length = _LOCAL
        self._compute_as("%local", f"alloca {mark_array(element, length)}, align 16")
        self._add(
            self._call(
                "void @llvm.memset.p0.i64(ptr, i8, i64, i1)", f"ptr %local, i8 {self._draws.below(3)}, i64 64, i1 false"
            )
        )
        self._variables = [(f"%x{number}", kind) for number, kind in enumerate(("i32", "i64", "i8", _DOUBLE, "i32"))]
        for name, kind in self._variables:
            self._compute_as(name, f"alloca {kind}")
        for name, kind in self._variables:
            self._add(f"store {kind} {self._value(kind)}, ptr {name}")

    def _compute_as(self, name: str, text: str) -> None:
        self._add(f"{name} = {text}")

    def _fold(self) -> str:
        """Combine many values into one number."""
        result = "1"
        for kind, known in self._values.items():
            for name in known[-3:]:
                scaled = self._compute(f"mul i64 {result}, {MIXER}")
                result = self._compute(f"xor i64 {scaled}, {self._widen(kind, name)}")
        for name, kind in self._variables:
            loaded = self._compute(f"load {kind}, ptr {name}")
            result = self._compute(f"add i64 {result}, {self._widen(kind, loaded)}")
        return result

    def _widen(self, kind: str, value: str) -> str:
        """Convert a value to an i64."""
        if kind == "i64":
            return value
        if kind == _DOUBLE:
            return self._compute(self._call("i64 @llvm.fptosi.sat.i64.f64(double)", f"double {value}"))
        if kind == _VECTOR:
            value = self._compute(self._call("i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)", f"<4 x i32> {value}"))
            kind = "i32"
        return self._compute(f"zext {kind} {value} to i64")

    # Straight statements --------------------------------------------------------------------------------------------

    def _write_statements(self, count: int) -> None:
        for _ in range(count):
            if self._work > _MAX_WORK:
                return
            self._draws.pick(self._choices)()

    def _write_integer(self) -> None:
        kind = self._pick_integer()
        self._define(kind, f"{self._draws.pick(_BITWISE)} {kind} {self._value(kind)}, {self._value(kind)}")

    def _write_division(self) -> None:
        """Divide by 1 to 127, which avoids division by 0 and the overflow of the smallest number divided by -1."""
        kind = self._pick_integer()
        cut = self._compute(f"and {kind} {self._value(kind)}, 127")
        divisor = self._compute(f"or {kind} {cut}, 1")
        self._define(
            kind, f"{self._draws.pick(('udiv', 'sdiv', 'urem', 'srem'))} {kind} {self._value(kind)}, {divisor}"
        )

    def _write_shift(self) -> None:
        kind = self._pick_integer()
        amount = self._compute(f"and {kind} {self._value(kind)}, {INTEGERS[kind] - 1}")
        self._define(kind, f"{self._draws.pick(('shl', 'lshr', 'ashr'))} {kind} {self._value(kind)}, {amount}")

    def _write_intrinsic(self) -> None:
        kind = self._pick_integer()
        name = self._draws.pick(
            ("ctpop", "bitreverse", "ctlz", "cttz", "abs", "smin", "umax", "uadd.sat", "ssub.sat", "fshl")
        )
        arguments = [f"{kind} {self._value(kind)}"]
        if name in ("ctlz", "cttz", "abs"):
            arguments.append("i1 false")  # these operations are defined for every number
        elif name not in ("ctpop", "bitreverse"):
            arguments += [f"{kind} {self._value(kind)}" for _ in range(2 if name == "fshl" else 1)]
        types = ", ".join(argument.split()[0] for argument in arguments)
        self._define(kind, self._call(f"{kind} @llvm.{name}.{kind}({types})", ", ".join(arguments)))

    def _write_resize(self) -> None:
        source, target = self._pick_integer(), self._pick_integer()
        if INTEGERS[source] == INTEGERS[target]:
            self._define(source, f"xor {source} {self._value(source)}, -1")
        elif INTEGERS[source] > INTEGERS[target]:
            self._define(target, f"trunc {source} {self._value(source)} to {target}")
        else:
            self._define(target, f"{self._draws.pick(('zext', 'sext'))} {source} {self._value(source)} to {target}")

    def _write_comparison(self) -> None:
        if self._draws.chance(0.2):
            comparison = self._draws.pick(_DOUBLE_COMPARISONS)
            self._define(_BIT, f"fcmp {comparison} double {self._value(_DOUBLE)}, {self._value(_DOUBLE)}")
            return
        kind = self._pick_integer()
        self._define(_BIT, f"icmp {self._draws.pick(_COMPARISONS)} {kind} {self._value(kind)}, {self._value(kind)}")

    def _write_select(self) -> None:
        kind = self._draws.pick(_MERGED)
        chosen = f"{kind} {self._value(kind)}, {kind} {self._value(kind)}"
        self._define(kind, f"select i1 {self._value(_BIT)}, {chosen}")

    def _write_double(self) -> None:
        choice = self._draws.below(8)
        if choice < 2:
            name = ("sqrt", "fabs")[choice]
            self._define(_DOUBLE, self._call(f"double @llvm.{name}.f64(double)", f"double {self._value(_DOUBLE)}"))
        elif choice == 2:
            self._define(_DOUBLE, f"fneg double {self._value(_DOUBLE)}")
        else:
            operation = self._draws.pick(("fadd", "fsub", "fmul", "fdiv"))
            self._define(_DOUBLE, f"{operation} double {self._value(_DOUBLE)}, {self._value(_DOUBLE)}")

    def _write_conversion(self) -> None:
        kind = self._draws.pick(("i32", "i64"))
        if self._draws.chance(0.5):
            self._define(_DOUBLE, f"{self._draws.pick(('sitofp', 'uitofp'))} {kind} {self._value(kind)} to double")
        else:  # saturating conversions map NaN, whose bits are not defined, to 0
            call = self._call(f"{kind} @llvm.fptosi.sat.{kind}.f64(double)", f"double {self._value(_DOUBLE)}")
            self._define(kind, call)

    def _write_vector(self) -> None:
        choice = self._draws.below(5)
        vector = f"<4 x i32> {self._value(_VECTOR)}"
        if choice == 0:
            index = self._compute(f"and i32 {self._value('i32')}, 3")
            self._define(_VECTOR, f"insertelement {vector}, i32 {self._value('i32')}, i32 {index}")
        elif choice == 1:
            index = self._compute(f"and i32 {self._value('i32')}, 3")
            self._define("i32", f"extractelement {vector}, i32 {index}")
        elif choice == 2:
            mask = ", ".join(f"i32 {self._draws.below(8)}" for _ in range(4))
            self._define(_VECTOR, f"shufflevector {vector}, <4 x i32> {self._value(_VECTOR)}, <4 x i32> <{mask}>")
        elif choice == 3:
            flags = self._compute(f"icmp {self._draws.pick(_COMPARISONS)} {vector}, {self._value(_VECTOR)}")
            self._define(_VECTOR, f"select <4 x i1> {flags}, {vector}, <4 x i32> {self._value(_VECTOR)}")
        else:
            self._define(_VECTOR, f"{self._draws.pick(_BITWISE)} {vector}, {self._value(_VECTOR)}")

    def _write_overflow(self) -> None:
        name = self._draws.pick(("uadd", "ssub", "smul", "umul"))
        arguments = f"i32 {self._value('i32')}, i32 {self._value('i32')}"
        pair = self._compute(self._call(f"{{ i32, i1 }} @llvm.{name}.with.overflow.i32(i32, i32)", arguments))
        self._define("i32", f"extractvalue {{ i32, i1 }} {pair}, 0")
        self._define(_BIT, f"extractvalue {{ i32, i1 }} {pair}, 1")

    # Memory ---------------------------------------------------------------------------------------------------------

    def _pick_array(self, is_written: bool, element: str = "") -> tuple[str, str, int]:
        """Draw an array: its name, the type of its elements, and how many it has."""
        arrays = {**ARRAYS, "%local": _LOCAL, "%p": _LOCAL, **({} if is_written else TABLE)}
        names = [name for name, (kind, _) in arrays.items() if not element or kind == element]
        name = self._draws.pick(names)
        return (name, *arrays[name])

    def _point(self, name: str, element: str, length: int, width: int = 1) -> str:
        """Compute the address of an element that is followed by `width` elements within the array."""
        kind = self._draws.pick(("i32", "i64"))
        index = self._compute(f"and {kind} {self._value(kind)}, {length - width}")
        return self._compute(f"getelementptr inbounds {mark_array(element, length)}, ptr {name}, i64 0, {kind} {index}")

    def _write_load(self) -> None:
        name, element, length = self._pick_array(is_written=False)
        self._define(element, f"load {element}, ptr {self._point(name, element, length)}")

    def _write_store(self) -> None:
        name, element, length = self._pick_array(is_written=True)
        self._add(f"store {element} {self._value(element)}, ptr {self._point(name, element, length)}")

    def _write_variable(self) -> None:
        name, kind = self._draws.pick(self._variables)
        if self._draws.chance(0.5):
            self._define(kind, f"load {kind}, ptr {name}")
        else:
            self._add(f"store {kind} {self._value(kind)}, ptr {name}")

    def _write_vector_memory(self) -> None:
        is_written = self._draws.chance(0.5)
        place = self._point(*self._pick_array(is_written, "i32"), width=4)
        if is_written:
            self._add(f"store <4 x i32> {self._value(_VECTOR)}, ptr {place}, align 4")
        else:
            self._define(_VECTOR, f"load <4 x i32>, ptr {place}, align 4")

    def _write_block_of_memory(self) -> None:
        if self._draws.chance(0.5):
            length = 4 * (1 + self._draws.below(16))
            target = self._draws.pick(("%local", "%p", "@words", "@bytes"))
            declaration, rest = "void @llvm.memset.p0.i64(ptr, i8, i64, i1)", f"i8 {self._value('i8')}, i64 {length}"
        else:
            target, source = self._draws.pick((("%local", "%p"), ("%p", "@table"), ("@words", "%local"), ("%p", "%p")))
            declaration, rest = "void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)", f"ptr {source}, i64 64"
        self._add(self._call(declaration, f"ptr {target}, {rest}, i1 false"))

    # Calls, branches and loops --------------------------------------------------------------------------------------

    def _write_call(self) -> None:
        affordable = [f for f in self._callees if self._work + self._trips * f.work <= _MAX_WORK]
        if not affordable:
            return
        function = self._draws.pick(affordable)
        arguments = []
        for kind in function.parameters:
            if kind == "i64 count":
                count = self._compute(f"and i64 {self._value('i64')}, 15")
                arguments.append(f"i64 {count}")
            elif kind == "ptr":
                arguments.append(f"ptr {self._draws.pick(('%local', '%p', '@words'))}")
            else:
                arguments.append(f"{kind} {self._value(kind)}")
        self._define(function.result, f"call {function.result} @{function.name}({', '.join(arguments)})")
        self._work += self._trips * function.work

    def _is_deep(self) -> bool:
        return self._depth >= _MAX_DEPTH

    def _pick_merged(self) -> list[str]:
        """Draw the types of the values that a branch or a loop returns."""
        return [self._draws.pick(_MERGED) for _ in range(1 + self._draws.below(3))]

    def _write_arm(self, label: str, join: str, kinds: list[str]) -> tuple[list[str], str]:
        """Write some statements; returns values of the types, and the block in which they end."""
        mark = self._mark()
        self._open(label)
        self._depth += 1
        self._write_statements(1 + self._draws.below(7))
        self._depth -= 1
        values = [self._value(kind) for kind in kinds]
        self._add(f"br label %{join}")
        self._forget(mark)
        return values, self._block

    def _join(self, label: str, kinds: list[str], arms: list[tuple[list[str], str]]) -> None:
        self._open(label)
        for number, kind in enumerate(kinds):
            sources = ", ".join(f"[ {values[number]}, %{block} ]" for values, block in arms)
            self._define(kind, f"phi {kind} {sources}")

    def _write_if(self) -> None:
        if self._is_deep():
            return
        kinds = self._pick_merged()
        then, other, join = self._make_labels("then", "else", "join")
        has_else = self._draws.chance(0.6)
        condition, start = self._value(_BIT), self._block
        self._add(f"br i1 {condition}, label %{then}, label %{other if has_else else join}")
        arms = [] if has_else else [([self._value(kind) for kind in kinds], start)]
        arms.append(self._write_arm(then, join, kinds))
        if has_else:
            arms.append(self._write_arm(other, join, kinds))
        self._join(join, kinds, arms)

    def _write_switch(self) -> None:
        if self._is_deep():
            return
        kinds = self._pick_merged()
        count = 2 + self._draws.below(4)
        *cases, default, join = self._make_labels(*(f"case{number}_" for number in range(count)), "default", "join")
        kind = self._draws.pick(("i32", "i64"))
        chosen = self._compute(f"and {kind} {self._value(kind)}, 7")
        targets = " ".join(f"{kind} {number}, label %{label}" for number, label in enumerate(cases))
        self._add(f"switch {kind} {chosen}, label %{default} [ {targets} ]")
        self._join(join, kinds, [self._write_arm(label, join, kinds) for label in (*cases, default)])

    def _write_loop(self) -> None:
        """Write a loop of one to eight iterations with loop-carried values; some loops have an early exit."""
        if self._is_deep() or self._trips * 8 > _MAX_TRIPS or self._work + self._trips * 8 * 40 > _MAX_WORK:
            return
        kinds = self._pick_merged()
        header, latch, done = self._make_labels("loop", "latch", "done")
        limit, start = str(1 + self._draws.below(8)), self._block
        if self._draws.chance(0.5):
            cut = self._compute(f"and i32 {self._value('i32')}, 7")
            limit = self._compute(f"add nuw nsw i32 {cut}, 1")
        first = [self._value(kind) for kind in kinds]
        self._add(f"br label %{header}")
        self._open(header)
        self._trips *= 8
        self._depth += 1
        counter, following = self._get_name(), self._get_name()
        heads = len(self._lines)
        around = [self._get_name() for _ in kinds]
        self._lines += [""] * (1 + len(kinds))  # placeholders for the phis, whose other sources are not known yet
        self._values["i32"].append(counter)
        for kind, name in zip(kinds, around, strict=True):
            self._values[kind].append(name)
        self._write_statements(2 + self._draws.below(8))
        last = [self._value(kind) for kind in kinds]
        if self._draws.chance(0.3):
            self._add(f"br i1 {self._value(_BIT)}, label %{done}, label %{latch}")
        else:
            self._add(f"br label %{latch}")
        self._open(latch)
        self._add(f"{following} = add nuw nsw i32 {counter}, 1")
        goes_on = self._compute(f"icmp ult i32 {following}, {limit}")
        self._add(f"br i1 {goes_on}, label %{header}, label %{done}")
        rounds = [("i32", counter, "0", following), *zip(kinds, around, first, last, strict=True)]
        for number, (kind, name, before, after) in enumerate(rounds):
            self._lines[heads + number] = f"  {name} = phi {kind} [ {before}, %{start} ], [ {after}, %{latch} ]"
        self._depth -= 1
        self._trips //= 8
        self._open(done)
