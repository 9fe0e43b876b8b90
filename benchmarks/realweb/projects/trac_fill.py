"""Fills a Trac with the pages and tickets on standard input: runs in Trac's own environment."""

import json
import sys
from datetime import timedelta

from trac.env import Environment
from trac.ticket.model import Component, Ticket
from trac.util.datefmt import to_datetime
from trac.wiki.model import WikiPage

BEGIN = to_datetime(1_600_000_000)


def camel(slug: str) -> str:
    return "".join(part.capitalize() for part in slug.split("-") if part)[:60]


def main() -> None:
    environment = Environment(sys.argv[1])
    pages, tickets = json.load(sys.stdin)
    names = [camel(slug) for _, slug, _, _, _ in pages]
    for number, (title, _, paragraphs, _, _) in enumerate(pages):
        page = WikiPage(environment, names[number])
        for version, parts in enumerate((paragraphs[: len(paragraphs) // 2 + 1], paragraphs)):
            links = " ".join(f"[wiki:{names[(number + step) % len(names)]}]" for step in (1, 5, 17))
            text = f"= {title} =\n\n" + "\n\n".join(parts) + (f"\n\nSee {links}\n" if version else "\n")
            if text != page.text:
                page.text = text
                page.save(f"user{number % 7}", "", BEGIN + timedelta(days=number, hours=version))
    start = WikiPage(environment, "WikiStart")
    start.text += "\n== Manuals ==\n" + "".join(f" * [wiki:{name}]\n" for name in names[:40])
    start.save("user1", "", BEGIN + timedelta(days=len(pages) + 1))
    topics = sorted({topic for _, _, _, topic, _ in tickets})
    for topic in topics:
        component = Component(environment)
        component.name = topic
        component.insert()
    for number, (title, _, paragraphs, topic, tags) in enumerate(tickets):
        ticket = Ticket(environment)
        ticket["reporter"], ticket["summary"], ticket["description"] = f"user{number % 7}", title, "\n\n".join(paragraphs[:2])
        ticket["component"], ticket["keywords"] = topic, " ".join(tags)
        ticket["priority"], ticket["status"] = ("major", "minor", "critical")[number % 3], ("new", "accepted")[number % 2]
        ticket.insert(BEGIN + timedelta(days=number))
        for place, paragraph in enumerate(paragraphs[2:5]):
            ticket.save_changes(f"user{(number + place) % 7}", paragraph, BEGIN + timedelta(days=number, hours=place + 1))


main()
