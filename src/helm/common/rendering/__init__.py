"""Turns code that models write into pictures: LaTeX, web pages and sheet music, by programs that run in the sandbox."""
