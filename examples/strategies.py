"""The minimax theorem by brute force: every strategy of Max against every strategy of Min.

It prints:

    Max has 8 strategies, Min 4
    max over s of min over t: 7
    min over t of max over s: 7
    both at once:             7
    minimax finds             7
"""

from __future__ import annotations

from zermelo import solve
from zermelo.games.tree import Tree
from zermelo.search.strategies import compare

tree = Tree.of([[[3, 7], [5, 9]], [[8, 1], [2, 0]]])
found = compare(tree, tree.initial(), player=0)
print(f"Max has {found.max_strategies} strategies, Min {found.min_strategies}")
print(f"max over s of min over t: {found.maximin:g}")
print(f"min over t of max over s: {found.minimax:g}")
print(f"both at once:             {found.met:g}")
print(f"minimax finds             {solve(tree).value:g}")
