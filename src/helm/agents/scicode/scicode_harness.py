"""Runs the tests of one step in the sandbox: `scicode_harness.py STEP NUMBER_OF_TESTS`, with a token on standard input.

The code runs once, and then each test behind it, in the same names. The last line is proof that all tests ran to their end: a
program that ends early does not know the token.
"""

import sys
import types


def value_of(node):
    """Return what a part of the file stands for: an array, a number, a text, a list, a matrix, or a mapping."""
    import h5py

    if isinstance(node, h5py.Dataset):
        value = node[()]
        return value.decode() if isinstance(value, bytes) else value
    keys = set(node)
    if keys == {"sparse_matrix"}:
        return _sparse(node["sparse_matrix"])
    if keys == {"list"}:
        return [value_of(node["list"][key]) for key in node["list"]]
    return {_key(key): value_of(node[key]) for key in node}


def _sparse(node):
    from scipy import sparse

    shape = tuple(node["shape"][()])
    if "row" in node:
        return sparse.coo_matrix((node["data"][()], (node["row"][()], node["col"][()])), shape=shape)
    parts = (node["data"][()], node["indices"][()], node["indptr"][()])
    if "blocksize" in node:
        return sparse.bsr_matrix(parts, shape=shape, blocksize=tuple(node["blocksize"][()]))
    return sparse.csr_matrix(parts, shape=shape)


def _key(key):
    try:
        return float(key)
    except ValueError:
        return key


def read_targets(path, step, number):
    """Return the target of each test: the one value of its group, or the values of several as a tuple."""
    import h5py

    targets = []
    with h5py.File(path, "r") as file:
        for test in range(1, number + 1):
            group = file[step][f"test{test}"]
            values = [value_of(group[key]) for key in group] if isinstance(group, h5py.Group) else [value_of(group)]
            targets.append(values[0] if len(values) == 1 else tuple(values))
    return targets


# ---- what tests import: comparisons with a relative tolerance of 1e-5 and an absolute one of 1e-8


def are_close(one, other, rtol=1e-5, atol=1e-8):
    import numpy as np

    if hasattr(one, "tocsc") or hasattr(other, "tocsc"):
        return are_csc_matrix_close(one, other, rtol, atol)
    if isinstance(one, dict) and isinstance(other, dict):
        return are_dicts_close(one, other, rtol=rtol, atol=atol)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(are_close(a, b, rtol, atol) for a, b in zip(one, other, strict=True))
    if any(isinstance(each, str) or getattr(each, "free_symbols", None) for each in (one, other)):
        return str(one) == str(other)
    one, other = (float(each) if hasattr(each, "free_symbols") and each.is_real else each for each in (one, other))
    try:
        return bool(np.allclose(one, other, rtol=rtol, atol=atol))
    except (TypeError, ValueError):
        return bool(np.all(one == other))


def are_dicts_close(one, other, atol=1e-8, rtol=1e-5):
    plain = [
        {str(key) if hasattr(key, "free_symbols") else key: value for key, value in each.items()}
        for each in (one, other)
    ]
    return plain[0].keys() == plain[1].keys() and all(
        are_close(value, plain[1][key], rtol, atol) for key, value in plain[0].items()
    )


def are_csc_matrix_close(one, other, rtol=1e-5, atol=1e-8):
    import numpy as np

    dense = [each.toarray() if hasattr(each, "toarray") else np.asarray(each) for each in (one, other)]
    return dense[0].shape == dense[1].shape and bool(np.allclose(dense[0], dense[1], rtol=rtol, atol=atol))


def cmp_tuple_or_list(one, other, *_):
    if not isinstance(one, (list, tuple)) or not isinstance(other, (list, tuple)):
        return are_close(one, other)
    return len(one) == len(other) and all(map(are_close, one, other))


def install():
    """Offer the comparisons under the names that tests import."""
    names = ("scicode", "scicode.compare", "scicode.compare.cmp")
    modules = [types.ModuleType(name) for name in names]
    sys.modules.update(zip(names, modules, strict=True))
    for outer, name, inner in ((modules[0], "compare", modules[1]), (modules[1], "cmp", modules[2])):
        setattr(outer, name, inner)
    for function in (are_dicts_close, are_csc_matrix_close, cmp_tuple_or_list):
        setattr(modules[2], function.__name__, function)


def main():
    step, number = sys.argv[1], int(sys.argv[2])
    token = sys.stdin.readline().strip()
    sys.stdin.close()
    try:
        targets = read_targets("targets.h5", step, number)
    except Exception as error:
        print(repr(error), file=sys.stderr)
        print(token, "unreadable")
        return
    install()
    space = {"__name__": "__main__"}
    with open("step.py") as file:
        exec(compile(file.read(), "step.py", "exec"), space)
    for i, target in enumerate(targets):
        space["target"] = target
        with open(f"test_{i}.py") as file:
            exec(compile(file.read(), f"test_{i}.py", "exec"), space)
    print()
    print(token, "passed")


if __name__ == "__main__":
    main()
