"""A scene as an HTML page of its own: the picture, nothing to fetch, no script."""

from __future__ import annotations

from treewright.render.picture.colours import GROUND
from treewright.render.picture.shapes import Scene
from treewright.render.picture.svg import escaped, svg_text

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page_text(scene: Scene) -> str:
    """Return a scene as the text of an HTML file."""
    light, dark = GROUND["ground"]
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escaped(scene.name)}</title>\n<style>\n"
        f"body{{margin:0;background:{light};overflow:auto}}\n"
        # at its own size: a large picture is scrolled, not shrunk until nobody reads it
        "body>.treewright{display:block;margin:0 auto}\n"
        f"@media (prefers-color-scheme:dark){{body{{background:{dark}}}}}\n"
        f"</style>\n</head>\n<body>\n{svg_text(scene)}</body>\n</html>\n"
    )
