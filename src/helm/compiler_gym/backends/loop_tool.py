"""The loop_tool backend: actions change a nest of loops, which loop_tool compiles and runs."""

import os
import time
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from glob import glob
from pathlib import Path
from typing import Any

from helm.common.errors import suggest
from helm.common.optional_dependencies import OptionalDependencyNotInstalled, needs_extra
from helm.common.processes.file_lock import file_lock
from helm.compiler_gym import proto
from helm.compiler_gym.errors import EnvironmentNotSupported, StatusError
from helm.compiler_gym.runtime.session import ActionResult, CompilationSession

_SIMPLE = ("toggle_mode", "up", "down", "toggle_thread")
_SPACES = {"simple": _SIMPLE, "split": (*_SIMPLE, "split")}
"""Name of an action space -> its actions."""

_MAX_LOOPS, _FIRST_LOOPS = 16, 3
_MAX_LENGTH = 1 << 26
_NUM_RUNS = 5
_FILES = "/tmp/"  # noqa: S108 - where loop_tool writes
_LONG_RUN_S = 0.2
_BACKEND = "cpp"
_THREADED = "parallel"


@dataclass(frozen=True)
class LoopNest:
    """Loops over the elements of a vector, one inside the other, with a cursor on one of them."""

    spans: tuple[int, ...]
    """Number of elements that one run of each loop covers, the outermost first; a span is at most the one before it."""
    cursor: int = 0
    """Index of a loop."""
    changes_size: bool = False
    """The mode: whether `up` and `down` change the size of the loop at the cursor, and do not move the cursor."""
    threaded: frozenset[int] = field(default_factory=frozenset)
    """Indices of the loops whose iterations run in several threads."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of whole iterations of each loop."""
        return tuple(span // inner for span, inner in zip(self.spans, (*self.spans[1:], 1), strict=True))

    def apply(self, action: str) -> "LoopNest":
        """Return the nest after an action; the same one when the action is not possible here."""
        if action == "toggle_mode":
            return replace(self, changes_size=not self.changes_size)
        if action == "toggle_thread":
            return replace(self, threaded=self.threaded ^ {self.cursor})
        if action == "split":
            return self._split()
        step = -1 if action == "up" else 1
        if not self.changes_size:
            return replace(self, cursor=min(max(self.cursor + step, 0), len(self.spans) - 1))
        return self._resize(-step)

    def _resize(self, change: int) -> "LoopNest":
        """Change the size of the loop at the cursor by 1; the loop around it gets fewer or more iterations."""
        at = self.cursor
        if at == 0:
            return self  # the outermost loop covers the whole vector
        inner = self.spans[at + 1] if at + 1 < len(self.spans) else 1
        span = (self.sizes[at] + change) * inner
        if not inner <= span <= self.spans[at - 1]:
            return self
        return replace(self, spans=(*self.spans[:at], span, *self.spans[at + 1 :]))

    def _split(self) -> "LoopNest":
        """Put a loop of size 1 into the loop at the cursor."""
        if len(self.spans) >= _MAX_LOOPS:
            return self
        after = self.cursor + 1
        inner = self.spans[after] if after < len(self.spans) else 1
        threaded = frozenset(index + (index >= after) for index in self.threaded)
        return replace(self, spans=(*self.spans[:after], inner, *self.spans[after:]), threaded=threaded)


@cache
def _import_loop_tool() -> Any:
    try:
        with needs_extra("loop-tool"):
            import loop_tool
    except OptionalDependencyNotInstalled as error:
        raise EnvironmentNotSupported(str(error)) from error
    loop_tool.set_default_backend(_BACKEND)
    return loop_tool


class LoopToolSession(CompilationSession):
    """The sum of two vectors as a nest of loops, at first one over all elements around two of size 1.

    `flops` compiles the nest with the C compiler of this machine and runs it.
    """

    def __init__(self, working_directory: Path, action_space: Any, benchmark: Any):
        super().__init__(working_directory, action_space, benchmark)
        self._length = _read_length(benchmark)
        self._nest = LoopNest((self._length, *[1] * (_FIRST_LOOPS - 1)))
        self._flops: float | None = None

    @classmethod
    def describe(cls) -> tuple[list[Any], list[Any], str]:
        from importlib.metadata import version

        _import_loop_tool()
        spaces = [
            proto.ActionSpace(name=name, space=proto.Space(named_discrete=proto.NamedDiscreteSpace(name=list(actions))))
            for name, actions in _SPACES.items()
        ]
        return spaces, _make_observation_spaces(), f"loop_tool {version('loop-tool')}"

    def fork(self) -> "LoopToolSession":
        forked = object.__new__(type(self))
        CompilationSession.__init__(forked, self.working_dir, self.action_space, self.benchmark)
        forked._length, forked._nest, forked._flops = self._length, self._nest, self._flops
        return forked

    def apply_action(self, action: Any) -> ActionResult:
        nest = self._nest.apply(self._get_action_name(action))
        is_same = nest == self._nest
        if (nest.spans, nest.threaded) != (self._nest.spans, self._nest.threaded):
            self._flops = None
        self._nest = nest
        return False, None, is_same

    def _get_action_name(self, action: Any) -> str:
        names = self.action_space.space.named_discrete.name
        kind = action.WhichOneof("value")
        if kind == "string_value" and action.string_value in names:
            return action.string_value
        if kind != "int64_value":
            wanted = action.string_value if kind == "string_value" else str(kind)
            raise ValueError(f"Invalid action '{wanted}'; expected an index or one of {', '.join(names)}.")
        if not 0 <= action.int64_value < len(names):
            raise ValueError(f"Action {action.int64_value} is not in range [0, {len(names)}).")
        return names[action.int64_value]

    def get_observation(self, observation_space: Any) -> Any:
        name = observation_space.name
        if name == "flops":
            return proto.Event(double_value=self._measure_flops())
        if name == "loop_tree":
            return proto.Event(string_value=str(self._make_tree()))
        if name == "action_state":
            state = [self._nest.cursor, int(self._nest.changes_size), *self._nest.sizes]
            return proto.Event(int64_tensor=proto.Int64Tensor(shape=[len(state)], value=state))
        raise LookupError(
            f"No observation '{name}'.{suggest(name, [space.name for space in _make_observation_spaces()])}"
        )

    def _make_tree(self) -> Any:
        """Return the nest as a tree of loops of loop_tool."""
        tree = _get_first_tree(self._length)
        loop = tree.loops[0]
        for span in self._nest.spans[1:]:
            tree = tree.split(loop, span)
            loop = tree.children(loop)[0]
        index_of = _list_nested(tree)
        for index in self._nest.threaded:
            tree = tree.annotate(index_of[index], _THREADED)
        return tree

    def _measure_flops(self) -> float:
        """Measure additions in a second, by the fastest of some runs.

        Raises: StatusError INTERNAL when loop_tool cannot compile or run the nest, or its result is wrong.
        """
        if self._flops is None:
            try:
                total = _make_sum(self._length)
                total.set(self._make_tree())
                _compile(total)
                fastest = float("inf")
                for _ in range(_NUM_RUNS):
                    total.force_recompute()
                    started = time.perf_counter()
                    total.resolve()
                    elapsed = time.perf_counter() - started
                    fastest = min(fastest, elapsed)
                    if elapsed > _LONG_RUN_S:
                        break
                is_right = bool((total.numpy() == 2).all())
            except RuntimeError as error:
                raise StatusError("INTERNAL", f"loop_tool failed: {str(error).strip()}") from error
            if not is_right:
                raise StatusError("INTERNAL", "loop_tool's result is wrong.")
            self._flops = self._length / fastest
        return self._flops


def _compile(total: Any) -> None:
    """Compile and run a sum for the first time.

    loop_tool writes the code and the library to `/tmp/fn_NUMBER.c` and `.so`, whatever TMPDIR says, with the same numbers in
    every process. So only one process of a user does it at a time, and the files are removed once they are loaded.

    Raises: StatusError INTERNAL when such a file belongs to somebody else, who could replace the code.
    """
    me = os.getuid()
    with file_lock(f"{_FILES}helm-loop_tool-{me}.lock", "the compiler of loop_tool"):
        for path in glob(f"{_FILES}fn_*"):
            if os.lstat(path).st_uid != me or os.path.islink(path):
                raise StatusError(
                    "INTERNAL", f"loop_tool would use {path}, which is another user's or a link. Remove it."
                )
        total.resolve()
        for path in glob(f"{_FILES}fn_*.so"):
            os.unlink(path)


def _make_sum(length: int) -> Any:
    """Return the sum of two vectors of ones, which nothing has computed yet."""
    import numpy as np

    loop_tool = _import_loop_tool()
    symbol = loop_tool.SymbolGenerator().n
    ones = np.ones(length, dtype=np.float32)
    return loop_tool.Tensor(ones).to(symbol) + loop_tool.Tensor(ones).to(symbol)


@lru_cache(maxsize=64)
def _get_first_tree(length: int) -> Any:
    """Return the tree of one loop. It is kept, because loop_tool gives equal sums the loops that one of them got last."""
    return _import_loop_tool().LoopTree(_make_sum(length).ir)


def _list_nested(tree: Any) -> list[int]:
    """List the loops of a tree in which each is the only one in the one before it, from the outermost on."""
    loops = [tree.loops[0]]
    while inner := [child for child in tree.children(loops[-1]) if tree.is_loop(child)]:
        loops.append(inner[0])
    return loops


def _read_length(benchmark: Any) -> int:
    text = benchmark.program.contents.decode("ascii", "replace").strip()
    if not (text.isdigit() and 1 <= int(text[:10]) <= _MAX_LENGTH):
        raise StatusError(
            "INVALID_ARGUMENT",
            f"The program of {benchmark.uri} must be the length of the vectors, from 1 to {_MAX_LENGTH}, not '{text[:80]}'.",
        )
    return int(text)


def _make_observation_spaces() -> list[Any]:
    lengths = proto.Int64Range(min=0)
    numbers = proto.Int64SequenceSpace(length_range=lengths, scalar_range=proto.Int64Range(min=0))
    return [
        proto.ObservationSpace(
            name="flops",
            space=proto.Space(double_value=proto.DoubleRange(min=0.0)),
            platform_dependent=True,
            default_observation=proto.Event(double_value=0.0),
        ),
        proto.ObservationSpace(
            name="loop_tree",
            space=proto.Space(string_value=proto.StringSpace(length_range=lengths)),
            deterministic=True,
            default_observation=proto.Event(string_value=""),
        ),
        proto.ObservationSpace(name="action_state", space=proto.Space(int64_sequence=numbers), deterministic=True),
    ]
