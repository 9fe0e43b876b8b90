"""Wagtail: a content management system, in Python."""

from urllib.parse import urlsplit

from realweb.application import Kind, Masks, parameters
from realweb.applications.python import DjangoSite


class Wagtail(DjangoSite):
    name, project = "wagtail", "cms"
    hosts = ("cms.test",)
    requirements = ("wagtail==8.0.1", "Django<5.3")
    masks = Masks(main="main")

    def kind(self, url: str) -> Kind:
        path = urlsplit(url).path.strip("/").split("/")
        if path[0] == "admin":
            return "form"
        return "document" if len(path) == 2 and not parameters(url) else "listing"
