"""django-oscar: a shop with categories, sort orders and baskets, in Python."""

import re
from urllib.parse import urlsplit

from realweb.application import Kind, Masks, parameters
from realweb.applications.python import DjangoSite


class Oscar(DjangoSite):
    name, project = "oscar", "shop"
    hosts = ("shop.test",)
    requirements = (
        "django-oscar==4.2.1",
        "Django<5.3",
        "Whoosh==2.7.4",
        "django-haystack==3.4.0",
        "sorl-thumbnail",
        "setuptools<80",
    )
    masks = Masks(main="div.page div.page_inner, div.page", drop="form, .breadcrumb, aside")

    def kind(self, url: str) -> Kind:
        path, given = urlsplit(url).path, parameters(url)
        if re.search(r"/catalogue/[^/]+_\d+/$", path):
            return "document" if not given else "listing"
        if re.search(r"/(?:accounts|basket|checkout|dashboard|password-reset|reviews/add|i18n)/", path):
            return "form"
        return "listing"
