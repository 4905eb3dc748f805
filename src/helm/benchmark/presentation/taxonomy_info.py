"""Where HELM has this name; it is defined in `helm.common.taxonomy_info`."""

from helm.common.taxonomy_info import *  # noqa: F403
