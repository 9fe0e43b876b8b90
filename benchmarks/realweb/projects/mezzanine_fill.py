"""Fills a blog with the posts on standard input: runs in Mezzanine's own environment."""

import json
import sys
from datetime import UTC, datetime, timedelta

import django

django.setup()

from django.contrib.auth.models import User  # noqa: E402
from mezzanine.blog.models import BlogCategory, BlogPost  # noqa: E402
from mezzanine.core.models import CONTENT_STATUS_PUBLISHED  # noqa: E402
from mezzanine.generic.models import AssignedKeyword, Keyword  # noqa: E402
from mezzanine.pages.models import RichTextPage  # noqa: E402

BEGIN = datetime(2023, 1, 1, tzinfo=UTC)


def main() -> None:
    users = [User.objects.create_user(f"user{number}") for number in range(4)]
    if not RichTextPage.objects.filter(slug="blog").exists():
        RichTextPage.objects.create(title="Blog", slug="blog", content="")
    for number, (title, paragraphs, topic, tags) in enumerate(json.load(sys.stdin)):
        post = BlogPost.objects.create(
            title=title,
            user=users[number % len(users)],
            content="".join(f"<p>{paragraph.replace('<', '&lt;')}</p>" for paragraph in paragraphs),
            publish_date=BEGIN + timedelta(days=4 * number),
            status=CONTENT_STATUS_PUBLISHED,
        )
        post.categories.add(BlogCategory.objects.get_or_create(title=topic)[0])
        for tag in tags:
            keyword = Keyword.objects.get_or_create(title=tag)[0]
            post.keywords.add(AssignedKeyword(keyword=keyword), bulk=False)


main()
