"""LLVM's passes and default pipelines through llvmlite, under the names that `opt` gave them."""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from helm.common.errors import suggest
from helm.common.optional_dependencies import needs_extra
from helm.compiler_gym.backends.llvm_actions import ACTION_FLAGS
from helm.compiler_gym.backends.llvm_library import get_locked_library, get_pointer

PASSES: dict[str, str] = {
    "-adce": "aggressive_dce",
    "-aggressive-instcombine": "aggressive_instcombine",
    "-always-inline": "always_inliner",
    "-argpromotion": "argument_promotion",
    "-break-crit-edges": "break_critical_edges",
    "-simplifycfg": "simplify_cfg",
    "-constmerge": "constant_merge",
    "-deadargelim": "dead_arg_elimination",
    "-dce": "dead_code_elimination",
    "-dse": "dead_store_elimination",
    "-reg2mem": "register_to_memory",
    "-globaldce": "global_dead_code_eliminate",
    "-globalopt": "global_opt",
    "-ipsccp": "ipsccp",
    "-instcombine": "instruction_combine",
    "-instnamer": "instruction_namer",
    "-jump-threading": "jump_threading",
    "-lcssa": "lcssa",
    "-loop-deletion": "loop_deletion",
    "-loop-rotate": "loop_rotate",
    "-loop-simplify": "loop_simplify",
    "-loop-reduce": "loop_strength_reduce",
    "-loop-unroll-and-jam": "loop_unroll_and_jam",
    "-loop-unroll": "loop_unroll",
    "-loweratomic": "lower_atomic",
    "-lowerinvoke": "lower_invoke",
    "-lowerswitch": "lower_switch",
    "-memcpyopt": "mem_copy_opt",
    "-mergefunc": "merge_functions",
    "-newgvn": "new_gvn",
    "-partial-inliner": "partial_inliner",
    "-functionattrs": "post_order_function_attributes",
    "-reassociate": "reassociate",
    "-rpo-functionattrs": "rpo_function_attrs",
    "-sccp": "sccp",
    "-sroa": "sroa",
    "-sink": "sinking",
    "-strip-dead-prototypes": "strip_dead_prototype",
    "-strip-debug-declare": "strip_debug_declare",
    "-strip-nondebug": "strip_non_debug_symbols",
    "-strip": "strip_symbols",
    "-tailcallelim": "tail_call_elimination",
    "-mergereturn": "unify_function_exit_nodes",
}
"""Flag -> `add_NAME_pass` method of llvmlite's ModulePassManager, in the order of the CompilerGym action space."""

_C_NAMES = dict(
    zip(
        PASSES,
        """
    ADCE AggressiveInstCombine AlwaysInliner ArgumentPromotion BreakCriticalEdges SimplifyCFG ConstantMerge
    DeadArgumentElimination DCE DSE RegToMem GlobalDCE GlobalOpt IPSCCP InstCombine InstructionNamer JumpThreading LCSSA
    LoopDeletion LoopRotate LoopSimplify LoopStrengthReduce LoopUnrollAndJam LoopUnroll LowerAtomic LowerInvoke LowerSwitch
    MemCpyOpt MergeFunctions NewGVN PartialInliner PostOrderFunctionAttrs Reassociate ReversePostOrderFunctionAttrs SCCP SROA
    Sinking StripDeadPrototypes StripDebugDeclare StripNonDebugSymbols StripSymbols TailCallElim UnifyFunctionExitNodes
    """.split(),
        strict=True,
    )
)
"""Flag -> NAME in `LLVMPY_module_AddNAMEPass` of llvmlite's library."""

UNAVAILABLE_PASSES = frozenset(flag.lstrip("-") for flag in ACTION_FLAGS if flag not in PASSES)
"""Flags (without dash) of the CompilerGym action space that llvmlite cannot run as single passes."""


@dataclass(frozen=True)
class Pipeline:
    """A sequence of passes that LLVM assembles itself."""

    speed_level: int
    """0 to 3."""

    attributes: tuple[str, ...] = ()
    """Attributes that function bodies get first."""

    inlining_threshold: int | None = None
    """Estimated growth, in LLVM's units of cost, up to which a call is inlined. Default: that of the level."""

    is_simplification: bool = False
    """Whether it has only the passes that simplify single functions, without inlining, vectorisation and the like."""


_FOR_SIZE = {"-Os": ("optsize",), "-Oz": ("optsize", "minsize")}

PIPELINES: dict[str, Pipeline] = {
    "-O0": Pipeline(0),
    "-O1": Pipeline(1),
    "-O2": Pipeline(2),
    "-O3": Pipeline(3),
    "-Os": Pipeline(2, _FOR_SIZE["-Os"]),
    "-Oz": Pipeline(2, _FOR_SIZE["-Oz"]),
    "-O1-simplification": Pipeline(1, is_simplification=True),
    "-O2-simplification": Pipeline(2, is_simplification=True),
    "-Os-simplification": Pipeline(2, _FOR_SIZE["-Os"], is_simplification=True),
    "-Oz-simplification": Pipeline(2, _FOR_SIZE["-Oz"], is_simplification=True),
    "-Os-inline-threshold=0": Pipeline(2, _FOR_SIZE["-Os"], inlining_threshold=0),
    "-Oz-inline-threshold=0": Pipeline(2, _FOR_SIZE["-Oz"], inlining_threshold=0),
}
"""The default pipelines, and parts and variants of them that llvmlite can make, by name. See `run_pipeline`."""

