"""`zermelo bench`: measure."""

import typer

bench = typer.Typer()


@bench.command()
def signature() -> None:
    """The signature."""
