"""A content management system: Wagtail, with sections and articles of its own."""

from django_base import *  # noqa: F403
from django_base import CONTRIB, MIDDLEWARE, templates

ROOT_URLCONF = "cms.urls"
WAGTAIL_SITE_NAME = "Manuals"
WAGTAILADMIN_BASE_URL = "http://cms.test"
MEDIA_URL = "/media/"
INSTALLED_APPS = [
    "cms",
    "wagtail.contrib.redirects",
    "wagtail.contrib.forms",
    "wagtail.embeds",
    "wagtail.sites",
    "wagtail.users",
    "wagtail.snippets",
    "wagtail.documents",
    "wagtail.images",
    "wagtail.search",
    "wagtail.admin",
    "wagtail",
    "modelcluster",
    "taggit",
    *CONTRIB,
]
MIDDLEWARE = [*MIDDLEWARE, "wagtail.contrib.redirects.middleware.RedirectMiddleware"]
TEMPLATES = templates([], [])
