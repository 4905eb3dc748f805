"""The libraries: HIPS autograd, JAX, MyGrad and PyTorch."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from helm.common.errors import ConfigError
from helm.common.optional_dependencies import needs_extra
from helm.gradbench.tools.array_libraries.library import ArrayLibrary, Function
from helm.gradbench.tools.array_libraries.primals import Problem
from helm.gradbench.tools.numpy_derivatives.descent import CLOSE, FIRST_STEP, STEPS_TO_GROW


class AutogradLibrary(ArrayLibrary):
    """HIPS autograd: records NumPy operations at every call."""

    name = "autograd"
    nests_derivatives = True

    def __init__(self) -> None:
        with needs_extra("autograd"):
            import autograd
            import autograd.numpy
        self._autograd, self.xp = autograd, autograd.numpy

    def array(self, values: Any) -> Any:
        return self.xp.array(values, dtype=float)

    def detach(self, array: Any) -> Any:
        from autograd.tracer import getval

        while getval(array) is not array:  # a derivative of a derivative is wrapped twice
            array = getval(array)
        return array

    def gradient(self, function: Function) -> Function:
        return lambda *arguments: self._autograd.grad(function, tuple(range(len(arguments))))(*arguments)

    def hessian_row_sums(self, function: Function) -> Function:
        gradient = self._autograd.grad(function)
        total = self._autograd.value_and_grad(lambda x: (gradient(x)).sum())

        def both(x: Any) -> tuple[Any, Any]:
            return gradient(x), total(x)[1]

        return both

    def component_gradients(self, function: Function, count: int) -> Function:
        def both(x: Any) -> list[Any]:
            pull, value = self._autograd.core.make_vjp(function, x)
            return [pull(_row_of_ones(self.plain(value), i)) for i in range(count)]

        return both

    def derivatives_along(self, function: Function, directions: list[list[Any]]) -> Function:
        push = self._autograd.make_jvp(lambda arguments: function(*arguments))

        def along(*arguments: Any) -> list[Any]:
            at = push(arguments)
            return [at(tuple(direction))[1] for direction in directions]

        return along

    def derivative_in_mode(self, function: Function, mode: str) -> Function:
        if mode == "r":
            return self._autograd.grad(function)
        push = self._autograd.make_jvp(function)

        def gradient(x: Any) -> Any:
            at = push(x)
            return self.xp.stack([at(direction)[1] for direction in self.xp.eye(len(x))])

        return gradient

    def recorded(self, function: Function, *arguments: Any) -> Function:
        from helm.gradbench.tools.array_libraries.recording import record

        return record(function, *arguments)


def _row_of_ones(like: Any, i: int) -> Any:
    """Ones in row ``i`` and zeros elsewhere, in NumPy."""
    import numpy as np

    result = np.zeros(like.shape)
    result[i] = 1.0
    return result


class JaxLibrary(ArrayLibrary):
    """JAX, compiled ahead of time in double precision; results are waited for.

    Args:
        device: a platform of JAX such as ``cpu``, ``cuda`` or ``tpu``, of which the first device is used.
    Raises: ConfigError if JAX has no such device here.
    """

    name = "jax"
    is_asynchronous = True
    compiles = True
    nests_derivatives = True
    # Blocks, and rounds per block, of loops whose end depends on their values; the evals' own inputs take up to 1,144 rounds.
    _num_blocks, _block = 8, 512

    def __init__(self, device: str = "cpu") -> None:
        with needs_extra("jax"):
            import jax
        jax.config.update("jax_enable_x64", True)
        jax.config.update("jax_platforms", device)
        try:
            found = jax.devices(device)[0]
        except (RuntimeError, AssertionError) as error:  # the latter where nothing is known of such a device
            raise ConfigError(f"JAX cannot use the device '{device}' here. {error}".strip()) from None
        self.device = "cpu" if device == "cpu" else f"{device} ({found.device_kind})"
        self._jax, self.xp = jax, jax.numpy

    def array(self, values: Any) -> Any:
        import numpy as np

        return self.xp.asarray(np.array(values, dtype=np.float64))

    def detach(self, array: Any) -> Any:
        return self._jax.lax.stop_gradient(array)

    def gradient(self, function: Function) -> Function:
        return lambda *arguments: self._jax.grad(function, tuple(range(len(arguments))))(*arguments)

    def hessian_row_sums(self, function: Function) -> Function:
        gradient = self._jax.grad(function)
        return lambda x: self._jax.jvp(gradient, (x,), (self.xp.ones_like(x),))

    def repeat(self, step: Any, start: Any, count: int) -> Any:
        return self._jax.lax.fori_loop(0, count, lambda _, y: step(y), start)

    def integers(self, values: Any) -> Any:
        return self.xp.asarray(values)

    def scan(self, step: Any, state: Any, inputs: Any) -> Any:
        return self._jax.lax.scan(step, state, inputs)[1]

    def sum_over(self, term: Function, *tables: Any) -> Any:
        kept = self._jax.checkpoint(term)  # the parts of all terms together would fill the memory

        def add(total: Any, row: Any) -> tuple[Any, None]:
            return total + kept(*row), None

        return self._jax.lax.scan(add, self.xp.zeros(()), tuple(self.xp.asarray(table) for table in tables))[0]

    def component_gradients(self, function: Function, count: int) -> Function:
        def both(x: Any) -> list[Any]:
            value, pull = self._jax.vjp(function, x)
            return [pull(self.xp.zeros_like(value).at[i].set(1.0))[0] for i in range(count)]

        return both

    def derivatives_along(self, function: Function, directions: list[list[Any]]) -> Function:
        stacked = tuple(self.array(parts) for parts in zip(*directions, strict=True))

        def along(*arguments: Any) -> Any:
            return self._jax.vmap(lambda *direction: self._jax.jvp(function, arguments, direction)[1])(*stacked)

        return along

    def derivative_in_mode(self, function: Function, mode: str) -> Function:
        return self._jax.grad(function) if mode == "r" else self._jax.jacfwd(function)

    def repeat_until(self, is_done: Callable[[Any], Any], step: Callable[[Any], Any], state: Any) -> Any:
        """Loop for a fixed number of rounds, so that both modes of differentiation work.

        Rounds after the end do nothing. They are grouped into blocks, which are skipped whole once the end is reached.
        """
        jax = self._jax

        def stay(state: Any) -> Any:
            return state

        def one(_: Any, state: Any) -> Any:
            return jax.lax.cond(is_done(state), stay, step, state)

        def block(_: Any, state: Any) -> Any:
            return jax.lax.cond(
                is_done(state), stay, lambda state: jax.lax.fori_loop(0, self._block, one, state), state
            )

        state = jax.lax.fori_loop(0, self._num_blocks, block, state)
        return jax.tree.map(lambda array: self.xp.where(is_done(state), array, self.xp.nan), state)

    def minimize(self, value: Function, gradient: Function, start: Any) -> Any:
        xp, jax = self.xp, self._jax

        def is_done(state: Any) -> Any:
            return state[5]

        def step(state: Any) -> Any:
            x, best, slope, length, successes, _ = state
            trial = x - length * slope
            grows = successes == STEPS_TO_GROW
            ends = (self.length(slope) <= CLOSE) | (~grows & (self.length(x - trial) <= CLOSE))

            def stay(_: Any) -> Any:
                return x, best, slope, xp.where(ends, length, 2 * length), 0 * successes, ends

            def go(_: Any) -> Any:
                found = value(trial)
                return jax.lax.cond(
                    self.detach(found) < self.detach(best),
                    lambda _: (trial, found, gradient(trial), length, successes + 1, ends),
                    lambda _: (x, best, slope, length / 2, 0 * successes, ends),
                    None,
                )

            return jax.lax.cond(ends | grows, stay, go, None)

        first = (start, value(start), gradient(start), xp.asarray(FIRST_STEP), xp.asarray(0), xp.asarray(False))
        return self.repeat_until(is_done, step, first)[0]

    def compile(self, function: Function, problem: Problem) -> Function:
        data = problem.data

        def call(data: dict[str, Any], *arguments: Any) -> Any:
            problem.data = data  # arrays read by a closure would be constants, and be computed with while compiling
            return function(*arguments)

        try:
            compiled = self._jax.jit(call).lower(data, *problem.parameters).compile()
        finally:
            problem.data = data
        return lambda *arguments: compiled(data, *arguments)

    def wait(self, value: Any) -> Any:
        return self._jax.block_until_ready(value)


class EnzymeLibrary(JaxLibrary):
    """Enzyme, which differentiates the functions after JAX has traced them, in the compiler's intermediate representation.

    It differentiates once, in reverse mode. Raises: OptionalDependencyNotInstalled without its package for JAX.
    """

    name = "enzyme"
    has_second_derivatives = False
    has_directions = False
    nests_derivatives = False

    def __init__(self) -> None:
        with needs_extra("enzyme"):
            from enzyme_ad.jax import enzyme_jax_ir
        super().__init__()
        self._differentiable = enzyme_jax_ir()

    def _converted(self, function: Function, *arguments: Any) -> tuple[Function, list[Any]]:
        """A function that Enzyme differentiates, and arrays of its closure, which must be passed after its arguments."""
        converted, closed_over = self._jax.closure_convert(function, *arguments)
        return self._differentiable(lambda *values: converted(*values)), closed_over

    def gradient(self, function: Function) -> Function:
        def call(*arguments: Any) -> Any:
            converted, closed_over = self._converted(function, *arguments)
            return self._jax.grad(converted, tuple(range(len(arguments))))(*arguments, *closed_over)

        return self._jax.jit(call)  # Enzyme works on what is compiled only

    def component_gradients(self, function: Function, count: int) -> Function:
        def rows(x: Any) -> list[Any]:
            converted, closed_over = self._converted(function, x)
            value, pull = self._jax.vjp(lambda x: converted(x, *closed_over), x)
            return [pull(self.xp.zeros_like(value).at[i].set(1.0))[0] for i in range(count)]

        return rows


class MyGradLibrary(ArrayLibrary):
    """MyGrad: tensors around NumPy arrays; first derivatives only."""

    name = "mygrad"
    has_second_derivatives = False
    has_directions = False

    def __init__(self) -> None:
        with needs_extra("mygrad"):
            import mygrad
        self.xp = mygrad

    def array(self, values: Any) -> Any:
        import numpy as np

        return np.array(values, dtype=np.float64)

    def detach(self, array: Any) -> Any:
        return getattr(array, "data", array) if not hasattr(array, "__array_interface__") else array

    def value(self, function: Function) -> Function:
        def call(*arguments: Any) -> Any:
            with self.xp.no_autodiff:
                return function(*(self.xp.tensor(argument) for argument in arguments))

        return call

    def gradient(self, function: Function) -> Function:
        def call(*arguments: Any) -> tuple[Any, ...]:
            tensors = [self.xp.tensor(argument) for argument in arguments]
            function(*tensors).backward()
            return tuple(tensor.grad for tensor in tensors)

        return call


class TorchLibrary(ArrayLibrary):
    """PyTorch in eager mode; results of an accelerator are waited for.

    Args:
        device: a device of PyTorch such as ``cpu``, ``cuda`` or ``cuda:1``, with double precision.
    Raises: ConfigError if PyTorch has no such device here.
    """

    name = "pytorch"
    has_first_run = True
    nests_derivatives = True

    def __init__(self, device: str = "cpu") -> None:
        with needs_extra("pytorch"):
            import torch
        import os

        if os.environ.get("OMP_NUM_THREADS") == "1":
            torch.set_num_threads(1)
        self._torch = self.xp = torch
        self._is_forward = False
        try:
            self._device = torch.device(device)
            torch.zeros(1, dtype=torch.float64, device=self._device)
        except (RuntimeError, AssertionError, TypeError) as error:
            reason = str(error).partition("\n")[0]
            raise ConfigError(f"PyTorch cannot use the device '{device}' here: {reason}") from None
        self.device, self.is_asynchronous = device, self._device.type != "cpu"
        if self.is_asynchronous:
            torch.set_default_device(self._device)  # of arrays that the functions make
        if self._device.type == "cuda":
            self.device = f"{device} ({torch.cuda.get_device_name(self._device)})"

    def array(self, values: Any) -> Any:
        import numpy as np

        return self._torch.from_numpy(np.array(values, dtype=np.float64)).to(self._device)

    def plain(self, array: Any) -> Any:
        return array.detach().cpu().numpy()

    def wait(self, value: Any) -> Any:
        if self.is_asynchronous:
            self._torch.accelerator.synchronize(self._device)
        return value

    def detach(self, array: Any) -> Any:
        return array.detach()

    def value(self, function: Function) -> Function:
        def call(*arguments: Any) -> Any:
            with self._torch.no_grad():
                return function(*arguments)

        return call

    def gradient(self, function: Function) -> Function:
        def call(*arguments: Any) -> tuple[Any, ...]:
            leaves = [argument.detach().requires_grad_() for argument in arguments]
            return self._torch.autograd.grad(function(*leaves), leaves, materialize_grads=True)

        return call

    def integers(self, values: Any) -> Any:
        return self._torch.from_numpy(values).to(self._device)

    def component_gradients(self, function: Function, count: int) -> Function:
        def call(x: Any) -> list[Any]:
            leaf = x.detach().requires_grad_()
            value = function(leaf)
            return [self._torch.autograd.grad(value[i].sum(), leaf, retain_graph=True)[0] for i in range(count)]

        return call

    def derivatives_along(self, function: Function, directions: list[list[Any]]) -> Function:
        func = self._torch.func
        stacked = tuple(self.array(parts) for parts in zip(*directions, strict=True))

        def along(*arguments: Any) -> Any:
            def push(*direction: Any) -> Any:
                return func.jvp(function, arguments, direction)[1]

            return func.vmap(push)(*stacked)

        return along

    def hessian_row_sums(self, function: Function) -> Function:
        def call(x: Any) -> tuple[Any, Any]:
            leaf = x.detach().requires_grad_()
            (gradient,) = self._torch.autograd.grad(function(leaf), leaf, create_graph=True)
            (sums,) = self._torch.autograd.grad(gradient.sum(), leaf)
            return gradient.detach(), sums

        return call

    def recorded(self, function: Function, *arguments: Any) -> Function:
        """The operations of a call, without the layers that PyTorch lays around each of them for inner derivatives.

        Forward mode has a recording of its own: a number with a tangent costs several plain ones.
        """
        torch, forward = self._torch, self._torch.autograd.forward_ad

        def carried(values: tuple[Any, ...], tangents: tuple[Any, ...]) -> Any:
            return torch.func.jvp(function, values, tangents)

        directions = tuple(argument.clone() for argument in arguments)  # a recording tells its inputs apart by identity
        plain, pushed = self._record(function, *arguments), self._record(carried, arguments, directions)

        def call(*arguments: Any) -> Any:
            pairs = [forward.unpack_dual(argument) for argument in arguments] if self._is_forward else []
            if all(tangent is None for _, tangent in pairs):
                return plain(*arguments)
            tangents = tuple(torch.zeros_like(value) if tangent is None else tangent for value, tangent in pairs)
            value, tangent = pushed(tuple(value for value, _ in pairs), tangents)
            if isinstance(value, tuple):
                return tuple(map(forward.make_dual, value, tangent))
            return forward.make_dual(value, tangent)

        return call

    def _record(self, function: Function, *arguments: Any) -> Function:
        from torch.fx.experimental.proxy_tensor import make_fx

        recording = make_fx(function)(*arguments)
        recording.graph.eliminate_dead_code()
        recording.recompile()
        return recording.forward

    def derivative_in_mode(self, function: Function, mode: str) -> Function:
        return self._torch.func.grad(function) if mode == "r" else self._torch.func.jacfwd(function)

    def derivative_of_loop(self, function: Function, mode: str) -> Function:
        torch, forward = self._torch, self._torch.autograd.forward_ad

        def backwards(x: Any) -> Any:
            leaf = x.detach().requires_grad_()
            return torch.autograd.grad(function(leaf), leaf, materialize_grads=True)[0]

        def along(x: Any, direction: Any) -> Any:
            self._is_forward = True
            try:
                with torch.no_grad(), forward.dual_level():
                    tangent = forward.unpack_dual(function(forward.make_dual(x, direction))).tangent
            finally:
                self._is_forward = False
            return torch.zeros((), dtype=x.dtype, device=x.device) if tangent is None else tangent

        def forwards(x: Any) -> Any:
            return torch.stack([along(x, direction) for direction in torch.eye(len(x), dtype=x.dtype, device=x.device)])

        return backwards if mode == "r" else forwards

    def decisive(self, array: Any) -> Any:
        return array.tolist()

    def length(self, vector: Any) -> Any:
        return math.hypot(*vector.tolist())

    def numpy(self, array: Any) -> Any:
        return self.plain(array)
