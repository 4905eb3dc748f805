"""HELM's scenarios for models that make images; most are entries of the catalogue."""
