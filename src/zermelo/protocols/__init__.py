"""Other programs' languages: protocols that the engine speaks, and files that it reads and writes."""
