"""Records: what was computed stays as it was, whatever anybody does to it or to the arrays that went in."""

import copy
import dataclasses
import pickle

import numpy as np
import pytest

from math_core import (
    MOUSE_EATS_CHEESE,
    Attention,
    as_dict,
    attend,
    causal_mask,
    dot_product_spread,
    planar_shadow,
    self_attention,
    sharpness,
    softmax_steps,
)


def arrays_of(entries, path=""):
    for name, value in entries.items():
        if isinstance(value, dict):
            yield from arrays_of(value, f"{path}{name}.")
        elif isinstance(value, np.ndarray):
            yield f"{path}{name}", value


def full_trace():
    eye = np.eye(2)
    biases = {name: [1, 2] for name in ("b_Q", "b_K", "b_V", "b_O")}
    return self_attention(np.ones((3, 2)), eye, eye, eye, heads=2, W_O=eye, mask=causal_mask(3), **biases)


RECORDS = [
    full_trace(),
    MOUSE_EATS_CHEESE,
    softmax_steps([[1, 2], [300, 4]]),
    planar_shadow(np.eye(3)),
    planar_shadow(np.eye(2)),
    dot_product_spread(2, 10, 0),
    sharpness([[0.5, 0.5]]),
    sharpness([0.5, 0.5]),
]

each_record = pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)


@each_record
def test_no_array_of_a_record_can_be_written_to(record):
    found = dict(arrays_of(as_dict(record)))
    assert found
    for array in found.values():
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
        with pytest.raises(ValueError, match="cannot set WRITEABLE"):
            array.flags.writeable = True


@each_record
def test_no_field_of_a_record_can_be_replaced(record):
    name = next(iter(as_dict(record)))
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(record, name, None)


def test_a_trace_does_not_change_with_the_arrays_that_went_in():
    given = {name: np.eye(2) for name in ("X", "W_Q", "W_K", "W_V", "W_O")}
    given |= {name: np.ones(2) for name in ("b_Q", "b_K", "b_V", "b_O")}
    given["mask"] = np.ones((2, 2), bool)
    trace = self_attention(**given)
    before = {name: array.copy() for name, array in arrays_of(as_dict(trace))}
    for array in given.values():
        array[...] = 0
    for name, array in arrays_of(as_dict(trace)):
        assert np.array_equal(array, before[name]), name


def test_input_is_neither_changed_nor_locked():
    queries, mask, bias = np.ones((2, 2)), np.ones((2, 2), bool), np.ones((2, 2))
    attend(queries, queries, queries, mask=mask, bias=bias)
    for array in (queries, mask, bias):
        assert array.flags.writeable
        assert (array == 1).all()


def test_a_mask_is_kept_at_its_own_size_however_large_the_grid():
    attention = attend(np.ones((50, 40, 1)), np.ones((30, 1)), np.ones((30, 1)), mask=np.ones(30, bool))
    assert attention.mask.shape == (50, 40, 30)
    assert attention.mask.strides == (0, 0, 1)


def test_a_record_made_by_hand_takes_copies():
    mine = np.ones((1, 1))
    record = Attention(mine, mine, mine, mine, mine, 1.0, None)
    mine[0, 0] = 5
    assert record.weights.tolist() == [[1]]


def test_a_read_only_view_of_a_writable_array_is_copied_too():
    mine = np.ones((1, 1))
    view = mine.view()
    view.flags.writeable = False
    record = Attention(view, view, view, view, view, 1.0, None)
    mine[0, 0] = 5
    assert record.weights.tolist() == [[1]]


@each_record
def test_a_record_that_went_to_another_process_is_the_same_and_still_locked(record):
    back = pickle.loads(pickle.dumps(record))
    original = dict(arrays_of(as_dict(record)))
    for name, array in arrays_of(as_dict(back)):
        assert np.array_equal(array, original[name])
        assert not array.flags.writeable


@each_record
def test_copies_of_a_record_are_the_record_itself(record):
    assert copy.copy(record) is record
    assert copy.deepcopy(record) is record


def test_a_record_shows_its_shapes_and_not_its_numbers():
    shown = repr(attend([[1]], [[1], [2]], [[1], [2]]))
    assert shown == (
        "Attention(scores: (1, 2), scaled: (1, 2), masked: (1, 2), weights: (1, 2), output: (1, 1), "
        "scale=1.0, mask=None)"
    )
