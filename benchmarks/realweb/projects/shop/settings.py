"""A shop: django-oscar with its own templates, its search over Whoosh."""

import oscar
from django_base import *  # noqa: F403
from django_base import FOLDER, MIDDLEWARE, templates
from oscar.defaults import *  # noqa: F403

ROOT_URLCONF = "shop.urls"
INSTALLED_APPS = [*oscar.INSTALLED_APPS, "sorl.thumbnail"]
MIDDLEWARE = [*MIDDLEWARE, "oscar.apps.basket.middleware.BasketMiddleware"]
AUTHENTICATION_BACKENDS = ("oscar.apps.customer.auth_backends.EmailBackend", "django.contrib.auth.backends.ModelBackend")
TEMPLATES = templates(
    [],
    [
        "django.template.context_processors.i18n",
        "django.template.context_processors.media",
        "django.template.context_processors.static",
        "oscar.apps.search.context_processors.search_form",
        "oscar.apps.checkout.context_processors.checkout",
        "oscar.apps.communication.notifications.context_processors.notifications",
        "oscar.core.context_processors.metadata",
    ],
)
MEDIA_URL = "/media/"
OSCAR_DEFAULT_CURRENCY = "EUR"
HAYSTACK_CONNECTIONS = {"default": {"ENGINE": "haystack.backends.whoosh_backend.WhooshEngine", "PATH": str(FOLDER / "index")}}
