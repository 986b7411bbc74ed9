"""Chapter 3, do these two match: a query and a key, and the one number that tells how well they agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from manim import (
    LEFT,
    RIGHT,
    UP,
    Animation,
    Create,
    FadeIn,
    FadeOut,
    LaggedStart,
    ManimColor,
    Mobject,
    Transform,
    VMobject,
)
from numpy.typing import NDArray

from scenes.chapter import beat
from scenes.handover.alignment import after_alignment
from scenes.handover.roles import after_roles
from scenes.layout import Zone
from scenes.mobjects.angle_mark import AngleMark
from scenes.mobjects.arrow_plane import Arrow, ArrowPlane
from scenes.mobjects.cells import Cell, Shade
from scenes.mobjects.lifted_rows import LiftedRow, LiftedRows, ScoredRow
from scenes.mobjects.motion import Light, become, fly
from scenes.mobjects.number_grid import cell_width
from scenes.mobjects.pair_panel import KEY_WEIGHT, QUERY_WEIGHT, PairPanel, degrees, reaches, rimmed
from scenes.mobjects.score_chip import ScoreChip
from scenes.mobjects.text import Formula, Row
from scenes.mobjects.tips import place
from scenes.mobjects.turning_pair import TurningPair
from scenes.mobjects.working import Working
from scenes.numerals import COUNT, NumberStyle, fitted, style_for
from scenes.pairs import OPPOSITE, RIGHT_ANGLE, STRAIGHT, Pair, Pairs, nearest_cases, rivals
from scenes.theme import DIM
from scenes.walkthrough import Walkthrough
from scenes.workings.dot_product import Measure, by_angle, dot_product, factors

_CHIP, _LARGE_CHIP = 0.78, 0.86
"""Height of a score's chip beside a row, and below a panel, in units."""
_LETTERS = 6
"""Of a word at the foot of a symbol, at most."""
_FLAT = 0.66
"""From one key that is laid flat to the next, in units."""
_STRETCHED = 1.5
"""How many times its length the key is stretched to."""
_NOTE = 0.5
"""Height of the strip that says what a picture of more dimensions is a drawing of."""
_PANELS = 3
_LARGEST_TICK = 1e4
_LONGEST = 7
"""Characters of a score that is live."""


