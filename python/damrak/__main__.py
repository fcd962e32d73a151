"""The command `damrak`: becomes the program that the package holds."""

import os
import sys

from . import program


def main() -> None:
    path = program()
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()
