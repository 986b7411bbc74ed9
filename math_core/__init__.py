"""The numbers of self-attention: every value that a film shows is computed here, and only here.

NumPy and SciPy enter; Manim, files, the environment and the clock do not. In the order in which to read it:
``attention`` is the formula, ``masks`` says who may look at whom, ``trace`` keeps every stage from embeddings
to output, ``geometry`` and ``spread`` measure what the pictures explain, ``examples`` is data.
"""

from math_core._records import as_dict
from math_core.attention import Attention, SoftmaxSteps, attend, softmax, softmax_steps
from math_core.examples import CAT_ATE_FISH, MOUSE_EATS_CHEESE, Example
from math_core.geometry import Shadow, angle, cosine, dot, length, planar_shadow
from math_core.masks import causal_mask, padding_mask
from math_core.spread import (
    Sharpness,
    Spread,
    dot_product_spread,
    jacobian_norm,
    running_sums,
    sharpness,
    softmax_jacobian,
)
from math_core.trace import Trace, cross_attention, self_attention

__all__ = [
    "CAT_ATE_FISH",
    "MOUSE_EATS_CHEESE",
    "Attention",
    "Example",
    "Shadow",
    "Sharpness",
    "SoftmaxSteps",
    "Spread",
    "Trace",
    "angle",
    "as_dict",
    "attend",
    "causal_mask",
    "cosine",
    "cross_attention",
    "dot",
    "dot_product_spread",
    "jacobian_norm",
    "length",
    "padding_mask",
    "planar_shadow",
    "running_sums",
    "self_attention",
    "sharpness",
    "softmax",
    "softmax_jacobian",
    "softmax_steps",
]
