"""The LLVM backend on a libLLVM of this machine: every pass and pipeline of that LLVM, in the service's own process."""

import re
from functools import cache
from typing import Any

from helm.common.errors import suggest
from helm.compiler_gym.backends.baseline_cache import name_library
from helm.compiler_gym.backends.llvm import LlvmSession, make_pass_space
from helm.compiler_gym.backends.llvm_actions import ACTION_FLAGS, PIPELINE_BY_FLAG
from helm.compiler_gym.backends.llvm_c import LlvmLibrary, PassError, load_llvm
from helm.compiler_gym.backends.llvm_c_module import LibraryModule
from helm.compiler_gym.backends.llvm_observations import get_observations
from helm.compiler_gym.backends.llvm_opt import PIPELINE_TEXT
from helm.compiler_gym.backends.llvm_passes import PIPELINES
from helm.compiler_gym.backends.llvm_program import BITCODE_MAGICS, EmbeddedLlvm

_FLAGLESS = re.compile(r"<[^<>]*>")
_TALKATIVE = re.compile(r"(?:^|[(,])((?:print|dot-|view-)[\w-]*)")
"""Passes that write to the terminal or to files, or open windows."""


class LibraryLlvm(EmbeddedLlvm):
    """A libLLVM: what programs and sessions need of it."""

    def __init__(self, library: LlvmLibrary):
        self.library = library
        self.name = name_library(library.version, library.name)
        self.pipelines: dict[str, bytes] = {}
        """Flag -> text, for each of CompilerGym's actions that this LLVM has, in the original's order."""
        self.texts: dict[str, bytes] = {}
        """The same pipelines as they are run: what is known of a function is forgotten when the passes leave it, as LLVM's own
        pipelines do. The results are the same, and memory is used again while it is in the processor's caches."""
        empty = LibraryModule.parse(library, b"")
        for flag in ACTION_FLAGS:
            bare = flag.lstrip("-")
            for text in (PIPELINE_BY_FLAG.get(bare, bare), bare):
                if self._has(empty, text):
                    self.pipelines[flag] = text.encode()
                    frugal = f"function<eager-inv>({text})"
                    if not self._has(empty, frugal):
                        frugal = text.replace("function(", "function<eager-inv>(")
                    self.texts[flag] = frugal.encode()
                    break
        self._has_size_levels = library.major < 22  # since then, the attributes of functions say it

    @staticmethod
    def _has(empty: LibraryModule, text: str) -> bool:
        try:
            empty.run_passes(text.encode())
        except PassError:
            return False
        return True

    def parse(self, source: bytes) -> Any:
        if self.library.major < 21 and not source.startswith(BITCODE_MAGICS):
            # Since LLVM 21, clang writes this attribute of pointers in another way.
            source = source.replace(b"captures(none)", b"nocapture")
        return LibraryModule.parse(self.library, source)

    def get_data_layout(self) -> str:
        return self.library.data_layout

    def run_pipeline(self, module: Any, name: str) -> None:
        pipeline = PIPELINES[name]
        if pipeline.speed_level == 0:
            return
        for function in module.functions if pipeline.attributes else ():
            if not function.is_declaration:
                for attribute in pipeline.attributes:
                    function.add_function_attribute(attribute)
        level = name[:3].lstrip("-") if self._has_size_levels else f"O{pipeline.speed_level}"
        text = f"function(function-simplification<{level}>)" if pipeline.is_simplification else f"default<{level}>"
        self.run(module, text.encode(), pipeline.inlining_threshold)

    def run(self, module: Any, text: bytes, inlining_threshold: int | None = None) -> bool | None:
        """Run the passes of a textual pipeline; returns what LLVM says of its effect, see `LibraryModule.run_passes`.

        Raises: PassError when LLVM refuses the text; RuntimeError when a pass reports an error.
        """
        has_changed = module.run_passes(text, inlining_threshold)
        errors = self.library.take_errors()
        if errors:
            raise RuntimeError(f"LLVM reported: {'; '.join(errors)}")
        return has_changed


@cache
def get_library_llvm(path: str | None) -> LibraryLlvm:
    """Load a libLLVM and find out which actions it has; see `load_llvm`."""
    return LibraryLlvm(load_llvm(path))


class LlvmLibrarySession(LlvmSession):
    """An `LlvmSession` whose modules belong to a libLLVM.

    Actions are those of CompilerGym's flags that this LLVM has, in the original's order, and, as text, any textual pipeline
    such as `function(sroa,gvn<no-pre>)`. Baselines are this LLVM's own.
    """

    path: str | None = None
    """Of the library. None: see `load_llvm`."""

    llvm: LibraryLlvm

    def __init__(self, *args: Any, **kwargs: Any):
        self.llvm = get_library_llvm(self.path)
        super().__init__(*args, **kwargs)

    @classmethod
    def describe(cls) -> tuple[list[Any], list[Any], str]:
        llvm = get_library_llvm(cls.path)
        library = llvm.library
        version = f"{library.version} {library.triple} {library.name}"
        return [make_pass_space(list(llvm.pipelines))], [o.make_space() for o in get_observations().values()], version

    def get_action_name(self, action: Any) -> str:
        pipelines = self.llvm.pipelines
        if action.WhichOneof("value") != "string_value":
            return self.choose_flag(action, list(pipelines))
        name = action.string_value
        if name in PIPELINES or name in pipelines:
            return name
        if f"-{name}" in pipelines:
            return f"-{name}"
        version = self.llvm.library.version
        if name in ACTION_FLAGS:
            raise ValueError(f"LLVM {version} ({self.llvm.library.name}) no longer has the pass '{name}'.")
        if name.startswith("-"):
            raise ValueError(f"Unknown LLVM pass '{name}'.{suggest(name, [*pipelines, *PIPELINES])}")
        if not PIPELINE_TEXT.fullmatch(name):
            raise ValueError(
                f"'{name[:80]}' is not a textual pipeline: it may have at most 10,000 letters, digits and _<>(),;=-."
            )
        talkative = _TALKATIVE.search(_FLAGLESS.sub("", name))
        if talkative:
            raise ValueError(f"The pass '{talkative[1]}' is no action: it only writes or shows something.")
        return name

    @property
    def knows_llvms_answer(self) -> bool:
        return self.llvm.library.runner is not None

    def run_action(self, name: str) -> bool | None:
        if name in PIPELINES:
            self.llvm.run_pipeline(self.module, name)
            return None  # it may have added attributes, of which LLVM does not speak
        text = self.llvm.texts.get(name)
        if text is not None:
            return self.llvm.run(self.module, text)
        try:
            return self.llvm.run(self.module, name.encode())
        except PassError as error:
            raise ValueError(f"LLVM refuses the pipeline '{name[:200]}': {error}") from None

    def _copy(self, source: bytes, observed: dict[str, Any]) -> "LlvmSession":
        copy = super()._copy(source, observed)
        copy.llvm = self.llvm
        return copy

    def _write_bitcode(self) -> bytes:
        return self.module.as_bitcode()

    def _write_text(self) -> bytes:
        return self.module.as_text()


@cache
def make_library_session_class(path: str) -> type[LlvmLibrarySession]:
    """Create a session class on the libLLVM of a file."""
    return type("LlvmLibrarySession", (LlvmLibrarySession,), {"path": path, "__module__": __name__})