class Alignment(Walkthrough):
    """Step 3: a query meets a key."""

    name = "alignment"

    def open(self) -> None:
        """Choose the keys that are compared, and the pairs of the three cases."""
        super().open()
        cast = self.cast
        self.opening, self.closing = after_roles(cast), after_alignment(cast)
        self.pairs = Pairs.of(cast.queries, cast.keys, cast.scores)
        self.best, *others = rivals(self.pairs, cast.focus)
        self.asked = sorted([self.best, *others])
        self.cases = nearest_cases(self.pairs, cast.focus)
        self._begin(self.opening)

    def sources(self) -> Mapping[str, Any]:
        """The trace's fields, and what is measured of pairs."""
        return {**super().sources(), "pairs": self.pairs}

    def words(self) -> Mapping[str, str]:
        """The rivals, who wins, and what each of the three cases is."""
        names, i = self.cast.names, self.cast.focus
        return {
            **super().words(),
            "question": question(names, i, self.asked),
            "by_length": about_lengths(self.pairs, names, self.asked, self.best),
            "verdict": verdict(self.pairs.scores[i], names, self.asked, self.best, self.cast.styles.scores),
            **about_cases([float(self.pairs.angles[pair]) for pair in self.cases]),
            "all_pairs": about_all_pairs(self.cast.n),
        }

    @property
    def has_rivals(self) -> bool:
        """Whether two different keys are compared."""
        return len(self.asked) > 1

    @property
    def has_direction(self) -> bool:
        """Whether the focus word's query and the key that fits it best include an angle."""
        return self.pairs.has_angle(self.cast.focus, self.best)

    # The beats

    @beat("{question}")
    def which_fits(self) -> None:
        self._open_header()
        self._lift_rows()
        self._draw_arrows()
        self._ask()

    @beat("{by_length}", when=lambda chapter: chapter.has_rivals)
    def by_length(self) -> None:
        self._lay_keys_flat()

    @beat("Multiply entry by entry, then add: that is the dot product.", "{verdict}")
    def multiply_and_add(self) -> None:
        self._take_flat_keys_away()
        for key in self.key_rows:
            self._meet(key)
        self.next_cue()
        self._leave_only_best()

    @beat(
        "The picture holds the same number:",
        "length times length, times the cosine of the angle.",
        when=lambda chapter: chapter.has_direction,
    )
    def same_number(self) -> None:
        self._clear_row()
        self._mark_angle()
        self.next_cue()
        self._work_out_by_angle()

    @beat(
        "An arrow without length has no direction. Every score with it is zero.",
        when=lambda chapter: not chapter.has_direction,
    )
    def no_direction(self) -> None:
        self._clear_row()

    @beat("{case_1}", "{case_2}", "{case_3}", when=lambda chapter: chapter.cases)
    def three_cases(self) -> None:
        self._lay_out_panels()
        for panel in self.panels:
            if panel is not self.panels[0]:
                self.next_cue()
            self._show_case(panel)

    @beat(
        "Now let the key turn, half a circle.",
        "Its score falls: through zero at the right angle, down to its lowest.",
        when=lambda chapter: chapter.cases,
    )
    def half_turn(self) -> None:
        self._set_up_turning()
        self.next_cue()
        self.turning.chart.trace_at(self.turning.turn)
        self.play(self.turning.turn_to(RIGHT_ANGLE), run_time=2.4)
        self.hold()
        self.play(self.turning.turn_to(OPPOSITE), run_time=2.4)

    @beat("Length counts too: stretch the key, and its score stretches with it.", when=lambda chapter: chapter.cases)
    def length_counts(self) -> None:
        self._light_terms("length of key")
        self.play(self.turning.turn_to(STRAIGHT), run_time=1.2)
        self.play(self.turning.stretch_to(_STRETCHED), run_time=2.0)

    @beat("One query and one key make one number.", "{all_pairs}")
    def one_number(self) -> None:
        self._return_to_tables()
        self.hold()
        self.next_cue()
        self._join_all_pairs()
        self.hold()
        self._settle(self.closing)

    # Rows lifted out of the tables

    def _lift_rows(self) -> None:
        """The rows that are compared rise out of Q and K; of the rest, only the names of the tables stay."""
        o, i = self.opening, self.cast.focus
        entries = range(len(o.Q.numbers[0]))
        self.play(
            FadeOut(o.V),
            FadeOut(o.V.name),
            *o.Q.light((i, d) for d in entries),
            *o.K.light((j, d) for j in self.asked for d in entries),
            run_time=0.6,
        )
        self._make_rows()
        # From here on the tables are rows, each for itself.
        self.remove(o.Q, o.K)
        self.add(*(row.entries for row in self.lifted.rows))
        rest = [o.Q.row(k) for k in self.cast.others] + [o.K.row(k) for k in range(self.cast.n) if k not in self.asked]
        self.play(*map(FadeOut, (*rest, o.tokens)), *self._send_names_up(), run_time=0.7)
        self.play(LaggedStart(*self.lifted.arrivals(), lag_ratio=0.25), run_time=1.2)

    def _make_rows(self) -> None:
        o, i, theme = self.opening, self.cast.focus, self.theme
        colours = theme.colours
        self.query_row = LiftedRow(o.Q, i, self._symbol("q", colours.query, i))
        self.key_rows = [
            ScoredRow(o.K, j, self._symbol("k", colours.key, j), self._chip((i, j), _CHIP), theme) for j in self.asked
        ]
        below = len(self.asked) * _FLAT if self.has_rivals else 0.0
        self.lifted = LiftedRows(self.cast.side_zone, self.query_row, self.key_rows, theme, below)

    def _symbol(self, letter: str, colour: str, i: int) -> Row:
        return Working(self.theme, longest_word=_LETTERS).symbol(letter, colour, word=self.cast.words[i]).row()

    def _chip(self, pair: Pair, height: float, *, signed: bool = False) -> ScoreChip:
        """The score of a pair in a cell as wide as any score needs."""
        scores, style = self.cast.scores, self.cast.styles.scores
        texts = [("+" if signed else "") + style.text(score) for score in scores.flat]
        return ScoreChip(
            float(scores[pair]),
            style,
            self.theme,
            largest=self._largest_score,
            width=cell_width(texts, self.theme, least=1.7 * height),
            height=height,
            source=f"attention.scores[{self.cast.head}, {pair[0]}, {pair[1]}]",
            signed=signed,
            later=texts,
        )

    @property
    def _largest_score(self) -> float:
        return float(np.abs(self.cast.scores).max())

    def _send_names_up(self) -> list[Animation]:
        """The names of Q and K wait in the header, where the formula will stand."""
        zone, right, moves = self.layout.header, self.layout.header.right, []
        for name in (self.opening.K.name, self.opening.Q.name):
            spot = name.copy()
            spot.place(np.array([right - spot.advance / 2, zone.centre[1], 0.0]), zone.width)
            right -= spot.advance + 2 * self.theme.space.gap
            moves.append(Transform(name, spot))
        return moves

    # Arrows

    def _draw_arrows(self) -> None:
        """The query and the keys as arrows; those of the picture that was handed over go on as these."""
        points = self.pairs.drawn(self.cast.focus, *self.asked)
        self.plane, self.note = self._plane_of(points)
        colours = self.theme.colours
        query = self.plane.arrow(points[0], ManimColor(colours.query), weight=QUERY_WEIGHT)
        self.query = rimmed(query, self.theme)
        self.keys = [self.plane.arrow(point, ManimColor(colours.key), weight=KEY_WEIGHT) for point in points[1:]]
        self.tips = [row.name.copy() for row in self.lifted.rows]
        arrows = [self.query, *self.keys]
        place(self.tips, arrows, self.plane)
        going_on = self._handed_over()
        self.play(
            FadeIn(self.plane, *self.note),
            *(become(old, new) for old, new in going_on),
            *(FadeIn(row.name) for row in self.lifted.rows),
            *map(FadeOut, (*self.opening.plane, *self.opening.note, *self._left_over(going_on))),
            run_time=0.7,
        )
        drawn = {id(new) for _, new in going_on}
        fresh = [(arrow, tip) for arrow, tip in zip(arrows, self.tips, strict=True) if id(arrow) not in drawn]
        for arrow, tip in fresh:
            self.play(self._growing(arrow), FadeIn(tip), run_time=0.6)
        self._query_in_front()

    def _plane_of(self, points: NDArray[np.float64]) -> tuple[ArrowPlane, list[Row]]:
        """A plane for some arrows, and what is said of it where it is not the plane of their entries."""
        zone = self.cast.plane_zone
        if self.cast.trace.d_k <= 2:
            # Larger numbers at the ticks, and powers of ten at last, would cover the arrows.
            return ArrowPlane(zone, points, self.theme, ticks=bool(np.abs(points).max() < _LARGEST_TICK)), []
        note = self._noted("Each key at its true angle to the query", zone.inset(top=zone.height - _NOTE))
        return ArrowPlane(zone.inset(bottom=_NOTE), points, self.theme, ticks=False), [note]

    def _noted(self, text: str, zone: Zone) -> Row:
        quiet = self.theme.colours.quiet
        return Working(self.theme, self.theme.type.note).sign(text, quiet).row().place(zone.centre, zone.width)

    def _handed_over(self) -> list[tuple[Mobject, Mobject]]:
        """Arrows and names of the opening, each with what it goes on as."""
        o, i = self.opening, self.cast.focus
        if not o.arrows:
            return []
        going_on: list[tuple[Mobject, Mobject]] = [(o.arrows[0], self.query), (o.labels[0], self.tips[0])]
        if i in self.asked:
            place_of_own = self.asked.index(i)
            going_on += [(o.arrows[1], self.keys[place_of_own]), (o.labels[1], self.tips[1 + place_of_own])]
        return going_on

    def _left_over(self, going_on: Sequence[tuple[Mobject, Mobject]]) -> list[Mobject]:
        used = {id(old) for old, _ in going_on}
        return [mobject for mobject in (*self.opening.arrows, *self.opening.labels) if id(mobject) not in used]

    def _growing(self, arrow: Arrow) -> Animation:
        tip = arrow.tip
        return arrow.point_to(arrow.start_point).swing_to(tip)

    def _query_in_front(self) -> None:
        """Slim on stout: where a query and a key point the same way, both are seen."""
        self.bring_to_front(*self.keys, self.query, *self.tips)

    def _ask(self) -> None:
        """A cell for each key's score, with a question mark."""
        marks = [mark for row in self.key_rows for mark in (row.chip.cell, row.unknown)]
        self.play(*(FadeIn(mark) for mark in marks), run_time=0.5)

    # By length alone

    def _lay_keys_flat(self) -> None:
        """Copies of the keys lie one below the other, all from one line, for their lengths to be compared."""
        copies = [key.copy() for key in self.keys]
        names = [row.name.copy() for row in self.key_rows]
        readings = [self._length_of(j) for j in self.asked]
        room = self.cast.side_zone.right - self.lifted.left_of_entries - max(line.advance for line in readings)
        longest = max(float(np.linalg.norm(key.tip - key.start_point)) for key in self.keys)
        share = min(1.0, (room - 2 * self.theme.space.gap) / max(longest, 1e-9))
        moves: list[Animation] = []
        for k, (key, name, line) in enumerate(zip(copies, names, readings, strict=True)):
            start = np.array([self.lifted.left_of_entries, self.lifted.bottom - (k + 0.5) * _FLAT, 0.0])
            end = start + RIGHT * share * np.linalg.norm(key.tip - key.start_point)
            beyond = start + RIGHT * (share * longest + 2 * self.theme.space.gap + line.advance / 2)
            line.place(beyond, room)
            name.shift(UP * (start - self.lifted.middles[k + 1]))
            moves.append(key.swing_to(end, start))
        self.play(*moves, run_time=1.4)
        self.play(*map(FadeIn, names), *(FadeIn(line, shift=RIGHT * 0.3) for line in readings), run_time=0.6)
        self.flat = [*copies, *names, *readings]

    def _length_of(self, j: int) -> Row:
        line = Working(self.theme).sign("length", self.theme.colours.quiet)
        return line.number(*self._length("key", j)).row()

    def _length(self, side: str, i: int) -> tuple[float, NumberStyle, str]:
        """The length of a word's query or key, how it is written, and where it comes from."""
        value = float((self.pairs.query_lengths if side == "query" else self.pairs.key_lengths)[i])
        return value, self._measured(value), f"pairs.{side}_lengths[{i}]"

    def _measured(self, value: float) -> NumberStyle:
        return fitted(style_for([value], self.cast.story.look.decimals), [value], _LONGEST)

    def _take_flat_keys_away(self) -> None:
        if self.has_rivals:
            self.play(*map(FadeOut, self.flat), run_time=0.5)

    # Entry by entry

    def _meet(self, key: ScoredRow) -> None:
        """The query's row meets a key's: their product is worked out in the band and goes into the key's cell."""
        cast, place_of = self.cast, self.key_rows.index(key)
        self.play(*self._light_rival(place_of), run_time=0.3)
        asker, asked = (cast.words[k] for k in (cast.focus, self.asked[place_of]))
        q, k, score = self.query_row.numbers, key.numbers, key.chip.number
        line = dot_product(self.theme, asker, asked, q, k, score, left_out=len(q) < cast.trace.d_k)
        self._start_row(line)
        *terms, result = line.numbers
        arrivals = [fly(source, term) for source, term in zip(factors(q, k), terms, strict=True)]
        self.play(LaggedStart(*self._write(arrivals), lag_ratio=0.15), run_time=1.2)
        self.play(*self._write(self._emerge([result], [terms[-2]])), run_time=0.4)
        self.play(FadeOut(key.unknown), Shade(key.chip.cell, key.chip.colour), fly(result, score), run_time=0.7)

    def _light_rival(self, chosen: int | None) -> list[Animation]:
        """Show one of the keys at full strength and dim the other; None shows both."""
        return [
            Light(part, 1.0 if chosen in (None, place_of) else DIM)
            for place_of in range(len(self.asked))
            for part in self._parts_of(place_of)
        ]

    def _parts_of(self, place_of: int) -> list[Mobject]:
        """What stands on the screen of one of the keys: its arrow with its name, and its row."""
        row = self.key_rows[place_of]
        standing = {id(mobject) for mobject in self.mobjects}
        chip = [part for part in (row.chip.cell, row.chip.number, row.unknown) if id(part) in standing]
        return [self.keys[place_of], self.tips[1 + place_of], row.name, row.entries, *chip]

    def _leave_only_best(self) -> None:
        scores = self.pairs.scores[self.cast.focus, self.asked]
        is_tie = self.has_rivals and bool(np.isclose(scores[0], scores[1]))
        self.play(*self._light_rival(None if is_tie else self.asked.index(self.best)), run_time=0.5)

    # By lengths and angle

    def _mark_angle(self) -> None:
        best = self.asked.index(self.best)
        self.play(*self._light_rival(best), run_time=0.3)
        self.mark = AngleMark(self.query, self.keys[best], self.theme)
        self.angle = self._angle_of((self.cast.focus, self.best))
        arc = self.mark.points
        pointer = Arrow(self.query.start_point, arc[len(arc) // 2], ManimColor(self.theme.colours.ink), 0.0)
        place([self.angle], [pointer], self.plane, [*self.tips, self.query, *self.keys])
        self.play(FadeIn(self.mark), run_time=0.6)
        self.play(FadeIn(self.angle), run_time=0.4)

    def _angle_of(self, pair: Pair) -> Row:
        i, j = pair
        angle, line = float(self.pairs.angles[pair]), Working(self.theme, self.theme.type.note)
        if not COUNT.is_exact(angle):
            line.sign("≈")
        return degrees(line, angle, f"pairs.angles[{i}, {j}]")

    def _work_out_by_angle(self) -> None:
        """Each factor comes out of what it measures; what they make is the score that stands there already."""
        cast, colours, i, j = self.cast, self.theme.colours, self.cast.focus, self.best
        best = self.asked.index(j)
        cosine = float(self.pairs.cosines[i, j])
        measures = (
            Measure(*self._length("query", i), colours.query),
            Measure(*self._length("key", j), colours.key),
            Measure(cosine, self._measured(cosine), f"pairs.cosines[{i}, {j}]", colours.ink),
        )
        score = self.key_rows[best].chip.number
        line = by_angle(self.theme, cast.words[i], cast.words[j], measures, score)
        self._start_row(line)
        *terms, result = line.numbers
        for term, source in zip(terms, (self.query, self.keys[best], self.angle), strict=True):
            self.play(*self._write(self._emerge([term], [source])), run_time=0.7)
        self.play(*self._write(self._emerge([result], [terms[-1]])), run_time=0.5)
        self.play(fly(result, score), run_time=0.8)

    # Three cases

    def _lay_out_panels(self) -> None:
        """The rows and the plane leave; a panel for each case stands in their place."""
        self._make_panels()
        keep = [self.header, self.opening.Q.name, self.opening.K.name]
        first, (i, j) = self.panels[0], self.cases[0]
        going_on = [(self.query, first.query)] if i == self.cast.focus else []
        if going_on and j in self.asked:
            going_on.append((self.keys[self.asked.index(j)], first.key))
        moving = [old for old, _ in going_on]
        leaving = [mobject for mobject in self.mobjects if mobject not in (*keep, *moving)]
        self.row = None
        self.play(*map(FadeOut, leaving), run_time=0.6)
        self._write_formula()
        self.play(
            *(FadeIn(panel.plane) for panel in self.panels),
            *map(FadeIn, self.note),
            *(become(old, new) for old, new in going_on),
            FadeIn(self.row),
        )

    def _make_panels(self) -> None:
        zones = self._panel_zones()
        points = [self.pairs.drawn(i, j) for i, j in self.cases]
        self.panels = [
            PairPanel(
                zone,
                drawn,
                reach,
                (self.cast.words[i], self.cast.words[j]),
                float(self.pairs.angles[i, j]),
                f"pairs.angles[{i}, {j}]",
                self._chip((i, j), _LARGE_CHIP, signed=True),
                self.theme,
            )
            for zone, drawn, reach, (i, j) in zip(zones, points, reaches(points), self.cases, strict=True)
        ]

    def _panel_zones(self) -> list[Zone]:
        """A zone a panel, all of them in the middle of the stage."""
        gap = 2 * self.theme.space.gap
        stage = self._below_note("Each pair in the plane through both" if self.cast.trace.d_k > 2 else "")
        width = (stage.width - (_PANELS - 1) * gap) / _PANELS
        free = (stage.width - len(self.cases) * width - (len(self.cases) - 1) * gap) / 2
        centred = stage.inset(left=free, right=free)
        return list(centred.columns(*[1.0] * len(self.cases), gap=gap))

    def _below_note(self, text: str, parts: int = 1) -> Zone:
        """The stage, less a strip at its top where something is to be said of the first of so many parts of it."""
        stage = self.layout.stage
        strip = stage.inset(bottom=stage.height - _NOTE).columns(*[1.0] * parts)[0]
        self.note = [self._noted(text, strip)] if text else []
        return stage.inset(top=_NOTE) if text else stage

    def _write_formula(self) -> None:
        """The formula stands in the band from now on, each of its terms to be lit by itself."""
        colours, em = self.theme.colours, self.theme.type.formula * 1.2
        parts = {
            "query": ("bold(q)", colours.query),
            "dot": ("thin dot.op thin", colours.ink),
            "key": ("bold(k)", colours.key),
            "equals": ("thick = thick", colours.ink),
            "length of query": ("norm(bold(q))", colours.query),
            "length of key": ("thin norm(bold(k))", colours.key),
            "cosine": ("thin cos theta", colours.ink),
        }
        formula = Formula([(source, ManimColor(colour)) for source, colour in parts.values()], em=em)
        self.terms = dict(zip(parts, formula.submobjects, strict=True))
        self.row = Row([formula], em=em).place(self.layout.band.centre, self.layout.band.width)

    def _light_terms(self, *chosen: str) -> None:
        self.play(*(Light(part, 1.0 if name in chosen else DIM) for name, part in self.terms.items()), run_time=0.4)

    def _show_case(self, panel: PairPanel) -> None:
        standing = {id(mobject) for mobject in self.mobjects}
        fresh = [self._growing(arrow) for arrow in (panel.key, panel.query) if id(arrow) not in standing]
        self.play(*fresh, *map(FadeIn, (*panel.tips, panel.names)), run_time=0.7)
        self.bring_to_front(panel.key, panel.query)
        self.play(FadeIn(panel.mark), FadeIn(panel.angle), run_time=0.4)
        self.play(FadeIn(panel.chip.cell), FadeIn(panel.chip.figures, target_position=panel.names), run_time=0.4)
        self.play(Shade(panel.chip.cell, panel.chip.colour), run_time=0.3)

    # Turning and stretching

    def _set_up_turning(self) -> None:
        """The first pair lies down on a protractor, and axes for its score come beside it."""
        first, note = self.panels[0], self.note
        pair = self.turning = self._turning_pair(*self.cases[0])
        gone = [part for panel in self.panels for part in panel if part not in first.arrows]
        self.play(*map(FadeOut, (*gone, *note)), run_time=0.7)
        self.play(
            first.key.swing_to(pair.key.tip, pair.origin),
            first.query.swing_to(pair.query.tip, pair.origin),
            *map(FadeIn, (pair.track, *self.note)),
            run_time=1.0,
        )
        self.play(*map(FadeIn, (pair.chart, pair.mark, *pair.names, *pair.readings, pair.chip)), run_time=0.6)
        self.remove(*first.arrows)
        self.add(pair)
        self._light_terms("cosine")
        if pair.turn > 0:
            self.play(pair.turn_to(0.0), run_time=0.8)

    def _turning_pair(self, i: int, j: int) -> TurningPair:
        most = _STRETCHED * float(self.pairs.query_lengths[i] * self.pairs.key_lengths[j])
        d_k = self.cast.trace.d_k
        notes = {1: "In one dimension it could only flip", 2: ""}
        return TurningPair(
            self._below_note(notes.get(d_k, "In the plane through both"), parts=2),
            self.theme,
            float(self.pairs.query_lengths[i]),
            float(self.pairs.key_lengths[j]),
            words=(self.cast.words[i], self.cast.words[j]),
            style=fitted(NumberStyle(self.cast.story.look.decimals), [-most], _LONGEST),
            largest=self._largest_score,
            turn=float(self.pairs.angles[i, j]),
            farthest=_STRETCHED,
        )

    # Back to the tables

    def _return_to_tables(self) -> None:
        """The pair goes back to its rows, and its score stands between them."""
        i, j = self.cases[0] if self.cases else (self.cast.focus, self.best)
        end, chip = self.closing, self._chip((i, j), _CHIP).shaded()
        chip.place(self._link(i, j).get_center())
        self.link, self.score = self._link(i, j, chip.cell), chip
        if self.cases:
            pair = self.turning
            self.play(pair.return_to(float(self.pairs.angles[i, j])), run_time=1.0)
            self._fade_all_but(pair.query, pair.key, pair.chip)
            homeward = ((pair.query, end.Q.cells[i][-1]), (pair.key, end.K.cells[j][0]))
            going_home = [FadeOut(arrow, target_position=home, scale=0.3) for arrow, home in homeward]
            going_home.append(become(pair.chip, chip))
        else:
            self._fade_all_but()
            going_home = [FadeIn(chip)]
        self._bring_tables_back(going_home)
        self.add(self.link, chip)
        self.play(*end.Q.light_row(i), *end.K.light_row(j), FadeIn(self.link), run_time=0.5)

    def _fade_all_but(self, *kept: Mobject) -> None:
        o = self.opening
        staying = {id(mobject) for mobject in (self.header, o.Q.name, o.K.name, *kept)}
        leaving = [leaf for whole in self.mobjects for leaf in _split(whole, staying)]
        self.row = None
        self.play(*map(FadeOut, leaving), run_time=0.6)

    def _bring_tables_back(self, going_home: Sequence[Animation]) -> None:
        o, end = self.opening, self.closing
        names = [become(old.name, new.name) for old, new in ((o.Q, end.Q), (o.K, end.K))]
        self.play(*going_home, *names, run_time=0.9)
        self.play(*map(FadeIn, (end.tokens, end.Q, end.K)), run_time=0.6)

    def _link(self, i: int, j: int, between: Cell | None = None) -> VMobject:
        """A line from a row of Q to a row of K, left out where a cell stands in the middle of it."""
        air, (start, end) = self.theme.space.tight, (self.closing.Q.cells[i][-1], self.closing.K.cells[j][0])
        ends = start.get_right() + RIGHT * air, end.get_left() + LEFT * air
        link = VMobject(stroke_color=ManimColor(self.theme.colours.quiet), stroke_width=self.theme.stroke.axis)
        if between is None:
            return link.set_points_as_corners(ends)
        along = np.abs(ends[1] - ends[0])[:2]
        half = np.array([between.width, between.height]) / 2 + air
        share = float(np.min(half / np.maximum(along, 1e-9)))
        near, far = (ends[0] + (0.5 + sign * share) * (ends[1] - ends[0]) for sign in (-1, 1))
        link.points = np.concatenate([np.linspace(*part, 4) for part in ((ends[0], near), (far, ends[1]))])
        return link

    def _join_all_pairs(self) -> None:
        """Every query with every key: so many scores are still to be found."""
        end, n = self.closing, self.cast.n
        # One outline, for lines that cross not to be drawn over each other.
        links = self.link.copy()
        links.points = np.concatenate([self._link(i, j).points for i in range(n) for j in range(n)])
        self.play(FadeOut(self.score), FadeOut(self.link), *end.Q.light_all(), *end.K.light_all(), run_time=0.5)
        self.play(Create(links), run_time=1.8)


def _split(whole: Mobject, staying: set[int]) -> list[Mobject]:
    """``whole`` or, where some parts of it are to stay, the parts that are not."""
    if id(whole) in staying:
        return []
    if staying.isdisjoint(map(id, whole.get_family())):
        return [whole]
    return [leaf for part in whole.submobjects for leaf in _split(part, staying)]


# What is said


def question(names: Sequence[str], asker: int, asked: Sequence[int]) -> str:
    """What the viewer may guess at."""
    if len(asked) == 1:
        return f"How well does {of(names[asked[0]])} key fit {of(names[asker])} query?"
    first, second = (of(names[j]) for j in asked)
    return f"Which key fits {of(names[asker])} query better: {first} or {second}?"


def of(name: str) -> str:
    """A word's name as an owner's."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def about_lengths(pairs: Pairs, names: Sequence[str], asked: Sequence[int], best: int) -> str:
    """What the lengths of two keys tell, and what they do not."""
    if len(asked) == 1:
        return ""
    (other,) = (j for j in asked if j != best)
    lengths = pairs.key_lengths
    if np.isclose(lengths[best], lengths[other]):
        return "Laid flat, both keys are equally long: length cannot tell."
    longer = other if lengths[other] > lengths[best] else best
    return f"Laid flat, {of(names[longer])} key is longer. But where it points is lost."


def verdict(
    scores: NDArray[np.float64], names: Sequence[str], asked: Sequence[int], best: int, style: NumberStyle
) -> str:
    """Whose key fits better."""
    if len(asked) == 1:
        return f"{of(names[best])} key scores {style.text(scores[best])}."
    (other,) = (j for j in asked if j != best)
    high, low = style.text(scores[best]), style.text(scores[other])
    if np.isclose(scores[best], scores[other]):
        return f"Both score {high}: they fit alike."
    return f"{high} against {low}: {of(names[best])} key fits better."


def about_cases(angles: Sequence[float]) -> dict[str, str]:
    """What each of the three cases is; empty where it has been said of another, or where there is none."""
    said: list[str] = []
    for angle in angles:
        text = about_angle(angle)
        said.append("" if text in said else text)
    return {f"case_{k + 1}": text for k, text in enumerate([*said, "", "", ""][:3])}


def about_angle(angle: float) -> str:
    """What an angle in degrees means for the score."""
    exact, near = 1e-6, 0.5
    if abs(angle - STRAIGHT) < exact:
        return "The same way: as positive as their lengths allow."
    if abs(angle - RIGHT_ANGLE) < exact:
        return "At a right angle: zero, whatever their lengths."
    if abs(angle - OPPOSITE) < exact:
        return "Opposite ways: as negative as their lengths allow."
    if abs(angle - RIGHT_ANGLE) < near:
        return "Almost at a right angle: almost zero."
    if angle < RIGHT_ANGLE:
        return f"{COUNT.text(angle)}° apart: a positive score."
    return f"{COUNT.text(angle)}° apart: a negative score."


def about_all_pairs(n: int) -> str:
    """The question that is left."""
    if n == 1:
        return "With a single word, this is the only pair."
    return "But every word asks every word. What of all the pairs?"
