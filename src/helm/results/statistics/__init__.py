"""Statistics of scores: intervals, paired tests, and corrections for multiple tests, from arrays of values.

`distributions` and `intervals` need only the standard library, because every summary uses them; `resampling` and `paired`
need numpy; the rank tests in `paired` need scipy (extra `statistics`).
"""
