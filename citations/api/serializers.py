"""Bodies of the paths of citations, and what they answer with."""

from typing import Any

from rest_framework import serializers

from citations.api.parsers import within_bounds
from citations.mention import LANGUAGES
from citations.models import CitationVerdict

CHECKS = [("pass", "Pass"), ("warn", "Warn"), ("unknown", "Unknown"), ("fail", "Fail")]
STYLES = [("short", "Short"), ("long", "Long")]
MAX_CITATION = 2_000


class TextRequest(serializers.Serializer[Any]):
    """Up to 5 MB of text; it may also be the whole body, as ``text/plain``."""

    text = serializers.CharField(allow_blank=True, trim_whitespace=False)

    def validate_text(self, text: str) -> str:
        return within_bounds(text)


class VerifyRequest(TextRequest):
    """``lookups`` is how many questions may be asked outside; 0 asks nobody."""

    lookups = serializers.IntegerField(min_value=0, max_value=100, required=False)


class FormatRequest(serializers.Serializer[Any]):
    """One citation or several, and how to write them."""

    citation = serializers.CharField(max_length=MAX_CITATION)
    language = serializers.ChoiceField(LANGUAGES)
    style = serializers.ChoiceField(STYLES, required=False, default="short")  # type: ignore[assignment]


class PlaceSerializer(serializers.Serializer[Any]):
    """Where a citation stands, in Unicode code points, and what it is."""

    raw = serializers.CharField()
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    kind = serializers.CharField()
    normalized = serializers.CharField(allow_null=True)
    pinpoints = serializers.ListField(child=serializers.CharField())
    reason = serializers.CharField(allow_null=True)
    suggestions = serializers.ListField(child=serializers.CharField(), allow_null=True)


class MentionSerializer(PlaceSerializer):
    """One citation of the text. Extraction judges nothing: the verdict is ``unchecked``."""

    verdict = serializers.CharField()


class FindingSerializer(serializers.Serializer[Any]):
    """One thing that was held against the authority."""

    code = serializers.CharField()
    check = serializers.ChoiceField(CHECKS)
    message = serializers.CharField()
    evidence = serializers.DictField()


class JudgementSerializer(PlaceSerializer):
    """One citation with its verdict and what that rests on."""

    verdict = serializers.ChoiceField(CitationVerdict.choices)
    check = serializers.ChoiceField(CHECKS)
    message = serializers.CharField()
    source = serializers.CharField(help_text="The authority that says so; empty where nobody does.")  # type: ignore[assignment]
    url = serializers.CharField()
    as_of = serializers.CharField(help_text="The day that the authority's word is of.")
    evidence = serializers.DictField()
    findings = FindingSerializer(many=True)


class FormattedSerializer(serializers.Serializer[Any]):
    """One citation as a court of the language writes it."""

    raw = serializers.CharField()
    kind = serializers.CharField()
    normalized = serializers.CharField(allow_null=True)
    formatted = serializers.CharField()
