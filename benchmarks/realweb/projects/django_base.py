"""Settings that all sites of Django share; `SITE_FOLDER` says where a site's data is."""

import os
from pathlib import Path

FOLDER = Path(os.environ["SITE_FOLDER"])
SECRET_KEY = "no secret: the site is read-only and on loopback"
DEBUG = False
ALLOWED_HOSTS = ["*"]
USE_TZ = True
SITE_ID = 1
STATIC_URL = "/static/"
MEDIA_ROOT = str(FOLDER / "media")
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(FOLDER / "site.sqlite")}}
CONTRIB = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.sites",
    "django.contrib.staticfiles",
]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]
PROCESSORS = [
    "django.template.context_processors.request",
    "django.contrib.auth.context_processors.auth",
    "django.contrib.messages.context_processors.messages",
]


def templates(folders: list[str], processors: list[str]) -> list[dict[str, object]]:
    """The setting TEMPLATES, with more folders and context processors."""
    options = {"context_processors": [*PROCESSORS, *processors]}
    return [{"BACKEND": "django.template.backends.django.DjangoTemplates", "DIRS": folders, "APP_DIRS": True, "OPTIONS": options}]
