"""The engine: one alpha-beta search for every two-player game without chance, under a clock."""
