"""What OPTIONS answers. Bodies are described by the OpenAPI document, which knows what is asked for; this does not."""

from typing import TYPE_CHECKING, Any

from rest_framework.metadata import BaseMetadata

if TYPE_CHECKING:  # views import this module by its name in the settings
    from rest_framework.request import Request
    from rest_framework.views import APIView


class Short(BaseMetadata):
    """The view and the media types that it reads and writes."""

    def determine_metadata(self, request: "Request", view: "APIView") -> dict[str, Any]:
        return {
            "name": view.get_view_name(),
            "description": view.get_view_description(),
            "renders": [renderer.media_type for renderer in view.renderer_classes],
            "parses": [parser.media_type for parser in view.parser_classes],
        }
