"""Every number on the screen is true: outlines are read back and compared with a calculation by hand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

import numpy as np
import pytest
from manim import Typst, tempconfig

from explainer.audit.glyphs import (
    CHARACTERS,
    Alphabet,
    Said,
    alphabet,
    drawn_alphabet,
    face_file,
    look_alikes,
    read,
    said,
)
from tests.scenes.by_hand import EXACT, ByHand, decimal
from tests.scenes.stage import Mark, Performance, Picture, Points, performance, settings, shown_by

FIGURES, STRONG = alphabet(face_file()), alphabet(face_file("Semibold"))
RELATIONS = alphabet(face_file(), "=≈")
DIGITS = "0123456789"
LEGIBLE = 7
"""Characters up to which a number in a table keeps its decimals."""
TABLES_OF_ONE_STYLE = (
    ("embeddings", "queries", "keys", "values"),
    ("W_Q", "W_K", "W_V"),
    ("attention.scores",),
    ("attention.scaled", "attention.masked", "steps.shift"),
    ("output", "contributions"),
)


@pytest.fixture(params=shown_by("worked_example"), scope="module")
def played(request: pytest.FixtureRequest) -> Performance:
    return performance(request.param)


def text_of(number: Mark) -> str:
    """What a number really shows. The step's number stands beside a title and is as heavy."""
    return read(number.points, STRONG if number.source.startswith("step ") else FIGURES).text


def is_tick(number: Mark) -> bool:
    return number.source.startswith("axis ")


def truth(number: Mark, picture: Picture, by_hand: ByHand) -> Decimal:
    """The value that a number ought to show; exp is of the score less what the picture says is taken off it."""
    if number.source.startswith("step "):
        return Decimal(number.source.removeprefix("step "))
    row = re.match(r"steps\.\w+\[0, (\d+),", number.source)
    is_shifted = row is not None and any(n.source == f"steps.shift[0, {row[1]}, 0]" for n in picture.of("number"))
    return by_hand.look_up(number.source, shifted=is_shifted)


def each_number(played: Performance) -> Iterator[tuple[Picture, Mark, str]]:
    for picture in played.ends:
        for number in picture.of("number"):
            yield picture, number, text_of(number)


# The values


def test_the_outline_of_every_number_is_what_it_claims_to_show(played: Performance) -> None:
    wrong = [(p.beat, n.source, n.said, text) for p, n, text in each_number(played) if text != n.said]
    assert wrong == []


def test_every_number_is_its_value_rounded_to_nearest(played: Performance) -> None:
    wrong = [
        (picture.beat, number.source, text, f"{value:.12g}")
        for picture, number, text in each_number(played)
        if not is_tick(number)
        for value in [truth(number, picture, played.by_hand)]
        if not said(text).is_nearest_to(value)
    ]
    assert wrong == []


def test_every_number_has_the_decimals_of_its_kind(played: Performance) -> None:
    wrong = []
    for picture, number, text in each_number(played):
        if not is_tick(number):
            shown = said(text)
            is_right = (
                shown.decimals == 1 if shown.is_power else has_right_decimals(number.source, shown, played.by_hand)
            )
            if not is_right or shown.is_percent != is_share(number.source):
                wrong.append((picture.beat, number.source, text))
    assert wrong == []


def is_share(source: str) -> bool:
    return source.startswith("attention.weights") or source == "whole"


def has_right_decimals(source: str, shown: Said, by_hand: ByHand) -> bool:
    """Weights have one, the divisor three if any, tables those of the story where they have fractions at all."""
    field = re.split(r"[\[(]", source)[0]
    if field == "attention.weights":
        return shown.decimals == 1
    if field == "attention.divisor":
        return shown.decimals == (0 if float(by_hand.divisor).is_integer() else 3)
    if field in ("steps.exponentials", "steps.totals"):
        values = shown_exponentials(by_hand)
        # From a hundred on, digits behind the point would only crowd the column.
        return suits(shown.decimals, values, by_hand.decimals if max(values) < 100 else min(1, by_hand.decimals))
    for fields in TABLES_OF_ONE_STYLE:
        if field in fields:
            values = [float(value) for name in fields for value in by_hand.all_of(name)]
            is_whole = all(value.is_integer() for value in values)
            return shown.decimals == 0 if is_whole else suits(shown.decimals, values, by_hand.decimals)
    return shown.decimals == 0  # the whole, steps, shapes, d_k


