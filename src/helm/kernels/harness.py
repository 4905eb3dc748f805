"""Runs, checks and times a kernel. Sent as text into a sandbox; imports nothing of ours but what is sent along.

The kernel runs in a child process. This process, its supervisor, makes the inputs after the child has started, so neither they
nor the right outputs nor the code that computes them are in the child's memory. Arrays are in memory that both share. While
the supervisor fills them, the child is stopped; its time runs from the moment when it may go on. All outputs are copied as
soon as the child reports that it is done, and every one is judged.

Standard input: JSON, see `Task` in `sandboxed.py`. Standard output: one line of JSON. `timed` has for each size the times of a
call in nanoseconds, one for each batch, by the supervisor's clock (`outside_ns`) and by the child's (`inside_ns`). `findings`
has pairs of a kind of cheat and what was seen; `wrong` is a list of at most one text. Or else `error`, or `missing`.
"""

import glob
import json
import mmap
import os
import signal
import sys
import time
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from helm.common.sandbox.program_process import Ended, Line, ProgramProcess, forget_harness_modules, write_report
from helm.kernels.kernel_child import run_kernel

_AREA = 160 << 20  # bytes of arrays of one batch
_ALIGNMENT = 64
_TRIED_CALLS = 2  # of each shape: the second shows whether the first one's output is given again
_MAX_CALLS = 16  # of a batch
_MOST_BYTES = 24 << 20  # of the arrays of a batch, if one call has fewer
_BATCH_NS = 6_000_000  # many times the duration of a message
_MIN_BATCHES, _MAX_BATCHES = 3, 200
_PINGS = 12
_AFTERWARDS_S = 0.003
_BUSY_NS = 1_500_000  # of processor time afterwards
_MOST_HIDDEN, _HIDDEN_NS = 1.3, 400_000  # the time that a child tells of a batch may be so much too short
_MOST_ELSEWHERE, _ELSEWHERE_NS = 0.3, 1_000_000  # processor time that a batch may spend on other threads
_LOWER_PRECISION = {"float32": 2.0**-8, "float64": 2.0**-23}  # of bfloat16 and of float32
_MOST_TINY = 1e-3  # share of numbers that are too small for a shorter type
_SUBREAPER = 36
_MAX_PIPE = 1 << 16


class Judge:
    """Makes inputs and compares outputs with what is right."""

    def __init__(self, task: dict[str, Any], findings: dict[str, str]):
        module = ModuleType("reference")
        exec(compile(task["reference"], "reference.py", "exec"), module.__dict__)
        self.reference = module.REFERENCES[task["operation"]]
        self._task, self._findings = task, findings
        self._random = np.random.default_rng(task["seed"])
        self._earlier: list[tuple[np.ndarray, Any]] = []
        self._wrong_ones: list[bytes] = []
        self._are_imprecise: list[bool] = []
        self.num_right = 0
        self.largest = 0.0

    def make_inputs(self, sizes: dict[str, int], kind: str, seed: int | None = None) -> list[np.ndarray]:
        random = self._random if seed is None else np.random.default_rng(seed)
        inputs = self.reference.make_inputs(random, self._task["inputs"], sizes, self._task["dtype"], kind)
        return list(inputs)

    def check(
        self, inputs: list[np.ndarray], output: np.ndarray, poison: np.ndarray, sizes: dict[str, int]
    ) -> str | None:
        """Return what is wrong with an output; None if it is right."""
        exact, bound = self.reference.judge(inputs, sizes, self._task["dtype"])
        is_wrong = _mismatches(output, exact, bound)
        if not is_wrong.any():
            self.num_right += bool(exact.any())  # zeros may be right by chance
            if bound is not None:
                self.largest = max(
                    self.largest, float(np.max(np.abs(output - exact) / bound, initial=0, where=bound > 0))
                )
            self._remember(exact, bound)
            return None
        shape = " x ".join(str(size) for size in sizes.values())
        untouched = int((_bits(output) == _bits(poison)).sum())
        if untouched:
            if self.num_right and untouched > 0.02 * output.size:
                self._find("early_return", f"{untouched} of {output.size} numbers were not written for sizes {shape}")
            return f"{untouched} of {output.size} numbers were not written for sizes {shape}"
        if any(e.shape == exact.shape and not _mismatches(output, e, b).any() for e, b in self._earlier):
            self._find("stale_output", f"the output for sizes {shape} is that of an earlier call")
        if bound is None or np.isfinite(output).all():  # a shorter type also overflows
            self._are_imprecise.append(bound is not None and self._is_imprecise(output, exact, bound))
        if np.isfinite(output).all() and output.any():
            if output.tobytes() in self._wrong_ones:
                self._find("known_inputs", "different inputs have the same, wrong output")
            self._wrong_ones.append(output.tobytes())
        self._remember(exact, bound)
        return f"{int(is_wrong.sum())} of {output.size} numbers are wrong for sizes {shape}{_example(output, exact, is_wrong)}"

    def close(self) -> None:
        """Say what all outputs together show."""
        if self._are_imprecise and all(self._are_imprecise):
            self._find("lowered_precision", "every wrong output has the precision of a shorter type")

    def _is_imprecise(self, output: np.ndarray, exact: np.ndarray, bound: np.ndarray) -> bool:
        wider = bound * (_LOWER_PRECISION[self._task["dtype"]] / float(np.finfo(self._task["dtype"]).eps))
        return bool(_mismatches(output, exact, wider).mean() <= _MOST_TINY)

    def _remember(self, exact: np.ndarray, bound: Any) -> None:
        if exact.any():
            self._earlier = [*self._earlier[-8:], (exact, bound)]

    def _find(self, cheat: str, detail: str) -> None:
        self._findings.setdefault(cheat, detail)


