"""Links from notebooks to pages: `agents.md` as on GitHub, `agents.html` on the site."""

from __future__ import annotations

import re
from typing import Any

LINK = re.compile(r'href="([^":]+)\.(?:md|ipynb)(#[^"]*)?"')


def on_page_content(html: str, page: Any, **rest: Any) -> str:
    """Point the links of a notebook to the pages of the site; MkDocs does so for the others."""
    if not page.file.src_uri.endswith(".ipynb"):
        return html
    return LINK.sub(lambda link: f'href="{link[1]}.html{link[2] or ""}"', html)
