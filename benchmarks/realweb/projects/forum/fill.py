"""Fills the forum with the documents on standard input: each is a topic, each of its paragraphs a post."""

import json
import sys

import django

django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.db import transaction  # noqa: E402
from machina.apps.forum.models import Forum  # noqa: E402
from machina.apps.forum_conversation.models import Post, Topic  # noqa: E402
from machina.apps.forum_permission.models import ForumPermission, UserForumPermission  # noqa: E402

TOPICS, MOST_POSTS = 150, 8
ALLOWED = ("can_see_forum", "can_read_forum", "can_vote_in_polls", "can_download_file")


@transaction.atomic
def main() -> None:
    for permission in ForumPermission.objects.filter(codename__in=ALLOWED):
        UserForumPermission.objects.create(permission=permission, anonymous_user=True, has_perm=True)
    users = [User.objects.create_user(f"user{number}") for number in range(12)]
    forums: dict[str, Forum] = {}
    category = Forum.objects.create(name="Manuals", type=Forum.FORUM_CAT)
    for number, (title, slug, paragraphs, topic, _) in enumerate(json.load(sys.stdin)[:TOPICS]):
        name = f"{topic} {'abcd'[number % 4]}"
        if name not in forums:
            forums[name] = Forum.objects.create(name=name, type=Forum.FORUM_POST, parent=category)
        poster = users[number % len(users)]
        thread = Topic.objects.create(
            forum=forums[name],
            poster=poster,
            subject=title,
            slug=slug,
            type=Topic.TOPIC_POST,
            status=Topic.TOPIC_UNLOCKED,
            approved=True,
        )
        for place, paragraph in enumerate(paragraphs[:MOST_POSTS]):
            writer = users[(number + place) % len(users)]
            Post.objects.create(topic=thread, poster=writer, subject=title, content=paragraph, approved=True)


main()
