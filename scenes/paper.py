"""Sizes of the model that first was nothing but attention, to set a story's own sizes against.

Vaswani et al. 2017, "Attention Is All You Need", section 3.2.2: vectors of d_model = 512 numbers are projected to
queries, keys and values of d_k = d_v = 64.
"""

D_MODEL = 512
D_K = 64
