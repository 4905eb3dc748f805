"""Static features of an LLVM module: InstCount and Autophase, with the names and the order of CompilerGym's."""

import re
from typing import Any

from helm.compiler_gym.backends.llvm_library import BASIC_BLOCK, CONSTANT_INT, FUNCTION, Visitor, get_visitor

OPCODES = """
    Ret Br Switch IndirectBr Invoke Resume Unreachable CleanupRet CatchRet CatchSwitch CallBr FNeg Add FAdd Sub FSub Mul
    FMul UDiv SDiv FDiv URem SRem FRem Shl LShr AShr And Or Xor Alloca Load Store GetElementPtr Fence AtomicCmpXchg
    AtomicRMW Trunc ZExt SExt FPToUI FPToSI UIToFP SIToFP FPTrunc FPExt PtrToInt IntToPtr BitCast AddrSpaceCast
    CleanupPad CatchPad ICmp FCmp PHI Call Select UserOp1 UserOp2 VAArg ExtractElement InsertElement ShuffleVector
    ExtractValue InsertValue LandingPad Freeze
    """.split()
"""The opcodes that InstCount tells apart, in its order."""

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
_INDEX_BY_OPCODE = {_PRINTED_NAMES.get(name, name.lower().encode()): i for i, name in enumerate(OPCODES, 3)}

_COUNTED_BY_AUTOPHASE = {
    name.removeprefix("Num").removesuffix("Inst").lower().encode(): name
    for name in AUTOPHASE_NAMES
    if name.startswith("Num") and name.endswith("Inst")
}
_BINARY = set(b"add fadd sub fsub mul fmul udiv sdiv fdiv urem srem frem shl lshr ashr and or xor".split())
_CASTS = set(
    b"trunc zext sext fptoui fptosi uitofp sitofp fptrunc fpext ptrtoint inttoptr bitcast addrspacecast".split()
)
_UNARY = _CASTS | {b"fneg", b"alloca", b"load", b"va_arg", b"extractvalue"}
_MEMORY = {b"getelementptr", b"load", b"store", b"call", b"invoke", b"alloca"}
_CASE = re.compile(r"\bi(\d+) (-?\d+|true|false), label ")


def get_inst_count(module: Any) -> list[int]:
    """The 70 numbers of `INST_COUNT_NAMES`: totals of instructions, blocks and functions, then one for each opcode.

    Functions include declarations. An opcode that is not in the list (newer than it) counts in the total only.
    """
    visitor = get_visitor()
    counts = [0] * len(INST_COUNT_NAMES)
    for function in visitor.get_functions(module):
        counts[2] += 1
        for block in visitor.get_blocks(function):
            counts[1] += 1
            instructions = visitor.get_instructions(block)
            counts[0] += len(instructions)
            for instruction in instructions:
                index = _INDEX_BY_OPCODE.get(visitor.get_opcode_name(instruction))
                if index is not None:
                    counts[index] += 1
    return counts


def get_autophase(module: Any) -> list[int]:
    """The 56 numbers of `AUTOPHASE_NAMES`.

    Edges count with repeats, so two parallel branches to one block are two successors and two predecessors. Integer
    constants are counted where they stand as operands of instructions, cases of a switch included.
    """
    visitor = get_visitor()
    features = dict.fromkeys(AUTOPHASE_NAMES, 0)
    for function in visitor.get_functions(module):
        features["TotalFuncs"] += 1
        _add_function(visitor, function, features)
    return [features[name] for name in AUTOPHASE_NAMES]


def _add_function(visitor: Visitor, function: int, features: dict[str, int]) -> None:
    successors: dict[int, list[int]] = {}
    predecessors: dict[int, int] = {}
    for block in visitor.get_blocks(function):
        operands = _add_block(visitor, block, features)
        targets = [operand for operand in operands if visitor.get_value_kind(operand) == BASIC_BLOCK]
        successors[block] = targets
        for target in targets:
            predecessors[target] = predecessors.get(target, 0) + 1
    for block, targets in successors.items():
        _add_edges(len(targets), predecessors.get(block, 0), features)
        if len(targets) > 1:
            features["CriticalCount"] += sum(predecessors[target] > 1 for target in targets)


def _add_edges(num_successors: int, num_predecessors: int, features: dict[str, int]) -> None:
    features["NumEdges"] += num_successors
    features["oneSuccessor"] += num_successors == 1
    features["twoSuccessor"] += num_successors == 2
    features["onePred"] += num_predecessors == 1
    features["onePredOneSuc"] += (num_predecessors, num_successors) == (1, 1)
    features["onePredTwoSuc"] += (num_predecessors, num_successors) == (1, 2)
    features["twoPred"] += num_predecessors == 2
    features["twoPredOneSuc"] += (num_predecessors, num_successors) == (2, 1)
    features["twoEach"] += (num_predecessors, num_successors) == (2, 2)
    features["morePreds"] += num_predecessors > 2


def _add_block(visitor: Visitor, block: int, features: dict[str, int]) -> list[int]:
    """Count a block and its instructions; returns the operands of its terminator."""
    instructions = visitor.get_instructions(block)
    num_phis = num_incoming = 0
    operands: list[int] = []
    for position, instruction in enumerate(instructions):
        opcode = visitor.get_opcode_name(instruction)
        operands = visitor.get_operands(instruction)
        if opcode == b"phi":
            num_phis += 1
            num_incoming += len(operands)
            features["BeginPhi"] += position == 0
        _add_instruction(visitor, instruction, opcode, operands, features)
    features["TotalBlocks"] += 1
    features["TotalInsts"] += len(instructions)
    features["BlockLow"] += len(instructions) < 15
    features["BlockMid"] += 15 <= len(instructions) <= 500
    features["ArgsPhi"] += num_incoming
    features["BBNumArgsHi"] += num_incoming > 5
    features["BBNumArgsLo"] += 1 <= num_incoming <= 5
    features["BBNoPhi"] += num_phis == 0
    features["BB03Phi"] += 1 <= num_phis <= 3
    features["BBHiPhi"] += num_phis > 3
    return operands


def _add_instruction(
    visitor: Visitor, instruction: int, opcode: bytes, operands: list[int], features: dict[str, int]
) -> None:
    counted = _COUNTED_BY_AUTOPHASE.get(opcode)
    if counted:
        features[counted] += 1
    features["TotalMemInst"] += opcode in _MEMORY
    features["testUnary"] += opcode in _UNARY
    if opcode == b"br":
        features["BranchCount"] += 1
        features["UncondBranches"] += len(operands) == 1
    elif opcode == b"call":
        is_direct = visitor.get_value_kind(operands[-1]) == FUNCTION
        features["returnInt"] += is_direct and visitor.get_integer_width(instruction) > 0
    elif opcode == b"switch":  # since LLVM 22 the cases are no operands
        for width, value in _CASE.findall(visitor.print_value(instruction)):
            _add_constant(int(width), {"true": 1, "false": 0}.get(value) if value.isalpha() else int(value), features)
    elif opcode in _BINARY:
        features["binaryConstArg"] += any(visitor.is_constant(operand) for operand in operands)
    for operand in operands:
        if visitor.get_value_kind(operand) == CONSTANT_INT and (width := visitor.get_integer_width(operand)):
            _add_constant(width, visitor.get_small_constant(operand), features)


def _add_constant(width: int, value: int | None, features: dict[str, int]) -> None:
    features["const32Bit"] += width == 32
    features["const64Bit"] += width == 64
    features["numConstZeroes"] += value == 0
    features["numConstOnes"] += value == 1
