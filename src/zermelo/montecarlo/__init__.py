"""Values from random play."""
