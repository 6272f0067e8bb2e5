"""Learning an evaluation: games that the program plays itself, a fit of the weights to their results, and a match."""
