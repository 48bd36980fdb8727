"""Every claim about speed, measured in one run beside other packages: `python -m bench`."""
