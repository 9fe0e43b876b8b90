"""The applications, one a module. Nothing outside this room knows any of them by name."""

from realweb.application import Application
from realweb.applications.cgit import Cgit
from realweb.applications.datasette import Datasette
from realweb.applications.dokuwiki import DokuWiki
from realweb.applications.fossil import Fossil
from realweb.applications.gitweb import Gitweb
from realweb.applications.machina import Machina
from realweb.applications.manuals import Manuals
from realweb.applications.mezzanine import Mezzanine
from realweb.applications.mhonarc import MHonArc
from realweb.applications.oscar import Oscar
from realweb.applications.pydoctor import Pydoctor
from realweb.applications.roundup import Roundup
from realweb.applications.scheduler import Scheduler
from realweb.applications.trac import Trac
from realweb.applications.wagtail import Wagtail

# Two wikis, three code browsers, a tracker, a blog, a CMS, a forum, a shop, a catalogue, a mailing list, API documents, calendars
# and some thirty manuals.
APPLICATIONS: list[Application] = [
    DokuWiki(),
    Trac(),
    Cgit(),
    Gitweb(),
    Fossil(),
    Roundup(),
    Mezzanine(),
    Wagtail(),
    Machina(),
    Oscar(),
    Datasette(),
    MHonArc(),
    Pydoctor(),
    Scheduler(),
    Manuals(),
]
