"""What to say when a framework is not installed."""

from __future__ import annotations


def missing(package: str) -> ImportError:
    """Return the error that says how to install a package.

    >>> print(missing("pettingzoo"))
    pettingzoo is not installed: pip install "plywise[adapters]"
    """
    return ImportError(f'{package} is not installed: pip install "plywise[adapters]"')
