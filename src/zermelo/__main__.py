"""The program `zermelo`, also as `python -m zermelo`; Ctrl-C is one word from the first moment on."""

import sys


def main() -> None:
    """Load the program and run it."""
    try:
        from zermelo.cli.main import main as run

        run()
    except KeyboardInterrupt:
        sys.stderr.write("zermelo: stopped\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
