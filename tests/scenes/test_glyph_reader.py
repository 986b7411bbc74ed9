"""The eye that the other tests read the screen with: it reads what is there, and sees when it is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import typst
from manim import Typst, tempconfig

from explainer.audit.glyphs import (
    CHARACTERS,
    UNREADABLE,
    Array,
    alphabet,
    face_file,
    look_alikes,
    read,
    said,
    sizes,
)
from tests.scenes.stage import settings

KNOWN = alphabet(face_file())


@pytest.fixture(autouse=True)
def _own_media_folder(tmp_path: Path) -> Iterator[None]:
    with tempconfig(settings(tmp_path)):
        yield


def written(text: str) -> Array:
    """The outline of a line of text as Typst sets it, which is neither how the reader nor how a number does it."""
    fonts = typst.Fonts(include_system_fonts=False, font_paths=[str(face_file().parent)])
    line = Typst(f'#"{text}"', typst_preamble='#set text(font: "Source Sans Pro")', font_paths=fonts)
    return np.concatenate([glyph.points for glyph in line.submobjects])


@pytest.mark.parametrize(
    "text",
    [
        "0.38",
        "−1.47",
        "89.4 %",
        "100 %",
        "1023456789",
        "≈ 2.83",
        "4 / √2",
        "[1.11, −1.79]",
        "2·(−1)+3·4",
        "1.1×10",
        "∞",
    ],
)
def test_a_line_that_another_program_set_is_read(text: str) -> None:
    assert read(written(text), KNOWN).text == text


def test_size_and_baseline_of_a_line_are_found() -> None:
    points = written("147")  # figures that stand on their baseline and are 0.638 em high
    height, foot = float(np.ptp(points[:, 1])), float(points[:, 1].min())
    reading = read(points * 3 + [5.0, -2.0, 0.0], KNOWN)
    assert reading.em == pytest.approx(3 * height / 0.638, rel=0.01)
    assert reading.baseline == pytest.approx(3 * foot - 2.0, abs=0.01 * reading.em)


def test_a_point_at_half_height_is_no_full_stop() -> None:
    line = written("3.5")
    three, dot, five = np.split(line, breaks(line))
    lifted = dot + np.array([0, 0.4 * np.ptp(five[:, 1]), 0])
    assert read(np.concatenate([three, dot, five]), KNOWN).text == "3.5"
    assert read(np.concatenate([three, lifted, five]), KNOWN).text[1] in ("·", UNREADABLE)


def breaks(points: Array) -> Array:
    """Where one closed outline ends and the next begins."""
    return np.flatnonzero(np.abs(points[4::4] - points[3:-1:4]).max(axis=1) > 1e-6) * 4 + 4


def test_smaller_and_higher_figures_are_read_as_raised() -> None:
    ten, six = written("10"), written("6")
    scale = np.ptp(ten[:, 1])
    right = ten[:, 0].max() + 0.1 * scale
    exponent = (six - [six[:, 0].min(), six[:, 1].min(), 0]) * 0.65 + [right, ten[:, 1].min() + 0.5 * scale, 0]
    assert read(np.concatenate([ten, exponent]), KNOWN).text == "10⁶"


def test_a_figure_that_leaves_its_line_is_not_read() -> None:
    one, two = written("4"), written("7")
    width = np.ptp(one[:, 0])
    beside = two - [two[:, 0].min() - one[:, 0].max() - 0.1 * width, 0, 0]
    assert read(np.concatenate([one, beside]), KNOWN).text == "47"
    for shift in (0.2, -0.2):
        assert UNREADABLE in read(np.concatenate([one, beside + np.array([0, shift * width, 0])]), KNOWN).text


def test_figures_that_cover_each_other_are_not_read() -> None:
    one, two = written("4"), written("7")
    assert UNREADABLE in read(np.concatenate([one, two - [np.ptp(two[:, 0]) / 2, 0, 0]]), KNOWN).text


def test_a_glyph_of_another_kind_is_not_read() -> None:
    assert UNREADABLE in read(written("g"), KNOWN).text
    assert look_alikes(written("g"), KNOWN) == ""


def test_nothing_reads_as_nothing() -> None:
    assert read(np.zeros((0, 3)), KNOWN).text == ""


def test_each_letter_tells_the_size_of_its_line() -> None:
    points = written("407")
    (_, four), (_, zero), (_, seven) = sizes(points, KNOWN)
    assert four == pytest.approx(zero, rel=0.02)
    assert seven == pytest.approx(zero, rel=0.02)


def test_no_two_characters_look_alike_but_those_that_their_height_tells_apart() -> None:
    close = {a.char + b.char for a, b in combinations(KNOWN.shapes, 2) if np.abs(a.picture - b.picture).mean() < 0.13}
    assert close == {".·"}
    assert len(KNOWN.shapes) == len(CHARACTERS)


@pytest.mark.parametrize(
    ("text", "value", "decimals"),
    [("−1.50", "-1.50", 2), ("89.4 %", "0.894", 1), ("1.1×10⁶", "1.1E+6", 1), ("7", "7", 0), ("2.0×10⁻³", "0.0020", 1)],
)
def test_what_a_number_says_is_taken_digit_for_digit(text: str, value: str, decimals: int) -> None:
    assert said(text).value == Decimal(value)
    assert said(text).decimals == decimals


@pytest.mark.parametrize("text", ["−0.00", "-1", ".5", "5.", "1 000", "NaN", "−∞", "5%", ""])
def test_what_is_no_well_written_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no number|negative zero"):
        said(text)


@pytest.mark.parametrize(
    ("text", "value", "nearest"),
    [("2.83", "2.8284", True), ("2.82", "2.8284", False), ("0.13", "0.125", True), ("0.12", "0.125", True),
     ("5.3 %", "0.05285", True), ("5.2 %", "0.05285", False), ("1.1×10⁶", "1094931", True),
     ("1.0×10⁶", "1094931", False)],
)  # fmt: skip
def test_a_number_nudged_by_one_in_its_last_digit_is_seen(text: str, value: str, nearest: bool) -> None:
    assert said(text).is_nearest_to(Decimal(value)) is nearest
