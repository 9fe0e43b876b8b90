"""Fills the shop with the documents on standard input: each is a product in two categories."""

import json
import sys

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import transaction  # noqa: E402
from oscar.apps.catalogue.categories import create_from_breadcrumbs  # noqa: E402
from oscar.apps.catalogue.models import Product, ProductCategory, ProductClass  # noqa: E402
from oscar.apps.partner.models import Partner, StockRecord  # noqa: E402

PRODUCTS = 200


@transaction.atomic
def main() -> None:
    book = ProductClass.objects.create(name="Book", requires_shipping=False, track_stock=False)
    partner = Partner.objects.create(name="Publisher")
    tags: dict[str, int] = {}
    for number, (title, _, paragraphs, topic, words) in enumerate(json.load(sys.stdin)[:PRODUCTS]):
        text = "".join(f"<p>{paragraph.replace('&', '&amp;').replace('<', '&lt;')}</p>" for paragraph in paragraphs)
        product = Product.objects.create(
            product_class=book, title=title, upc=f"B{number:05}", description=text, rating=number % 6
        )
        StockRecord.objects.create(product=product, partner=partner, partner_sku=f"S{number}", price=5 + number * 7 % 90)
        tags[words[0]] = tags.get(words[0], 0) + 1
        for crumbs in (f"Manuals > {topic}", f"Subjects > {words[0]}" if tags[words[0]] < 20 else "Subjects > other"):
            ProductCategory.objects.create(product=product, category=create_from_breadcrumbs(crumbs))


main()
call_command("rebuild_index", interactive=False, verbosity=0)