def shown_exponentials(by_hand: ByHand) -> list[float]:
    """exp of every score and the totals; rows with a score beyond ±10 have their largest taken off."""
    plain, shifted = (by_hand.exponentials(shifted) for shifted in (False, True))
    direct = [max(map(abs, row)) <= 10 for row in by_hand.scaled]
    rows = [plain[i] if direct[i] else shifted[i] for i in range(len(direct))]
    return [float(value) for row in rows for value in (*row, sum(row))]


def suits(decimals: int, values: list[float], wanted: int) -> bool:
    """Whether a table of such values is to have so many decimals: those wanted, or as many as leave it legible."""
    fits = longest(values, decimals) <= LEGIBLE or decimals <= 1
    fewer = 1 <= decimals < wanted and longest(values, decimals + 1) > LEGIBLE
    return fits and (decimals == wanted or fewer)


def longest(values: list[float], decimals: int) -> int:
    """Characters of the longest plain number; powers of ten, from a hundred thousand on, have their own length."""
    return max((len(f"{value:.{decimals}f}") for value in values if abs(value) < 1e5), default=0)


def test_ticks_stand_beside_the_line_whose_coordinate_they_name(played: Performance) -> None:
    wrong = []
    for picture, number, text in each_number(played):
        if is_tick(number):
            axis = "xy".index(number.source[-1])
            value = float(said(text).value)
            reading = read(number.points, FIGURES)
            middle = np.array([number.middle[0], reading.baseline + 0.33 * reading.em, 0.0])
            # A figure's ink is not quite in the middle of its width: a few hundredths of an em are no fault.
            aside = abs(played.plane.vector(middle)[axis] - value) * played.plane.unit / reading.em
            lines = [played.plane.vector(end)[axis] for end in ends_of_lines(picture, axis)]
            if aside > 0.06 or not np.isclose(lines, value, rtol=1e-9).any():
                wrong.append((picture.beat, number.source, text, aside))
    assert wrong == []


def ends_of_lines(picture: Picture, axis: int) -> Iterator[Points]:
    """An end of each of the plane's lines that run across ``axis``."""
    for line in picture.of("line"):
        if abs(line.points[0][axis] - line.points[-1][axis]) < 1e-9:
            yield line.points[0]


def test_the_storyboards_values_are_on_screen() -> None:
    mouse, cat = performance("stories/mouse_eats_cheese.toml"), performance("stories/cat_ate_fish.toml")
    scores = {("first_row", f"attention.scores[0, 0, {j}]"): text for j, text in enumerate("040")}
    scores |= {
        ("all_scores", f"attention.scores[0, {i}, {j}]"): text
        for i, row in enumerate(("040", "444", "040"))
        for j, text in enumerate(row)
    }
    assert_shown(mouse, scores)
    assert_shown(mouse, {("cool_the_scores", "attention.divisor"): "1.414"})
    assert_shown(mouse, {("cool_the_scores", f"attention.scaled[0, 1, {j}]"): "2.83" for j in range(3)})
    assert_shown(mouse, table("every_budget", "attention.weights[0, {}, {}]", [
        ["5.3 %", "89.4 %", "5.3 %"], ["33.3 %"] * 3, ["5.3 %", "89.4 %", "5.3 %"],
    ]))  # fmt: skip
    assert_shown(mouse, table("blend_the_rest", "output[{}, {}]", [
        ["1.11", "1.79"], ["1.67", "0.67"], ["1.11", "1.79"],
    ]))  # fmt: skip
    assert_shown(cat, table("queries", "queries[0, {}, {}]", ["11", ["1", "−1"], "02"]))
    assert_shown(cat, table("keys", "keys[0, {}, {}]", ["10", "11", ["0", "−1"]]))
    assert_shown(cat, table("values", "values[0, {}, {}]", [["1", "−1"], ["0", "−2"], "11"]))
    assert_shown(cat, table("all_scores", "attention.scores[0, {}, {}]", [["1", "2", "−1"], "101", ["0", "2", "−2"]]))
    assert_shown(cat, table("every_budget", "attention.weights[0, {}, {}]", [
        ["30.6 %", "62.0 %", "7.4 %"], ["40.1 %", "19.8 %", "40.1 %"], ["18.7 %", "76.8 %", "4.5 %"],
    ]))  # fmt: skip
    assert_shown(cat, table("blend_the_rest", "output[{}, {}]", [
        ["0.38", "−1.47"], ["0.80", "−0.40"], ["0.23", "−1.68"],
    ]))  # fmt: skip


def table(beat: str, source: str, rows: list[str | list[str]]) -> dict[tuple[str, str], str]:
    return {(beat, source.format(i, j)): text for i, row in enumerate(rows) for j, text in enumerate(row)}


