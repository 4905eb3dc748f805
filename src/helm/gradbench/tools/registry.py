"""The built-in tools by name."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
from dataclasses import dataclass
from functools import cache

from helm.common.errors import ConfigError, suggest
from helm.common.object_spec import get_class_by_name
from helm.common.optional_dependencies import handle_module_not_found_error
from helm.gradbench.evals.registry import package_eval_names
from helm.gradbench.tools.programs import PROGRAM_TOOLS
from helm.gradbench.tools.server import Tool, ToolModule, serve, use_one_thread

# A tool is a package with one module per eval; each module has a dictionary FUNCTIONS.
_TOOL_PACKAGES = {
    "numpy": "helm.gradbench.tools.numpy_derivatives",
    "finite": "helm.gradbench.tools.finite_differences",
}
TOOL_NAMES = tuple(_TOOL_PACKAGES)
"""Tools that need no further packages and support every eval."""

_DESCENTS = ("particle", "saddle")
_LIBRARIES = "helm.gradbench.tools.array_libraries.libraries"


@dataclass(frozen=True)
class LibraryTool:
    """A tool around a library that is installed on its own; the extra of the library has the tool's name."""

    class_path: str

    package: str
    """The module that is imported, and whose version is reported."""

    lacks: tuple[str, ...] = ()
    """Evals that the library cannot do."""

    has_devices: bool = False
    """Whether it can run on something other than the CPU."""


LIBRARY_TOOLS = {
    "autograd": LibraryTool(f"{_LIBRARIES}.AutogradLibrary", "autograd"),
    "casadi": LibraryTool("helm.gradbench.tools.casadi_graphs.library.CasadiLibrary", "casadi"),
    "enzyme": LibraryTool(f"{_LIBRARIES}.EnzymeLibrary", "enzyme_ad", ("ht", "kmeans", "lstm", *_DESCENTS)),
    "jax": LibraryTool(f"{_LIBRARIES}.JaxLibrary", "jax", has_devices=True),
    "mygrad": LibraryTool(f"{_LIBRARIES}.MyGradLibrary", "mygrad", ("ht", "kmeans", "particle", "saddle")),
    "tensorflow": LibraryTool(
        "helm.gradbench.tools.array_libraries.tensorflow_library.TensorFlowLibrary", "tensorflow", ("ht", *_DESCENTS)
    ),
    "pytorch": LibraryTool(f"{_LIBRARIES}.TorchLibrary", "torch", has_devices=True),
}
LIBRARY_TOOL_NAMES = tuple(LIBRARY_TOOLS)
"""Tools around libraries that are installed on their own; the extra of each has its name."""

PROGRAM_TOOL_NAMES = tuple(PROGRAM_TOOLS)
"""Tools in other languages than Python."""

BUILTIN_NAMES = TOOL_NAMES + LIBRARY_TOOL_NAMES + PROGRAM_TOOL_NAMES
"""All tools that ship with the package."""


def get_tool(name: str, device: str | None = None) -> Tool:
    """Return the built-in tool ``name``.

    Args:
        device: where arrays are kept and functions run, in the library's own words, such as ``cuda``. None: the CPU.
    Raises: ConfigError for an unknown tool or device, OptionalDependencyNotInstalled when its library is missing.
    """
    if name in LIBRARY_TOOLS:
        check_device(name, device)
        library = get_class_by_name(LIBRARY_TOOLS[name].class_path)(
            **({} if device in (None, "cpu") else {"device": device})
        )
        # Some evals would take too long, although the library can express them.
        left_out = LIBRARY_TOOLS[name].lacks
        return Tool(
            name,
            lambda module: None if module in left_out else library.functions(module),
            library_version(name),
            supported_evals(name),
            device=getattr(library, "device", "cpu"),
        )
    if name not in _TOOL_PACKAGES:
        known = ", ".join(BUILTIN_NAMES)
        raise ConfigError(f"Unknown tool '{name}'. The built-in tools are {known}.{suggest(name, BUILTIN_NAMES)}")
    package = _TOOL_PACKAGES[name]

    def find_module(module: str) -> ToolModule | None:
        path = f"{package}.{module}"
        if not module.isidentifier() or importlib.util.find_spec(path) is None:
            return None
        return getattr(importlib.import_module(path), "FUNCTIONS", None)

    return Tool(name, find_module, library_version(name), supported_evals(name))


@cache
def _implemented(package: str) -> tuple[str, ...]:
    """Return the evals that a package has a module for, sorted."""
    return tuple(name for name in package_eval_names() if importlib.util.find_spec(f"{package}.{name}") is not None)


def supported_evals(name: str) -> tuple[str, ...]:
    """Return the evals that the built-in tool ``name`` supports, sorted; this does not need its library."""
    if name in _TOOL_PACKAGES:
        return _implemented(_TOOL_PACKAGES[name])
    if name not in BUILTIN_NAMES:
        get_tool(name)  # says that there is none
    # The others contain the functions that the tool numpy differentiates by hand.
    lacks = LIBRARY_TOOLS[name].lacks if name in LIBRARY_TOOLS else PROGRAM_TOOLS[name].lacks
    return tuple(eval_name for eval_name in _implemented(_TOOL_PACKAGES["numpy"]) if eval_name not in lacks)


def library_version(name: str) -> dict[str, str]:
    """Return the version of the library of the built-in tool ``name``; empty if none is installed for Python."""
    if name in LIBRARY_TOOLS:
        package = LIBRARY_TOOLS[name].package
    elif name in TOOL_NAMES:
        package = "numpy"
    else:
        return {}
    for distribution in (package, f"{package}-cpu"):  # TensorFlow has one of each
        try:
            return {package: importlib.metadata.version(distribution)}
        except importlib.metadata.PackageNotFoundError:
            continue
    return {}


def check_tool(name: str) -> None:
    """Raise what ``get_tool`` would raise, without importing the tool's library."""
    if name in PROGRAM_TOOLS:
        return
    if name not in LIBRARY_TOOLS:
        get_tool(name)
        return
    package = LIBRARY_TOOLS[name].package
    if importlib.util.find_spec(package) is None:
        handle_module_not_found_error(ModuleNotFoundError(f"No module named '{package}'", name=package), [name])


def check_device(name: str, device: str | None) -> None:
    """Raise ConfigError if the tool ``name`` runs on the CPU only and ``device`` is another."""
    with_devices = [tool for tool, library in LIBRARY_TOOLS.items() if library.has_devices]
    if device not in (None, "cpu") and name not in with_devices:
        raise ConfigError(
            f"The tool {name} runs on the CPU only, not on '{device}'. Tools with devices: {', '.join(with_devices)}."
        )


def run_tool(name: str, multithreaded: bool = False, device: str | None = None) -> int:
    """Serve the built-in tool ``name`` on standard input and output until the input ends; return the exit code.

    Args:
        multithreaded: let numerical libraries use as many threads as they like; by default each uses one.
        device: as for ``get_tool``.
    """
    check_device(name, device)
    if not multithreaded:
        use_one_thread()  # before a library is imported
    if name in PROGRAM_TOOLS:
        return PROGRAM_TOOLS[name].run()
    serve(get_tool(name, device))
    return 0
