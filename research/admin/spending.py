"""The page on what research costs, and how a run shows its money."""

from dataclasses import dataclass
from datetime import date, timedelta

from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from research.services.spending import BY, By, Row, Spend, amount, spending, total

WIDTH, HEIGHT = 720, 160
MAX_BARS = 366
PERIODS = {"7": "7 days", "30": "30 days", "90": "90 days", "365": "a year"}


@dataclass(frozen=True)
class Bar:
    """One bar of the chart, in units of the drawing."""

    label: str
    words: str
    x: float
    y: float
    width: float
    height: float


def spending_page(request: HttpRequest, *, site: AdminSite) -> HttpResponse:
    """Totals by day, macro and model for a time; the same numbers as ``GET /api/v1/spending``."""
    if not request.user.has_perm("research.view_run"):
        raise PermissionDenied
    days = request.GET.get("days", "30")
    days = days if days in PERIODS else "30"
    last = timezone.localdate()
    first = last - timedelta(days=int(days) - 1)
    tables = {by: spending(by=by, first=first, last=last) for by in BY}
    context = {
        **site.each_context(request),
        "title": "Spending",
        "days": days,
        "periods": PERIODS,
        "first": first,
        "last": last,
        "total": total(first=first, last=last),
        "bars": bars(tables["day"], first, last),
        "width": WIDTH,
        "height": HEIGHT,
        "tables": [(by, heading(by), tables[by]) for by in ("model", "macro", "day")],
    }
    return render(request, "admin/research/spending.html", context)


def heading(by: By) -> str:
    return {"day": "By day", "macro": "By macro", "model": "By model or paid tool"}[by]


def bars(rows: list[Row], first: date, last: date) -> list[Bar]:
    """A bar a day, days without spending included."""
    spent = {row.key: row.spend for row in rows}
    days = [first + timedelta(days=n) for n in range(min((last - first).days + 1, MAX_BARS))]
    most = max((float(spend.spent) for spend in spent.values()), default=0.0) or 1.0
    step = WIDTH / len(days)
    found = []
    for number, day in enumerate(days):
        spend = spent.get(day.isoformat(), Spend())
        high = round((HEIGHT - 4) * float(spend.spent) / most, 2)
        high = max(high, 1.5) if spend.calls else 0.0
        found.append(
            Bar(
                day.isoformat(),
                f"{day}: {spend.words}, {spend.calls} calls",
                round(number * step + step * 0.1, 2),
                HEIGHT - high,
                round(step * 0.8, 2),
                high,
            )
        )
    return found


def money(spend: Spend) -> SafeString:
    """Spent, reserved, possibly paid and the budget, with a bar that shows the parts."""
    parts = [("spent", spend.spent), ("lost", spend.possibly_paid), ("reserved", spend.reserved)]
    start, drawn = 0.0, []
    for name, value in parts:
        width = spend.share(value)
        drawn.append((name, start, width))
        start += width
    return format_html(
        '<div class="dossier-money"><svg class="dossier-meter" viewBox="0 0 100 3" preserveAspectRatio="none" '
        'role="img" aria-label="{}">{}</svg><ul>{}</ul></div>',
        _said(spend),
        format_html_join(
            "", '<rect class="is-{}" x="{}" y="0" width="{}" height="3"/>', drawn if spend.used else []
        ),
        format_html_join("", '<li class="is-{}">{}</li>', _lines(spend)),
    )


def _lines(spend: Spend) -> list[tuple[str, str]]:
    lines = [("spent", f"spent {spend.words}")]
    if spend.possibly_paid:
        lines.append(
            ("lost", f"possibly paid {amount(spend.possibly_paid)} USD, for calls whose answer never arrived")
        )
    if spend.reserved:
        lines.append(
            ("reserved", f"reserved {amount(spend.reserved)} USD, for calls that are being answered")
        )
    lines.append(
        ("budget", f"budget {amount(spend.budget)} USD" if spend.budget is not None else "no budget in USD")
    )
    return lines


def _said(spend: Spend) -> str:
    return "; ".join(text for _, text in _lines(spend))
