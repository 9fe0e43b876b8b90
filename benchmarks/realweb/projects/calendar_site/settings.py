"""A calendar: django-scheduler with its own templates."""

from django_base import *  # noqa: F403
from django_base import CONTRIB, templates

ROOT_URLCONF = "calendar_site.urls"
INSTALLED_APPS = [*CONTRIB, "schedule"]
TEMPLATES = templates([], [])
