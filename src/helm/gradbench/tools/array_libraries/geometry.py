"""ba and ht in array operations: points seen by cameras, and points on a hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from helm.gradbench.tools.array_libraries.primals import Function, Problem
from helm.gradbench.tools.numpy_derivatives import ba, ht

if TYPE_CHECKING:
    from helm.gradbench.tools.array_libraries.library import ArrayLibrary


class BundleAdjustment(Problem):
    """Errors of observations, each of which depends on fifteen numbers: of its camera, its point, and its weight.

    All observations share one pass: the derivatives of the sum of all first errors by everything that the observations
    depend on are the derivatives of each first error by its own fifteen numbers.
    """

    primal_name, derivative_name = "objective", "jacobian"

    def __init__(self, library: ArrayLibrary, value: Any):
        super().__init__(library, value)
        problem = ba.prepare(value)
        parts = problem.cameras.T, problem.points.T, problem.weights
        self.parameters = [library.array(np.ascontiguousarray(part)) for part in parts]
        self.data["features"] = library.array(np.ascontiguousarray(problem.features.T))
        self._camera_of, self._point_of = problem.camera_of.astype(np.int64), problem.point_of.astype(np.int64)
        self.data["camera_of"] = library.integers(self._camera_of)
        self.data["point_of"] = library.integers(self._point_of)
        self.data["weight_of"] = library.integers(np.arange(len(problem.weights)))

    def function(self, *parameters: Any) -> Any:
        gathered = self._gathered(*parameters)
        return self._errors(gathered), self._weight_errors(gathered[14])

    def primal(self) -> Function:
        return self.library.value(self.function)

    def derivative(self) -> Function:
        by_observation = self.library.component_gradients(self._errors, 2)
        by_weight = self.library.gradient(lambda weights: self.xp.sum(self._weight_errors(weights)))

        def jacobian(cameras: Any, points: Any, weights: Any) -> tuple[Any, Any, Any]:
            xp = self.xp
            first, second = by_observation(self._gathered(cameras, points, weights))
            of_errors = xp.stack([first.T, second.T], axis=1).reshape(-1)  # observation, error, number
            values = xp.concatenate([of_errors, by_weight(weights)[0]])
            return (*self._pattern(cameras.shape[1], points.shape[1]), values)

        return jacobian

    def _gathered(self, cameras: Any, points: Any, weights: Any) -> Any:
        """What each observation depends on, shape (15, p)."""
        of_camera, of_point = cameras[:, self.data["camera_of"]], points[:, self.data["point_of"]]
        return self.xp.concatenate([of_camera, of_point, weights[None]])

    def _weight_errors(self, weights: Any) -> Any:
        return 1.0 - weights * weights

    def _errors(self, gathered: Any) -> Any:
        """The reprojection errors, shape (2, p)."""
        xp = self.xp
        r0, r1, r2 = (gathered[i] for i in range(3))
        y0, y1, y2 = (gathered[11 + i] - gathered[3 + i] for i in range(3))
        squared = r0 * r0 + r1 * r1 + r2 * r2
        is_still = self.library.detach(squared) == 0
        safe = xp.where(is_still, self.library.constant(1.0), squared)
        angle = xp.sqrt(safe)
        sine = xp.where(is_still, self.library.constant(1.0), xp.sin(angle) / angle)
        half = xp.sin(0.5 * angle)
        versine = xp.where(is_still, self.library.constant(0.0), 2.0 * half * half / safe)  # (1 - cos) / angle^2
        cosine = 1.0 - versine * squared
        along = versine * (r0 * y0 + r1 * y1 + r2 * y2)
        z0 = cosine * y0 + sine * (r1 * y2 - r2 * y1) + along * r0
        z1 = cosine * y1 + sine * (r2 * y0 - r0 * y2) + along * r1
        z2 = cosine * y2 + sine * (r0 * y1 - r1 * y0) + along * r2
        v0, v1 = z0 / z2, z1 / z2
        s = v0 * v0 + v1 * v1
        scale = gathered[6] * (1.0 + s * (gathered[9] + s * gathered[10]))
        features, weights = self.data["features"], gathered[14]
        first = weights * (scale * v0 + gathered[7] - features[0])
        second = weights * (scale * v1 + gathered[8] - features[1])
        return xp.stack([first, second])

    def _pattern(self, n: int, m: int) -> tuple[Any, Any]:
        """Pointers of the rows, and columns, of the sparse matrix."""
        xp, library = self.xp, self.library
        p = len(self._camera_of)
        of_camera = (11 * self.data["camera_of"])[:, None] + library.integers(np.arange(11))
        of_point = (11 * n + 3 * self.data["point_of"])[:, None] + library.integers(np.arange(3))
        of_weight = 11 * n + 3 * m + self.data["weight_of"]
        row = xp.concatenate([of_camera, of_point, of_weight[:, None]], axis=1)
        columns = xp.concatenate([xp.stack([row, row], axis=1).reshape(-1), of_weight])
        pointers = xp.concatenate([xp.arange(0, 30 * p + 1, 15), xp.arange(30 * p + 1, 31 * p + 1)])
        return pointers, columns

    @classmethod
    def finish(cls, library: ArrayLibrary, part: str, value: Any) -> Any:
        if part == "primal":
            errors, weight_errors = (library.numpy(array) for array in value)
            return ba.finish_objective((errors.T, weight_errors))
        rows, columns = (np.asarray(library.plain(array)) for array in value[:2])
        return ba.finish_jacobian(ba.SparseMatrix(rows, columns, library.numpy(value[2])))


class HandTracking(Problem):
    """Errors of points on a posed hand. Many errors of few numbers: differentiated number by number."""

    primal_name, derivative_name = "objective", "jacobian"
    needs_directions = True

    def __init__(self, library: ArrayLibrary, value: Any):
        super().__init__(library, value)
        hand = ht.prepare(value)
        self._hand = hand
        self.parameters = [library.array(hand.theta)]
        if hand.shares is not None:
            self.parameters.append(library.array(np.ascontiguousarray(hand.shares.T)))
        for name, array in {
            "turns": hand.relatives[:, :3, :3],
            "offsets": hand.relatives[:, :3, 3:],
            "inverse_turns": hand.inverses[:, :3, :3],
            "inverse_offsets": hand.inverses[:, :3, 3:],
            "positions": hand.positions,
            "weights": hand.weights,
            "points": hand.points,
            "zeros": np.zeros(len(hand.parents)),
            "ones": np.ones(len(hand.parents)),
            "identity": np.eye(3),
        }.items():
            self.data[name] = library.array(np.ascontiguousarray(array))
        # Of each bone: where its angles about x and z are in theta; 26 is a zero behind its end.
        self._about_x = np.full(len(hand.parents), 26)
        self._about_z = np.full(len(hand.parents), 26)
        for finger in range(5):
            first = 6 + 4 * finger
            self._about_x[2 + 4 * finger : 5 + 4 * finger] = (first, first + 2, first + 3)
            self._about_z[2 + 4 * finger] = first + 1

    def function(self, *parameters: Any) -> Any:
        theta, hand = parameters[0], self._hand
        vertices = self.xp.matmul(self._rest(theta), self._orientation(theta[:3]).T) + theta[3:6]
        if len(parameters) == 1:
            return self.data["points"] - vertices[hand.corners]
        u0, u1 = parameters[1][0][:, None], parameters[1][1][:, None]
        a, b, c = (vertices[hand.corners[:, i]] for i in range(3))
        return self.data["points"] - (u0 * a + u1 * b + (1.0 - u0 - u1) * c)

    def derivative(self) -> Function:
        zero_theta, *rest = [np.zeros(np.shape(self.library.plain(array))) for array in self.parameters]
        directions = []
        for i in range(2 if rest else 0):  # a point depends on its own shares alone, so all can move at once
            shares = np.zeros_like(rest[0])
            shares[i] = 1.0
            directions.append([zero_theta, shares])
        directions += [[row, *rest] for row in np.eye(len(zero_theta))]
        return self.library.derivatives_along(self.function, directions)

    def _rest(self, theta: Any) -> Any:
        """The vertices of the posed hand before it is turned and moved as a whole, shape (V, 3)."""
        xp, data, hand = self.xp, self.data, self._hand
        angles = xp.concatenate([theta, data["zeros"][:1]])
        x, z = angles[self._about_x], angles[self._about_z]
        (sx, cx), (sz, cz) = (xp.sin(x), xp.cos(x)), (xp.sin(z), xp.cos(z))
        zero = data["zeros"]
        rows = [xp.stack(row, axis=1) for row in ([cz, -sz * cx, sz * sx], [sz, cz * cx, -cz * sx], [zero, sx, cx])]
        relatives = xp.matmul(data["turns"], xp.stack(rows, axis=1))
        turns: list[Any] = []
        offsets: list[Any] = []
        for bone, parent in enumerate(hand.parents):
            turn, offset = relatives[bone], data["offsets"][bone]
            turns.append(turn if parent < 0 else xp.matmul(turns[parent], turn))
            offsets.append(offset if parent < 0 else xp.matmul(turns[parent], offset) + offsets[parent])
        absolute, moved = xp.stack(turns), xp.stack(offsets)
        transformations = xp.concatenate(
            [xp.matmul(absolute, data["inverse_turns"]), xp.matmul(absolute, data["inverse_offsets"]) + moved], axis=2
        )
        blended = xp.matmul(data["weights"], transformations.reshape((len(hand.parents), 12))).reshape((-1, 3, 4))
        return xp.sum(blended * data["positions"][:, None, :], axis=2)

    def _orientation(self, r: Any) -> Any:
        """The global rotation, after mirroring where the model asks for it, shape (3, 3)."""
        xp, library = self.xp, self.library
        squared = xp.sum(r * r)
        is_still = library.detach(squared) < ht.NO_ROTATION_BELOW**2
        angle = xp.sqrt(xp.where(is_still, library.constant(1.0), squared))
        x, y, z = (r[i] / angle for i in range(3))
        zero = self.data["zeros"][0]
        rows = [xp.stack([zero, -z, y]), xp.stack([z, zero, -x]), xp.stack([-y, x, zero])]
        cross = xp.stack(rows)
        turned = self.data["identity"] + xp.sin(angle) * cross + (1.0 - xp.cos(angle)) * xp.matmul(cross, cross)
        rotation = xp.where(is_still, self.data["identity"], turned)
        if self._hand.is_mirrored:
            mirror = library.array(np.array([-1.0, 1.0, 1.0]))
            rotation = rotation * mirror
        return rotation

    @classmethod
    def finish(cls, library: ArrayLibrary, part: str, value: Any) -> Any:
        if part == "primal":
            return library.numpy(value).reshape(-1).tolist()
        columns = [library.numpy(column).reshape(-1) for column in value]
        return np.stack(columns, axis=1).tolist()
