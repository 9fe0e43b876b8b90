"""Fills a tracker with the issues on standard input: runs in Roundup's own environment."""

import json
import sys
import time

from roundup import date, instance

BEGIN = 1_600_000_000


def main() -> None:
    database = instance.open(sys.argv[1]).open("admin")
    keywords: dict[str, str] = {}
    users = [database.user.create(username=f"user{number}", roles="User") for number in range(1, 9)]
    statuses, priorities = database.status.list(), database.priority.list()
    for number, (title, paragraphs, tag) in enumerate(json.load(sys.stdin)):
        if tag not in keywords and len(keywords) < 40:
            keywords[tag] = database.keyword.create(name=tag)
        third = max(1, len(paragraphs) // 3)
        messages = [
            database.msg.create(
                content="\n\n".join(part),
                author=users[(number + place) % len(users)],
                date=date.Date(time.strftime("%Y-%m-%d.%H:%M:%S", time.gmtime(BEGIN + number * 86_400 + place * 3600))),
                summary=part[0][:60],
                recipients=[],
            )
            for place, part in enumerate((paragraphs[:third], paragraphs[third : 2 * third], paragraphs[2 * third :]))
            if part
        ]
        database.issue.create(
            title=title,
            messages=messages,
            keyword=[keywords[tag]] if tag in keywords else [],
            status=statuses[number % len(statuses)],
            priority=priorities[number % len(priorities)],
            assignedto=users[number % len(users)],
            superseder=[str(number)] if number and number % 9 == 0 else [],
        )
    database.commit()
    database.close()


main()