_FLAGS_BY_METHOD = {method: flag for flag, method in PASSES.items()}

_FLAGS_BY_NEW_NAME = {
    "instcombine<no-verify-fixpoint>": "-instcombine",
    "lower-atomic": "-loweratomic",
    "lower-invoke": "-lowerinvoke",
    "lower-switch": "-lowerswitch",
    "function-attrs": "-functionattrs",
    "rpo-function-attrs": "-rpo-functionattrs",
}
"""Name of a pass in a pipeline text of today's LLVM -> CompilerGym's flag, if they differ."""


def get_pass_flag(name: str) -> str:
    """Return the flag (`-lowerswitch`) of a pass by any of its names.

    Args:
        name: CompilerGym's flag with or without dash (`lowerswitch`), the name in a pipeline text of today's LLVM
            (`lower-switch`), or llvmlite's (`lower_switch`).

    Raises: ValueError naming the nearest pass.
    """
    bare = name.lstrip("-")
    if "-" + bare in PASSES:
        return "-" + bare
    if bare in _FLAGS_BY_METHOD:
        return _FLAGS_BY_METHOD[bare]
    if bare in _FLAGS_BY_NEW_NAME:
        return _FLAGS_BY_NEW_NAME[bare]
    if bare in UNAVAILABLE_PASSES:
        raise ValueError(f"LLVM pass '{name}' cannot be run through llvmlite. Available: {', '.join(PASSES)}.")
    raise ValueError(f"Unknown LLVM pass '{name}'.{suggest('-' + bare, PASSES)}")


def import_llvmlite() -> Any:
    """Import `llvmlite.binding` and initialise the native target; one clear message says when it is missing."""
    with needs_extra("compilers"):
        import llvmlite.binding as llvm
    _initialize_targets(llvm)
    return llvm


@cache
def _initialize_targets(llvm: Any) -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


@cache
def get_action_flags() -> list[str]:
    """Return the passes that can be actions: all except those on which this build of LLVM may abort the process.

    `-loop-reduce` does not keep loops in the form (LCSSA) that LLVM's own assertions require of every loop pass. In builds
    with assertions, such as llvmlite's published wheels, it therefore aborts the process on ordinary programs.
    """
    llvm = import_llvmlite()
    has_assertions = getattr(llvm.config, "llvm_assertions_state", "on") != "off"
    return [flag for flag in PASSES if not (has_assertions and flag == "-loop-reduce")]


@cache
def get_triple() -> str:
    """Return the target: this machine's processor with ELF objects, so that object sizes do not depend on its system."""
    processor = import_llvmlite().get_default_triple().split("-")[0]
    return f"{'aarch64' if processor == 'arm64' else processor}-unknown-linux-gnu"


@cache
def get_target_machine(codegen_level: int = 0) -> Any:
    """Return a target machine for a generic processor of this architecture, with position-independent code.

    One for each level is enough, because llvmlite lets only one thread at a time into LLVM.
    """
    target = import_llvmlite().Target.from_triple(get_triple())
    return target.create_target_machine(opt=codegen_level, reloc="pic", codemodel="default")


def run_pass(module: Any, flag: str, target_machine: Any) -> None:
    """Run one pass over a module, in place.

    Pass manager and pass builder are created each time (about 5 microseconds), because a used pass manager keeps state on
    which LLVM's assertions can fail, and a used pass builder gets slower with every run.
    """
    library, add, options = get_locked_library(), _get_adder(flag), get_pointer(_get_tuning_options())
    with library.lock:
        manager = library.create_manager()
        add(manager)
        builder = library.create_builder(get_pointer(target_machine), options)
        library.run(manager, get_pointer(module), builder)
        library.dispose_builder(builder)
        library.dispose_manager(manager)


@cache
def _get_adder(flag: str) -> Callable[[int], None]:
    """Return the function that adds a pass to the pass manager at an address."""
    library = get_locked_library()
    if flag == "-jump-threading":
        add = library.get("AddJumpThreadingPass_module", [ctypes.c_void_p, ctypes.c_int])
        return lambda manager: add(manager, -1)  # LLVM's own threshold
    return library.get(f"module_Add{_C_NAMES[flag]}Pass", [ctypes.c_void_p])


@cache
def _get_tuning_options() -> Any:
    """Return LLVM's own options; a pass builder copies them."""
    return import_llvmlite().create_pipeline_tuning_options()


def run_pipeline(module: Any, name: str, target_machine: Any) -> None:
    """Run one of `PIPELINES` over a module, in place; `-O0` changes nothing.

    LLVM no longer has size levels: `-Os` and `-Oz` mark every function body as `optsize` (and `minsize`) and run
    level 2, as clang does. The marks stay on the functions, because code generation uses them as well.
    """
    pipeline = PIPELINES[name]
    if pipeline.speed_level == 0:
        return
    llvm = import_llvmlite()
    bodies = [function for function in module.functions if not function.is_declaration]
    for function in bodies:
        for attribute in pipeline.attributes:
            function.add_function_attribute(attribute)
    options = llvm.create_pipeline_tuning_options(speed_level=pipeline.speed_level)
    options.slp_vectorization = True  # off in llvmlite, on in clang
    if pipeline.inlining_threshold is not None:
        options.inlining_threshold = pipeline.inlining_threshold
    with llvm.create_pass_builder(target_machine, options) as builder:
        if not pipeline.is_simplification:
            builder.getModulePassManager().run(module, builder)
            return
        manager = builder.getFunctionPassManager()
        for function in bodies:
            manager.run(function, builder)
