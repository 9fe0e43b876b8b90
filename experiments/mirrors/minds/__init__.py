"""Collections of other minds: four made webs with truth, each with its own idea of what hosts are, share and show of themselves.

`manuals` is about software documentation, `shops` about catalogues and franchises, `campus` about departments and wikis,
`hosting` about shared servers, parked names and hosts of which little is known. They have in common only how a host is
written down (`world`). A method is fitted on some and measured on the others.
"""

from minds import campus, hosting, manuals, shops

MINDS = {"manuals": manuals.make, "shops": shops.make, "campus": campus.make, "hosting": hosting.make}
"""Name -> what makes a World of a seed, a number of hosts and the share of groups of copies among what is drawn."""
