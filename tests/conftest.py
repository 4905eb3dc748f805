"""Fixtures shared by all tests: isolated registries, the plugin of the golden vectors, and `helm-run` in a folder."""

import gc
import importlib
import os
import signal
import sys
import threading
from functools import cache
from pathlib import Path

import pytest

from skips import SkipCheck
from vectors_support import vectors_dir

# So that llvm-v0 is the same compiler on every machine; tests of libLLVM name it.
os.environ.setdefault("HELM_LLVM", "embedded")


def pytest_configure(config):
    if "EXPECTED_SKIPS" in os.environ and not hasattr(config, "workerinput"):
        config.pluginmanager.register(SkipCheck(os.environ["EXPECTED_SKIPS"]))
    _heed_signals()


@pytest.hookimpl(optionalhook=True)  # of xdist, which need not be installed
def pytest_xdist_auto_num_workers():
    """With `-n auto`, twice as many as the processors that we may use, since tests also wait: for limits, pauses, servers.

    The plugin itself would count cores, of which two processors may be one.
    """
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return 2 * processors


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Collecting makes a million objects that live as long as the session: the garbage collector need not look at them.

    What is left is little, of which a quarter more is soon reached: with Python's threshold of 700 new objects a test that
    makes many would have all of them looked at again and again.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 10, 10)
        gc.enable()


def pytest_collection_modifyitems(items):
    """The tests of this folder come first: they run whole commands, and are killed and started again.

    As the last ones, each of them would keep one worker busy when the others have nothing left to do.
    """
    here = Path(__file__).parent
    items.sort(key=lambda item: item.path.parent != here)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """Each worker of xdist first imports its share of a folder, so that it finds the others' assertions rewritten.

    All workers import all test files in the same order: in a fresh checkout each would rewrite every one of them.
    """
    report = yield
    if isinstance(collector, pytest.Directory) and (worker := getattr(collector.config, "workerinput", None)):
        wanted = [Path(collector.config.invocation_params.dir, arg.split("::")[0]) for arg in collector.config.args]
        files = [node for node in report.result or () if isinstance(node, pytest.Module)]
        number, workers = int(worker["workerid"].removeprefix("gw")), worker["workercount"]
        for file in files[number % workers :: workers]:
            if any(path == file.path or path in file.path.parents for path in wanted):
                _import_ahead(file)
    return report


def _import_ahead(file: pytest.Module) -> None:
    try:
        assert file.obj
    except (Exception, pytest.skip.Exception):  # it is imported again when its turn comes, and then reported
        for name in [name for name, module in sys.modules.items() if getattr(module, "__file__", "") == str(file.path)]:
            del sys.modules[name]


def _heed_signals() -> None:
    """What `nohup` or a shell's `&` lets us ignore, our children would ignore too; with a handler they begin as usual."""
    if threading.current_thread() is not threading.main_thread():
        return
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda *_: None)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@cache
def _sandbox_failure() -> str:
    """Why programs cannot be run in a sandbox here; empty when they can."""
    from helm.common.sandbox import SandboxError
    from helm.common.sandbox.selection import get_sandbox

    try:
        get_sandbox()
    except SandboxError as error:
        return str(error)
    return ""


def pytest_runtest_setup(item):
    """Without bubblewrap, which pip cannot install, tests marked `sandbox` say so; continuous integration installs it."""
    if item.get_closest_marker("sandbox") and _sandbox_failure():
        pytest.skip(f"no sandbox (apt install bubblewrap): {_sandbox_failure()}")


@pytest.fixture(autouse=True)
def no_credentials(monkeypatch):
    """Tests run without keys from outside."""
    for name in ("HELM_CREDENTIALS", "OPENAI_API_KEY", "OPENAI_COMPAT_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def no_budget_of_another_test():
    """A command that ran in this process leaves its ledger behind, with its limits of money and time."""
    yield
    if spending := sys.modules.get("helm.common.budgets.spending"):
        spending.use_ledger(spending.Ledger())


@pytest.fixture(scope="session", autouse=True)
def no_turns_of_timed_work():
    """Tests look at what is timed, not at how long it took, so they need not wait for one another."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HELM_TIMING_LOCK", "off")
        yield


@pytest.fixture(scope="session", autouse=True)
def no_baseline_cache():
    """Tests measure what they compare with, and write nothing into the home folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HELM_COMPILER_CACHE", "off")
        yield


@pytest.fixture
def plugin(monkeypatch):
    """The plugin module that the helm-core vectors use, importable by its own name."""
    monkeypatch.syspath_prepend(str(vectors_dir() / "helm-core" / "plugin"))
    return importlib.import_module("helm_core_vectors_plugin")


@pytest.fixture
def isolated_registries():
    """Empty registries of models, deployments and tokenizers; what was there comes back afterwards."""
    from registries_support import empty_registries

    with empty_registries():
        yield


@pytest.fixture
def built_in_catalogue(isolated_registries):
    """The models, deployments and tokenizers of the package, and no others."""
    from helm.benchmark.config_registry import register_builtin_configs_from_helm_package

    register_builtin_configs_from_helm_package()


@pytest.fixture
def vector_environment(isolated_registries, plugin):
    """The environment of the helm-core vectors: their catalogue without the built-in one, and their plugin."""
    from helm_core_support import register_vector_environment

    register_vector_environment()
    return plugin


@pytest.fixture
def local_context(tmp_path):
    """A context in this process, without credentials and cache."""
    from helm.common.local_context import LocalContext

    return LocalContext(str(tmp_path / "prod_env"))
