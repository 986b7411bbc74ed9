"""Chapter 7: every word spends its budget on the values of all, and so becomes a new arrow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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

from scenes.cast import Cast
from scenes.chapter import beat
from scenes.handover.blending import after_blending, trusted_value
from scenes.handover.grids import after_budget
from scenes.mobjects.arrow_plane import Arrow
from scenes.mobjects.blend_table import Blends, BlendTable
from scenes.mobjects.cells import Shade
from scenes.mobjects.motion import become, dim, fly, light
from scenes.mobjects.number import Number
from scenes.mobjects.number_grid import NamedGrid
from scenes.mobjects.placing import is_clear
from scenes.mobjects.text import Label, Row
from scenes.mobjects.tips import MOST_NAMED, place, symbol_tips
from scenes.mobjects.token_row import Token
from scenes.mobjects.value_chain import ValueChain
from scenes.mobjects.working import Working
from scenes.walkthrough import Walkthrough
from scenes.wording import best_of, listed, shortened
from scenes.workings.blend import Blend, BlendLine, blend

_HEAD = 0.31
"""From the upper edge of the first row to the middle of what stands over it, in units."""
_SHORT = 0.01
"""What an arrow that grows begins with, as a share of its length."""
_STATED = 14
"""Characters of a word in a statement."""


def _has_others(blending: Blending) -> bool:
    return bool(blending.cast.others)


def _is_pulled(blending: Blending) -> bool:
    weights = blending.weights
    return bool(weights.any()) and not np.allclose(weights, weights.mean())


class Blending(Walkthrough):
    """Step 7: values, scaled by their shares and added up."""

    name = "blending"

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

    def words(self) -> Mapping[str, str]:
        """What the weights give to speak of."""
        cast, i = self.cast, self.cast.focus
        return {
            **super().words(),
            "values": about_values(cast, self._trusted),
            "best": about_pull(self.weights, cast.names),
            "chain": about_chain(self.weights, cast.names[i]),
            "rest": about_rest(cast.n),
            "change": about_change(self.weights, cast.names, i),
        }

    @property
    def _trusted(self) -> int:
        """The word that gets most of the focus word's budget."""
        return int(np.argmax(self.weights))

    # The beats

    @beat("{focus} has a budget of attention.", "What does it buy? What does each word give for its share?")
    def the_question(self) -> None:
        self._open_header()
        rows = [*self.opening.grid.light_row(self.cast.focus), *dim(*self.opening.totals)]
        self.play(*rows, *self._only_word(self.opening.tokens.tokens, self.cast.focus), run_time=0.6)
        self.next_cue()
        self._lift()
        self._bring_plane()

    @beat("{values}")
    def why_values(self) -> None:
        self._part_roles()

    @beat("So every word hands over its value.")
    def hand_over(self) -> None:
        self._leave_roles()
        self._bring_values()

    @beat(
        "What if everyone counted alike, and gave an equal part?",
        "Then all words would become one and the same arrow.",
        when=_has_others,
    )
    def plain_average(self) -> None:
        self._average()
        self.next_cue()
        self._say_all_alike()

    @beat("Instead, each value shrinks to its share of the budget.")
    def scale(self) -> None:
        self._return_to_budget()
        words = range(self.cast.n)
        if self.cast.n > MOST_NAMED:
            self._take(words, run_time=2.0)
            return
        for j in words:
            self._take([j], run_time=1.0)

    @beat("{chain}")
    def tip_to_tail(self) -> None:
        self._leave_strips()
        self.play(self.chain.move(laid=1.0), run_time=1.6)
        self._bring_result()
        self._write_blend()

    @beat("With even shares it would end at the average.", "The budget pulls it toward {best}.", when=_is_pulled)
    def pull(self) -> None:
        self._pull_back()
        self.next_cue()
        self._pull()

    @beat("{rest}", "The new arrows are the rows of Z: Z = A V.")
    def every_word(self) -> None:
        self._put_values_away()
        for i in self.cast.others:
            self._spend(i)
        self.next_cue()
        self._name_product()

    @beat("Here is the old arrow of {focus}, and here the new one.", "{change}")
    def old_and_new(self) -> None:
        self._leave_blend()
        self._compare()
        self.next_cue()
        self._state(statement(self.weights, self.cast.words, self.cast.focus))

    @beat("So it goes for all of them: X goes in, Z comes out.")
    def in_and_out(self) -> None:
        self._clear_row()
        self._bring_tables()
        self._settle(self.closing)

    # The budget

    def _values_grid(self) -> NamedGrid:
        """The values at the right of the stage, with their name over them: their sums will stand below."""
        cast = self.cast
        grid = cast.tables().V_blend
        width = cast.width_of(cast.trace.d_v)
        left = cast.side_zone.right - (width + max(width, grid.name.advance)) / 2
        grid.put(cast.at_row(left, cast.narrow))
        grid.name.place(grid.boxes.get_top() + UP * _HEAD, grid.name.advance)
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
        self.play(*map(FadeIn, (*self.asker, *(bar.track for bar in table.bars))), *grows, run_time=0.9)
        table.rest_on(i, scaled=False)

    def _asker(self, i: int) -> tuple[Token, Label]:
        """Whose budget it is, over the words."""
        cast, em = self.cast, self.theme.type.note
        place = np.array([cast.side_zone.left, float(self.V.boxes.get_top()[1]) + _HEAD, 0.0])
        token = Token(cast.words[i], i, cast.words_width, self.theme, em).put_left(place)
        spends = Label("spends", em=em, colour=self._quiet)
        return token, spends.set_middle(place + RIGHT * (token.advance + 0.3 * em + spends.advance / 2))

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

    # The plain average

    def _average(self) -> None:
        table, chain, even = self.table, self.chain, self.even
        self.play(table.move(budget=even), *dim(*self.values), run_time=0.9)
        self.add(chain)
        self.play(table.move(taken=even), chain.move(shares=even), run_time=1.1)
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
            self.play(table.move(budget=self.weights, taken=whole), run_time=0.9)
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
        self.play(self.table.move(taken=taken), self.chain.move(shares=taken), run_time=run_time)

    def _leave_strips(self) -> None:
        table = self.table
        table.on_stage = (*table.bars, *table.shares, *table.numbers)
        table.rest_on(self.cast.focus, scaled=True)
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

    def _pull(self) -> None:
        """The budget takes hold again: an arrow leads from the average to where it pulls the blend."""
        self._state(f"Pulled toward {quoted_words(self.cast.words, best_of(self.weights))}")
        end = self.drift.tip
        self.add(self.drift.point_to(self.average.tip))
        self._weigh(self.weights, 2.2, self.drift.swing_to(end))
        self.table.rest_on(self.cast.focus, scaled=True)
        self.play(FadeIn(self.z_name), run_time=0.3)

    def _weigh(self, shares: NDArray[np.float64], run_time: float, *others: Animation) -> None:
        """Change to another budget; the chain, the blend and all numbers follow."""
        moves = self.table.move(budget=shares, taken=shares), self.chain.move(shares=shares, with_result=True)
        self.play(*moves, *others, run_time=run_time)

    # All words

    def _put_values_away(self) -> None:
        """V shrinks into the formula; Z comes in its place, its first row made."""
        self._clear_row()
        cast, table, V, Z = self.cast, self.table, self.V, self.closing.Z
        order = [cast.focus, *cast.others]
        self.results = self.plane.arrows(cast.points("content", cast.outputs), self._ink, order=order)
        self.shades = [arrow.get_fill_color() for arrow in self.results]
        self.crossed = self._crossed_ticks()
        home = Z.cells[0][0].get_center()
        self.way_home = home - V.cells[0][0].get_center()
        for part in (Z, Z.name):
            part.shift(-self.way_home)
        where = self._letter("V")
        gone = [table.rule, self.sum_name, *self.values, *self.value_names, self.z_name, *self.crossed]
        if cast.others:
            gone += [self.average, self.average_name]
        if _is_pulled(self):
            gone.append(self.drift)
        self.play(*map(FadeOut, gone), run_time=0.4)
        away = FadeOut(V, target_position=where, scale=0.2), FadeOut(V.name)
        self.play(*away, FadeIn(where), FadeIn(Z.frame), run_time=0.8)
        self.bring_to_front(*table.sums)
        moves = [ReplacementTransform(a, b) for a, b in zip(table.sums, Z.numbers[cast.focus], strict=True)]
        self.play(*moves, run_time=0.7)
        table.on_stage = (*table.bars, *table.shares)

    def _crossed_ticks(self) -> list[Number]:
        """The ticks that arrows of the other words are going to lie across: they keep clear of the focus word's only."""
        chain, drawn = self.chain, list(self.results)
        for weights in self.cast.weights:
            drawn += [arrow.copy() for arrow in chain.lay(weights, 1.0).arrows]
        chain.lay(self.weights, 1.0)
        return [tick for tick in self.plane.ticks if not is_clear(tick, drawn, [], self.plane.zone)]

    @property
    def _haste(self) -> float:
        """How much of its time a repetition gets, when there are many of them."""
        return min(1.0, 2.3 / self.cast.n)

    def _spend(self, i: int) -> None:
        """Another word's budget: bars and chain turn to it, and its new arrow stays."""
        asker = self._asker(i)
        changes: list[Animation] = [*map(FadeOut, self.asker), *map(FadeIn, asker)]
        if self.cast.n <= MOST_NAMED:
            # More than a few would hide the chain.
            self.add(self.results[self.shown])
            self.bring_to_front(self.chain, self.chain.result)
            changes.append(Shade(self.results[self.shown], self._quiet))
        self.play(*changes, run_time=0.4 * self._haste)
        self.asker, self.shown = asker, i
        self._weigh(self.cast.weights[i], 1.3 * self._haste)
        self.table.rest_on(i, scaled=True)
        arrivals = [FadeIn(n, target_position=self.chain.result.tip) for n in self.closing.Z.numbers[i]]
        self.play(*arrivals, run_time=0.7 * self._haste)

    def _name_product(self) -> None:
        """All new arrows at full strength, and what made them."""
        cast, colours = self.cast, self.theme.colours
        few = cast.n <= MOST_NAMED
        names = symbol_tips("z", colours.ink, cast.words, self.results, self.plane, self.theme)
        self.names = names if few else names[cast.focus : cast.focus + 1]
        self.add(*(self.results[i] for i in (cast.focus, *cast.others)))
        self.remove(self.chain.result)
        brighten = [Shade(arrow, colour) for arrow, colour in zip(self.results, self.shades, strict=True)]
        self.play(FadeOut(self.chain), *brighten, *map(FadeIn, (*self.names, self.closing.Z.name)), run_time=0.7)
        product = Working(self.theme).symbol("Z", colours.ink).sign("=").symbol("A", colours.weight)
        self._show(product.symbol("V", colours.value).row())

    # The old and the new

    def _leave_blend(self) -> None:
        """All but the focus word's arrow and Z goes."""
        cast, table = self.cast, self.table
        self._clear_row()
        focus = self.names[cast.focus if len(self.names) > 1 else 0]
        others = [name for name in self.names if name is not focus]
        gone = [*table.bars, *table.shares, *self.asker, *others, *(self.results[i] for i in cast.others)]
        self.play(
            *map(FadeOut, gone),
            *map(FadeIn, self.crossed),
            ReplacementTransform(self.results[cast.focus], self.closing.new),
            become(focus, self.closing.labels[1]),
            run_time=0.7,
        )

    def _compare(self) -> None:
        closing, cast, j = self.closing, self.cast, self._trusted
        grow = self._grow(closing.old)
        self.bring_to_front(closing.new, *closing.labels[1:])
        self.play(grow, FadeIn(closing.labels[0]), run_time=1.0)
        if not self.weights.any():
            return
        arrow = trusted_value(cast, self.plane)
        named = (
            Working(self.theme, self.theme.type.note).symbol("v", self.theme.colours.value, word=cast.words[j]).row()
        )
        place([named], [arrow], self.plane, [closing.old, closing.new, *closing.labels])
        self.carried = VGroup(arrow, named)
        self.add(self.carried)
        self.bring_to_front(closing.new)
        self.play(FadeIn(self.carried), run_time=0.6)

    def _bring_tables(self) -> None:
        """Words and Z go to their places; X comes between them."""
        if self.weights.any():
            self.play(FadeOut(self.carried), run_time=0.3)
        closing, Z, X = self.closing, self.closing.Z, self.closing.X
        self.play(
            *map(ReplacementTransform, self.lines.tokens, closing.tokens.tokens),
            VGroup(Z, Z.name).animate.shift(self.way_home),
            run_time=0.9,
        )
        self.play(*map(FadeIn, (X.frame, X.name)), run_time=0.4)
        rows = [
            AnimationGroup(*self._emerge(numbers, [token] * len(numbers)))
            for numbers, token in zip(X.numbers, closing.tokens.tokens, strict=True)
        ]
        self.play(LaggedStart(*rows, lag_ratio=0.2), run_time=1.0)

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


