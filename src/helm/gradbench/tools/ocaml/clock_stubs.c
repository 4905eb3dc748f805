/* The monotonic clock, which OCaml's standard library lacks. */

#include <stdint.h>
#include <time.h>

#include <caml/mlvalues.h>

/* Nanoseconds since an arbitrary moment. OCaml's native integers have 63 bits, which last 146 years. */
intnat gradbench_clock(value unit) {
    struct timespec now;
    (void)unit;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (intnat)now.tv_sec * 1000000000 + (intnat)now.tv_nsec;
}

value gradbench_clock_boxed(value unit) { return Val_long(gradbench_clock(unit)); }
