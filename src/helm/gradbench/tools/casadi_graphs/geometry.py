"""ba, ht and kmeans: functions with many values, of which each depends on few numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from helm.gradbench.tools.casadi_graphs.problem import Problem, flat
from helm.gradbench.tools.numpy_derivatives import ba, ht, kmeans

_CAMERA, _POINT = 11, 3
_BY = _CAMERA + _POINT + 1  # what the errors of an observation are differentiated by


class BundleAdjustment(Problem):
    """Errors of observations: the graph of one, and of its derivatives, is run over all of them."""

    primal_name, derivative_name = "objective", "jacobian"

    def __init__(self, value: Any):
        self._problem = problem = ba.prepare(value)
        self.x = np.concatenate([part.reshape(-1) for part in (problem.cameras, problem.points, problem.weights)])
        self.data = problem.features.reshape(-1)

    def _observations(self, ca: Any, x: Any, data: Any) -> tuple[list[Any], Any]:
        """The camera, point, weight and feature of each observation, one a column; and the weights."""
        problem = self._problem
        n, m, p = len(problem.cameras), len(problem.points), len(problem.weights)
        cameras = ca.reshape(x[: _CAMERA * n], _CAMERA, n)
        points = ca.reshape(x[_CAMERA * n : _CAMERA * n + _POINT * m], _POINT, m)
        weights = x[_CAMERA * n + _POINT * m :].T
        of_camera, of_point = cameras[:, problem.camera_of.tolist()], points[:, problem.point_of.tolist()]
        return [ca.vertcat(of_camera, of_point, weights), ca.reshape(data, 2, p)], weights

    def graph(self, ca: Any, x: Any, data: Any) -> Any:
        observations, weights = self._observations(ca, x, data)
        errors = ca.Function("errors", *_reprojection(ca)).map(weights.shape[1])(*observations)
        return ca.vertcat(ca.vec(errors), 1.0 - weights.T * weights.T)

    def derivative_graph(self, ca: Any, x: Any, data: Any) -> Any:
        observations, weights = self._observations(ca, x, data)
        arguments, (error,) = _reprojection(ca)
        block = ca.Function("block", arguments, [ca.jacobian(error, arguments[0]).T])  # a column for each error
        of_errors = block.map(weights.shape[1])(*observations)
        weight = ca.SX.sym("weight")
        of_weights = ca.Function("of_weight", [weight], [ca.gradient(1.0 - weight * weight, weight)])(weights)
        return ca.vertcat(ca.vec(of_errors), of_weights.T)

    def build(self, ca: Any, name: str) -> Callable[[], Any]:
        values = super().build(ca, name)
        if name == self.primal_name:
            return values
        return lambda: (values(), ba.empty_jacobian(self._problem))

    def finish(self, name: str, value: Any) -> Any:
        p = len(self._problem.weights)
        if name == self.primal_name:
            errors = flat(value)
            return ba.finish_objective((errors[: 2 * p].reshape(p, 2), errors[2 * p :]))
        values, pattern = value
        return ba.finish_jacobian(ba.SparseMatrix(pattern.rows, pattern.cols, flat(values)))


def _reprojection(ca: Any) -> tuple[list[Any], list[Any]]:
    """Arguments and values of a graph: the two errors of what an observation is differentiated by, and of its feature."""
    x, feature = ca.SX.sym("x", _BY), ca.SX.sym("feature", 2)
    r, centre, point, weight = x[0:3], x[3:6], x[_CAMERA : _CAMERA + _POINT], x[_BY - 1]
    y = point - centre
    squared = ca.dot(r, r)
    is_still = squared == 0
    angle = ca.sqrt(ca.if_else(is_still, 1.0, squared))
    sine = ca.if_else(is_still, 1.0, ca.sin(angle) / angle)
    versine = ca.if_else(is_still, 0.0, 2.0 * (ca.sin(0.5 * angle) / angle) ** 2)  # (1 - cos) / angle^2
    z = y * (1.0 - versine * squared) + ca.cross(r, y) * sine + r * (versine * ca.dot(r, y))
    v = z[:2] / z[2]
    s = ca.dot(v, v)
    projected = x[6] * (1.0 + s * (x[9] + s * x[10])) * v + x[7:9]
    return [x, feature], [weight * (projected - feature)]


class HandTracking(Problem):
    """Errors of points on a posed hand. Many errors of few numbers: differentiated along these."""

    primal_name, derivative_name = "objective", "jacobian"

    def __init__(self, value: Any):
        self._hand = hand = ht.prepare(value)
        self.x = hand.theta
        if hand.shares is not None:
            self.x = np.concatenate([hand.theta, hand.shares.reshape(-1)])
        self._vertex_of, self._bone_of = np.nonzero(hand.weights)
        self._parts = [
            hand.relatives[:, :3].reshape(-1),
            hand.inverses[:, :3].reshape(-1),
            hand.weights[self._vertex_of, self._bone_of],
            hand.positions.reshape(-1),
            hand.points.reshape(-1),
        ]
        self.data = np.concatenate(self._parts)

    def graph(self, ca: Any, x: Any, data: Any) -> Any:
        hand = self._hand
        ends = np.cumsum([0, *map(len, self._parts)]).tolist()
        relatives, inverses, weights, positions, points = ca.vertsplit(data, ends)
        bones, vertices, size = len(hand.parents), len(hand.positions), len(hand.points)
        theta = x[: len(hand.theta)]
        moves = self._moves(ca)(theta, ca.reshape(relatives, 12, bones), ca.reshape(inverses, 12, bones))
        # For each vertex, the factors of its bones' transformations: its position times their weights.
        entries = np.repeat(np.arange(len(self._vertex_of)), 4)
        coordinates = np.tile(np.arange(4), len(self._vertex_of))
        pattern = ca.Sparsity.triplet(
            4 * bones,
            vertices,
            (4 * self._bone_of[entries] + coordinates).tolist(),
            self._vertex_of[entries].tolist(),
        )
        places = positions[(4 * self._vertex_of[entries] + coordinates).tolist()]
        rest = ca.mtimes(moves, ca.MX(pattern, weights[entries.tolist()] * places))
        if hand.is_mirrored:
            rest = ca.vertcat(-rest[0, :], rest[1:, :])
        posed = ca.mtimes(_orientation(ca)(theta[:3]), rest) + ca.repmat(theta[3:6], 1, vertices)
        if hand.shares is None:
            on_hand = posed[:, hand.corners.tolist()]
        else:
            shares = ca.reshape(x[len(hand.theta) :], 2, size)
            u0, u1 = (ca.repmat(shares[i, :], 3, 1) for i in (0, 1))
            a, b, c = (posed[:, hand.corners[:, i].tolist()] for i in range(3))
            on_hand = u0 * a + u1 * b + (1.0 - u0 - u1) * c
        return ca.vec(ca.reshape(points, 3, size) - on_hand)

    def _moves(self, ca: Any) -> Any:
        """Map theta, and the first rows of relative and inverse transformations, to the motions of the vertices.

        Matrices lie side by side in the result, shape (3, 4 B).
        """
        hand = self._hand
        bones = len(hand.parents)
        theta = ca.SX.sym("theta", len(hand.theta))
        relatives, inverses = ca.SX.sym("relatives", 12, bones), ca.SX.sym("inverses", 12, bones)

        def matrix(entries: Any) -> Any:
            return ca.vertcat(ca.reshape(entries, 4, 3).T, ca.SX([[0, 0, 0, 1]]))

        absolutes: list[Any] = []
        moves = []
        for bone, parent in enumerate(hand.parents):
            relative = matrix(relatives[:, bone])
            finger, joint = divmod(bone - 1, 4)
            first = 6 + 4 * finger
            if 0 <= finger < 5 and joint == 1:
                relative = ca.mtimes([relative, _turn(ca, "z", theta[first + 1]), _turn(ca, "x", theta[first])])
            elif 0 <= finger < 5 and joint > 1:
                relative = ca.mtimes(relative, _turn(ca, "x", theta[first + joint]))
            absolutes.append(relative if parent < 0 else ca.mtimes(absolutes[parent], relative))
            moves.append(ca.mtimes(absolutes[bone], matrix(inverses[:, bone]))[:3, :])
        return ca.Function("moves", [theta, relatives, inverses], [ca.horzcat(*moves)])

    def derivative_graph(self, ca: Any, x: Any, data: Any) -> Any:
        num_shares = 0 if self._hand.shares is None else 2
        num_angles = len(self._hand.theta)
        rows = np.arange(len(self.x))
        # A point depends on its own shares alone, so those of all points move at once; they are the first columns.
        columns = np.where(rows < num_angles, rows + num_shares, (rows - num_angles) % 2)
        seeds = ca.DM.triplet(
            rows.tolist(), columns.tolist(), ca.DM.ones(len(rows)), len(rows), num_angles + num_shares
        )
        return ca.jtimes(self.graph(ca, x, data), x, seeds)

    def finish(self, name: str, value: Any) -> Any:
        return (flat(value) if name == self.primal_name else np.array(value.full())).tolist()


def _turn(ca: Any, axis: str, angle: Any) -> Any:
    """A rotation about x or z as a 4 x 4 matrix."""
    s, c = ca.sin(angle), ca.cos(angle)
    result = ca.SX.eye(4)
    i, j = (1, 2) if axis == "x" else (0, 1)
    result[i, i] = result[j, j] = c
    result[i, j], result[j, i] = -s, s
    return result


def _orientation(ca: Any) -> Any:
    """Convert a rotation vector to its matrix; a short vector gives no rotation."""
    r = ca.SX.sym("r", 3)
    squared = ca.dot(r, r)
    is_still = squared < ht.NO_ROTATION_BELOW**2
    angle = ca.sqrt(ca.if_else(is_still, 1.0, squared))
    k = ca.skew(r / angle)
    turned = ca.SX.eye(3) + ca.sin(angle) * k + (1.0 - ca.cos(angle)) * ca.mtimes(k, k)
    return ca.Function("orientation", [r], [ca.if_else(is_still, ca.SX.eye(3), turned)])


class Clustering(Problem):
    """Cost of a clustering; the derivative is the gradient over the diagonal of the Hessian."""

    primal_name, derivative_name = "cost", "dir"

    def __init__(self, value: Any):
        clustering = kmeans.prepare(value)
        centre = clustering.points.mean(axis=0)  # far from the origin, squares of distances would cancel
        self._n, (self._k, self._d) = len(clustering.points), clustering.centroids.shape
        self.x = (clustering.centroids - centre).reshape(-1)
        self.data = (clustering.points - centre).reshape(-1)

    def graph(self, ca: Any, x: Any, data: Any) -> Any:
        d, n = self._d, self._n
        centroids, points = ca.reshape(x, d, self._k), ca.reshape(data, d, n)
        halves = 0.5 * ca.sum1(centroids * centroids).T
        scores = ca.mtimes(centroids.T, points) - ca.repmat(halves, 1, n)
        nearest = self._largest(ca).map(n)(scores)
        places = ca.repmat(d * nearest, d, 1) + ca.repmat(ca.DM(range(d)), 1, n)
        difference = points - ca.reshape(x.nz[places], d, n)
        return ca.dot(difference, difference)

    def _largest(self, ca: Any) -> Any:
        """Return the position of the largest of k numbers, the first one if several are equal."""
        scores = ca.SX.sym("scores", self._k)
        best, place = scores[0], ca.SX(0)
        for i in range(1, self._k):
            place = ca.if_else(scores[i] > best, i, place)
            best = ca.fmax(best, scores[i])
        constant = {"is_diff_in": [False], "is_diff_out": [False]}
        return ca.Function("largest", [scores], [place], constant)

    def derivative_graph(self, ca: Any, x: Any, data: Any) -> Any:
        gradient = super().derivative_graph(ca, x, data)
        return gradient / ca.jtimes(gradient, x, ca.DM.ones(len(self.x)))  # the Hessian has no more than its diagonal

    def finish(self, name: str, value: Any) -> Any:
        if name == self.primal_name:
            return super().finish(name, value)
        return kmeans.to_lists(flat(value).reshape(self._k, self._d))  # 0/0 of a centroid without points is null
