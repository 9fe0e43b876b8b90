"""The methods of the thesis: DustLin and DUSTER.

::

    cluster -> multiple_alignment -> emission (one rule a cluster) -> methods (support, denials) -> redundancy
"""
