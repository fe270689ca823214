"""``manage.py people``: who has a second factor, and taking it away from somebody who has lost it."""

from django.contrib.auth import get_user_model
from django.db.models import Count, Q

from common.commands.base import Actions, Mistake, Options
from research.management.base import ResearchCommand, add_person, deciding_person
from research.models import Factor
from research.services.factors import reset_factors


class Command(ResearchCommand):
    help = "Who may log in and what they show at it; take a second factor away from somebody who has lost it."

    def add_actions(self, actions: Actions) -> None:
        actions.add("list", self.list, "people who may log in, and how many second factors each has")
        reset = actions.add(
            "reset-factor", self.reset, "take all second factors of a person away, and log them out"
        )
        reset.add_argument("name", metavar="USERNAME")
        reset.add_argument(
            "--reason", required=True, metavar="TEXT", help="why; it stands in the audit trail"
        )
        add_person(reset)

    def list(self, options: Options) -> None:
        """By name."""
        shown = Count("factors", filter=~Q(factors__kind=Factor.Kind.CODES))
        people = get_user_model().objects.filter(is_active=True).annotate(shown=shown).order_by("username")
        found = [(person.username, person.is_superuser, person.shown) for person in people]
        documents = [
            dict(zip(("username", "superuser", "second_factors"), row, strict=True)) for row in found
        ]
        rows = [
            (name, "superuser" * power, f"{count} factor{'s' * (count != 1)}") for name, power, count in found
        ]
        self.answer_all(documents, rows, none="Nobody may log in yet.")

    def reset(self, options: Options) -> None:
        """The person logs in with the password alone then, and sets up a new factor where one is required."""
        actor = deciding_person(options)
        person = get_user_model().objects.filter(username=options["name"]).first()
        if person is None:
            raise Mistake(f"There is nobody called {options['name']!r}.")
        count = reset_factors(person=person, actor=actor, reason=options["reason"])
        told = f"{person.username} has no second factor any more, and is logged out everywhere."
        self.answer({"username": person.username, "removed": count}, [told])
