"""The numbers of a running crawl for Prometheus, served on a port of this machine."""

from collections.abc import Mapping
from typing import Any

from garimpo.contract.errors import BadInput


class Metrics:
    """One gauge a number, named `garimpo_...`."""

    def __init__(self, port: int) -> None:
        try:
            from prometheus_client import CollectorRegistry, Gauge, start_http_server
        except ImportError:
            raise BadInput("metrics-port: needs the extra 'metrics' (pip install 'garimpo[metrics]')") from None
        self._registry, self._gauge = CollectorRegistry(), Gauge
        self._gauges: dict[str, Any] = {}
        try:
            self._server, self._thread = start_http_server(port, "127.0.0.1", self._registry)
        except OSError as error:
            raise BadInput(f"metrics-port: {port}: {error.strerror}") from None

    def set(self, numbers: Mapping[str, float]) -> None:
        for name, value in numbers.items():
            full = f"garimpo_{name.replace(' ', '_')}"
            if full not in self._gauges:
                self._gauges[full] = self._gauge(full, f"{name} of the crawl", registry=self._registry)
            self._gauges[full].set(value)

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
