"""A budget is spent: values, scaled by its shares, are laid tip to tail and added up."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import (
    RIGHT,
    UP,
    Animation,
    AnimationGroup,
    Create,
    FadeIn,
    FadeOut,
    LaggedStart,
    ManimColor,
    ReplacementTransform,
    VGroup,
)
from numpy.typing import NDArray

from scenes.handover.blending import after_blending
from scenes.handover.grids import after_budget
from scenes.mobjects.arrow_plane import Arrow
from scenes.mobjects.asker import Asker
from scenes.mobjects.blend_table import Blends, BlendTable
from scenes.mobjects.motion import dim, early, fly, late, light
from scenes.mobjects.number_grid import NamedGrid
from scenes.mobjects.placing import is_clear
from scenes.mobjects.text import Label, Row
from scenes.mobjects.tips import MOST_NAMED, place, symbol_tips
from scenes.mobjects.value_chain import ValueChain
from scenes.mobjects.working import Working
from scenes.walkthrough import Walkthrough
from scenes.workings.blend import Blend, BlendLine, blend

_HEAD = 0.31
"""From the upper edge of the first row to the middle of what stands over it, in units."""
_SHORT = 0.01
"""What an arrow that grows begins with, as a share of its length."""


class Spending(Walkthrough):
    """The focus word's budget in a column beside the values, their arrows on a plane, and what comes of both."""

    def open(self) -> None:
        """Put the table of weights on the screen; make what a budget is spent on."""
        super().open()
        cast = self.cast
        self.opening, self.closing = after_budget(cast), after_blending(cast)
        self._begin(self.opening)
        self.plane = self.closing.plane
        self.weights = cast.weights[cast.focus]
        self.even = np.full(cast.n, 1 / cast.n)
        self.lines = cast.words_at(cast.side_zone.left)
        self.V = self._values_grid()
        self.table = self._blend_table()
        self._make_arrows()

    @property
    def _trusted(self) -> int:
        """The word that gets most of the focus word's budget."""
        return int(np.argmax(self.weights))

    # The budget

    def _values_grid(self) -> NamedGrid:
        """The values at the right of the stage, with their name over them: their sums will stand below."""
        cast = self.cast
        grid = cast.tables().V_blend
        scaled = Working(self.theme, self.theme.type.note).sign("share ×", self.theme.colours.quiet)
        self.scaled_name = scaled.symbol("V", self.theme.colours.value).row()
        self.values_called = grid.name
        width = cast.width_of(cast.trace.d_v)
        names = (grid.name, self.scaled_name)
        left = cast.side_zone.right - (width + max(width, *(name.advance for name in names))) / 2
        grid.put(cast.at_row(left, cast.narrow))
        for name in names:
            name.place(grid.boxes.get_top() + UP * _HEAD, name.advance)
        return grid

    def _blend_table(self) -> BlendTable:
        cast, h = self.cast, self.cast.head
        blends = Blends(
            weights=cast.weights,
            values=cast.values,
            contributions=cast.contributions,
            outputs=cast.outputs,
            weights_source=f"attention.weights[{h}, {{i}}, {{j}}]",
            values_source=f"values[{h}, {{j}}, {{c}}]",
            contributions_source=f"contributions[{h}, {{i}}, {{j}}, {{c}}]",
            outputs_source=f"attention.output[{h}, {{i}}, {{c}}]",
        )
        left = cast.side_zone.left + cast.words_width
        return BlendTable(blends, self.V, left, self.theme, cast.styles.vectors, cast.styles.outputs)

    def _lift(self) -> None:
        """The focus word's row of weights turns into a column of bars; the rest of its table goes into the formula."""
        opening, table, i = self.opening, self.table, self.cast.focus
        row = opening.grid.numbers[i]
        leaving = [*opening.sides, *opening.totals, opening.grid.name]
        leaving += opening.tokens.tokens
        numbers = [number for k in self.cast.others for number in opening.grid.numbers[k]]
        self.asker, self.shown = self._asker(i), i
        # The cells leave from under the numbers.
        self.add(opening.grid.boxes, *numbers, *opening.heads, *row)
        self.play(
            FadeOut(opening.grid.boxes, target_position=self._letter("softmax"), scale=0.2),
            *map(FadeOut, (*leaving, *numbers)),
            run_time=0.7,
        )
        table.show(self.weights, table.taken)
        # Weights go to the right, and then words to the left: those first that have the others behind them.
        shares = list(map(ReplacementTransform, row, table.shares))[::-1]
        words = list(map(ReplacementTransform, opening.heads, self.lines.tokens))
        self.play(LaggedStart(*shares, lag_ratio=0.4), run_time=1.1)
        self.play(LaggedStart(*words, lag_ratio=0.4), run_time=1.1)
        for bar in table.bars:
            bar.set_share(0.0)
        self.add(*table.bars)
        grows = [bar.grow_to(float(share)) for bar, share in zip(table.bars, self.weights, strict=False)]
        self.play(*map(FadeIn, (self.asker, *(bar.track for bar in table.bars))), *grows, run_time=0.9)
        table.rest_on(i, scaled=False)

    def _asker(self, i: int) -> Asker:
        """Whose budget it is, over the words."""
        zone = self.cast.side_zone
        place = np.array([zone.left, float(self.V.boxes.get_top()[1]) + _HEAD, 0.0])
        return Asker(self.cast.words[i], i, "spends", place, float(self.V.boxes.get_left()[0]) - zone.left, self.theme)

    # Roles

    def _bring_plane(self) -> None:
        plane = self.plane
        shown = [*plane.ticks, *self.closing.note]
        self.play(Create(plane.lines), *map(FadeIn, shown), run_time=1.0)

    def _part_roles(self) -> None:
        """From the arrow of the word that is trusted most, its key and its value part."""
        cast, j, colours = self.cast, self._trusted, self.theme.colours
        kinds = (
            ("x", colours.quiet, cast.points("words", cast.trace.embeddings[j])),
            ("k", colours.key, cast.points("matching", cast.keys[j])),
            ("v", colours.value, cast.points("content", cast.values[j])),
        )
        arrows = self.plane.arrows(np.array([point for *_, point in kinds]), self._ink)
        names = []
        for arrow, (symbol, colour, _) in zip(arrows, kinds, strict=True):
            arrow.set_fill(ManimColor(colour))
            names.append(Working(self.theme, self.theme.type.note).symbol(symbol, colour, word=cast.words[j]).row())
        place(names, arrows, self.plane)
        ends = [arrow.tip for arrow in arrows]
        grow = self._grow(arrows[0])
        self.play(grow, FadeIn(names[0]), *self._only_word(self.lines.tokens, j), run_time=0.9)
        for arrow in arrows[1:]:
            arrow.point_to(ends[0])
            self.add(arrow)
        swings = [arrow.swing_to(end) for arrow, end in zip(arrows[1:], ends[1:], strict=True)]
        self.play(*swings, *map(FadeIn, names[1:]), run_time=1.4)
        self.roles = VGroup(*arrows, *names)
        line = Working(self.theme).symbol("bold(k)", colours.key).sign("whom to trust,")
        self._show(line.symbol("bold(v)", colours.value).sign("what is said").row())

    def _leave_roles(self) -> None:
        self._clear_row()
        self.play(FadeOut(self.roles), *self._only_word(self.lines.tokens, None), run_time=0.5)

    # Values

    def _make_arrows(self) -> None:
        """Arrows of values, their chain, the plain average, and names where none of these is in their way."""
        cast, plane, colours = self.cast, self.plane, self.theme.colours
        points = cast.points("content", cast.values)
        value, ink = ManimColor(colours.value), self._ink
        self.values = plane.arrows(points, value)
        self.chain = ValueChain(plane, points, value, ink).lay(self.weights, 1.0)
        self.average = plane.arrow(points.mean(axis=0), self._quiet)
        result = self.chain.result.copy()
        # Where the budget pulls the blend, from where it would be with even shares.
        self.drift = plane.arrow((0, 0), ManimColor(colours.weight)).point_to(result.tip, self.average.tip)
        drawn = [*(arrow.copy() for arrow in self.chain.arrows), result, self.average, self.drift]
        self.value_names = symbol_tips("v", colours.value, cast.words, self.values, plane, self.theme, drawn)
        self.z_name = Working(self.theme).symbol("z", colours.ink, word=cast.words[cast.focus]).row()
        self.average_name = Label("average", em=self.theme.type.note, colour=self._quiet)
        place(
            [self.z_name, self.average_name],
            [result, self.average],
            plane,
            [*self.value_names, *self.values, *drawn],
        )
        texts = [self.z_name, *self.value_names, *plane.ticks]
        if not is_clear(self.average_name, [*self.values, *drawn], texts, plane.zone):
            self.average_name.set_opacity(0.0)
        self.chain.lay(np.ones(cast.n), 0.0)

    def _bring_values(self) -> None:
        """Each word's value: an arrow on the plane and a row of V."""
        V, table = self.V, self.table
        self.play(*map(FadeIn, (V.frame, V.name)), run_time=0.5)
        arrivals = []
        for j, (arrow, name) in enumerate(zip(self.values, self.value_names, strict=True)):
            numbers = [FadeIn(number, shift=RIGHT * 0.2) for number in V.numbers[j]]
            arrivals.append(AnimationGroup(*numbers, self._grow(arrow), FadeIn(name)))
        self.play(LaggedStart(*arrivals, lag_ratio=0.35), run_time=min(3.0, 0.7 + 0.6 * self.cast.n))
        table.on_stage = (*table.bars, *table.shares, *table.numbers)

    def _call_values(self, name: Row) -> list[Animation]:
        """Give the table the name of what it holds: V, or V scaled."""
        old, self.values_called = self.values_called, name
        return [] if old is name else [FadeOut(old, rate_func=early), FadeIn(name, rate_func=late)]

    # The plain average

    def _average(self) -> None:
        table, chain, even = self.table, self.chain, self.even
        self.play(table.move(budget=even), *dim(*self.values), run_time=0.9)
        self.add(chain)
        self.play(table.move(taken=even), chain.move(shares=even), *self._call_values(self.scaled_name), run_time=1.1)
        self.play(chain.move(laid=1.0), run_time=1.1)
        self.play(self._grow(self.average), FadeIn(self.average_name), run_time=0.8)

    def _say_all_alike(self) -> None:
        """Equal parts make all outputs equal."""
        words, line = self.cast.words, Working(self.theme)
        shown = words if len(words) <= MOST_NAMED else (words[0], None, words[-1])
        for k, word in enumerate(shown):
            if k:
                line.sign("=")
            line = line.sign("…") if word is None else line.symbol("z", self.theme.colours.ink, word=word)
        self._show(line.row())

    def _return_to_budget(self) -> None:
        """Bars as they were, values whole again."""
        table, chain = self.table, self.chain
        whole = np.ones(self.cast.n)
        if self.cast.others:
            self._clear_row()
            self.play(FadeOut(chain), *dim(self.average, self.average_name), run_time=0.4)
            self.play(table.move(budget=self.weights, taken=whole), *self._call_values(self.V.name), run_time=0.9)
        table.rest_on(self.cast.focus, scaled=False)
        self.add(chain.lay(whole, 0.0))
        table.on_stage = (*table.bars, *table.strips, *table.shares, *table.numbers)
        strips = [FadeIn(strip) for strip in table.strips]
        self.play(*strips, *dim(*self.values), run_time=0.5)

    # The blend

    def _take(self, words: Sequence[int], run_time: float) -> None:
        """Some of the values shrink to their shares: arrows, strips and numbers alike."""
        taken = self.table.taken.copy()
        taken[list(words)] = self.weights[list(words)]
        renamed = self._call_values(self.scaled_name)
        self.play(self.table.move(taken=taken), self.chain.move(shares=taken), *renamed, run_time=run_time)

    def _leave_strips(self) -> None:
        table = self.table
        table.on_stage = (*table.bars, *table.shares, *table.numbers)
        if table.strips:
            self.play(*map(FadeOut, table.strips), run_time=0.3)

    def _bring_result(self) -> None:
        """The blend: an arrow to the end of the chain, and the sums of the scaled values."""
        table, result = self.table, self.chain.result
        self.play(self._grow(result), FadeIn(self.z_name), run_time=0.9)
        symbol = Working(self.theme, self.theme.type.note).symbol("bold(z)", self.theme.colours.ink)
        self.sum_name = symbol.row().place(np.array([table.end - 0.2, table.below, 0.0]), 1.0)
        adds = [
            FadeOut(row[c].copy(), target_position=total)
            for row in self.V.numbers
            for c, total in enumerate(table.sums)
        ]
        self.play(Create(table.rule), FadeIn(self.sum_name), *adds, *map(FadeIn, table.sums), run_time=0.7)
        table.on_stage = (*table.bars, *table.shares, *table.numbers, *table.sums)

    def _write_blend(self) -> None:
        """The same as a line of working."""
        line = self._blend_line()
        self._start_row(line.working)
        flies = [fly(self.table.shares[j], share) for j, share in zip(line.terms, line.shares, strict=True)]
        self.play(LaggedStart(*self._write(flies), lag_ratio=0.1), run_time=1.2)
        self.play(*self._write([fly(a, b) for a, b in zip(self.table.sums, line.results, strict=True)]), run_time=0.8)

    def _blend_line(self) -> BlendLine:
        cast, i = self.cast, self.cast.focus
        blends = self.table.blends
        what = Blend(
            words=cast.words,
            asker=i,
            weights=self.weights,
            output=cast.outputs[i],
            style=cast.styles.outputs,
            weights_source=blends.weights_source.format(i=i, j="{j}"),
            output_source=blends.outputs_source.format(i=i, c="{c}"),
        )
        return blend(self.theme, what, self.layout.band.width)

    def _pull_back(self) -> None:
        """Let go: with even shares the blend is the plain average."""
        self._clear_row()
        self.play(FadeOut(self.z_name), *light(self.average, self.average_name), run_time=0.3)
        self._weigh(self.even, 1.4)

    def _pull(self, said: str) -> None:
        """The budget takes hold again: an arrow leads from the average to where it pulls the blend."""
        self._state(said)
        end = self.drift.tip
        self.add(self.drift.point_to(self.average.tip))
        self._weigh(self.weights, 2.2, self.drift.swing_to(end))
        self.table.rest_on(self.cast.focus, scaled=True)
        self.play(FadeIn(self.z_name), run_time=0.3)

    def _weigh(self, shares: NDArray[np.float64], run_time: float, *others: Animation) -> None:
        """Change to another budget; the chain, the blend and all numbers follow."""
        moves = self.table.move(budget=shares, taken=shares), self.chain.move(shares=shares, with_result=True)
        self.play(*moves, *others, run_time=run_time)

    # Moving

    def _grow(self, arrow: Arrow) -> Animation:
        """Let an arrow grow out of the origin."""
        end = arrow.tip
        # Not from length zero: an arrow without length is drawn as a dot, as thick as the arrow.
        arrow.point_to(self.plane.origin + _SHORT * (end - self.plane.origin))
        self.add(arrow)
        return arrow.swing_to(end)

    def _show(self, row: Row) -> None:
        """Put a line of symbols into the band."""
        self.row = row.place(self.layout.band.centre, self.layout.band.width)
        self.play(FadeIn(row, shift=UP * 0.1), run_time=0.5)
