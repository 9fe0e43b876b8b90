"""django-machina: a forum, in Python."""

import re
from urllib.parse import urlsplit

from realweb.application import Kind, Masks, parameters
from realweb.applications.python import DjangoSite


class Machina(DjangoSite):
    name, project = "machina", "forum"
    hosts = ("forum.test",)
    requirements = ("django-machina==1.3.1", "Django<5.3")
    masks = Masks(main="#main_container", drop="form, .breadcrumb, .pagination")

    def kind(self, url: str) -> Kind:
        path, given = urlsplit(url).path, parameters(url)
        if re.search(r"/topic/[^/]+-\d+/$", path):
            return "listing" if "post" in given else "document"
        return "form" if re.search(r"/(?:create|reply|search|login|logout|update|delete)/", path) else "listing"