def _bits(array: np.ndarray) -> np.ndarray:
    return array.view(np.uint32 if array.itemsize == 4 else np.uint64)


def _mismatches(output: np.ndarray, exact: np.ndarray, bound: Any) -> np.ndarray:
    with np.errstate(all="ignore"):
        if bound is None:
            return ~((output == exact) | (np.isnan(output) & np.isnan(exact)))
        return np.asarray(~((np.abs(output - exact) <= bound) | (output == exact)))


def _example(output: np.ndarray, exact: np.ndarray, is_wrong: np.ndarray) -> str:
    at = tuple(int(i) for i in np.argwhere(is_wrong)[0])
    return f": {output[at]!s} at {at}, expected {exact[at]!s}"


class Batch(NamedTuple):
    """Calls that were done in a row."""

    outside_ns: int
    """The time of all by the supervisor's clock."""

    inside_ns: int
    """The same by the clock of the child."""

    processor_ns: int
    """The processor time that the child spent, as the system counts it; 0 where it does not."""

    outputs: list[np.ndarray]

    poisons: list[np.ndarray]
    """What was in place of the outputs before."""

    @property
    def hidden_ns(self) -> float:
        """How much longer the calls took than the child may have told; not above 0 if it told the truth.

        Processor time does not grow when the system is busy with something else, as the supervisor's time does.
        """
        return (self.processor_ns or self.outside_ns) - _MOST_HIDDEN * self.inside_ns - _HIDDEN_NS

    @property
    def is_longer_inside(self) -> bool:
        """Whether the child told of more time than there was."""
        return self.inside_ns > _MOST_HIDDEN * self.outside_ns + _HIDDEN_NS


