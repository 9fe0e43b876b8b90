"""Fills the CMS with the documents on standard input, a section for each topic."""

import json
import sys
from datetime import UTC, datetime, timedelta

import django

django.setup()

from django.db import transaction  # noqa: E402
from wagtail.models import Page, Site  # noqa: E402

from cms.models import Article, Section  # noqa: E402

ARTICLES = 250
BEGIN = datetime(2023, 1, 1, tzinfo=UTC)


@transaction.atomic
def main() -> None:
    home = Page.get_first_root_node().add_child(instance=Section(title="Manuals", slug="manuals"))
    Site.objects.all().delete()
    Site.objects.create(hostname="cms.test", root_page=home, is_default_site=True)
    sections: dict[str, Section] = {}
    for number, (title, slug, paragraphs, topic, tags) in enumerate(json.load(sys.stdin)[:ARTICLES]):
        if topic not in sections:
            sections[topic] = home.add_child(instance=Section(title=topic, slug=topic.replace(".", "-")))
        body = "".join(f"<p>{paragraph.replace('&', '&amp;').replace('<', '&lt;')}</p>" for paragraph in paragraphs)
        article = Article(title=title, slug=slug[:80], body=body, first_published_at=BEGIN + timedelta(days=3 * number))
        article.tags.add(*tags)
        sections[topic].add_child(instance=article)


main()
