"""``{% load telling %}``: a value of a JSON document in words, never as Python writes it."""

from typing import Any

from django import template

from common.admin import in_words

register = template.Library()


@register.filter
def told(value: Any) -> str:
    """``{"name": "Allianz SE", "lei": ""}`` is ``Name: Allianz SE``."""
    return in_words(value)
