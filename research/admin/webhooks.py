"""Webhooks: addresses that are told what happens, and what each of them was sent and answered."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from research.admin.readonly import Base, ReadOnly, link_to_list, pretty_json
from research.errors import DossierError, InvalidParameters
from research.models import Webhook, WebhookDelivery
from research.models.states import DeliveryState
from research.services.access import Person
from research.services.deliveries import send_again, send_test
from research.services.webhooks import (
    MEANING,
    add_webhook,
    change_webhook,
    checked_url,
    deliveries_of,
    remove_webhook,
    rotate_secret,
    webhooks_of,
)

if TYPE_CHECKING:
    FormBase = forms.ModelForm[Webhook]
else:
    FormBase = forms.ModelForm


class WebhookForm(FormBase):
    """Read by the rules of the service."""

    events = forms.MultipleChoiceField(
        choices=[
            (name, format_html("<code>{}</code> {}", name, meaning)) for name, meaning in MEANING.items()
        ],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text="Tick none to be told all of them.",
    )

    class Meta:
        model = Webhook
        fields = ["url", "description", "events", "active"]
        labels = {"url": "Address"}
        help_texts = {
            "url": "Where messages are sent by POST: https://…, or a host that DOSSIER_FETCH_ALLOW names.",
            "description": "Who listens there, for people.",
        }

    def clean_url(self) -> str:
        try:
            return checked_url(self.cleaned_data["url"])
        except InvalidParameters as error:
            raise forms.ValidationError(error.errors[0].message) from None


@admin.register(Webhook)
class WebhookAdmin(Base):
    """Each message is signed with the webhook's secret; docs/tasks/receive-webhooks.md has a receiver."""

    form = WebhookForm
    list_display = ("url", "description", "active", "owner", "deliveries", "created_at")
    list_filter = ("active",)
    search_fields = ("url", "description")
    change_form_template = "admin/research/webhook/change_form.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Webhook]:
        return webhooks_of(cast(Person, request.user))

    @admin.display(description="sent")
    def deliveries(self, hook: Webhook) -> SafeString:
        failed = hook.deliveries.filter(state=DeliveryState.FAILED).count()
        words = f"{hook.deliveries.count()} deliveries" + (f", {failed} failed" if failed else "")
        return link_to_list(WebhookDelivery, words, webhook__id__exact=hook.pk)

    def save_model(self, request: HttpRequest, obj: Webhook, form: Any, change: bool) -> None:
        fields = {name: form.cleaned_data[name] for name in ("url", "description", "events", "active")}
        actor = cast(Person, request.user)
        if change:
            change_webhook(webhook=obj, actor=actor, **fields)
            return
        stored = add_webhook(actor=actor, **fields)
        obj.pk = stored.pk
        _tell_secret(request, stored)

    def response_change(self, request: HttpRequest, obj: Webhook) -> HttpResponse:
        """The two buttons beside *Save*."""
        actor = cast(Person, request.user)
        if "_test" in request.POST:
            return self._done(request, lambda: _tell_test(request, send_test(webhook=obj, actor=actor)))
        if "_secret" in request.POST:
            return self._done(request, lambda: _tell_secret(request, rotate_secret(webhook=obj, actor=actor)))
        return super().response_change(request, obj)

    def _done(self, request: HttpRequest, do: Callable[[], None]) -> HttpResponse:
        try:
            do()
        except DossierError as error:
            messages.error(request, error.message)
        return HttpResponseRedirect(request.path)

    def delete_model(self, request: HttpRequest, obj: Webhook) -> None:
        remove_webhook(webhook=obj, actor=cast(Person, request.user))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Webhook]) -> None:
        for hook in queryset:
            self.delete_model(request, hook)


@admin.register(WebhookDelivery)
class WebhookDeliveryAdmin(ReadOnly):
    """What was sent in the last thirty days, and what was answered."""

    actions = ("resend",)  # type: ignore[assignment]  # other tables have none
    list_display = ("created_at", "type", "webhook", "state", "tries", "last_answer", "next_at")
    list_filter = ("state", "type", ("webhook", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("webhook",)
    search_fields = ("type", "webhook__url")
    fields = ("webhook", "type", "state", "tries", "next_at", "created_at", "sent", "answered")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[WebhookDelivery]:
        return deliveries_of(cast(Person, request.user))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Only together with its webhook, by whoever may remove that."""
        return request.user.has_perm("research.delete_webhook") and "webhookdelivery" not in request.path

    @admin.action(description="Send again", permissions=["view"])
    def resend(self, request: HttpRequest, queryset: QuerySet[WebhookDelivery]) -> None:
        for delivery in queryset:
            try:
                send_again(delivery=delivery, actor=cast(Person, request.user))
            except DossierError as error:
                messages.error(request, error.message)
            else:
                messages.success(request, f"{delivery.type} is sent again.")

    @admin.display(description="last answer")
    def last_answer(self, delivery: WebhookDelivery) -> str:
        last = delivery.attempts[-1] if delivery.attempts else {}
        return str(last.get("trouble") or last.get("status") or "–")

    @admin.display(description="sent")
    def sent(self, delivery: WebhookDelivery) -> SafeString:
        return pretty_json(delivery.payload)

    @admin.display(description="answered")
    def answered(self, delivery: WebhookDelivery) -> SafeString | str:
        rows = [
            (each["at"], each["status"] or each["trouble"], each["milliseconds"], each["answer"])
            for each in delivery.attempts
        ]
        lines = format_html_join("", "<dt>{}</dt><dd>{} ({} ms) {}</dd>", rows)
        return format_html('<dl class="dossier-params">{}</dl>', lines) if rows else "Not tried yet."


def _tell_secret(request: HttpRequest, hook: Webhook) -> None:
    messages.success(request, f"The secret, shown this once: {hook.secret}")


def _tell_test(request: HttpRequest, delivery: WebhookDelivery) -> None:
    last = delivery.attempts[-1]
    if delivery.state == DeliveryState.DELIVERED:
        messages.success(request, f"The receiver took the test message: {last['status']}.")
    else:
        why = last["trouble"] or f"It answered {last['status']}."
        messages.error(request, f"The receiver did not take the test message. {why}")
