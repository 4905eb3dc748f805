"""Common parts of all commands: the frame, arguments, plugins and the output folder."""
