"""Adapters: plywise in other people's programs."""
