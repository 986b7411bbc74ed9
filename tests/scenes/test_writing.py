"""Words, formulas and lines of working: literal, on one baseline, as large as they say."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from manim import RIGHT, UP, ManimColor, tempconfig
from PIL import Image, ImageChops, ImageDraw, ImageFont

from explainer.audit.glyphs import Array, alphabet, face_file, read, sizes
from scenes.layout import layout_for
from scenes.mobjects.header import Header
from scenes.mobjects.number import Number
from scenes.mobjects.text import Formula, Label, Row, fitted_label, named
from scenes.mobjects.token_row import Token, TokenRow, common_em, common_width
from scenes.mobjects.working import Working
from scenes.numerals import COUNT, NumberStyle
from scenes.theme import theme_for
from tests.scenes.stage import settings

INK = ManimColor("#E8ECF4")
THEME = theme_for("dark", {})
PIXELS = 200
"""Pixels an em at which outlines are compared with FreeType's."""


@pytest.fixture(autouse=True)
def _own_media_folder(tmp_path: Path) -> Iterator[None]:
    with tempconfig(settings(tmp_path)):
        yield


def filled(points: Array, em: float) -> Image.Image:
    """What an outline looks like, cropped to its ink."""
    flat = points[:, :2] * PIXELS / em
    flat = (flat - flat.min(axis=0)) * [1, -1] + [2, 0]
    flat[:, 1] += np.ptp(flat[:, 1]) + 2
    size = tuple(int(x) + 4 for x in flat.max(axis=0))
    picture = Image.new("1", size)
    cuts = np.flatnonzero(np.abs(flat[4::4] - flat[3:-1:4]).max(axis=1) > 1e-3) * 4 + 4
    t = np.linspace(0, 1, 9)[None, :, None]
    for path in np.split(flat, cuts):
        a, b, c, d = (path.reshape(-1, 4, 2)[:, k, None] for k in range(4))
        curve = a * (1 - t) ** 3 + 3 * b * t * (1 - t) ** 2 + 3 * c * t**2 * (1 - t) + d * t**3
        layer = Image.new("1", size)
        ImageDraw.Draw(layer).polygon([tuple(p) for p in curve.reshape(-1, 2)], fill=1)
        picture = ImageChops.logical_xor(picture, layer)
    return picture.convert("L").crop(picture.getbbox())


def drawn_by_freetype(text: str, weight: str = "Regular") -> Image.Image:
    font = ImageFont.truetype(str(face_file(weight)), PIXELS)
    canvas = Image.new("L", (int(font.getlength(text)) + 2 * PIXELS, 3 * PIXELS))
    ImageDraw.Draw(canvas).text((PIXELS, 2 * PIXELS), text, fill=255, font=font, anchor="ls")
    return canvas.crop(canvas.getbbox())


def look_alike(a: Image.Image, b: Image.Image) -> bool:
    """Whether two pictures are as large to two pixels and hold their ink in the same places."""
    if max(abs(x - y) for x, y in zip(a.size, b.size, strict=True)) > 2:
        return False
    ours, theirs = (np.asarray(i.resize(b.size).reduce(8), dtype=float) for i in (a, b))
    return float(np.abs(ours - theirs).sum() / theirs.sum()) < 0.25


# Labels


@pytest.mark.parametrize(
    "text",
    ["cat", "<b>", "{x}", "a&b", "C#", "$x$", "\\", '"hi"', "it's", "`ls`", "*a* _b_", "#let x = 1", "-- --- ...",
     "@ref <label>", "// no comment", "= no heading", "1. + - /", "~", "\\u{41}", "https://a.b", "[x](y)"],
)  # fmt: skip
def test_a_label_shows_its_text_literally(text: str) -> None:
    label = Label(text, em=0.5, colour=INK)
    assert label.shown_text() == text
    assert look_alike(filled(label.points, 0.5), drawn_by_freetype(text))


def test_another_text_does_not_look_alike() -> None:
    assert not look_alike(filled(Label("cat", em=0.5, colour=INK).points, 0.5), drawn_by_freetype("cab"))


def test_a_title_is_set_in_the_heavier_weight() -> None:
    label = Label("Scores", em=0.5, colour=INK, semibold=True)
    assert look_alike(filled(label.points, 0.5), drawn_by_freetype("Scores", "Semibold"))


