"""The made web over real sockets: a server for all hosts, with robots.txt, faults, TLS and HTTP/2."""
