"""The ownership and fund tree around an entity, as a picture made on the server."""

from entities.admin.graph.layout import place
from entities.admin.graph.svg import draw
from entities.admin.graph.tree import Tree, read_tree

__all__ = ["Tree", "draw", "place", "read_tree"]
