"""CasADi: functions are symbolic graphs, built and differentiated before the first run, which is timed as ``compile``."""
