"""Plugins by path and by name."""

import sys

import pytest

from helm.common.commands.plugins import import_user_plugins
from helm.common.errors import HelmError


@pytest.fixture(autouse=True)
def modules_as_before(monkeypatch):
    before = dict(sys.modules)
    yield
    for name in set(sys.modules) - set(before):
        del sys.modules[name]


def test_a_file_is_importable_under_its_own_name(tmp_path, monkeypatch):
    (tmp_path / "single_file_plugin.py").write_text("value = 1\n")
    monkeypatch.chdir(tmp_path)
    path = list(sys.path)
    (module,) = import_user_plugins(["single_file_plugin.py"])
    assert module.value == 1 and sys.modules["single_file_plugin"] is module and sys.path == path


def test_a_file_of_a_package_has_its_dotted_name(tmp_path):
    package = tmp_path / "outer_package" / "inner"
    package.mkdir(parents=True)
    for folder in (package, package.parent):
        (folder / "__init__.py").write_text("")
    (package / "part.py").write_text("from . import other\n")
    (package / "other.py").write_text("")
    modules = import_user_plugins([str(package / "part.py"), str(package)])
    assert [module.__name__ for module in modules] == ["outer_package.inner.part", "outer_package.inner"]


def test_a_name_that_is_taken_is_refused(tmp_path):
    (tmp_path / "json.py").write_text("")
    with pytest.raises(HelmError, match="cannot be imported as 'json'"):
        import_user_plugins([str(tmp_path / "json.py")])


def test_what_is_missing_is_named(tmp_path):
    for plugin in ("no_such_plugin_module", str(tmp_path / "none.py")):
        with pytest.raises(ModuleNotFoundError, match=plugin) as raised:
            import_user_plugins([plugin])
        assert isinstance(raised.value, HelmError)


def test_what_a_plugin_itself_misses_keeps_its_traceback(tmp_path):
    (tmp_path / "incomplete_plugin.py").write_text("import no_such_dependency\n")
    with pytest.raises(ModuleNotFoundError) as raised:
        import_user_plugins([str(tmp_path / "incomplete_plugin.py")])
    assert not isinstance(raised.value, HelmError)
