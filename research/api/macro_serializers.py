"""What REST, ``--json`` and agents are shown of a macro; nothing here writes."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from research.jsontext import JsonObject
from research.macros.definition import MacroDefinition
from research.macros.offered import parameter_schema, parameters_schema
from research.models import Macro
from research.services.macros import definition_of


class ParameterSerializer(serializers.Serializer[Any]):
    """One declared parameter of a macro; ``default`` is absent when there is none."""

    name = serializers.CharField()
    type = serializers.CharField()
    required = serializers.BooleanField()  # type: ignore[assignment]  # hides an attribute that we do not use
    description = serializers.CharField()
    enum = serializers.ListField(child=serializers.JSONField())
    default = serializers.JSONField(required=False)
    example = serializers.JSONField(required=False)
    schema = serializers.JSONField(
        required=False,
        help_text="JSON Schema of an object whose fields are declared; other fields are refused.",
    )


class MacroSerializer(serializers.ModelSerializer[Macro]):
    """A version of a macro, and what it asks for."""

    parameters = serializers.SerializerMethodField()

    class Meta:
        model = Macro
        fields = [
            "name",
            "version",
            "status",
            "description",
            "tags",
            "schema_name",
            "parameters",
            "digest",
            "created_at",
        ]

    @extend_schema_field(ParameterSerializer(many=True))
    def get_parameters(self, macro: Macro) -> list[JsonObject]:
        return parameter_documents(definition_of(macro))


class MacroDetailSerializer(MacroSerializer):
    """The whole version: its schema, tools, templates and text, and the versions of the same name."""

    params_schema = serializers.SerializerMethodField(
        help_text="JSON Schema of what a run is given as `params`."
    )
    schema = serializers.SerializerMethodField()
    tools = serializers.SerializerMethodField()
    review = serializers.SerializerMethodField()
    versions = serializers.SerializerMethodField()

    class Meta(MacroSerializer.Meta):
        fields = [
            *MacroSerializer.Meta.fields,
            *("params_schema", "schema", "tools", "review", "versions", "origin", "text"),
        ]

    def get_params_schema(self, macro: Macro) -> JsonObject:
        return parameters_schema(definition_of(macro))

    def get_schema(self, macro: Macro) -> JsonObject:
        return definition_of(macro).schema

    def get_tools(self, macro: Macro) -> list[str]:
        return list(definition_of(macro).tools)

    def get_review(self, macro: Macro) -> str:
        return definition_of(macro).review

    def get_versions(self, macro: Macro) -> list[str]:
        return list(Macro.objects.filter(name=macro.name).values_list("version", flat=True))


def parameter_documents(definition: MacroDefinition) -> list[JsonObject]:
    """The declared parameters as JSON; ``default`` and ``example`` only where there is one."""
    documents = []
    for parameter in definition.parameters:
        document: JsonObject = {
            "name": parameter.name,
            "type": parameter.type,
            "required": parameter.required,
            "description": parameter.description,
            "enum": list(parameter.enum),
        }
        if parameter.has_default:
            document["default"] = parameter.default
        if parameter.example is not None:
            document["example"] = parameter.example
        if parameter.fields:
            document["schema"] = parameter_schema(parameter)
        documents.append(document)
    return documents
