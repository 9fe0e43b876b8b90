"""Bytes, politely: names, sockets, robots.txt, waiting.

::

    dns (resolver) -> client -> transfer (one libcurl handle) -> Answer
                         |          epoll: which sockets are ready
                      answering: the same, by a `Fetcher` in place of the network
    secrets: headers and cookies, for the hosts they are meant for
    robots (robots_rules): may this URL be fetched, and how slowly      waiting: how long a host rests after an error

`client` runs many transfers at once in one thread. Redirects are answers; nothing here follows them. A private address is
refused at the socket, whatever name led to it.
"""
