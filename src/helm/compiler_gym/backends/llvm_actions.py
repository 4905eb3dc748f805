"""The 124 actions of CompilerGym's LLVM environment, and what today's LLVM calls them."""

ACTION_FLAGS: tuple[str, ...] = tuple(
    """
    -add-discriminators -adce -aggressive-instcombine -alignment-from-assumptions -always-inline -argpromotion
    -attributor -barrier -bdce -break-crit-edges -simplifycfg -callsite-splitting -called-value-propagation
    -canonicalize-aliases -consthoist -constmerge -constprop -coro-cleanup -coro-early -coro-elide -coro-split
    -correlated-propagation -cross-dso-cfi -deadargelim -dce -die -dse -reg2mem -div-rem-pairs -early-cse-memssa
    -early-cse -elim-avail-extern -ee-instrument -flattencfg -float2int -forceattrs -inline
    -insert-gcov-profiling -gvn-hoist -gvn -globaldce -globalopt -globalsplit -guard-widening -hotcoldsplit
    -ipconstprop -ipsccp -indvars -irce -infer-address-spaces -inferattrs -inject-tli-mappings -instsimplify
    -instcombine -instnamer -jump-threading -lcssa -licm -libcalls-shrinkwrap -load-store-vectorizer
    -loop-data-prefetch -loop-deletion -loop-distribute -loop-fusion -loop-guard-widening -loop-idiom
    -loop-instsimplify -loop-interchange -loop-load-elim -loop-predication -loop-reroll -loop-rotate
    -loop-simplifycfg -loop-simplify -loop-sink -loop-reduce -loop-unroll-and-jam -loop-unroll -loop-unswitch
    -loop-vectorize -loop-versioning-licm -loop-versioning -loweratomic -lower-constant-intrinsics -lower-expect
    -lower-guard-intrinsic -lowerinvoke -lower-matrix-intrinsics -lowerswitch -lower-widenable-condition
    -memcpyopt -mergefunc -mergeicmps -mldst-motion -sancov -name-anon-globals -nary-reassociate -newgvn
    -pgo-memop-opt -partial-inliner -partially-inline-libcalls -post-inline-ee-instrument -functionattrs
    -mem2reg -prune-eh -reassociate -redundant-dbg-inst-elim -rpo-functionattrs -rewrite-statepoints-for-gc
    -sccp -slp-vectorizer -sroa -scalarizer -separate-const-offset-from-gep -simple-loop-unswitch -sink
    -speculative-execution -slsr -strip-dead-prototypes -strip-debug-declare -strip-nondebug -strip
    -tailcallelim -mergereturn
    """.split()
)
"""The flags of LLVM 10's passes, in the order of the original's indices."""

PIPELINE_BY_FLAG: dict[str, str] = {
    "barrier": "no-op-module",
    "constprop": "instsimplify",
    "die": "dce",
    "early-cse-memssa": "early-cse<memssa>",
    "flattencfg": "flatten-cfg",
    "functionattrs": "function-attrs",
    "instcombine": "instcombine<no-verify-fixpoint>",
    "ipconstprop": "ipsccp",
    "licm": "loop-mssa(licm)",
    "loop-guard-widening": "loop(guard-widening)",
    "loop-unswitch": "simple-loop-unswitch<nontrivial>",
    "loweratomic": "lower-atomic",
    "lowerinvoke": "lower-invoke",
    "lowerswitch": "lower-switch",
    "post-inline-ee-instrument": "ee-instrument<post-inline>",
    "prune-eh": "function-attrs,function(simplifycfg)",
    "rpo-functionattrs": "rpo-function-attrs",
    "sancov": "sancov-module",
}
"""Flag (without dash) -> text for today's LLVM, if that differs. A pass that LLVM has removed is replaced by its
successor; `loop-reroll` has none."""

VERIFICATION_PARAMETER = "llvm.verification"
"""Session parameter: when LLVM's verifier checks the module; see `VERIFICATIONS`. Replies the value."""

VERIFICATIONS = ("step", "end", "never")
"""After every step that may have changed the module; before anything but counts and features is made of it; not at all."""

EFFECTS_PARAMETER = "llvm.effects"
"""Session parameter: how it is found out whether an action had an effect; see `EFFECTS`. Replies the value."""

EFFECTS = ("bytes", "llvm")
"""By comparing the module's bytes before and after; as LLVM says it, which needs the pass runner (`llvm_runner`)."""
