"""lstm in array operations: all layers work at once, layer i on the step that layer i - 1 finished in the wave before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from helm.gradbench.tools.array_libraries.primals import Problem
from helm.gradbench.tools.numpy_derivatives import lstm

if TYPE_CHECKING:
    from helm.gradbench.tools.array_libraries.library import ArrayLibrary


class Prediction(Problem):
    """Loss of an elementwise LSTM that predicts the next character."""

    primal_name, derivative_name = "objective", "jacobian"

    def __init__(self, library: ArrayLibrary, value: Any):
        super().__init__(library, value)
        network = lstm.prepare(value)
        self._layers, self._steps = len(network.main) // 2, len(network.sequence) - 1
        self.parameters = [library.array(network.main), library.array(network.extra)]
        idle = np.zeros((self._layers - 1, network.sequence.shape[1]))  # the last waves finish what was begun
        self.data["characters"] = library.array(np.concatenate([network.sequence[:-1], idle]))
        self.data["target"] = library.array(network.sequence[1:])
        self.data["h"], self.data["s"] = library.array(network.state[0::2]), library.array(network.state[1::2])

    def function(self, *parameters: Any) -> Any:
        main, extra = parameters
        xp, layers = self.xp, self._layers
        b = extra.shape[1]
        blocks = main.reshape((layers, 2, 4, b))  # layer, weight or bias, gate (forget, in, out, change), bit
        weights, biases = [blocks[:, 0, i] for i in range(4)], [blocks[:, 1, i] for i in range(4)]
        inputs = self.data["characters"] * extra[0]

        def sigmoid(z: Any) -> Any:
            return 0.5 * xp.tanh(0.5 * z) + 0.5

        def advance(h: Any, s: Any, first: Any, number: int) -> tuple[Any, Any]:
            """One wave of the first ``number`` layers."""
            x = xp.concatenate([first[None], h[: number - 1]]) if number > 1 else first[None]
            old = h[:number]
            forget, out = (sigmoid(x * weights[i][:number] + biases[i][:number]) for i in (0, 2))
            in_ = sigmoid(old * weights[1][:number] + biases[1][:number])
            change = xp.tanh(old * weights[3][:number] + biases[3][:number])
            new_s = s[:number] * forget + in_ * change
            return out * xp.tanh(new_s), new_s

        h, s = self.data["h"], self.data["s"]
        for number in range(1, layers):  # layers that have not begun keep their state
            new_h, new_s = advance(h, s, inputs[number - 1], number)
            h, s = xp.concatenate([new_h, h[number:]]), xp.concatenate([new_s, s[number:]])

        def wave(state: tuple[Any, Any], first: Any) -> tuple[tuple[Any, Any], Any]:
            new_h, new_s = advance(*state, first, layers)
            return (new_h, new_s), new_h[layers - 1]

        top = self.library.scan(wave, (h, s), inputs[layers - 1 :])
        y = top * extra[1] + extra[2]
        target = self.data["target"]
        logs = xp.log(2.0 + xp.sum(xp.exp(y), axis=1))
        return (xp.sum(logs * xp.sum(target, axis=1)) - xp.sum(target * y)) / (self._steps * b)

    @classmethod
    def finish(cls, library: ArrayLibrary, part: str, value: Any) -> Any:
        if part == "primal":
            return super().finish(library, part, value)
        return np.concatenate([library.numpy(gradient).reshape(-1) for gradient in value]).tolist()
