"""`python -m zermelo` is the program `zermelo`."""

from zermelo.cli.main import main

main()
