"""The cases of ONNX's Attention operator (opset 23), as its package ships them for every runtime to pass.

Masks of booleans and of numbers, causal, scales, 3-D and 4-D input, grouped heads, a cache of past keys, and
the operator's view into the scores. Left out is soft-capping alone, which is another formula.
"""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
import onnx.helper
import pytest
from onnx.backend.test.case import node as onnx_cases
from onnx.backend.test.case.node import attention as _registers_the_cases  # noqa: F401

from math_core import Attention, attend, causal_mask
from tests.math_core.reference import (
    BFLOAT16,
    FLOAT16,
    FLOAT32,
    gamma,
    output_bound,
    score_bound,
    score_size,
    weight_bound,
)

OPSET = 23
ARITHMETIC = {"float16": FLOAT16, "float32": FLOAT32, "bfloat16": BFLOAT16}


@dataclass(frozen=True)
class Case:
    name: str
    attributes: dict[str, float]
    inputs: dict[str, np.ndarray]
    outputs: dict[str, np.ndarray]


@cache
def cases() -> tuple[Case, ...]:
    return tuple(
        _read(case)
        for case in onnx_cases._NodeTestCases
        if case.name.startswith("test_attention")
        and "_expanded" not in case.name  # the same data again, for runtimes that lack the operator
        and case.model.opset_import[0].version == OPSET
    )


def _read(case) -> Case:
    node = case.model.graph.node[0]
    inputs, outputs = case.data_sets[0]
    return Case(
        name=case.name,
        attributes={a.name: onnx.helper.get_attribute_value(a) for a in node.attribute},
        inputs=dict(zip(filter(None, node.input), inputs, strict=True)),
        outputs=dict(zip(filter(None, node.output), outputs, strict=True)),
    )


def uncapped() -> list[Case]:
    return [case for case in cases() if "softcap" not in case.attributes]


def as_arguments(case: Case) -> dict:
    """Translate a case into the arguments of ``attend``: all heads on an axis of their own."""
    q_heads, kv_heads = (case.attributes.get(f"{who}_num_heads") for who in ("q", "kv"))
    Q = _per_head(case.inputs["Q"], q_heads)
    K = _with_past(case, "past_key", _per_head(case.inputs["K"], kv_heads))
    V = _with_past(case, "past_value", _per_head(case.inputs["V"], kv_heads))
    group = Q.shape[1] // K.shape[1]  # so many heads of queries share one of keys and values
    K, V = (np.repeat(array, group, axis=1) for array in (K, V))

    mask, bias = _mask_and_bias(case.inputs.get("attn_mask"))
    if case.attributes.get("is_causal"):
        n_q, n_k = Q.shape[2], K.shape[2]
        past = case.inputs["past_key"].shape[2] if "past_key" in case.inputs else 0
        earlier = causal_mask(past + n_q, n_k)[past:]
        mask = earlier if mask is None else mask & earlier
    scale = case.attributes.get("scale")
    return {"queries": Q, "keys": K, "values": V, "mask": mask, "bias": bias, "scale": scale}


def _per_head(array: np.ndarray, heads: int | None) -> np.ndarray:
    array = array.astype(np.float64)
    if heads is None:
        return array
    batch, n, width = array.shape
    return array.reshape(batch, n, heads, width // heads).swapaxes(1, 2)


def as_published(case: Case, per_head: np.ndarray) -> np.ndarray:
    """Undo ``_per_head``: 3-D cases want the heads side by side again."""
    if case.inputs["Q"].ndim == 4:
        return per_head
    return np.concatenate(np.moveaxis(per_head, 1, 0), axis=-1)


def _with_past(case: Case, name: str, array: np.ndarray) -> np.ndarray:
    past = case.inputs.get(name)
    return array if past is None else np.concatenate([past.astype(np.float64), array], axis=2)


def _mask_and_bias(attn_mask: np.ndarray | None) -> tuple[np.ndarray | None, np.ndarray | None]:
    if attn_mask is None or attn_mask.dtype == np.bool_:
        return attn_mask, None
    numbers = attn_mask.astype(np.float64)
    visible = numbers != -np.inf
    return visible, np.where(visible, numbers, 0.0)


def bounds(case: Case, arguments: dict, ours: Attention) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return how far the published numbers may be off, on scores, weights and output.

    They were computed in the case's own format, with √scale on both factors: two roundings more a term than
    ``reference`` counts. Weights and output are rounded to the format once more. Our own float64 error is
    smaller by 2^29 and drowns in the count.
    """
    arithmetic = ARITHMETIC[str(case.inputs["Q"].dtype)]
    Q, K, V = (arguments[name] for name in ("queries", "keys", "values"))
    d = Q.shape[-1]
    bias = 0.0 if arguments["bias"] is None else arguments["bias"]
    e = score_bound(score_size(Q, K, ours.scale, bias), d + 6, d * max(1.0, math.sqrt(abs(ours.scale))), arithmetic)
    visible = np.isfinite(ours.masked)
    off = weight_bound(ours.weights, ours.scaled, e, visible, arithmetic)
    off = off + gamma(1, arithmetic.unit) * (ours.weights + off)
    return e, off, output_bound(ours.weights, off, np.abs(V), 1, arithmetic)


def assert_within(actual: np.ndarray, published: np.ndarray, bound: np.ndarray) -> None:
    published = published.astype(np.float64)
    assert actual.shape == published.shape
    hidden = np.isneginf(published)
    assert np.array_equal(np.isneginf(actual), hidden)
    error = np.abs(np.where(hidden, 0.0, actual) - np.where(hidden, 0.0, published))
    assert (error <= bound).all(), f"off by up to {np.max(error / bound):.3g} times what rounding explains"


def test_every_case_of_the_opset_is_run_except_those_with_soft_capping():
    assert len(uncapped()) >= 59, "onnx 1.23.2 ships as many; later versions add to them"
    left_out = {case.name for case in cases()} - {case.name for case in uncapped()}
    assert all("softcap" in name for name in left_out)


@pytest.mark.parametrize("case", uncapped(), ids=lambda case: case.name)
def test_output_is_that_of_the_published_case(case):
    arguments = as_arguments(case)
    ours = attend(**arguments)
    *_, bound = bounds(case, arguments, ours)
    unit = ARITHMETIC[str(case.inputs["Q"].dtype)].unit
    assert bound.max() < 100 * unit * np.abs(arguments["values"]).max(), "the bound would allow anything"
    assert_within(as_published(case, ours.output), case.outputs["Y"], as_published(case, bound))


@pytest.mark.parametrize(
    "case",
    [case for case in uncapped() if "qk_matmul_output" in case.outputs],
    ids=lambda case: case.name,
)
def test_scores_and_weights_are_those_that_the_operator_lets_out(case):
    arguments = as_arguments(case)
    ours = attend(**arguments)
    e, off, _ = bounds(case, arguments, ours)
    mode = case.attributes.get("qk_matmul_output_mode", 0)
    stage, bound = {
        0: (ours.scores * ours.scale, e),
        2: (ours.masked, e),
        3: (ours.weights, off),
    }[mode]
    assert_within(stage, case.outputs["qk_matmul_output"], bound)
