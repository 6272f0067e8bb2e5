"""What may be done to utilities without changing a decision: anything in order, or, with chance, anything linear.

It prints:

                without chance   with chance
    u           left             left
    2 u + 1     left             left
    u cubed     left             right
"""

from __future__ import annotations

from collections.abc import Callable

from zermelo import best
from zermelo.games.tree import Tree

CHANGES: dict[str, Callable[[int], int]] = {"u": lambda u: u, "2 u + 1": lambda u: 2 * u + 1, "u cubed": lambda u: u**3}


def chosen(tree: Tree) -> str:
    """The first move, in words."""
    return ("left", "right")[best(tree).action]


print(" " * 11, f"{'without chance':16} with chance")
for name, change in CHANGES.items():
    three, zero, five, one = (change(utility) for utility in (3, 0, 5, 1))
    certain = Tree.of([[three, five], [zero, one]])
    gamble = Tree.of([three, {"chance": [{"p": 0.5, "node": five}, {"p": 0.5, "node": zero}]}])
    print(f"{name:11} {chosen(certain):16} {chosen(gamble)}")
