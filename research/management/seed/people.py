"""The people of the example: one who asks, one who decides, one who only reads; and the administrator."""

from django.contrib.auth.models import User

from entities.memory.access import VERIFY
from research.management.seed.acts import ANALYST, READER, REVIEWER, Cast
from research.services.access import DECIDE, EXECUTE, START, STEER_WATCH
from research.services.people import add_colleague, ensure_admin

ROLES = {
    ANALYST: (START,),
    REVIEWER: (START, DECIDE, EXECUTE, STEER_WATCH, VERIFY),
    READER: (),
}


def meet() -> tuple[Cast, dict[str, str]]:
    """Everybody by name, and the passwords of those who came just now."""
    passwords = {name: add_colleague(username=name, rights=rights) for name, rights in ROLES.items()}
    passwords |= dict([ensure_admin() or ("", None)])
    cast = User.objects.in_bulk(ROLES, field_name="username")
    return cast, {name: password for name, password in passwords.items() if password}
