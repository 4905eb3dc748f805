"""HELM's location of this name, which is defined in `helm.common.taxonomy_info`."""

from helm.common.taxonomy_info import *  # noqa: F403
