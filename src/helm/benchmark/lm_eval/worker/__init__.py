"""What runs beside a task's own Python code: the task, its filters and measures, and stand-ins for what the code imports.

These modules are sent into the sandbox as files, so they import nothing of this package but each other. A task without
Python code runs in this process by the same modules.
"""
