"""The worked example: every number of one small sentence, in one unbroken calculation, for all of its words."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from manim import (
    DOWN,
    RIGHT,
    UP,
    AnimationGroup,
    Create,
    FadeIn,
    FadeOut,
    LaggedStart,
    ReplacementTransform,
    VGroup,
)
from manim.typing import Point3D

from math_core import softmax_steps
from scenes import wording
from scenes.chapter import beat
from scenes.mobjects.motion import become, dim, fly, light
from scenes.mobjects.text import Formula, Label, Row
from scenes.mobjects.token_row import TokenRow
from scenes.mobjects.working import Working
from scenes.numerals import COUNT, SHARE
from scenes.steps.blending import Blending
from scenes.steps.budgeting import Budgeting
from scenes.steps.projecting import Projecting
from scenes.steps.scoring import Scoring


class WorkedExample(Projecting, Scoring, Budgeting, Blending):
    """Two to six words, two numbers each, no mask, one head: nothing is left out and nothing is skipped."""

    name = "worked_example"

    def words(self) -> Mapping[str, str]:
        """The numbers and words that captions are filled with."""
        trace, first, words = self.trace, self.first, wording.names_of(self.words_shown)
        return {
            "count": wording.COUNTS[self.n].capitalize(),
            "asker": words[first],
            "share": wording.about_share(trace, words, first),
            "n": COUNT.text(self.n),
            "arrows": wording.about_arrows(trace, words),
            "keys": wording.about_projection(trace.W_K, "second", "keys"),
            "values": wording.about_projection(trace.W_V, "third", "values"),
            "row": wording.about_row(trace, words, first, self.styles.scores),
            "cooled": wording.about_cooled(trace),
            "cooling": wording.about_cooling(trace, self.by_root),
            "exp": wording.about_exponentials(self.steps),
            "gap": f"One point more in score is {math.e:.2f} times as much.",
            "reading": wording.reading(trace, words, first),
        }

    # The beats

    @beat("{count} words. Which of them should each word listen to?")
    def the_question(self) -> None:
        assert self.story is not None
        self._step(None, self.story.title)
        self.tokens = TokenRow(self.words_shown, 4.0, self.theme, self.theme.type.word * 1.5)
        self.tokens.in_lines(self.layout.stage.centre + UP * 0.5, self.layout.stage.width * 0.9)
        self.play(
            LaggedStart(*(FadeIn(token, shift=UP * 0.2) for token in self.tokens.tokens), lag_ratio=0.5),
            run_time=1.6,
        )
        question = Label("Who should listen to whom?", em=self.theme.type.statement, colour=self._quiet)
        question.set_middle(self.tokens.get_bottom() + DOWN * 0.9)
        self.play(FadeIn(question, shift=UP * 0.15))
        self.hold(1.0)
        self.question = question

    @beat(
        "Each word starts as a list of two numbers.",
        "Stacked as rows, the lists make the table X.",
    )
    def words_become_numbers(self) -> None:
        self._step(1, "Words as arrows")
        self.aside = self._room_aside()
        self.tables.X.put(self.board.left + self.aside)
        homes = TokenRow(self.words_shown, self.board.words_width - self.theme.space.gap, self.theme)
        for i, home in enumerate(homes.tokens):
            home.put_left(self.board.word(i) + self.aside)
        self.play(FadeOut(self.question), *map(become, self.tokens.tokens, homes.tokens))
        self.tokens = homes
        plane = self.plane
        self.play(FadeIn(self.tables.X.boxes), Create(plane.lines), *map(FadeIn, plane.ticks), run_time=1.0)
        for i in range(self.n):
            sources = [self.tokens.tokens[i]] * 2
            self.play(*self._emerge(self.tables.X.numbers[i], sources), run_time=0.6)
        self.next_cue()
        self.play(FadeIn(self.tables.X.name, shift=UP * 0.1))

    @beat("Two numbers make an arrow on a plane.", "{arrows}")
    def numbers_become_arrows(self) -> None:
        plane = self.plane
        self.x_arrows = tuple(plane.arrow(x, self._ink) for x in self.trace.embeddings)
        # Names keep clear of arrows as wide as they will be when those under others have widened.
        self.x_labels = self._tip_labels(plane.arrows(self.trace.embeddings, self._ink))
        for i, (arrow, label) in enumerate(zip(self.x_arrows, self.x_labels, strict=True)):
            end = arrow.tip
            room = plane.make_room(self.x_arrows, i)
            arrow.point_to(plane.origin)
            self.add(arrow)
            self.play(*self.tables.X.light_row(i), *room, arrow.swing_to(end), run_time=0.9)
            self.play(fly(self.tokens.tokens[i], label), run_time=0.5)
        self.play(*self.tables.X.light_all(), run_time=0.4)
        self.next_cue()

    @beat(
        "Could every word just take the plain average?",
        "Then all would become the same arrow.",
    )
    def the_naive_way(self) -> None:
        copies = self.plane.arrows(self.trace.embeddings, self._quiet)
        middle = self.plane.point(self.trace.plain_average)
        self.add(*copies)
        self.bring_to_front(*self.x_labels)
        self.play(*dim(*self.x_arrows, *self.x_labels), run_time=0.4)
        self.next_cue()
        said = Label("A plain average: all words alike", em=self.theme.type.statement, colour=self._ink)
        said.set_middle(self.layout.band.centre)
        self.play(*(arrow.swing_to(middle) for arrow in copies), FadeIn(said), run_time=1.6)
        self.hold(1.0)
        self.play(*map(FadeOut, (*copies, said)), *light(*self.x_arrows, *self.x_labels), run_time=0.7)

    @beat(
        "A learned matrix turns {asker} into its query: what it is looking for.",
        "The same matrix makes the query of every word.",
    )
    def queries(self) -> None:
        self._step(2, "Three roles")
        self.play(VGroup(*self.tokens.tokens, self.tables.X, self.tables.X.name).animate.shift(-self.aside))
        self._bring_matrix(self.tables.W_Q)
        self.play(FadeIn(self.tables.Q.boxes), run_time=0.4)
        self._project_by_hand(self.tables.Q, self.tables.W_Q, "q", self.theme.colours.query)
        self.q_arrows = self._turn_arrows(self.trace.queries[0], self.theme.colours.query, [self.first])
        self.next_cue()
        self._project_the_rest(self.tables.Q, self.q_arrows)
        self.q_labels = self._named_tips(self.q_arrows, "q", self.theme.colours.query, self.x_arrows)
        shown = (self.tables.Q.name, *self.q_labels)
        self.play(*self.tables.X.light_all(), *self.tables.Q.light_all(), *map(FadeIn, shown), run_time=0.6)

    @beat("{keys}", "A key is what a word offers to be found by.")
    def keys(self) -> None:
        self._put_away(self.tables.Q, "Q", (*self.q_arrows, *self.q_labels, self.tables.W_Q, self.tables.W_Q.name))
        self._project_at_once(self.tables.K, self.tables.W_K, "k", self.theme.colours.key)

    @beat("{values}", "A value is what a word hands over once it is chosen.")
    def values(self) -> None:
        self._put_away(self.tables.K, "K", (*self.arrows_now, self.tables.W_K, self.tables.W_K.name))
        self._project_at_once(self.tables.V, self.tables.W_V, "v", self.theme.colours.value)

    @beat(
        "Queries stay as rows. The keys turn on their side: one column a word.",
        "A row meets a column: multiply entry by entry and add up.",
    )
    def first_score(self) -> None:
        leaving = (
            *self.arrows_now,
            *self.x_arrows,
            self.tables.W_V,
            self.tables.W_V.name,
            self.tables.X,
            self.tables.X.name,
        )
        self._put_away(self.tables.V, "V", leaving if self._plane_fits else (*leaving, self.plane))
        self._step(3, "Scores")
        self._take_out((self.tables.Q.put(self.board.left), "Q"), (self.tables.K, "K"))
        self._flip_keys()
        self.play(FadeIn(self.tables.S.boxes), run_time=0.4)
        self._arrows_of_roles()
        self.next_cue()
        self._meet(self.first, 0)

    @beat("{asker} asks every word in turn. {row}")
    def first_row(self) -> None:
        for j in range(1, self.n):
            self._meet(self.first, j)

    @beat("Then every other word asks: {n} × {n} scores.")
    def all_scores(self) -> None:
        self._clear_row()
        for i in self.others:
            query = self.plane.point(self.trace.queries[0, i])
            swing = [self.q_arrow.swing_to(query)] if self._plane_fits else []
            words = self._only_word(i)
            self.play(*self.tables.Q.light_row(i), *self.tables.KT.light_all(), *swing, *words, run_time=0.7)
            cells = [
                AnimationGroup(
                    *self.tables.S.reveal(i, j),
                    FadeIn(self.tables.S.numbers[i][j], target_position=self.tables.KT.numbers[0][j]),
                )
                for j in range(self.n)
            ]
            self.play(LaggedStart(*cells, lag_ratio=0.35), run_time=1.2)
        self.play(
            *self.tables.Q.light_all(),
            *self._only_word(None),
            *self._only_head(None),
            FadeIn(self.tables.S.name),
            run_time=0.6,
        )

    @beat("{cooling}", "{cooled}")
    def cool_the_scores(self) -> None:
        self._step(4, "Scale")
        self.play(*dim(*self._products()), run_time=0.5)
        self._divide_one()
        self.next_cue()
        self.play(
            self.tables.S.count_to(self.attention.scaled[0], self.styles.scaled, "attention.scaled[0, {i}, {j}]"),
            run_time=self.theme.time.sweep,
        )

    @beat("Now {asker}'s row. {exp}", "{gap}")
    def exponentials(self) -> None:
        self._clear_row()
        self._step(5, "Softmax")
        self._leave_scores()
        self.table = self._softmax_table()
        table, i = self.table, self.first
        self.play(*self.tables.S.light_row(i), *self._only_word(i), run_time=0.5)
        heads = [FadeIn(table.heads[0])] if table.has_scores else []
        self.play(*map(FadeIn, table.tokens), *heads, run_time=0.5)
        if table.has_scores:
            self.play(LaggedStart(*map(fly, self.tables.S.numbers[i], table.scores), lag_ratio=0.25), run_time=1.4)
        sources = table.scores if table.has_scores else self.tables.S.numbers[i]
        self._note_shift(i)
        self.play(FadeIn(table.heads[1]), run_time=0.3)
        self.play(LaggedStart(*self._emerge(table.exponentials, sources), lag_ratio=0.35), run_time=1.6)
        self.next_cue()

    @beat(
        "Added up, and each divided by the total:",
        "shares of one budget. {share}",
    )
    def shares(self) -> None:
        table = self.table
        self.play(Create(table.rule), FadeIn(table.sum_label), run_time=0.4)
        self.play(FadeIn(table.total, target_position=table.exponentials[-1]), run_time=0.7)
        self._bring_bars(table)
        self.next_cue()
        self.play(FadeIn(table.whole.track), run_time=0.3)
        self.play(LaggedStart(*table.stack(), lag_ratio=0.5), run_time=1.8)
        self.play(FadeIn(table.whole_share), run_time=0.4)
        self._write_weights(self.first)

    @beat("Every word spends its own budget, always exactly one whole.")
    def every_budget(self) -> None:
        for i in self.others:
            self.play(*self._only_word(i), *self._light_weights(i), run_time=0.4)
            self._note_shift(i)
            self.play(self.table.turn_to(i, softmax_steps), run_time=1.3 * self._haste)
            self._write_weights(i)
        self.play(
            *light(self.tables.A),
            *self._only_word(None),
            FadeOut(self.tables.S.name),
            FadeIn(self.tables.A.name),
            run_time=0.6,
        )

    @beat(
        "{asker} takes from every value its share:",
        "scaled arrows, tip to tail, end at its new arrow.",
    )
    def blend_one(self) -> None:
        self._step(6, "Blend")
        self._leave_softmax()
        self._lay_out_blend()
        self._blend(self.first, slowly=True)

    @beat("The others blend their own mixtures. A real model does all at once.")
    def blend_the_rest(self) -> None:
        for i in self.others:
            self._weigh_for(i)
            self._blend(i, slowly=False)
        self.play(*light(*self.z_arrows, *self.z_labels), *self._only_word(None), FadeIn(self.tables.Z.name))

    @beat("{reading}")
    def the_reading(self) -> None:
        self._clear_row()
        self._step(None, "What changed")
        self._compare()

    @beat("From arrows to arrows: this is self-attention, in one line.")
    def the_formula(self) -> None:
        self._step(None, "Self-attention")
        self._assemble()

    # Opening and end

    def _room_aside(self) -> Point3D:
        """How far the words and X stand from their place on the board while the stage beside the plane is theirs."""
        board, stage = self.board, self.layout.stage
        width = board.words_width + 2 * board.narrow.across
        room = self.plane.zone.left - stage.left
        middle = board.row((self.n - 1) / 2)
        return RIGHT * (room - width) / 2 + UP * (stage.centre[1] - middle)

    def _compare(self) -> None:
        board = self.board
        self.play(
            *map(
                FadeOut,
                (
                    *self.bars,
                    *self.weights,
                    self.tables.V_blend,
                    self.scaled_name,
                    *self.v_arrows,
                    *self.v_labels,
                ),
            ),
            run_time=0.6,
        )
        self.tables.X.put(board.left)
        shift = board.product(board.narrow) + RIGHT * 0.5 - self.tables.Z.cells[0][0].get_center()
        self.play(
            FadeIn(self.tables.X),
            FadeIn(self.tables.X.name),
            VGroup(self.tables.Z, self.tables.Z.name).animate.shift(shift),
        )
        # Stout, so that a word that stays where it was is seen under its new arrow.
        olds = self.plane.arrows(self.trace.embeddings, self._quiet, weight=1.8)
        self.play(*map(FadeIn, olds), run_time=0.5)
        # In the order in which they came, for sheaths to stay under what they hold.
        self.bring_to_front(*(self.z_arrows[k] for k in (self.first, *self.others)), *self.z_labels)
        copies = self.plane.arrows(self.trace.embeddings, self._quiet)
        self.play(*(copy.swing_to(z.tip) for copy, z in zip(copies, self.z_arrows, strict=True)), run_time=1.6)
        self.remove(*copies)
        i = self.first
        old_names = self._named_tips(olds, "x", self.theme.colours.quiet, [*self.z_arrows, *self.z_labels])
        self.play(FadeIn(old_names[i]), *dim(*(olds[k] for k in self.others)), run_time=0.5)
        best = int(np.argmax(self.attention.weights[0, i]))
        word, of = (wording.shortened(self.words_shown[k], 20) for k in (i, best))
        line = Working(self.theme).sign(f"{word} spends")
        share = float(self.attention.weights[0, i, best])
        line.number(share, SHARE, f"attention.weights[0, {i}, {best}]", self.theme.colours.weight)
        line.sign("on itself" if best == i else f"on {of}")
        self.row = line.row().place(self.layout.band.centre, self.layout.band.width)
        self.play(FadeIn(self.row, shift=UP * 0.1))

    def _assemble(self) -> None:
        """The formula that grew in the header comes down to the band and is given its name."""
        self._clear_row()
        whole, em = self.formula, self.theme.type.formula * 1.2
        name = Formula([(r'upright("Attention")(Q, K, V) =', self._ink)], em=em)
        target = whole.copy().set_em(em)
        row = Row([name, target], em=em).place(self.layout.band.centre, self.layout.band.width)
        self.play(ReplacementTransform(whole, target), run_time=1.2)
        self.play(FadeIn(name), run_time=0.6)
        self.row = row
