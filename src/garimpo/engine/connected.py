"""Connected components by rounds of SQL, the same on every engine.

Every node begins as its own component. A round gives each node the smallest component among its own and its
neighbours', then jumps pointers (the component of its component), which halves the depth of the trees; so the
number of rounds grows with the logarithm of the longest path, and it ends when a round changes nothing.
"""

from typing import Any

import numpy as np
import pyarrow as pa

from garimpo.engine.base import Engine

_NODES = "select distinct node, node as component from (select a as node from edges union all select b from edges) nodes"

_BOTH = "select a, b from edges union all select b as a, a as b from edges"

_SPREAD = """
select l.node as node, least(min(l.component), min(n.component)) as component
from labels l join both_ways e on e.a = l.node join labels n on n.node = e.b
group by l.node
"""

_JUMP = "select l.node as node, p.component as component from labels l join labels p on p.node = l.component"

_CHANGED = "select count(*) as changed from old o join new n on o.node = n.node where o.component <> n.component"


def components(engine: Engine, edges: Any) -> Any:
    """`node`, `component` for each node of `edges` (`a`, `b` int64)."""
    both_ways = engine.sql(_BOTH, edges=edges)
    labels = engine.sql(_NODES, edges=edges)
    while True:
        spread = engine.sql(_SPREAD, labels=labels, both_ways=both_ways)
        jumped = engine.sql(_JUMP, labels=engine.sql(_JUMP, labels=spread))
        changed = engine.collect(engine.sql(_CHANGED, old=labels, new=jumped))["changed"][0].as_py()
        if not changed:
            return jumped
        labels = jumped


def components_here(edges: pa.Table) -> pa.Table:
    """The same over a small graph in memory.

    >>> components_here(pa.table({"a": [7, 4], "b": [9, 9]})).to_pydict()
    {'node': [4, 7, 9], 'component': [4, 4, 4]}
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    nodes, places = np.unique(np.concatenate([edges["a"].to_numpy(), edges["b"].to_numpy()]), return_inverse=True)
    a, b = np.split(places, 2)
    graph = coo_array((np.ones(len(a), np.int8), (a, b)), shape=(len(nodes), len(nodes)))
    labels = connected_components(graph, directed=False)[1]
    smallest = nodes[np.unique(labels, return_index=True)[1]]
    return pa.table({"node": nodes, "component": smallest[labels]}, pa.schema([("node", pa.int64()), ("component", pa.int64())]))
