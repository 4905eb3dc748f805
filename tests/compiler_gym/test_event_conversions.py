import base64
from collections import OrderedDict
from typing import Any

import numpy as np
import pytest

from helm.compiler_gym import proto
from helm.compiler_gym.runtime.conversions import event_to_python, python_to_event
from vectors_support import vector_cases

# Values that the original refuses although Gymnasium's own spaces produce them; ours takes every numpy scalar.
_TAKEN_BY_OURS = (np.integer, np.floating, np.bool_)


def _describe(value: Any) -> dict:
    if value is None:
        return {"type": "None"}
    if isinstance(value, list):
        return {"type": "list", "items": [_describe(item) for item in value]}
    if isinstance(value, dict):
        return {"type": "dict", "items": {key: _describe(item) for key, item in value.items()}}
    if isinstance(value, np.ndarray):
        values = value.flatten().tolist()
        return {"type": "ndarray", "dtype": value.dtype.name, "shape": list(value.shape), "values": values}
    return {"type": type(value).__name__, "value": value}


def _read_value(case: dict) -> Any:
    """The recorded `repr`; numpy scalars print like Python's, so their type is in the id."""
    names = {"array": np.array, "OrderedDict": OrderedDict, **{n: getattr(np, n) for n in ("int8", "int64", "float32")}}
    names.update(uint8=np.uint8, int16=np.int16, int32=np.int32, float64=np.float64, object=object, bool=bool)
    value = eval(case["value_repr"], {"__builtins__": {}, "nan": np.nan, "inf": np.inf, **names})
    _, _, scalar_type = case["id"].partition("/np-")
    return getattr(np, {"bool": "bool_"}.get(scalar_type, scalar_type))(value) if scalar_type else value


def test_vector_events_become_python_values():
    for case in vector_cases("compiler-gym/conversions.json"):
        if case["kind"] != "from_proto" or case["message"] != "Event":
            continue
        event = proto.Event.FromString(base64.b64decode(case["base64"]))
        if "error" in case:
            with pytest.raises({"KeyError": KeyError, "ValueError": ValueError}[case["error"]]):
                event_to_python(event)
        else:
            assert _describe(event_to_python(event)) == case["python"], case["id"]


def test_vector_python_values_become_events():
    for case in vector_cases("compiler-gym/conversions.json"):
        if case["kind"] != "to_event":
            continue
        value = _read_value(case)
        if "error" not in case:
            event = python_to_event(value)
            assert event.SerializeToString(deterministic=True) == base64.b64decode(case["base64"]), case["id"]
        elif not isinstance(value, _TAKEN_BY_OURS):
            with pytest.raises(KeyError):
                python_to_event(value)


@pytest.mark.parametrize("value", [np.int64(-5), np.int8(3), np.bool_(True), np.float64(0.25)], ids=repr)
def test_numpy_scalars_travel(value):
    assert event_to_python(python_to_event(value)) == value


def test_graphs_travel_as_node_link_json():
    networkx = pytest.importorskip("networkx")
    data = b'{"directed": true, "multigraph": true, "graph": {}, "nodes": [{"id": 0}], "links": []}'
    packed = proto.pack_any(proto.Opaque(format="json://networkx/MultiDiGraph", data=data))
    assert isinstance(event_to_python(proto.Event(any_value=packed)), networkx.MultiDiGraph)