# Sentences


def about_values(cast: Cast, word: int) -> str:
    """Why values, and not the embeddings or the keys: whether a word's key and value differ decides how it is said."""
    key, value = cast.points("matching", cast.keys[word]), cast.points("content", cast.values[word])
    if np.allclose(key, value):
        return "Keys decide whom to trust, values what is said. Here both happen to be alike."
    return "Keys decide whom to trust. What is said is another arrow: the value."


def about_chain(weights: NDArray[np.float64], name: str) -> str:
    """What the scaled arrows come to."""
    if not weights.any():
        return f"Nothing is taken of any: {name}'s new arrow is zero."
    return f"Laid tip to tail, they lead to {name}'s new arrow, z."


def about_pull(weights: NDArray[np.float64], names: Sequence[str]) -> str:
    """Which words a budget pulls the blend to."""
    return listed(names, best_of(weights))


def about_rest(count: int) -> str:
    """How the other words fare."""
    if count == 1:
        return "A single word: its new arrow is all of Z."
    return "Every other word spends its own budget, the same way."


def about_change(weights: NDArray[np.float64], names: Sequence[str], i: int) -> str:
    """What a word's new arrow carries."""
    best = best_of(weights)
    if not weights.any():
        return f"{names[i]} sees no word, and carries nothing."
    if len(best) == len(names):
        return f"{names[i]} now carries an even blend of all."
    if best == [i]:
        return f"{names[i]} carries mostly its own value."
    return f"{names[i]} now carries what {listed(names, best)} had to say, more than all else."


def statement(weights: NDArray[np.float64], words: Sequence[str], i: int) -> str:
    """The same in a few words."""
    best = best_of(weights)
    word = shortened(words[i], _STATED)
    if not weights.any():
        return f"{word} carries nothing"
    if len(best) == len(words) > 1:
        return f"{word} carries an even blend"
    if best == [i]:
        return f"{word} carries mostly itself"
    return f"{word} now carries {quoted_words(words, best)}"


def quoted_words(words: Sequence[str], group: Sequence[int]) -> str:
    """Two of some words at most, cut and in quotation marks."""
    return " and ".join(f"“{shortened(words[k], _STATED)}”" for k in group[:2])
