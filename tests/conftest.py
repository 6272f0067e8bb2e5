"""Settings for all tests: property tests are the same in every run, and may wait for the compiler."""

from __future__ import annotations

import os
import signal
import tempfile
from pathlib import Path

from hypothesis import settings

settings.register_profile("zermelo", deadline=None, derandomize=True, print_blob=False, database=None)
settings.load_profile("zermelo")

# Compiled code is kept between runs, apart from the user's own.
os.environ.setdefault("ZERMELO_CACHE", str(Path(tempfile.gettempdir()) / f"zermelo-tests-{os.getuid()}"))

# What a shell starts in the background ignores Ctrl-C, and so would the programs that tests send one.
signal.signal(signal.SIGINT, signal.default_int_handler)
