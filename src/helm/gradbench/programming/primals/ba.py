import numpy as xp


def cross(a, b):
    return xp.stack([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def error(camera, point, weight, feature):
    """The weighted difference of a feature from where a camera sees a point, shape (2,).

    camera has shape (11,): rotation vector (never zero), centre, focal length, principal point, two radial parameters.
    """
    rotation, centre, focal, principal, radial = camera[:3], camera[3:6], camera[6], camera[7:9], camera[9:]
    angle = xp.sqrt(xp.sum(rotation * rotation))
    axis, y = rotation / angle, point - centre
    z = y * xp.cos(angle) + cross(axis, y) * xp.sin(angle) + axis * xp.sum(axis * y) * (1 - xp.cos(angle))
    v = z[:2] / z[2]
    s = xp.sum(v * v)
    return weight * (focal * v * (1 + radial[0] * s + radial[1] * s**2) + principal - feature)


def objective(cameras, points, weights, features, camera_of, point_of):
    """The errors of p observations, shape (p, 2).

    cameras has shape (n, 11), points (m, 3), weights (p,), features (p, 2). Observation i is of the point point_of[i] by
    the camera camera_of[i]; both are arrays of ints of shape (p,).
    """
    errors = [
        error(cameras[camera_of[i]], points[point_of[i]], weights[i], features[i]) for i in range(weights.shape[0])
    ]
    return xp.stack(errors)
