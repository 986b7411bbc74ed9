"""Every query meets every key: the transpose is a transpose, the grid is the product, and it really grows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import numpy.typing as npt
import pytest
from manim import Mobject, tempconfig

from explainer.audit.glyphs import alphabet, face_file, read, said
from scenes.crowd import SIZES, crowd_scores
from scenes.mobjects.flip import Flip
from scenes.mobjects.heat_map import HeatMap
from scenes.mobjects.number import Number
from scenes.numerals import COUNT
from scenes.scores import about_best, about_crowd, about_signs, best_places, everyone, question
from scenes.steps import growing, turning
from scenes.theme import DIM
from tests.scenes.stage import Mark, Performance, Picture, played, settings, shown_by

CAT = "stories/cat_ate_fish.toml"
QUICK = (CAT, "stories/the_cat_sat.toml", "tests/stories/one_word.toml", "tests/stories/causal_fractions.toml")
FIGURES = alphabet(face_file())

Scores = npt.NDArray[np.float64]


def stories() -> Iterator[object]:
    """Every story that the chapter shows; those that take long, at night."""
    for name in shown_by("scores"):
        yield name if name in QUICK else pytest.param(name, marks=pytest.mark.nightly)


@pytest.fixture(scope="module")
def cat() -> Performance:
    return played("scores", CAT)


@pytest.fixture(params=stories(), scope="module")
def chapter(request: pytest.FixtureRequest) -> Performance:
    return played("scores", request.param)


def shown(number: Mark) -> str:
    """What the outline of a number says."""
    return read(number.points, FIGURES).text


def entries(picture: Picture, field: str) -> dict[tuple[int, int], Mark]:
    """The numbers of a table of the first head by their place in it, as they stand in ``picture`` last."""
    start = f"{field}[0, "
    found = [number for number in picture.of("number") if number.source.startswith(start)]
    return {place_in(number.source): number for number in found}


def place_in(source: str) -> tuple[int, int]:
    _, i, j = source.partition("[")[2].rstrip("]").split(", ")
    return int(i), int(j)


def by_source(picture: Picture, sources: Sequence[str]) -> list[str]:
    """What the numbers with some sources say, in the order in which they are drawn."""
    return [shown(number) for number in picture.of("number") if number.source in sources]


def has_beat(performance: Performance, name: str) -> bool:
    return any(beat.name == name for beat in performance.beats)


@dataclass(frozen=True)
class Recorded:
    """The heat maps that the chapter draws, each with the values that it was given, and what it flips into what."""

    maps: list[tuple[HeatMap, Scores]]
    flips: list[tuple[str, str]]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    found = Recorded([], [])

    class RecordedMap(HeatMap):
        def __init__(self, values: Scores, *arguments: object, **options: object) -> None:
            super().__init__(values, *arguments, **options)  # type: ignore[arg-type]
            found.maps.append((self, np.array(values)))

    class RecordedFlip(Flip):
        def __init__(self, old: Mobject, new: Mobject, *arguments: object, **options: object) -> None:
            if isinstance(new, Number):
                found.flips.append((old.source, new.source))
            super().__init__(old, new, *arguments, **options)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch, tempconfig(settings(tmp_path_factory.mktemp("recorded"))):
        patch.setattr(growing, "HeatMap", RecordedMap)
        patch.setattr(turning, "Flip", RecordedFlip)
        played.__wrapped__("scores", CAT)
    return found


@pytest.fixture
def maps(recorded: Recorded) -> list[tuple[HeatMap, Scores]]:
    return recorded.maps


# The grid


def test_the_scores_of_cat_ate_fish_are_those_of_the_storyboard(cat: Performance) -> None:
    found = {place: shown(number) for place, number in entries(cat.ends[-1], "attention.scores").items()}
    rows = [[found[i, j] for j in range(3)] for i in range(3)]
    assert rows == [["1", "2", "−1"], ["1", "0", "1"], ["0", "2", "−2"]]


def test_every_score_is_the_query_of_its_row_times_the_key_of_its_column(chapter: Performance) -> None:
    trace, found = chapter.story.trace(), entries(chapter.ends[-1], "attention.scores")
    products = [[sum(map(float, q * k)) for k in trace.keys[0]] for q in trace.queries[0]]
    assert set(found) == set(np.ndindex(trace.n, trace.n))
    wrong = [
        (place, shown(number), products[place[0]][place[1]])
        for place, number in found.items()
        if not said(shown(number)).is_nearest_to(Decimal(float(trace.attention.scores[0][place])))
        or not np.isclose(trace.attention.scores[0][place], products[place[0]][place[1]], rtol=1e-9, atol=1e-9)
    ]
    assert wrong == []


def test_a_score_stands_where_the_row_of_its_query_crosses_the_column_of_its_key(chapter: Performance) -> None:
    picture = chapter.end_of("shapes")
    queries, keys = entries(picture, "queries"), entries(picture, "keys")
    for (i, j), score in entries(picture, "attention.scores").items():
        row = {number.middle[1] for (k, _), number in queries.items() if k == i}
        column = {number.middle[0] for (k, _), number in keys.items() if k == j}
        assert np.allclose(list(row), score.middle[1], atol=0.06)
        assert np.allclose(list(column), score.middle[0], atol=0.06)


def test_scores_are_computed_for_every_pair_even_where_a_mask_will_hide_some() -> None:
    masked = played("scores", "tests/stories/causal_fractions.toml")
    scores = entries(masked.ends[-1], "attention.scores")
    assert masked.story.mask_kinds == ("causal",)
    assert len(scores) == masked.chapter.cast.n**2
    assert not any("∞" in shown(number) for number in scores.values())


def test_the_first_scores_arrive_one_at_a_time_and_the_others_together(cat: Performance) -> None:
    after = {beat.name: len(entries(cat.end_of(beat.name), "attention.scores")) for beat in cat.beats}
    assert (after["crossing"], after["row_meets_column"], after["the_rest"]) == (0, 2, 9)
    band = [n for n in cat.end_of("row_meets_column").of("number") if n.middle[1] < cat.layout.band.top]
    # cat asks ate: 1 · 1 + 1 · 1 = 2
    assert [shown(n) for n in sorted(band, key=lambda n: n.low[0])] == ["1", "1", "1", "1", "2"]


# The transpose


def test_every_entry_of_a_row_of_k_ends_in_the_column_of_its_word(chapter: Performance) -> None:
    before, after = entries(chapter.first, "keys"), entries(chapter.end_of("flip"), "keys")
    assert set(before) == set(after)
    for place, number in after.items():
        assert shown(number) == shown(before[place]), "an entry changed on its way"
    # (i, j) and (j, i): what stood further down stands further right, and what stood further right further down.
    for (i, j), number in after.items():
        for (k, m), other in after.items():
            assert np.sign(round(float(other.middle[0] - number.middle[0]), 1)) == np.sign(k - i)
            assert np.sign(round(float(number.middle[1] - other.middle[1]), 1)) == np.sign(m - j)
            assert np.sign(round(float(before[i, j].middle[1] - before[k, m].middle[1]), 1)) == np.sign(k - i)


def test_every_entry_of_k_turns_into_itself(recorded: Recorded) -> None:
    assert sorted(recorded.flips) == [(f"keys[0, {i}, {j}]",) * 2 for i in range(3) for j in range(2)]


def test_each_column_of_keys_has_its_word_above_it(chapter: Performance) -> None:
    for beat in ("flip", "crossing"):
        picture, words = chapter.end_of(beat), chapter.chapter.cast.words
        keys = entries(picture, "keys")
        columns = [[number for (i, _), number in keys.items() if i == word] for word in range(len(words))]
        for word, column in zip(words, columns, strict=True):
            above = [
                label
                for label in picture.of("label")
                if label.said == word and abs(label.middle[0] - column[0].middle[0]) < 0.6
            ]
            assert any(label.low[1] > max(number.high[1] for number in column) for label in above)


def test_k_is_named_with_its_sizes_exchanged_once_it_is_flipped(cat: Performance) -> None:
    rows, columns = "shape(keys)[-2]", "shape(keys)[-1]"
    for beat, order in (("side_by_side", [rows, columns]), ("flip", [columns, rows])):
        named = [n for n in cat.end_of(beat).of("number") if n.source in (rows, columns)]
        assert [n.source for n in sorted(named, key=lambda n: n.low[0])] == order


# The question and the naive way


def test_the_number_of_pairs_is_that_of_the_lines_that_are_drawn(cat: Performance) -> None:
    lines = [mark for mark in cat.end_of("one_by_one").of("line") if mark.size.max() > 0.5]
    assert len(lines) == 9
    assert by_source(cat.end_of("one_by_one"), ["pairs"]) == ["9"]


def test_side_by_side_only_the_pairs_in_one_row_are_left(cat: Performance) -> None:
    picture = cat.end_of("side_by_side")
    lines = [mark for mark in picture.of("line") if mark.size.max() > 0.5]
    assert len(lines) == 3
    assert all(mark.size[1] < 1e-6 for mark in lines)
    assert by_source(picture, ["shape(queries)[-2]", "pairs"])[-2:] == ["3", "9"]


# What is on screen beside the tables


def test_letters_of_the_formula_appear_as_they_are_earned(cat: Performance) -> None:
    bottom = cat.layout.header.bottom
    letters = {
        beat.name: len([mark for mark in cat.end_of(beat.name).of("formula") if mark.middle[1] > bottom])
        for beat in cat.beats
    }
    assert [letters[name] for name in ("side_by_side", "flip", "crossing", "back")] == [0, 2, 3, 3]


def test_the_inner_sizes_step_back_and_the_outer_ones_make_the_grid(chapter: Performance) -> None:
    n, d = chapter.chapter.cast.n, chapter.story.trace().d_k
    band = [number for number in chapter.end_of("shapes").of("number") if number.middle[1] < chapter.layout.band.top]
    band.sort(key=lambda number: number.low[0])
    assert [shown(number) for number in band] == [str(size) for size in (n, d, d, n, n, n)]
    assert [round(number.opacity, 2) for number in band] == [1.0, DIM, DIM, 1.0, 1.0, 1.0]


def test_rings_stand_on_the_largest_scores_and_nowhere_else(cat: Performance) -> None:
    picture = cat.end_of("largest")
    scores = entries(picture, "attention.scores")
    rings = [m for m in picture.of("RoundedRectangle") if m.middle[1] < cat.layout.stage.top]
    assert len(rings) == 2
    for ring, place in zip(rings, ((0, 1), (2, 1)), strict=True):
        assert np.allclose(ring.middle, cat.chapter.closing.grid.cells[place[0]][place[1]].get_center()[:2])
        assert shown(scores[place]) == "2"


def test_negative_scores_and_no_others_have_a_notched_corner(chapter: Performance) -> None:
    scores = chapter.story.trace().attention.scores[0]
    cells = chapter.chapter.closing.grid.cells
    notched = {
        place
        for place in np.ndindex(scores.shape)
        for notch in chapter.ends[-1].of("Notch")
        if np.all(np.abs(notch.middle - cells[place[0]][place[1]].get_center()[:2]) < 0.5 * cells[0][0].width)
        and np.all(notch.low >= cells[place[0]][place[1]].get_corner([-1, -1, 0])[:2] - 1e-6)
        and np.all(notch.high <= cells[place[0]][place[1]].get_corner([1, 1, 0])[:2] + 1e-6)
    }
    assert notched == {place for place in np.ndindex(scores.shape) if scores[place] < 0}


def test_figures_can_be_read_while_keys_stand_above_the_grid(chapter: Performance) -> None:
    readable = chapter.theme.type.readable
    for beat in ("crossing", "shapes", "reading"):
        small = [
            (number.source, reading.em)
            for number in chapter.end_of(beat).of("number")
            for reading in [read(number.points, FIGURES)]
            if reading.em < readable * (1 - 1e-3) and not number.source.startswith("step")
        ]
        assert small == []


def test_one_word_has_no_other_pairs_and_nothing_to_compare() -> None:
    alone = played("scores", "tests/stories/one_word.toml")
    assert not any(has_beat(alone, name) for name in ("side_by_side", "the_rest", "largest"))
    assert len(entries(alone.ends[-1], "attention.scores")) == 1


# Growing


def test_the_grid_is_drawn_again_at_three_ten_a_hundred_and_a_thousand_words(
    maps: list[tuple[HeatMap, Scores]],
) -> None:
    assert [heat_map.n for heat_map, _ in maps] == [3, 10, 100, 1000]
    assert [heat_map.colours().shape for heat_map, _ in maps] == [(n, n, 3) for n in (3, 10, 100, 1000)]


def test_a_map_of_random_words_holds_as_many_different_scores_as_it_has_cells(
    maps: list[tuple[HeatMap, Scores]],
) -> None:
    for _, values in maps[1:]:
        assert len(np.unique(values)) == values.size
    assert np.array_equal(maps[0][1], [[1, 2, -1], [1, 0, 1], [0, 2, -2]])


def test_cells_of_a_map_are_coloured_by_the_sign_of_their_own_scores(maps: list[tuple[HeatMap, Scores]]) -> None:
    for heat_map, values in maps:
        red, _, blue = np.moveaxis(heat_map.colours().astype(int), -1, 0)
        strong = np.abs(values) > 0.5 * np.abs(values).max()
        # Matches are violet, clashes brown.
        assert np.all((blue > red)[strong & (values > 0)])
        assert np.all((blue < red)[strong & (values < 0)])


def test_scores_of_random_words_are_dot_products_of_64_independent_entries() -> None:
    scores = crowd_scores()
    assert scores.shape == (max(SIZES), max(SIZES))
    assert np.linalg.matrix_rank(scores[:200, :200]) == 64
    # The variance of a product of standard normal entries is 1, so that of 64 of them 64.
    assert float(scores.std()) == pytest.approx(8.0, rel=0.03)
    assert abs(float(scores.mean())) < 0.1
    assert np.array_equal(scores, crowd_scores())


def test_the_list_says_how_many_scores_each_map_has(cat: Performance) -> None:
    left = cat.chapter.list_zone.left
    numbers = [n for n in cat.end_of("growth").of("number") if n.low[0] > left and not n.source.startswith("step")]
    rows: dict[float, list[Mark]] = {}
    for number in numbers:
        rows.setdefault(round(float(read(number.points, FIGURES).baseline), 2), []).append(number)
    lines = [[shown(n) for n in sorted(row, key=lambda n: n.low[0])] for _, row in sorted(rows.items(), reverse=True)]
    expected = [["3", "3", "9"], ["10", "10", "100"], ["100", "100", "10000"], ["1000", "1000", "1"]]
    assert lines == expected
    assert "million" in [label.said for label in cat.end_of("growth").of("label")]


def test_random_words_are_said_to_be_random(cat: Performance) -> None:
    assert any("Random words" in label.said for label in cat.end_of("growth").of("label"))


def test_the_list_s_equals_signs_stand_below_each_other(cat: Performance) -> None:
    signs = [m for m in cat.end_of("growth").of("label") if m.said == "=" and m.low[0] > cat.chapter.list_zone.left]
    assert len(signs) == 5
    assert np.ptp([sign.middle[0] for sign in signs]) < 1e-6


# What captions say


def test_captions_count_words_and_pairs() -> None:
    assert question(3) == "Three words. How many pairs of asker and asked do they make?"
    assert question(1).startswith("One word.")
    assert "3 × 3" in everyone(3)
    assert everyone(1) == "The word asks itself: one pair."


def test_a_caption_writes_large_counts_with_separators() -> None:
    assert about_crowd(1000) == "1,000 words: 1,000,000 scores."


@pytest.mark.parametrize(
    ("scores", "said_of_it"),
    [
        ([[1, 5], [2, 0]], "Best match, with 5: cat asks, dog answers."),
        ([[5, 1], [5, 0]], "Best match, with 5: cat and dog ask, cat answers."),
        ([[5, 5], [1, 0]], "Best match, with 5: cat asks, cat and dog answer."),
        ([[5, 1], [1, 5]], "The best match is 5, in 2 places."),
        ([[5, 5], [5, 5]], "All match alike."),
    ],
)
def test_a_caption_names_who_matches_best_and_claims_no_pair_that_does_not(
    scores: list[list[float]], said_of_it: str
) -> None:
    assert about_best(np.array(scores, dtype=float), ("cat", "dog"), COUNT) == said_of_it


def test_the_largest_score_is_found_wherever_it_stands() -> None:
    assert best_places(np.array([[0.0, 1.0], [-2.0, 3.0]])) == [(1, 1)]
    assert best_places(np.array([[-1.0, -1.0], [-2.0, -3.0]])) == [(0, 0), (0, 1)]


@pytest.mark.parametrize(
    ("scores", "word"), [([[1.0, -1.0]], "clash"), ([[1.0, 0.0]], "stronger"), ([[-1.0, 0.0]], "notched")]
)
def test_a_caption_speaks_only_of_shades_that_there_are(scores: list[list[float]], word: str) -> None:
    assert word in about_signs(np.array(scores))
    assert ("Violet" in about_signs(np.array(scores))) == (scores == [[1.0, -1.0]])


def test_shades_without_a_score_say_so() -> None:
    assert about_signs(np.zeros((2, 2))) == "No one matches anyone."
