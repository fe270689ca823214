"""``webhooks``: addresses that are told what happens, and ``deliveries``: what they were sent and answered."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from entities.api.permissions import CanView
from research.api.filters import DeliveryFilter
from research.api.idempotency import idempotent
from research.api.people import person
from research.api.requests import EmptyBody, WebhookChange, WebhookRequest, read
from research.models import Webhook, WebhookDelivery
from research.services.deliveries import send_again, send_test
from research.services.webhooks import (
    add_webhook,
    change_webhook,
    deliveries_of,
    remove_webhook,
    rotate_secret,
    webhooks_of,
)


class WebhookSerializer(serializers.ModelSerializer[Webhook]):
    """A webhook without its secret."""

    events = serializers.ListField(child=serializers.CharField(), read_only=True)
    owner = serializers.CharField(source="owner.username", read_only=True)

    class Meta:
        model = Webhook
        fields = ["id", "url", "events", "description", "active", "owner", "created_at"]


class WithSecretSerializer(WebhookSerializer):
    """``secret`` is shown this once."""

    class Meta(WebhookSerializer.Meta):
        fields = [*WebhookSerializer.Meta.fields, "secret"]


class AttemptSerializer(serializers.Serializer[dict[str, Any]]):
    """One try: the receiver's status and how its answer began, or why there was none."""

    at = serializers.DateTimeField()
    status = serializers.IntegerField(allow_null=True)
    answer = serializers.CharField(allow_blank=True)
    trouble = serializers.CharField(allow_blank=True)
    milliseconds = serializers.IntegerField()


class DeliverySerializer(serializers.ModelSerializer[WebhookDelivery]):
    """What was sent, and each try; ``next_at`` is when a queued one is tried (again)."""

    payload = serializers.DictField(read_only=True)
    attempts = AttemptSerializer(many=True, read_only=True)

    class Meta:
        model = WebhookDelivery
        fields = ["id", "webhook", "type", "state", "tries", "next_at", "created_at", "payload", "attempts"]


class WebhookList(ListAPIView[Webhook]):
    """The person's own webhooks, the newest first; a superuser sees all."""

    permission_classes = [CanView]
    may_view = "research.view_webhook"
    serializer_class = WebhookSerializer
    filterset_fields = ("active",)
    queryset = Webhook.objects.none()

    def get_queryset(self) -> QuerySet[Webhook]:
        return webhooks_of(person(self.request))

    @extend_schema(request=WebhookRequest, responses={201: WithSecretSerializer})
    @idempotent
    def post(self, request: Request) -> Response:
        """Enter an address. The answer has the secret by which it knows our messages, this once."""
        hook = add_webhook(**read(WebhookRequest, request.data), actor=person(request))
        location = reverse("api-webhook", args=[hook.pk])
        return Response(
            WithSecretSerializer(hook).data, status.HTTP_201_CREATED, headers={"Location": location}
        )


class OfWebhook(APIView):
    """Something about one webhook; somebody else's is not there. The service decides who may do what."""

    permission_classes = [CanView]
    may_view = "research.view_webhook"

    def hook(self, request: Request, pk: int) -> Webhook:
        return get_object_or_404(webhooks_of(person(request)), pk=pk)


class WebhookDetail(OfWebhook):
    @extend_schema(responses=WebhookSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """One webhook."""
        return Response(WebhookSerializer(self.hook(request, pk)).data)

    @extend_schema(request=WebhookChange, responses=WebhookSerializer)
    def patch(self, request: Request, pk: int) -> Response:
        """Change it; ``active`` false keeps it silent, and what happens meanwhile is not sent later."""
        changes = read(WebhookChange, request.data)
        hook = change_webhook(webhook=self.hook(request, pk), actor=person(request), **changes)
        return Response(WebhookSerializer(hook).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Remove it with its deliveries."""
        remove_webhook(webhook=self.hook(request, pk), actor=person(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class NewSecret(OfWebhook):
    @extend_schema(request=EmptyBody, responses=WithSecretSerializer)
    @idempotent
    def post(self, request: Request, pk: int) -> Response:
        """A new secret, shown this once. For 24 hours messages are signed with the former one too."""
        read(EmptyBody, request.data)
        hook = rotate_secret(webhook=self.hook(request, pk), actor=person(request))
        return Response(WithSecretSerializer(hook).data)


class TestWebhook(OfWebhook):
    @extend_schema(request=EmptyBody, responses=DeliverySerializer)
    @idempotent
    def post(self, request: Request, pk: int) -> Response:
        """Send a message of the type ``webhook.test`` now; the answer says how the receiver took it."""
        read(EmptyBody, request.data)
        delivery = send_test(webhook=self.hook(request, pk), actor=person(request))
        return Response(DeliverySerializer(delivery).data)


class DeliveryList(ListAPIView[WebhookDelivery]):
    """What was sent to a webhook in the last thirty days, the newest first."""

    permission_classes = [CanView]
    may_view = "research.view_webhookdelivery"
    serializer_class = DeliverySerializer
    filterset_class = DeliveryFilter
    queryset = WebhookDelivery.objects.none()

    def get_queryset(self) -> QuerySet[WebhookDelivery]:
        if "pk" not in self.kwargs:  # the schema is being drawn
            return WebhookDelivery.objects.none()
        mine = webhooks_of(person(self.request))
        return WebhookDelivery.objects.filter(webhook=get_object_or_404(mine, pk=self.kwargs["pk"]))


class DeliveryDetail(RetrieveAPIView[WebhookDelivery]):
    """One delivery."""

    permission_classes = [CanView]
    may_view = "research.view_webhookdelivery"
    serializer_class = DeliverySerializer
    queryset = WebhookDelivery.objects.none()

    def get_queryset(self) -> QuerySet[WebhookDelivery]:
        return deliveries_of(person(self.request))


class Resend(APIView):
    permission_classes = [CanView]
    may_view = "research.view_webhookdelivery"

    @extend_schema(request=EmptyBody, responses={202: DeliverySerializer})
    @idempotent
    def post(self, request: Request, pk: UUID) -> Response:
        """Send the same message again, with the same ``webhook-id``."""
        read(EmptyBody, request.data)
        delivery = get_object_or_404(deliveries_of(person(request)).select_related("webhook"), pk=pk)
        again = send_again(delivery=delivery, actor=person(request))
        location = reverse("api-delivery", args=[pk])
        return Response(
            DeliverySerializer(again).data, status.HTTP_202_ACCEPTED, headers={"Location": location}
        )
