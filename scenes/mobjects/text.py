"""Words, formulas and lines of working."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from manim import ORIGIN, RIGHT, ManimColor, VMobject
from manim.typing import Point3D, Point3D_Array

from scenes.fonts import Face, face_for, faces, film_face
from scenes.mobjects.number import Number
from scenes.mobjects.typeset import Writing, quoted, set_line

ELLIPSIS = "…"


def _faces_for(text: str) -> tuple[Face, ...]:
    """The faces that ``text`` is set in, the first that has a letter taking it: one face where one has them all."""
    face = face_for(text)
    if face is None:
        return faces()
    return (face,) if face == film_face() else (face, film_face())


def _family_names(text: str) -> str:
    """The faces for ``text`` as a Typst array."""
    return "(" + "".join(f"{quoted(face.name)}, " for face in _faces_for(text)) + ")"


def _setting(text: str, *, semibold: bool = False) -> tuple[str, tuple[str, ...]]:
    """Typst's preamble for ``text``, and the folders of the fonts that it needs."""
    weight = quoted("semibold" if semibold else "regular")
    folders = {str(face.regular.parent) for face in (*_faces_for(text), film_face())}
    return f"#set text(font: {_family_names(text)}, weight: {weight})", tuple(sorted(folders))


class Label(Writing):
    """Words on one line, literally as given, in the film's face or the first face that has their letters."""

    def __init__(self, text: str, *, em: float, colour: ManimColor, semibold: bool = False) -> None:
        super().__init__(fill_color=colour, fill_opacity=1.0, stroke_width=0.0)
        self.text = text
        preamble, folders = _setting(text, semibold=semibold)
        line = set_line((f"#{quoted(text)}",), preamble, folders)
        self._written(line.parts[0].points, line.advance)
        self.points = line.parts[0].points * em

    def shown_text(self) -> str:
        """The words as given."""
        return self.text


def fitted_label(
    text: str, width: float, *, em: float, colour: ManimColor, semibold: bool = False, smallest: float
) -> Label:
    """A :class:`Label` at most ``width`` units wide: smaller first, then cut with an ellipsis."""
    label = Label(text, em=em, colour=colour, semibold=semibold)
    if label.advance > width:
        label.set_em(max(smallest, em * width / label.advance))
    kept = len(text)
    while label.advance > width * (1 + 1e-9) and kept > 1:
        kept = min(kept - 1, int(kept * width / label.advance) + 1)
        label = Label(text[:kept].rstrip() + ELLIPSIS, em=smallest, colour=colour, semibold=semibold)
    label.text = text
    return label


class FormulaPart(Writing):
    """Symbols of a formula that share a colour; they may come and go by themselves."""

    def __init__(self, points: Point3D_Array, *, em: float, colour: ManimColor) -> None:
        super().__init__(fill_color=colour, fill_opacity=1.0, stroke_width=0.0)
        self._written(points, 0.0)
        self.points = points * em


class Formula(Writing):
    """Mathematics, typeset; its parts are told apart so that a symbol can wear the colour of its role.

    ``parts`` are Typst math snippets with the colour of each, and become the submobjects; ``words`` are the story's
    own among them, whose letters need their faces.
    """

    def __init__(self, parts: Sequence[tuple[str, ManimColor]], *, em: float, words: str = "") -> None:
        super().__init__(fill_opacity=0.0, stroke_width=0.0)
        preamble, folders = _setting(words)
        line = set_line(tuple(f"${source}$" for source, _ in parts), preamble, folders)
        for outline, (_, colour) in zip(line.parts, parts, strict=True):
            self.add(FormulaPart(outline.points, em=em, colour=colour))
        self._written(np.concatenate([outline.points for outline in line.parts]), line.advance)


def named(symbol: str, word: str, bold: bool = True) -> str:
    """Typst math for a symbol that belongs to a word, such as the query of "cat"."""
    letter = f"bold({symbol})" if bold else symbol
    # In a box the word is set as text, with its letters joined, and not as mathematics.
    return f"{letter}_#box(text(font: {_family_names(word)}, size: 1.1em, {quoted(word)}))"


Piece = Label | Number | Formula


class Row(VMobject):
    """Pieces of writing on one baseline, each keeping its own em; a result can be added at its end.

    ``gaps[i]`` is the room before piece ``i`` in ems of the row.
    """

    def __init__(self, pieces: Sequence[Piece], *, em: float, gaps: Sequence[float] | float = 0.25) -> None:
        super().__init__()
        self.pieces = tuple(pieces)
        room = [gaps] * len(pieces) if isinstance(gaps, float) else list(gaps)
        pen = np.array(ORIGIN)
        for piece, gap in zip(pieces, room, strict=True):
            pen = pen + RIGHT * (gap * em if piece is not pieces[0] else 0.0)
            piece.set_pen(pen)
            pen = piece.pen_end
        self.em = em
        self.add(*pieces)

    @property
    def advance(self) -> float:
        """The width of the row in units."""
        return float(self.pieces[-1].pen_end[0] - self.pieces[0].pen[0])

    def em_within(self, width: float) -> float:
        """The em that the row would have if it were made to fit into ``width``."""
        return self.em * min(1.0, width / self.advance)

    def place(self, middle: Point3D, width: float) -> Self:
        """Centre the row on ``middle``, made smaller where it is wider than ``width``."""
        if self.advance > width:
            self.scale(width / self.advance, about_point=self.pieces[0].pen)
            self.em *= width / self.advance
        first = self.pieces[0]
        from_pen = middle - np.array([self.advance / 2, 0.33 * self.em, 0.0])
        return self.shift(from_pen - first.pen)
