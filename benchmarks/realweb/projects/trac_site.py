"""Trac as a WSGI application; `TRAC_ENV` says where its files are."""

from trac.web.main import dispatch_request as application

__all__ = ["application"]
