"""Chapter 7: every word spends its budget on the values of all, and so becomes a new arrow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from manim import (
    Animation,
    AnimationGroup,
    FadeIn,
    FadeOut,
    LaggedStart,
    ReplacementTransform,
    VGroup,
)
from numpy.typing import NDArray

from scenes.cast import Cast
from scenes.chapter import beat
from scenes.handover.blending import trusted_value
from scenes.mobjects.cells import Shade
from scenes.mobjects.motion import become, dim
from scenes.mobjects.number import Number
from scenes.mobjects.placing import is_clear
from scenes.mobjects.tips import MOST_NAMED, place, symbol_tips
from scenes.mobjects.working import Working
from scenes.steps.spending import Spending
from scenes.wording import best_of, listed, shortened

_STATED = 14
"""Characters of a word in a statement."""


def _has_others(blending: Blending) -> bool:
    return bool(blending.cast.others)


def _is_pulled(blending: Blending) -> bool:
    weights = blending.weights
    return bool(weights.any()) and not np.allclose(weights, weights.mean())


class Blending(Spending):
    """Step 7: values, scaled by their shares and added up."""

    name = "blending"

    def words(self) -> Mapping[str, str]:
        """What the weights give to speak of."""
        cast, i = self.cast, self.cast.focus
        return {
            **super().words(),
            "values": about_values(cast, self._trusted),
            "best": about_pull(self.weights, cast.names),
            "scale": about_scaling(cast.n),
            "chain": about_chain(self.weights, cast.names[i]),
            "rest": about_rest(cast.n),
            "change": about_change(self.weights, cast.names, i),
        }

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

    @beat("{scale}")
    def scale(self) -> None:
        self._return_to_budget()
        if self.cast.n > MOST_NAMED:
            self._take(range(self.cast.n), run_time=2.0)
        else:
            for j in range(self.cast.n):
                self._take([j], run_time=1.0)
        self.table.rest_on(self.cast.focus, scaled=True)

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
        self._pull(f"Pulled toward {quoted_words(self.cast.words, best_of(self.weights))}")

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
        away = FadeOut(V, target_position=where, scale=0.2), FadeOut(self.values_called)
        self.play(*away, FadeIn(where), FadeIn(Z.frame), run_time=0.8)
        self.bring_to_front(*table.sums)
        moves = [ReplacementTransform(a, b) for a, b in zip(table.sums, Z.numbers[cast.focus], strict=True)]
        self.play(*moves, run_time=0.7)
        table.on_stage = (*table.bars, *table.shares)

    def _crossed_ticks(self) -> list[Number]:
        """The ticks that other words' arrows are going to lie across: they keep clear of the focus word's only."""
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
        changes: list[Animation] = [FadeOut(self.asker), FadeIn(asker)]
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
        gone = [*table.bars, *table.shares, self.asker, *others, *(self.results[i] for i in cast.others)]
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


# Sentences


def about_values(cast: Cast, word: int) -> str:
    """Why values, and not the embeddings or the keys: whether a word's key and value differ decides how it is said."""
    key, value = cast.points("matching", cast.keys[word]), cast.points("content", cast.values[word])
    if np.allclose(key, value):
        return "Keys decide whom to trust, values what is said. Here both happen to be alike."
    return "Keys decide whom to trust. What is said is another arrow: the value."


def about_scaling(count: int) -> str:
    """What happens to the values first."""
    if count == 1:
        return "The whole budget goes to its own value: all of that is taken."
    return "Instead, each value shrinks to its share of the budget."


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
        return f"{names[i]} takes most of all from its own value."
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
        return f"{word} listens most to itself"
    return f"{word} now carries {quoted_words(words, best)}"


def quoted_words(words: Sequence[str], group: Sequence[int]) -> str:
    """Two of some words at most, cut and in quotation marks."""
    return " and ".join(f"“{shortened(words[k], _STATED)}”" for k in group[:2])
