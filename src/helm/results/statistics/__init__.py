"""How sure a number is, and whether two numbers differ: intervals, paired tests, corrections. Arrays in, values out.

`distributions` and `intervals` need nothing but the standard library, because every summary uses them; `resampling` and
`paired` need numpy; the rank tests in `paired` need scipy (extra `statistics`).
"""
