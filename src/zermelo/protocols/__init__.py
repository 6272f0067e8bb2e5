"""The standard protocols, by which engines of different makers talk to each other."""
