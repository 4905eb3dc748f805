"""Static features of an LLVM module: InstCount and Autophase, with the names and the order of CompilerGym's."""

import re
from functools import cache
from typing import Any

import numpy as np

from helm.compiler_gym.backends.llvm_library import BASIC_BLOCK, FUNCTION, Visitor
from helm.compiler_gym.backends.llvm_walk import Walk, encode_name, get_module_visitor, walk_module

OPCODES = """
    Ret Br Switch IndirectBr Invoke Resume Unreachable CleanupRet CatchRet CatchSwitch CallBr FNeg Add FAdd Sub FSub Mul
    FMul UDiv SDiv FDiv URem SRem FRem Shl LShr AShr And Or Xor Alloca Load Store GetElementPtr Fence AtomicCmpXchg
    AtomicRMW Trunc ZExt SExt FPToUI FPToSI UIToFP SIToFP FPTrunc FPExt PtrToInt IntToPtr BitCast AddrSpaceCast
    CleanupPad CatchPad ICmp FCmp PHI Call Select UserOp1 UserOp2 VAArg ExtractElement InsertElement ShuffleVector
    ExtractValue InsertValue LandingPad Freeze
    """.split()
"""The opcodes that InstCount distinguishes, in its order."""

INST_COUNT_NAMES = ["TotalInsts", "TotalBlocks", "TotalFuncs", *OPCODES]

AUTOPHASE_NAMES = """
    BBNumArgsHi BBNumArgsLo onePred onePredOneSuc onePredTwoSuc oneSuccessor twoPred twoPredOneSuc twoEach twoSuccessor
    morePreds BB03Phi BBHiPhi BBNoPhi BeginPhi BranchCount returnInt CriticalCount NumEdges const32Bit const64Bit
    numConstZeroes numConstOnes UncondBranches binaryConstArg NumAShrInst NumAddInst NumAllocaInst NumAndInst BlockMid
    BlockLow NumBitCastInst NumBrInst NumCallInst NumGetElementPtrInst NumICmpInst NumLShrInst NumLoadInst NumMulInst
    NumOrInst NumPHIInst NumRetInst NumSExtInst NumSelectInst NumShlInst NumStoreInst NumSubInst NumTruncInst NumXorInst
    NumZExtInst TotalBlocks TotalInsts TotalMemInst TotalFuncs ArgsPhi testUnary
    """.split()

_PRINTED_NAMES = {"AtomicCmpXchg": b"cmpxchg", "VAArg": b"va_arg"}
_CODES = [encode_name(_PRINTED_NAMES.get(name, name.lower().encode())) for name in OPCODES]
_OTHER = len(OPCODES)
"""Number of an opcode that is not in the list."""

_COUNTED_BY_AUTOPHASE = {
    name: OPCODES.index(opcode)
    for name in AUTOPHASE_NAMES
    if name.startswith("Num") and name.endswith("Inst") and (opcode := name[3:-4]) in OPCODES
}


def _make_mask(names: str) -> Any:
    """Make a mask of the opcodes with these names."""
    mask = np.zeros(_OTHER + 1, bool)
    mask[[OPCODES.index(name) for name in names.split()]] = True
    return mask


_CASTS = """
    Trunc ZExt SExt FPToUI FPToSI UIToFP SIToFP FPTrunc FPExt PtrToInt IntToPtr BitCast AddrSpaceCast
    """
_IS_BINARY = _make_mask("Add FAdd Sub FSub Mul FMul UDiv SDiv FDiv URem SRem FRem Shl LShr AShr And Or Xor")
_IS_UNARY = _make_mask(_CASTS + "FNeg Alloca Load VAArg ExtractValue")
_IS_MEMORY = _make_mask("GetElementPtr Load Store Call Invoke Alloca")
_BRANCH, _SWITCH, _CALL, _PHI = (OPCODES.index(name) for name in ("Br", "Switch", "Call", "PHI"))
_CASE = re.compile(r"\bi(\d+) (-?\d+|true|false), label ")


@cache
def _get_sorted_codes() -> tuple[Any, Any]:
    """Return the codes of the opcodes in ascending order, and their numbers."""
    order = np.argsort(_CODES)
    return np.array(_CODES, np.int64)[order], order


def _number_opcodes(walk: Walk) -> Any:
    """Return for each instruction the index of its opcode in `OPCODES`, or `_OTHER`."""
    codes, numbers = _get_sorted_codes()
    names = walk.instructions["name"]
    places = np.minimum(np.searchsorted(codes, names), len(codes) - 1)
    return np.where(codes[places] == names, numbers[places], _OTHER)


def get_inst_count(module: Any) -> list[int]:
    """Compute the 70 numbers of `INST_COUNT_NAMES`: instructions, blocks and functions, then one for each opcode.

    Functions include declarations. An opcode that is newer than the list counts only in the total.
    """
    walk = walk_module(module)
    counts = np.bincount(_number_opcodes(walk), minlength=_OTHER + 1)[:_OTHER]
    return [len(walk.instructions), len(walk.blocks), walk.num_functions, *counts.tolist()]


