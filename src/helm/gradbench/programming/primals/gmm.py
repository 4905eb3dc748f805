import math

import numpy as xp


def log_sum_exp(x):
    return xp.log(xp.sum(xp.exp(x - x.max()))) + x.max()


def lower_triangle(q, triangle):
    """The matrix with exp(q) on its diagonal and the numbers of triangle below it, column by column."""
    d, rows = q.shape[0], []
    for i in range(d):
        row = []
        for j in range(d):
            if i == j:
                row.append(xp.exp(q[i]))
            elif i > j:
                row.append(triangle[j * d - j * (j + 1) // 2 + i - j - 1])
            else:
                row.append(0.0 * q[0])
        rows.append(xp.stack(row))
    return xp.stack(rows)


def objective(alpha, mu, q, triangle, x, gamma, m):
    """Log of the likelihood of a mixture of k Gaussians times a Wishart prior.

    alpha has shape (k,), mu and q have shape (k, d), triangle has shape (k, d (d - 1) / 2), the points x have shape (n, d);
    gamma is a float and m an int.
    """
    (k, d), n = mu.shape, x.shape[0]
    matrices = [lower_triangle(q[i], triangle[i]) for i in range(k)]
    total = -n * log_sum_exp(alpha)
    for point in x:
        terms = []
        for i in range(k):
            z = xp.matmul(matrices[i], point - mu[i])
            terms.append(alpha[i] + xp.sum(q[i]) - 0.5 * xp.sum(z * z))
        total = total + log_sum_exp(xp.stack(terms))
    total = total - 0.5 * gamma**2 * (xp.sum(xp.exp(q) ** 2) + xp.sum(triangle**2)) + m * xp.sum(q)
    degrees = d + m + 1
    log_gamma = d * (d - 1) / 4 * math.log(math.pi)
    log_gamma += sum(math.lgamma(0.5 * degrees + (1 - j) / 2) for j in range(1, d + 1))
    constant = k * (degrees * d * (math.log(gamma) - 0.5 * math.log(2)) - log_gamma)
    return total + constant - 0.5 * n * d * math.log(2 * math.pi)
