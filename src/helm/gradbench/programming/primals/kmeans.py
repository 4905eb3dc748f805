import numpy as xp


def cost(points, centroids):
    """The sum over the points of the squared distance to the nearest centroid.

    points has shape (n, d), centroids has shape (k, d).
    """
    total = 0.0
    for point in points:
        distances = xp.sum((centroids - point) ** 2, 1)
        total = total + distances[distances.argmin()]
    return total