def get_autophase(module: Any) -> list[int]:
    """Compute the 56 numbers of `AUTOPHASE_NAMES`.

    Edges count with multiplicity, so two parallel branches to one block are two successors and two predecessors. Integer
    constants count when they are operands of instructions, including the cases of a switch.
    """
    walk = walk_module(module)
    opcodes = _number_opcodes(walk)
    features = dict.fromkeys(AUTOPHASE_NAMES, 0)
    counts = np.bincount(opcodes, minlength=_OTHER + 1)
    features.update((name, int(counts[opcode])) for name, opcode in _COUNTED_BY_AUTOPHASE.items())
    features["TotalInsts"], features["TotalBlocks"] = len(walk.instructions), len(walk.blocks)
    features["TotalFuncs"] = walk.num_functions
    features["BranchCount"] = int(counts[_BRANCH])
    features["TotalMemInst"], features["testUnary"] = int(counts[_IS_MEMORY].sum()), int(counts[_IS_UNARY].sum())
    if len(walk.instructions):
        num_operands = np.bincount(walk.operands["instruction"], minlength=len(opcodes))
        features["UncondBranches"] = int(np.count_nonzero(num_operands[opcodes == _BRANCH] == 1))
        _add_blocks(walk, opcodes, num_operands, features)
        _add_edges(walk, features)
        _add_operands(walk, opcodes, num_operands, features)
        _add_cases(get_module_visitor(module), walk, opcodes, features)
    return [features[name] for name in AUTOPHASE_NAMES]


def _add_blocks(walk: Walk, opcodes: Any, num_operands: Any, features: dict[str, int]) -> None:
    """Count blocks by their length and their phis."""
    blocks, num_blocks = walk.instructions["block"], len(walk.blocks)
    lengths = np.bincount(blocks, minlength=num_blocks)
    is_phi = opcodes == _PHI
    num_phis = np.bincount(blocks[is_phi], minlength=num_blocks)
    num_incoming = np.bincount(blocks[is_phi], num_operands[is_phi], minlength=num_blocks)
    is_first = np.diff(blocks, prepend=-1) != 0
    for name, mask in (
        ("BlockLow", lengths < 15),
        ("BlockMid", (lengths >= 15) & (lengths <= 500)),
        ("BBNumArgsHi", num_incoming > 5),
        ("BBNumArgsLo", (num_incoming >= 1) & (num_incoming <= 5)),
        ("BBNoPhi", num_phis == 0),
        ("BB03Phi", (num_phis >= 1) & (num_phis <= 3)),
        ("BBHiPhi", num_phis > 3),
        ("BeginPhi", is_phi & is_first),
    ):
        features[name] = int(np.count_nonzero(mask))
    features["ArgsPhi"] = int(num_operands[is_phi].sum())


def _add_edges(walk: Walk, features: dict[str, int]) -> None:
    """Count blocks by their successors, the block operands of the last instruction, and by their predecessors."""
    operands, num_blocks = walk.operands, len(walk.blocks)
    owners = walk.instructions["block"][operands["instruction"]]
    is_last = np.diff(walk.instructions["block"], append=num_blocks) != 0
    is_edge = (operands["kind"] == BASIC_BLOCK) & is_last[operands["instruction"]]
    order = np.argsort(walk.blocks)
    targets = order[np.searchsorted(walk.blocks, operands["value"][is_edge], sorter=order)]
    successors = np.bincount(owners[is_edge], minlength=num_blocks)
    predecessors = np.bincount(targets, minlength=num_blocks)
    is_critical = (successors[owners[is_edge]] > 1) & (predecessors[targets] > 1)
    for name, mask in (
        ("oneSuccessor", successors == 1),
        ("twoSuccessor", successors == 2),
        ("onePred", predecessors == 1),
        ("onePredOneSuc", (predecessors == 1) & (successors == 1)),
        ("onePredTwoSuc", (predecessors == 1) & (successors == 2)),
        ("twoPred", predecessors == 2),
        ("twoPredOneSuc", (predecessors == 2) & (successors == 1)),
        ("twoEach", (predecessors == 2) & (successors == 2)),
        ("morePreds", predecessors > 2),
        ("CriticalCount", is_critical),
        ("NumEdges", is_edge),
    ):
        features[name] = int(np.count_nonzero(mask))


def _add_operands(walk: Walk, opcodes: Any, num_operands: Any, features: dict[str, int]) -> None:
    """Count constants, and calls of functions that return an integer."""
    operands = walk.operands
    has_constant = np.zeros(len(opcodes), bool)
    has_constant[operands["instruction"][operands["is_constant"] != 0]] = True
    features["binaryConstArg"] = int(np.count_nonzero(has_constant & _IS_BINARY[opcodes]))
    is_call = opcodes == _CALL
    callees = np.cumsum(num_operands)[is_call] - 1
    is_direct = operands["kind"][callees] == FUNCTION
    features["returnInt"] = int(np.count_nonzero(is_direct & (walk.instructions["width"][is_call] > 0)))
    widths, values = operands["width"], operands["value"]
    features["const32Bit"] = int(np.count_nonzero(widths == 32))
    features["const64Bit"] = int(np.count_nonzero(widths == 64))
    features["numConstZeroes"] = int(np.count_nonzero((widths > 0) & (values == 0)))
    features["numConstOnes"] = int(np.count_nonzero((widths > 0) & (values == 1)))


def _add_cases(visitor: Visitor, walk: Walk, opcodes: Any, features: dict[str, int]) -> None:
    """Count the cases of a switch, which have not been operands since LLVM 22."""
    if visitor.has_cases_as_operands:
        return
    for switch in walk.instructions["address"][opcodes == _SWITCH].tolist():
        for width, text in _CASE.findall(visitor.print_value(switch)):
            value = {"true": 1, "false": 0}[text] if text.isalpha() else int(text)
            features["const32Bit"] += width == "32"
            features["const64Bit"] += width == "64"
            features["numConstZeroes"] += value == 0
            features["numConstOnes"] += value == 1
