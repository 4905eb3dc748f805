import numpy as xp


def turn(axis, angle):
    """A rotation about the axis x or z as a 4 x 4 matrix."""
    s, c, zero = xp.sin(angle), xp.cos(angle), 0.0 * angle
    one = zero + 1.0
    if axis == "x":
        rows = [[one, zero, zero, zero], [zero, c, -s, zero], [zero, s, c, zero], [zero, zero, zero, one]]
    else:
        rows = [[c, -s, zero, zero], [s, c, zero, zero], [zero, zero, one, zero], [zero, zero, zero, one]]
    return xp.stack([xp.stack(row) for row in rows])


def rotation_matrix(vector):
    """Of a rotation vector, which is never near zero, shape (3, 3)."""
    angle = xp.sqrt(xp.sum(vector * vector))
    x, y, z = vector[0] / angle, vector[1] / angle, vector[2] / angle
    zero = 0.0 * x
    one = zero + 1.0
    cross = xp.stack([xp.stack([zero, -z, y]), xp.stack([z, zero, -x]), xp.stack([-y, x, zero])])
    identity = xp.stack([xp.stack([one, zero, zero]), xp.stack([zero, one, zero]), xp.stack([zero, zero, one])])
    return identity + xp.sin(angle) * cross + (1 - xp.cos(angle)) * xp.matmul(cross, cross)


def objective(theta, shares, parents, relatives, inverses, positions, weights, corners, points, is_mirrored):
    """Measured points minus those on a posed hand of B bones and V vertices, shape (P, 3).

    theta has shape (26,): rotation vector, translation, then four angles for each of five fingers. shares has shape
    (P, 2). parents is a list of ints, -1 for the root. relatives and inverses have shape (B, 4, 4), positions (V, 4),
    weights (V, B), corners (ints) and points (P, 3). is_mirrored is True or False.
    """
    turns = {}
    for finger in range(5):
        first, bone = 6 + 4 * finger, 2 + 4 * finger
        turns[bone] = xp.matmul(turn("z", theta[first + 1]), turn("x", theta[first]))
        turns[bone + 1] = turn("x", theta[first + 2])
        turns[bone + 2] = turn("x", theta[first + 3])
    absolutes = []
    for bone, parent in enumerate(parents):
        relative = xp.matmul(relatives[bone], turns[bone]) if bone in turns else relatives[bone]
        absolutes.append(relative if parent < 0 else xp.matmul(absolutes[parent], relative))
    rest = 0.0
    for bone in range(len(parents)):
        moved = xp.matmul(positions, xp.matmul(absolutes[bone], inverses[bone]).T)
        rest = rest + weights[:, bone : bone + 1] * moved
    rest = rest[:, :3]
    if is_mirrored:
        rest = xp.stack([-rest[:, 0], rest[:, 1], rest[:, 2]], 1)
    vertices = xp.matmul(rest, rotation_matrix(theta[:3]).T) + theta[3:6]
    u0, u1 = shares[:, 0:1], shares[:, 1:2]
    a, b, c = vertices[corners[:, 0]], vertices[corners[:, 1]], vertices[corners[:, 2]]
    return points - (u0 * a + u1 * b + (1 - u0 - u1) * c)
