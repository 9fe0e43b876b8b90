"""The tracker in the folder at hand as a WSGI application."""

from roundup.cgi.wsgi_handler import RequestDispatcher

application = RequestDispatcher("tracker")
