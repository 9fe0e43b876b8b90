"""Fills the calendars with the documents on standard input, one event each, one in nine every week."""

import json
import sys
from datetime import UTC, datetime, timedelta

import django

django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.db import transaction  # noqa: E402
from schedule.models import Calendar, Event, Rule  # noqa: E402

EVENTS = 250
BEGIN = datetime.now(UTC).replace(hour=9, minute=0, second=0, microsecond=0) - timedelta(days=120)
"""A calendar opens on the day it is asked: the events lie around it."""


@transaction.atomic
def main() -> None:
    weekly = Rule.objects.create(frequency="WEEKLY", name="weekly", description="every week")
    user = User.objects.create_user("user")
    calendars: dict[str, Calendar] = {}
    for number, (title, _, paragraphs, topic, _) in enumerate(json.load(sys.stdin)[:EVENTS]):
        if topic not in calendars:
            calendars[topic] = Calendar.objects.create(name=topic, slug=topic.replace(".", "-"))
        start = BEGIN + timedelta(days=number, hours=number % 8)
        Event.objects.create(
            title=title,
            description="\n\n".join(paragraphs),
            start=start,
            end=start + timedelta(hours=1),
            creator=user,
            calendar=calendars[topic],
            rule=weekly if number % 9 == 0 else None,
            end_recurring_period=start + timedelta(weeks=8),
        )


main()
