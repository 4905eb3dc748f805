import base64
import re
from typing import Any

import numpy as np
import pytest

from helm.compiler_gym import proto
from helm.compiler_gym.envs.gym_spaces import (
    Box,
    Commandline,
    CommandlineFlag,
    Dict,
    Discrete,
    NamedDiscrete,
    Permutation,
    Scalar,
    Sequence,
    SpaceSequence,
    Tuple,
)
from helm.compiler_gym.runtime.space_conversions import space_from_proto, space_to_proto
from vectors_support import vector_cases

_ERRORS = {
    "KeyError": KeyError,
    "ValueError": ValueError,
    "IndexError": IndexError,
    "AssertionError": AssertionError,
    "TypeError": TypeError,
}


def _number(value: Any) -> Any:
    return {np.inf: "inf", -np.inf: "-inf"}.get(value, value) if isinstance(value, float) else value


def _describe(space: Any) -> Any:
    if space is None:
        return None
    found: dict[str, Any] = {"kind": type(space).__name__, "name": space.name, "repr": repr(space)}
    if isinstance(space, Scalar):
        found.update(min=_number(space.min), max=_number(space.max), dtype=np.dtype(space.dtype).name)
    elif isinstance(space, Sequence):
        dtype = space.dtype.__name__ if space.dtype in (str, bytes) else np.dtype(space.dtype).name
        found.update(size_range=list(space.size_range), dtype=dtype, scalar_range=_describe(space.scalar_range))
    elif isinstance(space, SpaceSequence):
        found.update(size_range=list(space.size_range), space=_describe(space.space))
    elif isinstance(space, Box):
        low, high = space.low.tolist(), space.high.tolist()
        found.update(shape=list(space.shape), dtype=space.dtype.name)
        found.update(low=np.ravel(low).tolist(), high=np.ravel(high).tolist())
    elif isinstance(space, NamedDiscrete):
        found.update(names=space.names, n=int(space.n))
        if isinstance(space, Commandline):
            found.update(flags=space.flags, descriptions=space.descriptions)
    elif isinstance(space, Discrete):
        found.update(n=int(space.n))
    elif isinstance(space, Tuple):
        found.update(spaces=[_describe(item) for item in space.spaces])
    elif isinstance(space, Dict):
        found.update(spaces={key: _describe(item) for key, item in space.spaces.items()})
    return found


def _as_recorded(found: Any, recorded: Any) -> Any:
    """What was found, without the texts that were not recorded (those with an address in them)."""
    if not isinstance(recorded, dict) or not isinstance(found, dict):
        return found
    kept = {key: value for key, value in found.items() if key != "repr" or "repr" in recorded}
    for key in ("space", "scalar_range"):
        if key in kept:
            kept[key] = _as_recorded(kept[key], recorded.get(key))
    if isinstance(kept.get("spaces"), dict):
        kept["spaces"] = {k: _as_recorded(v, recorded["spaces"].get(k)) for k, v in kept["spaces"].items()}
    elif "spaces" in kept:
        kept["spaces"] = [_as_recorded(v, r) for v, r in zip(kept["spaces"], recorded["spaces"], strict=True)]
    return kept


_TYPES = {"bool": bool, "int8": np.int8, "int64": np.int64, "float32": np.float32, "float64": np.float64}
_TYPES.update(str=str, bytes=bytes, int32=np.int32, uint8=np.uint8)


def _get_dtype(description: dict) -> Any:
    """The type that the space was made with: `int` and `float` show in its text only."""
    shown = re.match(r"(int|float)(?=[_<]|$)", description.get("repr", ""))
    return {"int": int, "float": float}[shown[0]] if shown else _TYPES[description["dtype"]]


def _bound(value: Any) -> Any:
    return float(value) if isinstance(value, str) else value


def _make(description: Any) -> Any:
    if description is None:
        return None
    kind, name = description["kind"], description["name"]
    if kind == "Scalar":
        return Scalar(name, _bound(description["min"]), _bound(description["max"]), _get_dtype(description))
    if kind == "Permutation":
        return Permutation(name, _make(description["scalar_range"]))
    if kind == "Sequence":
        scalar_range = _make(description["scalar_range"])
        return Sequence(name, description["size_range"], _get_dtype(description), scalar_range=scalar_range)
    if kind == "SpaceSequence":
        return SpaceSequence(name, _make(description["space"]), description["size_range"])
    if kind == "Box":
        dtype = _TYPES[description["dtype"]]
        low, high = (
            np.array([_bound(value) for value in description[key]], dtype=dtype).reshape(description["shape"])
            for key in ("low", "high")
        )
        return Box(low, high, dtype=dtype, name=name)
    if kind == "NamedDiscrete":
        return NamedDiscrete(description["names"], name)
    if kind == "Commandline":
        texts = zip(description["names"], description["flags"], description["descriptions"], strict=True)
        return Commandline([CommandlineFlag(*text) for text in texts], name)
    if kind == "Discrete":
        return Discrete(description["n"], name)
    if kind == "Tuple":
        return Tuple([_make(item) for item in description["spaces"]], name)
    assert kind == "Dict", kind
    return Dict({key: _make(item) for key, item in description["spaces"].items()}, name)


