"""django-scheduler: calendars by year, month, week and day without end, in Python."""

from urllib.parse import urlsplit

from realweb.application import Kind, Masks
from realweb.applications.python import DjangoSite


class Scheduler(DjangoSite):
    name, project = "scheduler", "calendar_site"
    hosts = ("calendar.test",)
    requirements = ("django-scheduler==0.12.0", "Django<5.3")
    masks = Masks()

    def kind(self, url: str) -> Kind:
        path = urlsplit(url).path
        if "/edit" in path or "/create" in path or "/delete" in path or "/cancel" in path:
            return "form"
        return "document" if "/event/" in path or "/occurrence/" in path else "listing"
