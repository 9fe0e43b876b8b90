"""A site of Django as a WSGI application; `DJANGO_SETTINGS_MODULE` says which."""

from django.core.wsgi import get_wsgi_application

application = get_wsgi_application()
