"""The pages of the CMS, its log-in and its documents."""

from django.urls import include, path
from wagtail import urls as pages
from wagtail.admin import urls as admin
from wagtail.documents import urls as documents

urlpatterns = [path("admin/", include(admin)), path("documents/", include(documents)), path("", include(pages))]