@pytest.mark.parametrize("em", [0.2, 0.5, 1.3])
def test_a_labels_em_is_the_size_of_its_letters(em: float) -> None:
    label = Label("Hamburgefonstiv", em=em, colour=INK)
    letters = [size for _, size in sizes(label.points, alphabet(face_file(), "HmburgeostvI"))]
    assert np.median(letters) == pytest.approx(em, rel=0.01)
    assert label.em == pytest.approx(em)


def test_a_writing_knows_its_place_and_size_after_it_was_moved_and_scaled() -> None:
    label = Label("gap", em=0.5, colour=INK).set_pen(np.array([1.0, 2.0, 0.0]))
    advance = label.advance
    label.shift(RIGHT * 2 + UP).scale(1.5, about_point=label.pen)
    assert label.em == pytest.approx(0.75)
    assert label.advance == pytest.approx(1.5 * advance)
    assert label.pen == pytest.approx([3.0, 3.0, 0.0])
    label.set_em(0.5)
    assert (label.em, *label.pen) == pytest.approx((0.5, 3.0, 3.0, 0.0))
    label.set_middle(np.zeros(3))
    assert label.pen[0] == pytest.approx(-label.advance / 2)
    assert label.pen[1] == pytest.approx(-0.33 * 0.5)


def test_a_copy_of_a_writing_is_independent() -> None:
    label = Label("one", em=0.5, colour=INK)
    pen = label.pen.copy()
    label.copy().shift(RIGHT)
    assert label.pen == pytest.approx(pen)


# Words that must fit


def test_a_word_that_fits_keeps_its_size() -> None:
    assert fitted_label("cat", 3.0, em=0.5, colour=INK, smallest=0.3).em == pytest.approx(0.5)


def test_a_word_too_wide_first_becomes_smaller() -> None:
    wide = Label("internationalization", em=0.5, colour=INK).advance
    label = fitted_label("internationalization", 0.8 * wide, em=0.5, colour=INK, smallest=0.3)
    assert label.em == pytest.approx(0.4, rel=0.01)
    assert label.advance <= 0.8 * wide + 1e-6


def test_a_word_too_wide_at_the_smallest_size_ends_in_an_ellipsis_and_remembers_itself() -> None:
    label = fitted_label("internationalization", 1.2, em=0.5, colour=INK, smallest=0.3)
    assert label.em == pytest.approx(0.3)
    assert label.advance <= 1.2
    assert label.shown_text() == "internationalization"
    shown, starts = filled(label.points, 0.3), ["internationalization"[:n] + "…" for n in range(20)]
    kept = [n for n, start in enumerate(starts) if look_alike(shown, drawn_by_freetype(start))]
    assert len(kept) == 1
    # One letter more would not have fitted.
    assert Label(starts[kept[0] + 1], em=0.3, colour=INK).advance > 1.2


@pytest.mark.parametrize("text", ["W", "WW", "{", "."])
def test_a_very_short_word_in_a_very_narrow_place_still_shows_something(text: str) -> None:
    assert len(fitted_label(text, 0.05, em=0.5, colour=INK, smallest=0.3).points) > 0


# Rows


def test_the_pieces_of_a_row_share_a_baseline_and_follow_each_other() -> None:
    pieces = [
        Formula([(named("q", "gap"), INK)], em=0.5),
        Label("gypsy", em=0.4, colour=INK),
        Number(-1.5, NumberStyle(1), face=face_file(), em=0.5, colour=INK),
        Label("=", em=0.5, colour=INK),
    ]
    row = Row(pieces, em=0.5, gaps=0.3).place(np.array([1.0, -2.0, 0.0]), 9.0)
    assert np.ptp([piece.pen[1] for piece in pieces]) == pytest.approx(0.0, abs=1e-9)
    for left, right in pairwise(pieces):
        assert right.pen[0] - left.pen_end[0] == pytest.approx(0.15)
    assert (pieces[0].pen[0] + pieces[-1].pen_end[0]) / 2 == pytest.approx(1.0)
    assert row.advance == pytest.approx(pieces[-1].pen_end[0] - pieces[0].pen[0])


def test_a_row_too_wide_is_made_smaller_as_a_whole() -> None:
    pieces = [Label("wide words", em=0.5, colour=INK), Number(123456.0, COUNT, face=face_file(), em=0.5, colour=INK)]
    row = Row(pieces, em=0.5, gaps=0.3)
    half = row.advance / 2
    assert row.em_within(half) == pytest.approx(0.25)
    row.place(np.zeros(3), half)
    assert row.advance == pytest.approx(half)
    assert [piece.em for piece in pieces] == pytest.approx([0.25, 0.25])
    assert np.ptp([piece.pen[1] for piece in pieces]) == pytest.approx(0.0, abs=1e-9)


