"""A forum: django-machina with its own templates."""

from django_base import *  # noqa: F403
from django_base import CONTRIB, MIDDLEWARE, templates
from machina import MACHINA_MAIN_TEMPLATE_DIR

ROOT_URLCONF = "forum.urls"
INSTALLED_APPS = [
    *CONTRIB,
    "mptt",
    "haystack",
    "widget_tweaks",
    "machina",
    "machina.apps.forum",
    "machina.apps.forum_conversation",
    "machina.apps.forum_conversation.forum_attachments",
    "machina.apps.forum_conversation.forum_polls",
    "machina.apps.forum_feeds",
    "machina.apps.forum_moderation",
    "machina.apps.forum_search",
    "machina.apps.forum_tracking",
    "machina.apps.forum_member",
    "machina.apps.forum_permission",
]
MIDDLEWARE = [*MIDDLEWARE, "machina.apps.forum_permission.middleware.ForumPermissionMiddleware"]
TEMPLATES = templates([str(MACHINA_MAIN_TEMPLATE_DIR)], ["machina.core.context_processors.metadata"])
CACHES = {name: {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"} for name in ("default", "machina_attachments")}
HAYSTACK_CONNECTIONS = {"default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}}
