"""Plugins by path, by name and by entry point."""

import importlib.metadata
import os
import shutil
import subprocess
import sys

import pytest

from helm.common.commands.plugins import import_user_plugins, load_entry_point_plugins
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


MODULE = "entry_point_plugin_of_the_test"


def install_plugin(folder, group="helm", metadata="plugin-1.0.dist-info"):
    (folder / metadata).mkdir(parents=True)
    (folder / f"{MODULE}.py").write_text("value = 1\n")
    (folder / metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: plugin\nVersion: 1.0\n")
    (folder / metadata / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: plugin\nVersion: 1.0\n")
    (folder / metadata / "entry_points.txt").write_text(f"[console_scripts]\nx = y:z\n\n[{group}]\nany = {MODULE}\n")


def zipped(folder):
    inner = folder / "inner"
    install_plugin(inner)
    shutil.make_archive(str(folder / "plugin"), "zip", inner)
    return folder / "plugin.zip"


def egg(folder):
    install_plugin(folder / "plugin.egg", metadata="EGG-INFO")
    return folder / "plugin.egg"


def flat(folder):
    install_plugin(folder)
    return folder


def old(folder):
    install_plugin(folder, metadata="plugin-1.0.EGG-INFO")
    return folder


@pytest.mark.parametrize("install", [flat, old, egg, zipped])
def test_entry_points_are_found_wherever_python_finds_distributions(tmp_path, monkeypatch, install):
    path = install(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path, str(path)])
    importlib.invalidate_caches()
    assert [module.value for module in load_entry_point_plugins() if module.__name__ == MODULE] == [1]


def test_entry_points_of_a_finder_of_another_kind_are_found(tmp_path, monkeypatch):
    install_plugin(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))  # for the module
    (tmp_path / "plugin-1.0.dist-info").rename(tmp_path / "elsewhere")

    class Finder:
        @staticmethod
        def find_spec(*args):
            return None

        @staticmethod
        def find_distributions(context):
            return [importlib.metadata.PathDistribution(tmp_path / "elsewhere")]

    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Finder])
    assert MODULE in [module.__name__ for module in load_entry_point_plugins()]


def test_without_entry_points_no_metadata_is_parsed(tmp_path):
    install_plugin(tmp_path, group="helmet")
    code = (
        "import sys\n"
        "from helm.common.commands.plugins import load_entry_point_plugins\n"
        "assert load_entry_point_plugins() == []\n"
        "assert 'importlib.metadata' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(tmp_path)}, check=True)
