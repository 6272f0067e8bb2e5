"""The manual: `make docs` builds it, and warnings are errors."""

from __future__ import annotations

import re
from typing import Any

from zermelo import __version__

project = "Zermelo"
author = "The Zermelo developers"
copyright = author  # noqa: A001  (Sphinx's name)
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]

html_theme = "furo"
html_title = "Zermelo"
html_static_path = ["_static"]
html_css_files = ["wide.css"]
html_show_copyright = False
html_show_sphinx = False

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True


def show_code(*arguments: Any) -> None:
    """Docstrings write code in single backticks; reStructuredText wants two."""
    lines: list[str] = arguments[-1]
    lines[:] = [re.sub(r"(?<!`)`([^`]+)`(?!`)", r"``\1``", line) for line in lines]


def setup(app: Any) -> None:
    """Hook into Sphinx."""
    app.connect("autodoc-process-docstring", show_code)
