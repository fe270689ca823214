"""Numbers for people."""

from django import template

register = template.Library()


@register.filter
def counted(value: object) -> str:
    """3398502 is "3,398,502"."""
    return f"{value:,}" if isinstance(value, int) else str(value)