def test_a_line_of_working_reads_as_it_was_built() -> None:
    line = Working(THEME).sign("[").number(2, COUNT, "a").sign("·").number(-1, COUNT, "b", guarded=True)
    line.sign("+").number(3.5, NumberStyle(1), "c", guarded=True).sign("]", tight=True)
    line.sign("≈").number(1.5, NumberStyle(1), "d")
    row = line.row()
    points = np.concatenate([piece.points for piece in row.pieces])
    assert read(points, alphabet(face_file())).text.replace(" ", "") == "[2·(−1)+3.5]≈1.5"
    assert [number.source for number in line.numbers] == ["a", "b", "c", "d"]


def test_the_parts_of_a_formula_wear_their_own_colours_in_their_own_order() -> None:
    red, blue = ManimColor("#FF0000"), ManimColor("#0000FF")
    formula = Formula([("Q", red), ("K^upright(T)", blue), (r"thin \/ sqrt(d_k)", INK)], em=0.5)
    assert [part.fill_color.to_hex() for part in formula.submobjects] == ["#FF0000", "#0000FF", INK.to_hex()]
    lefts = [part.get_left()[0] for part in formula.submobjects]
    assert lefts == sorted(lefts)
    for one, other in pairwise(formula.submobjects):
        assert one.get_right()[0] < other.get_left()[0] + 0.05


def test_words_at_the_foot_of_a_symbol_are_literal() -> None:
    for word in ("<b>", "{x}", "#let", "$x$", "a_b", '"', "\\"):
        assert len(Formula([(named("q", word), INK)], em=0.5).submobjects[0].points) > 0
    plain, tricky = (Formula([(named("q", word), INK)], em=0.5).advance for word in ("ab", "_b"))
    assert tricky != pytest.approx(plain)


# Tokens and the header


def test_each_word_keeps_the_marker_of_its_position() -> None:
    markers = [Token("word", i, 3.0, THEME).marker for i in range(6)]
    assert len({(type(m).__name__, len(m.points)) for m in markers}) == 6
    again = Token("other", 6, 3.0, THEME).marker
    assert (type(again), len(again.points)) == (type(markers[0]), len(markers[0].points))


@pytest.mark.parametrize("width", [1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2.0])
def test_words_of_a_sentence_are_equally_large_and_fit(width: float) -> None:
    words = ["a", "elephant", "mat"]
    row = TokenRow(words, width, THEME)
    em = common_em(words, width, THEME)
    assert [token.label.em for token in row.tokens] == pytest.approx([em] * 3)
    # The markers of some positions are a hair broader than others.
    assert max(token.advance for token in row.tokens) <= width + 0.02
    assert common_width(words, width, THEME) == pytest.approx(max(token.advance for token in row.tokens), abs=0.02)
    assert row.shown_text() == tuple(words)


def test_a_word_that_has_to_be_cut_does_not_make_the_others_small() -> None:
    row = TokenRow(["a", "characteristicalness", "mat"], 1.2, THEME)
    small, cut, small_too = (token.label.em for token in row.tokens)
    assert small == pytest.approx(small_too)
    assert small > cut
    assert row.tokens[1].advance <= 1.2 + 0.02
    assert row.shown_text()[1] == "characteristicalness"


def test_a_token_is_put_by_its_edges() -> None:
    token = Token("mat", 0, 3.0, THEME)
    token.put_left(np.array([1.0, 2.0, 0.0]))
    assert token.get_left()[0] == pytest.approx(1.0)
    token.put_middle(np.array([1.0, 2.0, 0.0]))
    assert token.left_middle()[0] + token.advance / 2 == pytest.approx(1.0)
    assert token.left_middle()[1] == pytest.approx(2.0)


def test_a_header_shows_its_step_and_keeps_to_its_zone() -> None:
    zone = layout_for("16:9", 0.42, 0.3).header.inset(right=4.0)
    header = Header(3, "Scores, and a title that is far too long for the room that the header has for it", zone, THEME)
    (number,) = (m for m in header.submobjects if isinstance(m, Number))
    assert read(number.points, alphabet(face_file("Semibold"))).text == "3"
    assert header.get_left()[0] >= zone.left - 1e-6
    assert header.get_right()[0] <= zone.right + 0.05
    assert Header(None, "Short", zone, THEME).get_left()[0] == pytest.approx(zone.left, abs=0.1)
