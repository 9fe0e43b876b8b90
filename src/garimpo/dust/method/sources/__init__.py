"""Where proposals come from: each module looks at clusters in its own way and proposes operations.

`proposals` compares URLs part by part, `path_segments` segment by segment, `whole_urls` finds fields of one URL in the other,
`host_names` compares the names of a site's hosts. `parts` says what a URL consists of, `spelling` takes away what two URLs only
spell differently, and `unions` puts together parameters that come in changing company.
"""
