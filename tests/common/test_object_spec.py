"""Class paths with arguments, and the grammar of run entries."""

import pytest

from helm.common.object_spec import (
    ObjectSpec,
    create_object,
    get_class_by_name,
    inject_object_spec_args,
    parse_object_spec,
    render_object_spec,
)
from vectors_support import vector_cases


def _number(value):
    return float(value["$float"]) if isinstance(value, dict) and "$float" in value else value


def test_vector_object_spec():
    for case in vector_cases("helm-core/object_spec.json"):
        if "error" in case:
            with pytest.raises(ValueError) as raised:
                parse_object_spec(case["description"])
            assert str(raised.value) == case["error"]["message"], case
            continue
        spec = parse_object_spec(case["description"])
        assert spec.class_name == case["class_name"], case
        assert list(spec.args) == list(case["args"]), case
        for key, expected in case["args"].items():
            expected = _number(expected)
            assert spec.args[key] == expected or (spec.args[key] != spec.args[key] and expected != expected), case
            assert type(spec.args[key]).__name__ == case["types"][key], case


def test_vector_inject(plugin):
    for case in vector_cases("helm-core/inject.json"):
        called = []

        def provider(name, value, called=called):
            def provide():
                called.append(name)
                return value

            return provide

        providers = {name: provider(name, value) for name, value in case["provider_bindings"].items()}
        if "error" in case:
            with pytest.raises(Exception) as raised:
                inject_object_spec_args(ObjectSpec(**case["spec"]), case["constant_bindings"], providers)
            assert case["error"]["type"] in [cls.__name__ for cls in type(raised.value).__mro__], case
            continue
        spec = inject_object_spec_args(ObjectSpec(**case["spec"]), case["constant_bindings"], providers)
        assert spec.args == case["result"]["args"], case
        assert list(spec.args) == case["result"]["args_order"], case
        assert sorted(called) == sorted(case["result"]["providers_called"]), case


def test_class_paths():
    assert get_class_by_name("helm.common.object_spec.ObjectSpec") is ObjectSpec
    with pytest.raises(ValueError, match="Empty module name"):
        get_class_by_name("NoDots")
    with pytest.raises(ModuleNotFoundError):
        get_class_by_name("no_such_module.Name")
    with pytest.raises(AttributeError):
        get_class_by_name("helm.common.object_spec.Nope")


def test_specs_are_equal_and_hashed_by_value():
    a, b = ObjectSpec("x.Y", {"n": [1], "m": 2}), ObjectSpec("x.Y", {"m": 2, "n": [1]})
    assert a == b and hash(a) == hash(b)


def test_a_spec_makes_its_object():
    made = create_object(ObjectSpec("helm.common.object_spec.ObjectSpec", {"class_name": "x.Y", "args": {"m": 2}}))
    assert made == ObjectSpec("x.Y", {"m": 2})


@pytest.mark.parametrize(
    "args",
    [{"a=b": "x"}, {"a,b": "x"}, {"a": "x", "b": "1e3"}, {"a": "1_000"}],
)
def test_what_no_run_entry_can_hold_is_refused(args):
    with pytest.raises(ValueError, match=r"^'x': no run entry can hold "):
        render_object_spec(ObjectSpec("x", args))


def test_a_spec_is_printed_as_a_run_entry():
    assert render_object_spec(ObjectSpec("x", {})) == "x"
    args = {"a": 1, "b": 0.5, "c": "d:e=f", "g": "", "h": float("inf")}
    assert render_object_spec(ObjectSpec("x", args)) == "x:a=1,b=0.5,c=d:e=f,g=,h=inf"
    assert parse_object_spec("x:a=1,b=0.5,c=d:e=f,g=,h=inf") == ObjectSpec("x", args)
    with pytest.raises(ValueError, match="^'x:y': the name in a run entry has no colon"):
        render_object_spec(ObjectSpec("x:y", {}))


def test_what_is_given_is_not_replaced_and_the_spec_stays_as_it_was():
    spec = ObjectSpec("helm.common.object_spec.ObjectSpec", {"class_name": "x.Y"})
    assert inject_object_spec_args(spec) == spec
    filled = inject_object_spec_args(spec, {"class_name": "other", "args": None, "self": 1}, {"args": dict})
    assert filled.args == {"class_name": "x.Y", "args": None} and spec.args == {"class_name": "x.Y"}
    assert inject_object_spec_args(spec, None, {"args": lambda: {"m": 2}}).args["args"] == {"m": 2}
