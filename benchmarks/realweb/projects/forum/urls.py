"""The forum is the whole site; its templates ask for pages to log in and out by name."""

from django.contrib.auth import views
from django.urls import include, path

urlpatterns = [
    path("account/login/", views.LoginView.as_view(template_name="machina/base.html"), name="login"),
    path("account/logout/", views.LogoutView.as_view(), name="logout"),
    path("", include("machina.urls")),
]
