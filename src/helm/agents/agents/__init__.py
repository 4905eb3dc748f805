"""Agents: how a model is driven through an episode."""

from helm.agents.agents.agent import Agent
from helm.agents.agents.baselines import NothingAgent, OracleAgent, RandomAgent, ScriptedAgent
from helm.agents.agents.command_line import CommandLineAgent
from helm.agents.agents.human import HumanAgent
from helm.agents.agents.loops import ConversationLoop, OneCommandPerTurn, ReactLoop, SingleTurnToolUse

__all__ = [
    "Agent",
    "CommandLineAgent",
    "ConversationLoop",
    "HumanAgent",
    "NothingAgent",
    "OneCommandPerTurn",
    "OracleAgent",
    "RandomAgent",
    "ReactLoop",
    "ScriptedAgent",
    "SingleTurnToolUse",
]