def _is_taken_by_ours(message: Any) -> bool:
    """Sequences of texts: the original forgot them in its table."""
    return getattr(message, "space", message).WhichOneof("value") == "string_sequence"


def test_vector_space_messages_become_spaces():
    for case in vector_cases("compiler-gym/conversions.json"):
        if case["kind"] != "from_proto" or case["message"] == "Event":
            continue
        message = getattr(proto, case["message"]).FromString(base64.b64decode(case["base64"]))
        if _is_taken_by_ours(message):
            assert space_from_proto(message).contains(["a", "b"])
        elif "error" in case:
            with pytest.raises(_ERRORS[case["error"]]):
                space_from_proto(message)
        else:
            assert _as_recorded(_describe(space_from_proto(message)), case["python"]) == case["python"], case["id"]


def test_vector_spaces_become_messages():
    for case in vector_cases("compiler-gym/conversions.json"):
        if case["kind"] != "to_space":
            continue
        space = _make(case["space"])
        assert _as_recorded(_describe(space), case["space"]) == case["space"], case["id"]
        if "error" in case:
            with pytest.raises(_ERRORS[case["error"]]):
                space_to_proto(space)
        else:
            message = space_to_proto(space).SerializeToString(deterministic=True)
            assert message == base64.b64decode(case["base64"]), case["id"]


def _read_value(text: str) -> Any:
    names = {
        "array": np.array,
        "np": np,
        "nan": np.nan,
        "inf": np.inf,
        "object": object,
        "bool": bool,
        "dtype": np.dtype,
    }
    names.update({name: getattr(np, name) for name in ("int8", "int32", "int64", "float32", "float64", "uint8")})
    return eval(text, {"__builtins__": {}, **names})


def test_vector_spaces_contain_what_the_original_says():
    for case in vector_cases("compiler-gym/spaces.json"):
        if case["kind"] != "contains":
            continue
        space = _make(case["space"])
        assert _as_recorded(_describe(space), case["space"]) == case["space"], case["id"]
        assert space.contains(_read_value(case["value"])) == case["output"], case["id"]


def test_vector_names_of_actions():
    for case in vector_cases("compiler-gym/spaces.json"):
        if case["kind"] == "contains":
            continue
        space = NamedDiscrete(case["names"], "n")
        call = {"named_to_string": space.to_string, "named_getitem": space.__getitem__}[case["kind"]]
        if "error" in case:
            with pytest.raises(_ERRORS[case["error"]]):
                call(case["value"])
        else:
            assert call(case["value"]) == case["output"], case["id"]


def test_names_belong_to_equality():
    assert Discrete(3, "a") == Discrete(3, "a") != Discrete(3, "b")
    assert Scalar("a", 0, 1, int) != Scalar("b", 0, 1, int)
    assert Commandline([CommandlineFlag("x", "-x")], "c") == Commandline([CommandlineFlag("x", "-x")], "c")
    assert Sequence("s") == Sequence("s") != Sequence("t")


def test_command_lines_are_read_back():
    space = Commandline([CommandlineFlag("a", "-a", "A"), CommandlineFlag("b", "-b", "B")], "c")
    assert space.to_string([0, 1, 1]) == space.commandline([0, 1, 1]) == "-a -b -b"
    assert space.from_string("-a  -b\t-b") == space.from_commandline("-a -b -b") == [0, 1, 1]
    with pytest.raises(LookupError, match="'-c' is not an action of this space"):
        space.from_commandline("-c")


@pytest.mark.parametrize(
    "space",
    [
        Scalar("s", 0, 4, int),
        Scalar("s", None, None, np.int64),
        Scalar("s", False, True, bool),
        Scalar("s", 0.0, None, float),
        Scalar("s", None, 0.0, np.float32),
        Permutation("p", Scalar("r", 2, 5, np.int64)),
        SpaceSequence("q", Discrete(3), (1, 4)),
    ],
    ids=repr,
)
def test_samples_are_contained(space):
    space.seed(3)
    assert all(space.contains(space.sample()) for _ in range(20))


def test_large_arrays_are_checked_as_lists_are():
    byte_range = Scalar(None, -4, 4, np.int64)
    space = Sequence("s", (0, None), np.int8, scalar_range=byte_range)
    for values in ([0, 4], [5], [-5], []):
        assert space.contains(np.array(values, dtype=np.int8)) == space.contains([np.int8(v) for v in values])
    assert not space.contains(np.array([0.5]))
