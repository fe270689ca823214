"""The ownership and fund tree around an entity, as a picture made on the server."""

from entities.admin.graph.layout import place
from entities.admin.graph.reading import Tree, read_tree
from entities.admin.graph.svg import draw

__all__ = ["Tree", "draw", "place", "read_tree"]
