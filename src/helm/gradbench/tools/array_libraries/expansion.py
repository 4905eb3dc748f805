"""det in array operations: the determinant by expansion along the first row."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np

from helm.gradbench.tools.array_libraries.primals import Problem
from helm.gradbench.tools.numpy_derivatives import det

if TYPE_CHECKING:
    from helm.gradbench.tools.array_libraries.library import ArrayLibrary

# Lower rows are expanded all at once, level by level; 8! products still fit a processor's cache.
_BLOCK_ROWS = 8


class Determinant(Problem):
    """An expansion of ell! products: repeated minors are computed repeatedly, as the eval wants."""

    def __init__(self, library: ArrayLibrary, value: Any):
        super().__init__(library, value)
        matrix = det.prepare(value)
        ell = len(matrix)
        self.parameters = [library.array(matrix)]
        self._top = max(0, ell - _BLOCK_ROWS)
        self._levels = det.expansion_columns(ell - self._top)
        choices = list(itertools.permutations(range(ell), self._top))
        self.data["signs"] = library.array([_sign(choice) for choice in choices])
        self._chosen = np.array(choices, dtype=np.int64).reshape(len(choices), self._top)
        rest = [[column for column in range(ell) if column not in choice] for choice in choices]
        self._rest = np.array(rest, dtype=np.int64)
        self.data["alternating"] = library.array([(-1.0) ** i for i in range(ell)])

    def function(self, *parameters: Any) -> Any:
        (matrix,) = parameters
        if not self._top:
            return self._block(matrix)
        upper, lower = matrix[: self._top], matrix[self._top :]

        def term(sign: Any, chosen: Any, rest: Any) -> Any:
            product = sign
            for row in range(self._top):
                product = product * upper[row][chosen[row]]
            return product * self._block(lower[:, rest])

        return self.library.sum_over(term, self.data["signs"], self._chosen, self._rest)

    def _block(self, block: Any) -> Any:
        """A minor of the last rows: each level is a product and a sum over the one below it."""
        xp, m = self.xp, len(self._levels)
        value = block[m - 1][self._levels[m - 1]]
        for row in range(m - 2, -1, -1):
            width = m - row - 1
            below = xp.matmul(value.reshape((-1, width)), self.data["alternating"][:width])
            value = block[row][self._levels[row]] * below
        return xp.matmul(value.reshape((1, m)), self.data["alternating"][:m])[0]

    @classmethod
    def finish(cls, library: ArrayLibrary, part: str, value: Any) -> Any:
        if part == "primal":
            return super().finish(library, part, value)
        return library.numpy(value[0]).reshape(-1).tolist()


def _sign(columns: tuple[int, ...]) -> float:
    """Return the sign of choosing these columns in this order, each counted among those that are left."""
    moves = sum(column - sum(earlier < column for earlier in columns[:i]) for i, column in enumerate(columns))
    return -1.0 if moves % 2 else 1.0
