#!/usr/bin/env python
import os
import sys


def main() -> None:
    for number, argument in enumerate(sys.argv[1:], 1):
        if not argument.isascii() and argument != argument.encode(errors="ignore").decode():
            sys.exit(f"Argument {number} is not UTF-8: {argument!a}. Write it in UTF-8.")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lexreview.settings")
    from django.core.management import execute_from_command_line

    from lexreview.start_up import explained

    try:
        execute_from_command_line(sys.argv)
    except Exception as error:
        words = "" if "--traceback" in sys.argv else explained(error)
        if not words:
            raise
        sys.exit(f"{words}\n--traceback shows where it happened.")


if __name__ == "__main__":
    main()