def assert_shown(played: Performance, wanted: dict[tuple[str, str], str]) -> None:
    """At a beat's end, the number of a source shows a text, wherever it stands."""
    shown = {
        (beat, source): {text_of(n) for n in played.end_of(beat).of("number") if n.source == source}
        for beat, source in wanted
    }
    assert shown == {key: {text} for key, text in wanted.items()}


# No number but these


@pytest.fixture(scope="module")
def math_digits(tmp_path_factory: pytest.TempPathFactory) -> Alphabet:
    """The figures of the face that formulas are set in."""
    with tempconfig(settings(tmp_path_factory.mktemp("digits"))):
        outlines = {digit: Typst(f"${digit}$").submobjects[0].points for digit in DIGITS}
    return drawn_alphabet(outlines)


def test_no_digit_stands_on_screen_that_no_number_vouches_for(played: Performance, math_digits: Alphabet) -> None:
    own_words = (*played.story.tokens, played.story.title)
    words_have_digits = any(char in DIGITS for word in played.story.tokens for char in word)
    wrong = []
    for picture in played.ends:
        for label in picture.of("label"):
            if label.said not in own_words and any(char.isdigit() for char in label.said):
                wrong.append((picture.beat, label.said))
        for formula in picture.of("formula"):
            # The words at the feet of symbols are set in the film's face, the symbols in a face for mathematics.
            found = look_alikes(formula.points, math_digits)
            found += "" if words_have_digits else look_alikes(formula.points, alphabet(face_file(), DIGITS))
            if found:
                wrong.append((picture.beat, f"a formula that shows {found}"))
    assert wrong == []


# What is said between numbers


Piece = tuple[str, Mark]


def test_a_calculation_says_equal_where_the_shown_digits_are_and_else_about_equal(played: Performance) -> None:
    checked: set[str] = set()
    wrong = []
    for picture, line in lines_of_working(played):
        true = true_value(line, picture, played.by_hand)
        for left, sign, right in relations(line):
            checked.add(picture.beat)
            a, b = (shown_value(side, true, played.by_hand) for side in (left, right))
            rounded = any(is_rounded(n, picture, played.by_hand) for n in numbers_in(left + right))
            if (sign == "=" and not same(a, b)) or (sign == "≈" and same(a, b) and not rounded):
                wrong.append((picture.beat, "".join(text for text, _ in line), a, sign, b))
    assert wrong == []
    assert checked == {"queries", "first_score", "first_row", "cool_the_scores", "blend_one", "blend_the_rest"}


def lines_of_working(played: Performance) -> Iterator[tuple[Picture, list[Piece]]]:
    """Each line that stands in the band, in full, with the first picture in which it is."""
    standing: tuple[Picture, list[Piece]] | None = None
    outlines: set[bytes] = set()
    for picture in played.settled:
        line = pieces_in_band(picture, played)
        now = {mark.points.tobytes() for _, mark in line}
        if standing and not outlines <= now:
            yield standing
        if now != outlines:
            standing, outlines = (picture, line) if line else None, now
    if standing:
        yield standing


def pieces_in_band(picture: Picture, played: Performance) -> list[Piece]:
    """The band's writing from left to right as text; symbols and words stand as "§"."""
    band = played.layout.band
    marks = [mark for mark in picture.writings if band.bottom < mark.middle[1] < band.top]
    return [(piece_text(mark), mark) for mark in sorted(marks, key=lambda mark: mark.low[0])]


def piece_text(mark: Mark) -> str:
    if mark.kind == "number":
        return text_of(mark)
    if mark.kind == "label" and set(mark.said) <= set(CHARACTERS):
        return "·" if mark.said == "·" else read(mark.points, FIGURES).text
    return "§"


def relations(line: list[Piece]) -> Iterator[tuple[list[Piece], str, list[Piece]]]:
    """Every two neighbouring sides of "=" and "≈" in a line of which nothing is missing."""
    sides: list[list[Piece]] = [[]]
    signs = []
    for piece in line:
        if piece[0] in ("=", "≈"):
            signs.append(piece[0])
            sides.append([])
        else:
            sides[-1].append(piece)
    if all(map(is_complete, sides)):
        yield from zip(sides, signs, sides[1:], strict=False)


def is_complete(side: list[Piece]) -> bool:
    """Whether no sign of a side waits for a number."""
    return re.search(r"(^|[·+/√\[(,])([·+/)\],]|$)", "".join(text for text, _ in side)) is None


def numbers_in(side: list[Piece]) -> list[Mark]:
    return [mark for _, mark in side if mark.kind == "number"]


