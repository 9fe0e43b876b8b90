"""The views of the dashboard, in the order of its menu."""

from garimpo.ui.view import View
from garimpo.ui.views import broken, exclude, hosts, mirrors, now, pages, repeats, rules, skipped, topic, tree, url

VIEWS: tuple[View, ...] = (
    now.VIEW,
    hosts.VIEW,
    pages.VIEW,
    skipped.VIEW,
    rules.VIEW,
    mirrors.VIEW,
    repeats.VIEW,
    topic.VIEW,
    broken.VIEW,
    tree.VIEW,
    url.VIEW,
    repeats.DIFFERENCE,
    exclude.VIEW,
)
