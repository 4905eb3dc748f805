"""The catalogue of cheats, each tried in a real sandbox and caught, and honest kernels, none of them flagged."""

import shutil

import pytest

from helm.kernels import sandboxed
from helm.kernels.catalogue import OPERATIONS
from helm.kernels.cheats import CHEATS
from helm.kernels.embedded import embedded_kernel
from helm.kernels.scan import scan_kernel

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")


@pytest.fixture(autouse=True)
def reference_times(monkeypatch):
    """The reference need not be timed to judge a kernel."""
    monkeypatch.setattr(sandboxed, "run_reference", lambda *args: [1e6, 1e6])


def attempt(program, operation="dot", language="numpy", dtype="float32", timeout_s=20.0, **settings):
    text = f"Here it is:\n```\n{program}\n```"
    return sandboxed.try_kernel(OPERATIONS[operation], language, dtype, text, timeout_s, 3, 0.0, **settings)


DOT = "import numpy as np\ndef right(x, y, out):\n    out[0] = np.dot(x, y)\n"
GELU = "import numpy as np\ndef right(x, out):\n    out[:] = 0.5*x*(1+np.tanh(0.7978845608028654*(x+0.044715*x*x*x)))\n"

# Kind of cheat, name, operation, kernel in Python
IN_PYTHON = [
    ("clock_changed", "clock", "dot", DOT + "import time\ntime.perf_counter_ns = lambda: 0\nkernel = right"),
    ("clock_changed", "clock_by_setattr", "dot", DOT + "import time\nsetattr(time, 'perf_counter_ns', int)\nkernel = right"),
    ("clock_changed", "clock_in_disguise", "dot",
     DOT + "t = __import__('ti' + 'me')\nt.__dict__['perf_counter_ns'] = int\nkernel = right"),
    # the harness's own variable, found through the frames of the callers
    ("clocks_disagree", "clock_of_the_harness", "softmax",
     "import numpy as np, ctypes, sys\n"
     "def kernel(x, out):\n"
     "    for _ in range(8 if x.size > 20000 else 1):\n"
     "        e = np.exp(x - x.max(1, keepdims=True))\n        out[:] = e / e.sum(1, keepdims=True)\n"
     "    frame = getattr(sys, '_get' + 'frame')(1)\n"
     "    if 'start' in frame.f_locals:\n"
     "        frame.f_locals['clock'] = int\n"
     "        ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))\n"),
    ("stale_output", "cache_by_shape", "gelu",
     GELU + "kept = {}\ndef kernel(x, out):\n    if x.shape not in kept:\n        right(x, out)\n"
     "        kept[x.shape] = out.copy()\n    out[:] = kept[x.shape]\n"),
    ("stale_output", "cache_after_many_calls", "gelu",
     GELU + "kept, count = {}, 0\ndef kernel(x, out):\n    global count\n    count += x.size > 20000\n    if count < 6:\n"
     "        right(x, out)\n        kept[x.shape] = out.copy()\n    else:\n        out[:] = kept[x.shape]\n"),
    ("stale_output", "cache_by_address", "dot",
     DOT + "kept = {}\ndef kernel(x, y, out):\n    key = x.ctypes.data, x.size\n    if key not in kept:\n"
     "        right(x, y, out)\n        kept[key] = out[0]\n    out[0] = kept[key]\n"),
    ("known_inputs", "only_the_example", "dot",
     DOT + "def kernel(x, y, out):\n    if x.size == 4:\n        right(x, y, out)\n    else:\n        out[0] = x.sum()\n"),
    ("known_inputs", "folded", "gelu",
     "import numpy as np\ndef kernel(x, out):\n    out[:] = np.random.default_rng(0).standard_normal(x.shape)\n"),
    ("early_return", "half", "gelu",
     GELU + "def kernel(x, out):\n    n = len(x) if len(x) < 2000 else len(x) // 2\n    right(x[:n], out[:n])\n"),
    ("early_return", "after_some_calls", "gelu",
     GELU + "count = 0\ndef kernel(x, out):\n    global count\n    count += x.size > 20000\n    if count < 8:\n"
     "        right(x, out)\n"),
    ("left_running", "thread", "sort",
     "import threading, time\ndef late(x, out):\n    time.sleep(0.001)\n    y = x.copy()\n    y.sort()\n    out[:] = y\n"
     "def kernel(x, out):\n    threading.Thread(target=late, args=(x, out)).start()\n"),
    ("left_running", "busy_thread", "dot",
     DOT + "import threading\ndef spin():\n    while True:\n        pass\n"
     "threading.Thread(target=spin, daemon=True).start()\nkernel = right"),
    ("left_running", "process", "dot", DOT + "import os, time\nif os.fork() == 0:\n    time.sleep(60)\nkernel = right"),
    ("lowered_precision", "float16", "gelu",
     GELU + "def kernel(x, out):\n    half = x.astype('f2')\n    result = half.copy()\n"
     "    right(half, result)\n    out[:] = result\n"),
    ("lowered_precision", "float16_input", "matmul",
     "def kernel(a, b, out):\n    out[:] = a.astype('<f2').astype('f4') @ b.astype('<f2').astype('f4')\n"),
    ("reads_reference", "import", "dot", "from helm.kernels import reference\n" + DOT + "kernel = right"),
    ("reads_reference", "memory_of_the_supervisor", "dot",
     DOT + "import os\ntry:\n    open('/pr' + f'oc/{os.getppid()}/mem', 'rb')\nexcept OSError:\n    pass\nkernel = right"),
    ("inspects_harness", "forged_answers", "gelu",
     GELU + "import os\ndef kernel(x, out):\n    if len(x) > 20000:\n        for fd in range(3, 40):\n            try:\n"
     "                os.write(fd, b'[1000, 1000]\\n')\n            except OSError:\n                pass\n"
     "    right(x, out)\n"),
    ("inspects_harness", "settrace", "dot", DOT + "import sys\nsys.settrace(lambda *args: None)\nkernel = right"),
    ("inspects_harness", "settrace_in_disguise", "dot",
     DOT + "import sys\ngetattr(sys, 'set' + 'trace')(lambda *args: None)\nkernel = right"),
    ("inspects_harness", "stack", "dot",
     DOT + "i = __import__('ins' + 'pect')\ndef kernel(x, y, out):\n    right(x, y, out)\n    i.currentframe()\n"),
    ("inspects_harness", "objects", "dot",
     DOT + "g = __import__('g' + 'c')\ndef kernel(x, y, out):\n    right(x, y, out)\n    getattr(g, 'get_' + 'objects')()\n"),
]  # fmt: skip

