#!/usr/bin/env python
import os
import sys


def main() -> None:
    for number, argument in enumerate(sys.argv[1:], 1):
        if not argument.isascii() and argument != argument.encode(errors="ignore").decode():
            sys.exit(f"Argument {number} is not UTF-8: {argument!a}. Write it in UTF-8.")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lexreview.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
