"""How Sphinx builds the documentation: ``make docs`` writes ``build/docs``, which fetches nothing from other hosts."""

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

project = "Dossier"
extensions = ["myst_parser"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "Dossier"
html_show_copyright = html_show_sphinx = html_copy_source = False
myst_heading_anchors = 3
myst_links_external_new_tab = False
suppress_warnings = ["myst.header"]
nitpicky = True


def setup(app: Any) -> dict[str, bool]:
    """Write the reference from the code before any page is read."""
    from docs import generated

    generated.write(HERE / "reference")
    return {"parallel_read_safe": True}