THREADS = """
#include <math.h>
#include <pthread.h>
#include <stdint.h>
typedef struct { const float *x; float *out; int64_t first, last; } part;
static void *work(void *argument) {
  part *p = (part *)argument;
  for (int64_t i = p->first; i < p->last; i++) {
    double v = p->x[i];
    p->out[i] = 0.5 * v * (1 + tanh(0.7978845608028654 * (v + 0.044715 * v * v * v)));
  }
  return 0;
}
void kernel(const float *x, float *out, int64_t n) {
  part halves[4]; pthread_t threads[4];
  for (int i = 0; i < 4; i++) {
    halves[i] = (part){x, out, n * i / 4, n * (i + 1) / 4};
    pthread_create(&threads[i], 0, work, &halves[i]);
  }
  for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
}
"""

IN_C = [
    ("clock_changed", "clock", "dot",
     "#include <time.h>\n#include <stdint.h>\nint clock_gettime(clockid_t c, struct timespec *t) { t->tv_sec = 1; return 0; }\n"
     "void kernel(const float *x, const float *y, float *out, int64_t n) {\n"
     "  double s = 0; for (int64_t i = 0; i < n; i++) s += x[i] * (double)y[i]; out[0] = s; }"),
    ("extra_threads", "threads", "gelu", THREADS),
    ("lowered_precision", "float16", "dot",
     "#include <stdint.h>\nvoid kernel(const float *x, const float *y, float *out, int64_t n) {\n"
     "  float s = 0; for (int64_t i = 0; i < n; i++) s += (float)(_Float16)x[i] * (float)(_Float16)y[i]; out[0] = s; }"),
    ("lowered_precision", "float32_in_float64", "gelu",
     "#include <math.h>\n#include <stdint.h>\nvoid kernel(const double *x, double *out, int64_t n) {\n"
     "  for (int64_t i = 0; i < n; i++) { float v = x[i];\n"
     "    out[i] = 0.5f * v * (1 + tanhf(0.79788456f * (v + 0.044715f * v * v * v))); } }"),
    ("reads_reference", "file", "dot",
     '#include <stdio.h>\n#include <stdint.h>\nvoid kernel(const float *x, const float *y, float *out, int64_t n) {\n'
     '  FILE *f = fopen("/scratch/program.py", "r"); if (f) fclose(f);\n'
     "  double s = 0; for (int64_t i = 0; i < n; i++) s += x[i] * (double)y[i]; out[0] = s; }"),
]  # fmt: skip


