"""Whose broken pipe ends a command quietly."""

import argparse

import pytest

from helm.common.commands.command import command_main


def test_another_pipe_that_breaks_is_an_error():
    @command_main(lambda: argparse.ArgumentParser(prog="it"))
    def main(args):
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        main([])