class Supervisor:
    """Has calls done by the child, in batches."""

    def __init__(self, process: ProgramProcess, area: mmap.mmap, task: dict[str, Any], findings: dict[str, str]):
        self._process, self._area, self._task, self._findings = process, area, task, findings
        self._slots: list[list[np.ndarray]] = []
        self._layout: Any = None
        self._num_busy = 0
        self.message_ns = 0

    def lay_out(self, sizes: dict[str, int], count: int) -> int:
        """Place the arrays of so many calls, or of fewer if there is no room, and tell the child. Returns how many."""
        kinds = [(dimensions, self._task["dtype"]) for _, dimensions in self._task["inputs"]]
        kinds.append((self._task["output"], self._task["output_dtype"]))
        shapes = [([sizes.get(d) or int(d) for d in dimensions], dtype) for dimensions, dtype in kinds]
        spaces = [
            -(-int(np.prod(shape)) * np.dtype(dtype).itemsize // _ALIGNMENT) * _ALIGNMENT for shape, dtype in shapes
        ]
        count = max(1, min(count, _MOST_BYTES // sum(spaces)))
        layout, at = [], 0
        for _ in range(count):
            call = []
            for (shape, dtype), space in zip(shapes, spaces, strict=True):
                call.append([at, shape, dtype])
                at += space
            layout.append(call)
        if layout != self._layout:
            self._layout = layout
            self._slots = [[view_of(self._area, *array) for array in call] for call in layout]
            self._process.expect_ready(
                self._process.ask({"calls": layout, "sizes": [sizes[d] for d in self._task["dimensions"]]})
            )
        return count

    def measure_messages(self) -> None:
        times = []
        for _ in range(_PINGS):
            self._stop()
            start = time.perf_counter_ns()
            os.kill(self._process.pid, signal.SIGCONT)
            self._process.expect_ready(self._process.ask("ping"))
            times.append(time.perf_counter_ns() - start)
        self.message_ns = min(times)

    def _stop(self) -> None:
        os.kill(self._process.pid, signal.SIGSTOP)
        if not self._process.has_stopped():
            self._process.hear()  # raises the reason

    def run(self, batch: list[list[np.ndarray]]) -> "Batch":
        """Do the calls on these inputs. Raises: Ended."""
        pid = self._process.pid
        self._stop()
        poisons = []
        for slot, inputs in zip(self._slots, batch, strict=True):
            for array, values in zip(slot, inputs, strict=False):
                array[...] = values
            poison = np.frombuffer(os.urandom(max(slot[-1].nbytes, 1))[: slot[-1].nbytes], slot[-1].dtype)
            poisons.append(poison.reshape(slot[-1].shape))
            slot[-1][...] = poisons[-1]
        used, used_by_first = _processor_ns(pid), _first_thread_ns(pid)
        start = time.perf_counter_ns()
        os.kill(pid, signal.SIGCONT)
        answer = self._process.ask("go")
        taken = time.perf_counter_ns() - start
        outputs = [slot[-1].copy() for slot in self._slots]
        done = _processor_ns(pid)
        self._watch_afterwards(outputs, done)
        # Only now, because the system counts a thread's time when it stops to wait.
        elsewhere = _processor_ns(pid) - used - (_first_thread_ns(pid) - used_by_first)
        if self._process.has_more() and self._process.is_there():
            self._findings.setdefault("inspects_harness", "it wrote to the pipes of its process")
        times = self._process.expect_times(answer, len(batch))
        for slot, inputs in zip(self._slots, batch, strict=True):
            if any(array.tobytes() != values.tobytes() for array, values in zip(slot, inputs, strict=False)):
                raise Ended({"error": "it changed its input"})
        if used_by_first and elsewhere > max(_MOST_ELSEWHERE * (done - used), _ELSEWHERE_NS):
            self._findings.setdefault("extra_threads", "it computed on threads besides the one that called it")
        return Batch(max(1, taken - self.message_ns), sum(times), done - used, outputs, poisons)

    def _watch_afterwards(self, outputs: list[np.ndarray], done: int) -> None:
        time.sleep(_AFTERWARDS_S)
        if any(slot[-1].tobytes() != output.tobytes() for slot, output in zip(self._slots, outputs, strict=True)):
            self._findings.setdefault("left_running", "an output changed after its call had returned")
        self._num_busy += _processor_ns(self._process.pid) - done > _BUSY_NS
        if self._num_busy >= 2:
            self._findings.setdefault("left_running", "it computed after its calls had returned")
        left = _descendants(os.getpid()) - {self._process.pid}
        if left:
            self._findings.setdefault("left_running", f"{len(left)} processes were left after its calls had returned")


def view_of(area: mmap.mmap, offset: int, shape: list[int], dtype: str) -> np.ndarray:
    count = int(np.prod(shape))
    return np.frombuffer(area, dtype, count, offset).reshape(shape)


def _processor_ns(pid: int) -> int:
    """The processor time of all threads of a process; 0 where the system does not say."""
    try:
        return time.clock_gettime_ns(~pid << 3 | 2)
    except OSError:
        return 0


def _first_thread_ns(pid: int) -> int:
    """The processor time of the first thread of a process; 0 where the system does not say."""
    try:
        return int(_read(f"/proc/{pid}/task/{pid}/schedstat").split()[0])
    except (ValueError, IndexError):
        return 0


def _descendants(pid: int) -> set[int]:
    found: set[int] = set()
    for path in glob.glob(f"/proc/{pid}/task/*/children"):
        for child in map(int, _read(path).split()):
            if _read(f"/proc/{child}/stat").rpartition(")")[2].split()[:1] not in ([], ["Z"], ["X"]):
                found |= {child} | _descendants(child)
    return found


def _read(path: str) -> str:
    """Text about a process; empty if that has ended, so that others are still looked at, or the system has no such file."""
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""


def try_shapes(judge: Judge, supervisor: Supervisor, findings: dict[str, str]) -> str | None:
    """Call the kernel on all shapes and special values. Returns what is wrong with an output."""
    reference = judge.reference
    cases = [(reference.usual, sizes) for sizes in reference.shapes] + list(reference.special)
    cases += [(reference.usual, sizes) for sizes in reference.timed]
    supervisor.lay_out(reference.example, 1)
    inputs = judge.make_inputs(reference.example, reference.usual, seed=0)
    batch = supervisor.run([inputs])
    first = judge.check(inputs, batch.outputs[0], batch.poisons[0], reference.example)
    knows_example, judge.num_right = first is None, 0
    wrong: list[str] = []
    for kind, sizes in cases:
        count = supervisor.lay_out(sizes, _TRIED_CALLS)
        inputs_of = [judge.make_inputs(sizes, kind) for _ in range(count)]
        batch = supervisor.run(inputs_of)
        found = [judge.check(*parts, sizes) for parts in zip(inputs_of, batch.outputs, batch.poisons, strict=True)]
        wrong += [text if kind == reference.usual else f"{text}, kind of input: {kind}" for text in found if text]
    if knows_example and not judge.num_right:
        findings.setdefault("known_inputs", "only the example of the prompt has the right output")
    return wrong[0] if wrong else first


def time_calls(judge: Judge, supervisor: Supervisor, task: dict[str, Any]) -> tuple[list[dict[str, Any]], str | None]:
    """Time the kernel on the sizes for that. Returns the times, and what is wrong with an output."""
    timed: list[dict[str, Any]] = []
    for sizes in judge.reference.timed:
        count = supervisor.lay_out(sizes, 2)
        batches: list[Batch] = []
        is_first = True
        while is_first or len(batches) < _MAX_BATCHES and not _are_enough(batches, count, task):
            inputs_of = [judge.make_inputs(sizes, judge.reference.usual) for _ in range(count)]
            batch = supervisor.run(inputs_of)
            for parts in zip(inputs_of, batch.outputs, batch.poisons, strict=True):
                wrong = judge.check(*parts, sizes)
                if wrong:
                    return timed, f"{wrong}, in a timed call"
            if is_first:  # it touches memory for the first time; it tells how many calls to time together
                count = supervisor.lay_out(sizes, max(1, min(_MAX_CALLS, _BATCH_NS * count // batch.outside_ns)))
                is_first = False
            else:
                batches.append(batch)
        longer = sum(batch.is_longer_inside for batch in batches)
        timed.append({
            "outside_ns": [batch.outside_ns / count for batch in batches],
            "inside_ns": [batch.inside_ns / count for batch in batches],
            "disagree": min(batch.hidden_ns for batch in batches) > 0 or longer > len(batches) / 2,
        })  # fmt: skip
    return timed, None


def _are_enough(batches: list[Batch], count: int, task: dict[str, Any]) -> bool:
    if len(batches) < _MIN_BATCHES or len(batches) * count < task["runs"]:
        return False
    return sum(batch.outside_ns for batch in batches) >= task["seconds"] * 1e9


def supervise(process: ProgramProcess, area: mmap.mmap, task: dict[str, Any], seen: int) -> dict[str, Any]:
    findings: dict[str, str] = {}
    timed: list[dict[str, Any]] = []
    judge = Judge(task, findings)
    supervisor = Supervisor(process, area, task, findings)
    try:
        process.expect_ready(process.ask({key: task[key] for key in ("language", "program", "function", "command")}))
        process.start_clock(task["timeout_s"])
        process.expect_ready(process.ask("load"))
        supervisor.measure_messages()
        wrong = try_shapes(judge, supervisor, findings)
        if wrong is None and not findings:
            timed, wrong = time_calls(judge, supervisor, task)
        process.ask("end")
    except Ended as end:
        report = dict(end.args[0])
        wrong = None
    else:
        report = {}
    judge.close()
    for line in _read_seen(seen):
        cheat, _, detail = line.partition(": ")
        if cheat in task["cheats"]:
            findings.setdefault(cheat, detail)
        else:
            findings.setdefault("inspects_harness", "it wrote to the pipes of its process")
    if any(item["disagree"] for item in timed):
        findings.setdefault("clocks_disagree", "its process and the supervisor saw different times")
    return {
        **report,
        "findings": [list(item) for item in findings.items()],
        "wrong": [wrong] if wrong else [],
        "timed": timed,
        "largest_error": judge.largest,
    }


def _read_seen(descriptor: int) -> list[str]:
    """Return what the child's process reported about the kernel's acts, as far as it is there."""
    os.set_blocking(descriptor, False)
    try:
        return os.read(descriptor, _MAX_PIPE).decode(errors="replace").splitlines()
    except OSError:
        return []


def main() -> None:
    own_stdin, out = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):
        os.dup2(nowhere, standard)
    try:
        import ctypes

        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    except (ImportError, OSError, AttributeError):  # not Linux
        pass
    area = mmap.mmap(-1, _AREA)
    seen, to_see = os.pipe()
    os.set_blocking(to_see, False)

    def be_kernel(line: Line) -> None:
        os.dup2(nowhere, 2)
        forget_harness_modules()
        run_kernel(line, area, to_see)

    process = ProgramProcess(be_kernel, (own_stdin, out, seen))
    with os.fdopen(own_stdin, "rb") as file:
        task = json.loads(file.read())
    report = supervise(process, area, task, seen)
    write_report(out, report)


if __name__ == "__main__":
    sys.setrecursionlimit(2000)
    main()
