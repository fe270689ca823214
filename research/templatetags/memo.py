"""What the memo's templates need besides Django's own: marks, and numbers with their words."""

from django import template

from research.memo.labels import Labels
from research.memo.markdown import MARKS, VERB_MARKS

register = template.Library()


@register.filter
def mark(verdict: str) -> str:
    """The sign of a verdict, so that nothing is told by colour alone."""
    return MARKS[verdict]


@register.filter
def verb_mark(state: str) -> str:
    return VERB_MARKS.get(state, "·")


@register.filter
def word(labels: Labels, key: str) -> str:
    """The label of a key that is only known at run time."""
    return labels(key)


@register.simple_tag
def counted(labels: Labels, key: str, number: int) -> str:
    """``9 checks pass``, ``1 check passes``."""
    return labels.count(key, number)


@register.simple_tag
def tallied(labels: Labels, verdict: str, number: int) -> str:
    """``5 warnings``."""
    return labels.count(f"tally_{verdict}", number)
