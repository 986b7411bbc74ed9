"""The three palettes: what is written can be read, and roles stay apart for every eye."""

from __future__ import annotations

from itertools import combinations

import pytest

from explainer.audit.colours import DEFICIENCIES, contrast, distance, srgb
from scenes.mobjects.cells import shade
from scenes.theme import DIM, MEANINGS, PALETTES, Palette, Theme, theme_for

TEXT, MARK, DIMMED = 4.5, 3.0, 2.0
"""Contrast ratios of what is read (WCAG 2.2, 1.4.3), of marks (1.4.11), and of what has stepped back."""
APART = 0.12
ROLES = ("query", "key", "value", "weight")

palettes = pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)


def mixed(palette: Palette, colour: str) -> str:
    """A colour drawn dimmed on the ground."""
    over, under = srgb(colour), srgb(palette.ground)
    return "#" + "".join(f"{round(255 * float(x)):02x}" for x in under + DIM * (over - under))


@palettes
@pytest.mark.parametrize("meaning", ["ink", "quiet", *ROLES])
def test_text_can_be_read_on_the_ground_and_in_a_cell(palette: Palette, meaning: str) -> None:
    colour = getattr(palette, meaning)
    assert contrast(colour, palette.ground) >= TEXT
    assert contrast(colour, palette.cell) >= TEXT


@palettes
@pytest.mark.parametrize("cell", ["cell", "positive", "negative"])
def test_figures_can_be_read_on_every_shade_of_a_cell(palette: Palette, cell: str) -> None:
    assert contrast(palette.on_cell, getattr(palette, cell)) >= TEXT


@palettes
@pytest.mark.parametrize("value", [-1.0, -0.75, -0.5, -0.25, 0.25, 0.5, 0.75, 1.0])
def test_figures_can_be_read_on_the_shades_between(palette: Palette, value: float) -> None:
    assert contrast(palette.on_cell, shade(value, 1.0, Theme(palette))) >= TEXT


@palettes
@pytest.mark.parametrize("meaning", ["axis", "masked"])
def test_marks_can_be_told_from_the_ground(palette: Palette, meaning: str) -> None:
    assert contrast(getattr(palette, meaning), palette.ground) >= MARK


@palettes
def test_a_bar_can_be_told_from_its_track(palette: Palette) -> None:
    assert contrast(palette.weight, palette.grid) >= MARK
    assert contrast(palette.ink, palette.ground) >= TEXT


@palettes
@pytest.mark.parametrize("meaning", ["ink", *ROLES])
def test_what_has_stepped_back_is_still_seen(palette: Palette, meaning: str) -> None:
    assert contrast(mixed(palette, getattr(palette, meaning)), palette.ground) >= DIMMED


@palettes
@pytest.mark.parametrize("eyes", ["", *DEFICIENCIES])
def test_roles_stay_apart_for_every_eye(palette: Palette, eyes: str) -> None:
    close = {
        (a, b): round(found, 3)
        for a, b in combinations(ROLES, 2)
        if (found := distance(getattr(palette, a), getattr(palette, b), eyes)) < APART
    }
    assert close == {}


@palettes
@pytest.mark.parametrize("eyes", ["", *DEFICIENCIES])
def test_negative_and_positive_shades_are_told_apart(palette: Palette, eyes: str) -> None:
    assert distance(palette.positive, palette.negative, eyes) >= APART / 2


def test_the_figures_of_the_published_examples_of_contrast_are_met() -> None:
    # WCAG: black on white is 21:1; #767676 on white is the lightest grey that passes 4.5:1.
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21.0)
    assert contrast("#767676", "#FFFFFF") == pytest.approx(4.54, abs=0.005)


def test_greys_look_the_same_to_every_eye() -> None:
    for deficiency in DEFICIENCIES:
        assert distance("#404040", "#C0C0C0", deficiency) == pytest.approx(distance("#404040", "#C0C0C0"), abs=1e-4)


def test_red_and_green_draw_near_for_eyes_without_red_or_green_cones() -> None:
    for deficiency in ("protanopia", "deuteranopia"):
        assert distance("#C83232", "#5A8A00", deficiency) < 0.6 * distance("#C83232", "#5A8A00")


def test_a_theme_takes_own_colours_by_meaning() -> None:
    theme = theme_for("light", {"query": "#123456"})
    assert theme.colours.query == "#123456"
    assert theme.colours.key == PALETTES["light"].key
    with pytest.raises(KeyError):
        theme_for("sepia", {})
    with pytest.raises(TypeError):
        theme_for("dark", {"question": "#123456"})


def test_every_meaning_is_a_colour_in_every_palette() -> None:
    for palette in PALETTES.values():
        assert all(len(srgb(getattr(palette, meaning))) == 3 for meaning in MEANINGS)
