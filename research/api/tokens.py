"""``tokens``: a person's name and password for a token, and giving it back."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.authentication import BasicAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from research.api.people import person
from research.api.requests import EmptyBody, read
from research.api.signing_in import ApiToken, refuse_password_if_shut, show_second_factor
from research.services.tokens import issue_token, revoke_token


class TokenAnswer(serializers.Serializer[dict[str, object]]):
    """The token is shown this once: send it as ``Authorization: Bearer ...``."""

    token = serializers.CharField()
    expiry = serializers.DateTimeField(allow_null=True)


class ApiTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Clients that are made from the OpenAPI document send it as ``Bearer``."""

    target_class = "research.api.signing_in.ApiToken"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}


class TokenList(APIView):
    authentication_classes = [BasicAuthentication]
    permission_classes = [IsAuthenticated]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        try:
            super().initial(request, *args, **kwargs)
        except AuthenticationFailed:
            refuse_password_if_shut(request)
            raise

    @extend_schema(request=EmptyBody, responses={201: TokenAnswer})
    def post(self, request: Request) -> Response:
        """Log in with HTTP Basic and get a token. Who has a second factor sends a code of it as ``Dossier-Code``."""
        read(EmptyBody, request.data)
        show_second_factor(person(request), request.headers.get("Dossier-Code", ""))
        row, token = issue_token(user=person(request))
        answer = TokenAnswer({"token": token, "expiry": row.expiry}).data
        return Response(answer, status.HTTP_201_CREATED, headers={"Cache-Control": "no-store"})


class CurrentToken(APIView):
    authentication_classes = [ApiToken]
    permission_classes = [IsAuthenticated]

    @extend_schema(responses={204: None})
    def delete(self, request: Request) -> Response:
        """Revoke the token that this request carries."""
        revoke_token(token=request.auth, actor=person(request))
        return Response(status=status.HTTP_204_NO_CONTENT)
