"""The command-line program, the same as the one that cargo builds."""

import sys

from . import _stickslip


def main() -> int:
    """Runs ``stickslip`` with the arguments of this process."""
    return _stickslip.main(["stickslip", *sys.argv[1:]])
