"""The calendar is the whole site."""

from django.urls import include, path
from django.views.generic import RedirectView

urlpatterns = [path("", RedirectView.as_view(url="/schedule/")), path("schedule/", include("schedule.urls"))]
