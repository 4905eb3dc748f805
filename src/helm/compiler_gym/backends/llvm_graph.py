"""A program as a graph of instructions, variables and constants, in the manner of ProGraML."""

from itertools import pairwise
from typing import Any

from helm.compiler_gym.backends.llvm_library import BASIC_BLOCK, FUNCTION, Visitor
from helm.compiler_gym.backends.llvm_walk import get_module_visitor

INSTRUCTION, VARIABLE, CONSTANT = 0, 1, 2
CONTROL, DATA, CALL = 0, 1, 2
EXTERNAL_TEXT = "[external]"


def get_program_graph(module: Any) -> dict[str, Any]:
    """Make the graph of a module as node-link data, which networkx can read.

    Keys: `directed` and `multigraph` (true); `graph` with the lists `module` and `function` (name, module);
    `nodes` with `id`, `type` (0 instruction, 1 variable, 2 constant), `text`, `block`, `function`, `features`;
    `links` with `source`, `target`, `key`, `flow` (0 control, 1 data, 2 call) and `position` (of the operand, or of the
    branch). Node 0 stands for everything outside the module: it calls every function with a body, and is the callee of
    calls to functions that have no body or are not known.
    """
    return _GraphMaker(get_module_visitor(module)).make(module)


class _GraphMaker:
    def __init__(self, visitor: Visitor):
        self._visitor = visitor
        self._nodes: list[dict[str, Any]] = []
        self._links: list[dict[str, Any]] = []
        self._num_parallel: dict[tuple[int, int], int] = {}
        self._node_by_value: dict[int, int] = {}
        self._variable_by_value: dict[int, int] = {}

    def make(self, module: Any) -> dict[str, Any]:
        visitor = self._visitor
        self._add_node(INSTRUCTION, EXTERNAL_TEXT, 0, 0, "")
        functions = visitor.get_functions(module)
        blocks = {function: visitor.get_blocks(function) for function in functions}
        instructions: dict[int, list[int]] = {}
        num_blocks = 0
        for index, function in enumerate(functions):
            for block in blocks[function]:
                instructions[block] = visitor.get_instructions(block)
                for value in instructions[block]:
                    text = visitor.get_opcode_name(value).decode()
                    full_text = visitor.print_value(value).strip()
                    self._node_by_value[value] = self._add_node(INSTRUCTION, text, num_blocks, index, full_text)
                num_blocks += 1
        entries = {f: self._node_by_value[instructions[blocks[f][0]][0]] for f in functions if blocks[f]}
        exits = {
            f: [self._node_by_value[i] for b in blocks[f] for i in instructions[b] if _is_return(visitor, i)]
            for f in entries
        }
        for function, entry in entries.items():
            self._link(0, entry, CALL, 0)
            for node in exits[function]:
                self._link(node, 0, CALL, 0)
        for values in instructions.values():
            for before, after in pairwise(values):
                self._link(self._node_by_value[before], self._node_by_value[after], CONTROL, 0)
            for value in values:
                self._add_operands(value, instructions, entries, exits)
        names = [{"name": function.name, "module": 0} for function in module.functions]
        return {
            "directed": True,
            "multigraph": True,
            "graph": {"module": ["-"], "function": names},
            "nodes": self._nodes,
            "links": self._links,
        }

    def _add_operands(
        self, value: int, instructions: dict[int, list[int]], entries: dict[int, int], exits: dict[int, list[int]]
    ) -> None:
        visitor, node = self._visitor, self._node_by_value[value]
        operands = visitor.get_operands(value)
        num_branches = 0
        is_conditional = len(operands) == 3 and visitor.get_opcode_name(value) == b"br"
        for position, operand in enumerate(operands):
            kind = visitor.get_value_kind(operand)
            if kind == BASIC_BLOCK:
                # The operands of a conditional br are the condition, the target when false, the target when true.
                branch = 1 - num_branches if is_conditional else num_branches
                self._link(node, self._node_by_value[instructions[operand][0]], CONTROL, branch)
                num_branches += 1
            elif kind != FUNCTION:
                self._link(self._get_data_node(operand, node), node, DATA, position)
        if visitor.get_opcode_name(value) in (b"call", b"invoke", b"callbr"):
            callee = operands[-1]
            self._link(node, entries.get(callee, 0), CALL, 0)
            for source in exits.get(callee, [0]):
                self._link(source, node, CALL, 0)

    def _get_data_node(self, value: int, user: int) -> int:
        if value in self._variable_by_value:
            return self._variable_by_value[value]
        visitor = self._visitor
        definition = self._node_by_value.get(value)
        place = self._nodes[user if definition is None else definition]
        is_constant = definition is None and bool(visitor.is_constant(value))
        text = visitor.print_value(value).strip()
        node = self._add_node(
            CONSTANT if is_constant else VARIABLE,
            "val" if is_constant else "var",
            place["block"],
            place["function"],
            text.partition(" = ")[0] if definition is not None else text,
        )
        self._variable_by_value[value] = node
        if definition is not None:
            self._link(definition, node, DATA, 0)
        return node

    def _add_node(self, kind: int, text: str, block: int, function: int, full_text: str) -> int:
        node = len(self._nodes)
        features = {"full_text": [full_text]} if full_text else {}
        self._nodes.append(
            {"id": node, "type": kind, "text": text, "block": block, "function": function, "features": features}
        )
        return node

    def _link(self, source: int, target: int, flow: int, position: int) -> None:
        key = self._num_parallel.get((source, target), 0)
        self._num_parallel[source, target] = key + 1
        self._links.append({"source": source, "target": target, "key": key, "flow": flow, "position": position})


def _is_return(visitor: Visitor, instruction: int) -> bool:
    return visitor.get_opcode_name(instruction) in (b"ret", b"resume")
