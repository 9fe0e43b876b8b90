"""The methods of the source: binned features, lazy associative rules, EM over seeds, Pareto layers.

::

    seeds -> em (bins, rule_index) -> lac scores (PU, NU) -> pareto (PNU) ; methods runs them by name
"""