def is_rounded(number: Mark, picture: Picture, by_hand: ByHand) -> bool:
    """Whether the shown digits are not all of the value."""
    return not same((said(text_of(number)).value,), (truth(number, picture, by_hand),))


Value = tuple[Decimal, ...]


def same(a: Value, b: Value) -> bool:
    """Whether two values are one but for the last of 60 digits."""
    return all(abs(x - y) <= Decimal("1e-50") * max(1, abs(x)) for x, y in zip(a, b, strict=True))


def true_value(line: list[Piece], picture: Picture, by_hand: ByHand) -> Value:
    """What all sides of a line are, were nothing rounded: what its last side shows."""
    last = max((i for i, (text, _) in enumerate(line) if text in ("=", "≈", "§")), default=0)
    return tuple(truth(number, picture, by_hand) for number in numbers_in(line[last:]))


def shown_value(side: list[Piece], true: Value, by_hand: ByHand) -> Value:
    """What a side comes to, taken digit for digit. A symbol, or an ellipsis, stands for its exact value."""
    text = "".join(text for text, _ in side)
    if "§" not in text:
        return tuple(total(entry) for entry in text.strip("[]").split(","))
    shares = [said(text_of(number)).value for number in numbers_in(side)]
    if not shares:
        return true
    if re.fullmatch(r"[\d.]+ %§\+§\+[\d.]+ %§", text):
        asker = int(numbers_in(side)[0].source.split(",")[1])
        shares[1:1] = by_hand.weights[asker][1:-1]
    else:
        assert re.fullmatch(r"[\d.]+ %§(\+[\d.]+ %§)*", text), f"a side of a kind that is not known: {text}"
    return tuple(
        sum((EXACT.multiply(share, decimal(entry)) for share, entry in zip(shares, column, strict=True)), Decimal())
        for column in zip(*by_hand.V, strict=True)
    )


def total(text: str) -> Decimal:
    """A sum of products of quotients of numbers and roots, in plain characters."""
    result = Decimal(0)
    for term in text.split("+"):
        factors = Decimal(1)
        for factor in term.split("·"):
            numerator, *divisors = map(atom, factor.split("/"))
            for divisor in divisors:
                numerator = EXACT.divide(numerator, divisor)
            factors = EXACT.multiply(factors, numerator)
        result = EXACT.add(result, factors)
    return result


def atom(text: str) -> Decimal:
    inner = text.strip("()")
    return EXACT.sqrt(said(inner[1:]).value) if inner.startswith("√") else said(inner).value


def test_every_sign_between_numbers_is_the_one_that_its_label_claims(played: Performance) -> None:
    wrong = []
    for picture in played.ends:
        for label in picture.of("label"):
            claimed = "".join(char for char in label.said if char in "=≈")
            if (
                label.said not in (*played.story.tokens, played.story.title)
                and look_alikes(label.points, RELATIONS) != claimed
            ):
                wrong.append((picture.beat, label.said))
    assert wrong == []


def test_a_total_says_equal_only_where_the_shown_digits_add_up(played: Performance) -> None:
    seen = 0
    for picture in played.settled:
        signs = "".join(look_alikes(n.points, RELATIONS) for n in picture.of("label") if n.said.startswith("total"))
        numbers = {n.source: said(text_of(n)).value for n in picture.of("number") if n.source.startswith("steps.")}
        totals = [value for source, value in numbers.items() if source.startswith("steps.totals")]
        if signs and totals:
            seen += 1
            adds_up = sum(value for source, value in numbers.items() if "exponentials" in source) == totals[0]
            assert signs == ("=" if adds_up else "≈"), (picture.beat, numbers)
    assert seen


# Lengths and places that stand for numbers


def test_a_bar_is_filled_to_its_share(played: Performance) -> None:
    seen = 0
    for picture in played.ends:
        shares = [number for number in picture.of("number") if number.source.startswith("attention.weights")]
        for track, fill in picture.bars:
            beside = [n for n in shares if abs(n.middle[1] - track[:, 1].mean()) < 0.1 and not in_a_cell(n, picture)]
            weight = float(played.by_hand.look_up(beside[0].source))
            assert abs(np.ptp(fill[:, 0]) - weight * np.ptp(track[:, 0])) < 1e-9, (picture.beat, beside[0].said)
            assert abs(fill[:, 0].min() - track[:, 0].min()) < 1e-6
            seen += 1
    assert seen >= 4 * played.story.trace().n


def in_a_cell(number: Mark, picture: Picture) -> bool:
    return any((box.low < number.middle).all() and (number.middle < box.high).all() for box in picture.of("Cell"))
