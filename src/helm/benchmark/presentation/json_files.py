"""The former place of `helm.results.json_files`."""

from helm.results.json_files import *  # noqa: F403
