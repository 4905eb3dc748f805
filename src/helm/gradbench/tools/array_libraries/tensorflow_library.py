"""TensorFlow as an array library."""

from __future__ import annotations

import os
from typing import Any

from helm.common.optional_dependencies import needs_extra
from helm.gradbench.tools.array_libraries.library import ArrayLibrary, Function
from helm.gradbench.tools.array_libraries.primals import Problem


class TensorFlowLibrary(ArrayLibrary):
    """TensorFlow on the CPU in double precision: functions are traced to graphs first, by its interface of NumPy."""

    name = "tensorflow"
    compiles = True
    has_directions = False  # tracing those of ht takes minutes

    def __init__(self) -> None:
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")  # it tells about the processor at every start
        with needs_extra("tensorflow"):
            import tensorflow as tf
        import tensorflow.experimental.numpy as tnp

        tf.config.set_visible_devices([], "GPU")
        if os.environ.get("OMP_NUM_THREADS") == "1":
            tf.config.threading.set_intra_op_parallelism_threads(1)
            tf.config.threading.set_inter_op_parallelism_threads(1)
        tnp.experimental_enable_numpy_behavior()
        self._tf, self.xp = tf, tnp

    def array(self, values: Any) -> Any:
        import numpy as np

        return self._tf.constant(np.array(values, dtype=np.float64))

    def integers(self, values: Any) -> Any:
        return self._tf.constant(values)

    def detach(self, array: Any) -> Any:
        return self._tf.stop_gradient(array)

    def gradient(self, function: Function) -> Function:
        def call(*arguments: Any) -> tuple[Any, ...]:
            with self._tf.GradientTape() as tape:
                tape.watch(arguments)
                value = function(*arguments)
            return tuple(self._dense(tape.gradient(value, arguments, unconnected_gradients="zero")))

        return call

    def _dense(self, gradients: Any) -> list[Any]:
        return [self._tf.convert_to_tensor(gradient) for gradient in gradients]

    def hessian_row_sums(self, function: Function) -> Function:
        def call(x: Any) -> tuple[Any, Any]:
            with self._tf.GradientTape() as outer:
                outer.watch(x)
                with self._tf.GradientTape() as inner:
                    inner.watch(x)
                    value = function(x)
                (gradient,) = self._dense(inner.gradient(value, [x]))
                total = self._tf.reduce_sum(gradient)
            return gradient, self._dense(outer.gradient(total, [x]))[0]

        return call

    def component_gradients(self, function: Function, count: int) -> Function:
        def call(x: Any) -> list[Any]:
            with self._tf.GradientTape(persistent=True) as tape:
                tape.watch(x)
                value = function(x)
                sums = [self._tf.reduce_sum(value[i]) for i in range(count)]
            return [self._dense(tape.gradient(total, [x]))[0] for total in sums]

        return call

    def repeat(self, step: Any, start: Any, count: int) -> Any:
        tf = self._tf
        return tf.while_loop(lambda i, _: i < count, lambda i, y: (i + 1, step(y)), (tf.constant(0), start))[1]

    def scan(self, step: Any, state: Any, inputs: Any) -> Any:
        tf = self._tf
        state, first = step(state, inputs[0])
        if inputs.shape[0] == 1:
            return first[None]
        outputs = tf.scan(lambda before, row: step(before[0], row), inputs[1:], (state, first))[1]
        return tf.concat([first[None], outputs], axis=0)

    def sum_over(self, term: Function, *tables: Any) -> Any:
        tf = self._tf
        rows = tuple(tf.convert_to_tensor(table) for table in tables)
        terms = tf.map_fn(lambda row: term(*row), rows, fn_output_signature=tf.float64)
        return tf.reduce_sum(terms)

    def compile(self, function: Function, problem: Problem) -> Function:
        data = problem.data

        def call(data: dict[str, Any], *arguments: Any) -> Any:
            problem.data = data  # as inputs of the graph: constants would be computed with beforehand
            return function(*arguments)

        try:
            traced = self._tf.function(call, autograph=False).get_concrete_function(data, *problem.parameters)
        finally:
            problem.data = data
        return lambda *arguments: traced(data, *arguments)
