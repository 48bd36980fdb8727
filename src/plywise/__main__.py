"""Makes `python -m plywise` the same as the command `plywise`."""

from plywise.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