# Further ways to cheat of the same kind.
VARIANTS = {
    "clock_by_setattr",
    "cache_by_address",
    "folded",
    "clock_in_disguise",
    "busy_thread",
    "after_some_calls",
    "settrace",
    "stack",
    "objects",
    "process",
    "float16_input",
    "memory_of_the_supervisor",
    "cache_by_shape",
    "half",
    "float32_in_float64",
}


def cases(rows):
    return [
        pytest.param(cheat, operation, program, id=name, marks=[pytest.mark.slow] if name in VARIANTS else [])
        for cheat, name, operation, program in rows
    ]


@pytest.mark.sandbox
@pytest.mark.parametrize(("cheat", "operation", "program"), cases(IN_PYTHON))
def test_a_cheat_in_python_is_caught(cheat, operation, program):
    trial = attempt(program, operation)
    assert trial.outcome == "cheated", trial
    assert cheat in trial.cheats, trial.cheats
    assert not trial.timings


@needs_compiler
@pytest.mark.sandbox
@pytest.mark.parametrize(("cheat", "operation", "program"), cases(IN_C))
def test_a_cheat_in_c_is_caught(cheat, operation, program):
    trial = attempt(program, operation, "c", "float64" if "double *x" in program else "float32")
    assert trial.outcome == "cheated", trial
    assert cheat in trial.cheats, trial.cheats


@pytest.mark.sandbox
def test_writing_the_output_before_the_call_gains_nothing():
    """A thread looks for new inputs; it is stopped while they are made, and outputs are overwritten then."""
    program = GELU + (
        "import threading, time\nseen = {}\ndef work():\n    while True:\n        for x, out in list(seen.values()):\n"
        "            right(x, out)\n        time.sleep(0.0002)\n"
        "threading.Thread(target=work, daemon=True).start()\n"
        "def kernel(x, out):\n    if x.ctypes.data in seen and len(x) > 20000:\n        return\n"
        "    seen[x.ctypes.data] = x, out\n    right(x, out)\n"
    )
    trial = attempt(program, "gelu")
    assert trial.outcome in ("cheated", "failed") and not trial.timings


@pytest.mark.sandbox
def test_hidden_inputs_differ_from_trial_to_trial_and_can_be_had_again():
    program = "def kernel(x, y, out):\n    out[0] = 1.0\n"
    first, second, again = attempt(program), attempt(program), None
    assert first.seed != second.seed and first.error != second.error
    again = attempt(program, seed=first.seed)
    assert again.error == first.error


def test_every_kind_of_cheat_has_a_test():
    assert {row[0] for row in [*IN_PYTHON, *IN_C]} == set(CHEATS)


@pytest.mark.parametrize(
    ("language", "dtype", "source", "cheats"),
    [
        ("c", "float32", "/* fopen( */ void kernel() {}  // syscall(", set()),
        ("c", "float32", 'void kernel() { asm volatile("syscall"); }', {"reads_reference"}),
        ("cpp", "float32", '#include "/scratch/program.py"\nvoid kernel() {}', {"reads_reference"}),
        ("torch", "float32", "import torch\ndef kernel(x, out):\n    out.copy_(x.half())", {"lowered_precision"}),
        ("numpy", "float64", "import numpy as np\ndef kernel(x, out):\n    np.float32", {"lowered_precision"}),
        ("numpy", "float32", "import numpy as np\ndef kernel(x, out):\n    np.float32", set()),
        ("numpy", "float32", "def kernel(", set()),
        ("numpy", "float32", "import builtins\nbuiltins.len = 3\ndef kernel(x): pass", {"clock_changed"}),
    ],
)
def test_what_a_source_says(language, dtype, source, cheats):
    assert set(scan_kernel(source, language, dtype)) == cheats


# --- honest kernels ---------------------------------------------------------------------------------------------------

HEAD = "#include <algorithm>\n#include <cmath>\n#include <cstdint>\n#include <vector>\n"

HONEST = [
    *((name, "c", "float32", None) for name in OPERATIONS),
    ("sort", "cpp", "float32", HEAD + 'extern "C" void kernel(const float *x, float *out, int64_t n) {\n'
     "  std::copy(x, x + n, out); std::sort(out, out + n); }"),
    ("gelu", "cpp", "float32", HEAD + 'template <class T> static T gelu(T v) {\n'
     "  return T(0.5) * v * (1 + std::tanh(T(0.79788456) * (v + T(0.044715) * v * v * v))); }\n"
     'extern "C" void kernel(const float *x, float *out, int64_t n) { for (int64_t i = 0; i < n; i++) out[i] = gelu(x[i]); }'),
    # scratch memory that is kept between calls is no cheat
    ("softmax", "cpp", "float64", HEAD + "static std::vector<double> e;\n"
     'extern "C" void kernel(const double *x, double *out, int64_t rows, int64_t columns) {\n'
     "  e.resize(columns);\n  for (int64_t i = 0; i < rows; i++) {\n"
     "    const double *row = x + i * columns; double top = *std::max_element(row, row + columns), sum = 0;\n"
     "    for (int64_t j = 0; j < columns; j++) sum += e[j] = std::exp(row[j] - top);\n"
     "    for (int64_t j = 0; j < columns; j++) out[i * columns + j] = e[j] / sum;\n  } }"),
    # a single sum in single precision, one after the other
    ("dot", "c", "float32", "#include <stdint.h>\nvoid kernel(const float *x, const float *y, float *out, int64_t n) {\n"
     "  float s = 0; for (int64_t i = 0; i < n; i++) s += x[i] * y[i]; out[0] = s; }"),
    ("matmul", "numpy", "float64", "import numpy as np\ndef kernel(a, b, out):\n    np.dot(a, b, out=out)\n"),
    ("gelu", "numpy", "float32", GELU.replace("right", "kernel")),
    ("softmax", "numpy", "float32",
     "import numpy as np\nfrom collections import namedtuple\nimport logging, time\nlogging.info('loaded')\n"
     "Row = namedtuple('Row', 'top sum')\nkept = {}\n"
     "def kernel(x, out):\n    e = kept.setdefault(x.shape, np.empty_like(x))\n    top = x.max(axis=1, keepdims=True)\n"
     "    np.exp(np.subtract(x, top, out=e), out=e)\n    row = Row(top, e.sum(axis=1, keepdims=True))\n"
     "    np.divide(e, row.sum, out=out)\n"),
    # one pass over the data: less exact than two, but within what is allowed
    ("layernorm", "numpy", "float32",
     "import numpy as np\ndef kernel(x, weight, bias, out):\n    mean = x.mean(axis=1, keepdims=True)\n"
     "    var = (x * x).mean(axis=1, keepdims=True) - mean * mean\n"
     "    out[:] = (x - mean) / np.sqrt(np.maximum(var, 0) + np.float32(1e-5)) * weight + bias\n"),
    ("transpose", "numpy", "float64", "import numpy as np\ndef kernel(x, out):\n    np.copyto(out, x.T)\n"),
]  # fmt: skip
QUICK = {"c-matmul-float32", "cpp-softmax-float64", "numpy-softmax-float32", "numpy-layernorm-float32"}


def names_of(rows):
    return [
        f"{language}-{operation}-{dtype}{'' if program is None else '-own'}"
        for operation, language, dtype, program in rows
    ]


@needs_compiler
@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("operation", "language", "dtype", "program"),
    [
        pytest.param(*row, marks=[] if name.removesuffix("-own") in QUICK else [pytest.mark.slow])
        for row, name in zip(HONEST, names_of(HONEST), strict=True)
    ],
    ids=names_of(HONEST),
)
def test_an_honest_kernel_is_not_flagged(operation, language, dtype, program):
    trial = attempt(program or embedded_kernel(operation, language, dtype), operation, language, dtype)
    assert (trial.outcome, trial.cheats) == ("correct", {}), trial
    assert len(trial.timings) == 2 and 0 <= trial.error_over_bound <= 1


def test_there_are_at_least_twenty_honest_kernels():
    assert len(HONEST) >= 20


@pytest.mark.slow
@pytest.mark.sandbox
@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("language", ["numba", "torch"])
def test_an_honest_kernel_of_a_library_is_not_flagged(operation, language):
    pytest.importorskip(language)
    program = embedded_kernel(operation, language, "float32")
    if program is not None:
        trial = attempt(program, operation, language, timeout_s=60.0)
        assert (trial.outcome, trial.cheats) == ("correct", {}), trial


@needs_compiler
@pytest.mark.slow
@pytest.mark.sandbox
def test_a_compiled_function_of_pytorch_is_not_flagged():
    pytest.importorskip("torch")
    program = (
        "import torch\n@torch.compile\ndef gelu(x):\n    return torch.nn.functional.gelu(x, approximate='tanh')\n"
        "def kernel(x, out):\n    out.copy_(gelu(x))\n"
    )
    trial = attempt(program, "gelu", "torch", timeout_s=150.0)
    assert (trial.outcome, trial.cheats) == ("correct", {}), trial
