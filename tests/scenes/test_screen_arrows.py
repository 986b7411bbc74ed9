"""Every arrow on the screen points where the numbers say: tips and tails are read off the outlines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

from explainer.audit.colours import distance, mixed_with
from tests.scenes.stage import Mark, Performance, Picture, Points, performance, shown_by

Vectors = Sequence[Points]
SPECK = 0.1
"""Units up to which an arrow is too short to be seen as one."""


@pytest.fixture(params=shown_by("worked_example"), scope="module")
def played(request: pytest.FixtureRequest) -> Performance:
    return performance(request.param)


def corners(arrow: Mark) -> Points:
    """Where the outline turns."""
    return arrow.points[::4, :2]


def ends(arrow: Mark) -> tuple[Points, Points]:
    """The middle of an arrow's blunt end, and the one corner without a twin across its line; of a dot, its middle."""
    outline = corners(arrow)
    if len(outline) != 7:
        return arrow.middle, arrow.middle
    away = np.linalg.norm(outline[:, None] - outline, axis=2)
    lopsided = [sum(abs(away[i, i - k] - away[i, (i + k) % 7]) for k in (1, 2, 3)) for i in range(7)]
    tip = int(np.argmin(lopsided))
    return (outline[(tip + 3) % 7] + outline[(tip + 4) % 7]) / 2, outline[tip]


def vectors_of(arrow: Mark, played: Performance) -> tuple[Points, Points]:
    """Tail and tip as vectors of the plane."""
    return tuple(played.plane.vector(np.append(end, 0.0)) for end in ends(arrow))


def roles_of(arrow: Mark, played: Performance) -> set[str]:
    """The roles whose colour, more or less faded into the ground, an arrow wears."""
    palette = played.theme.colours
    names = ("ink", "quiet", "query", "key", "value")
    return {name for name in names if mixed_with(getattr(palette, name), palette.ground, arrow.colour)}


def rows(table: Sequence[Sequence[object]]) -> Vectors:
    return [np.array([float(x) for x in row]) for row in table]


def is_close(a: Points, b: Points) -> bool:
    """Equal as floats go, on the scale of the vectors."""
    return bool(np.abs(a - b).max() <= 1e-9 * max(1.0, float(np.abs(b).max())))


def expected(beat: str, played: Performance) -> dict[str, Vectors]:
    """The vectors that a beat leaves on the plane, by the colour that they wear."""
    by_hand, first = played.by_hand, played.story.focus
    X, Q, K, V, Z = map(rows, (by_hand.X, by_hand.Q, by_hand.K, by_hand.V, by_hand.output))
    last = [i for i in range(len(X)) if i != first][-1]
    return {
        "numbers_become_arrows": {"ink": X},
        "the_naive_way": {"ink": X},
        "queries": {"ink": X, "query": Q},
        "keys": {"ink": X, "key": K},
        "values": {"ink": X, "value": V},
        "first_score": {"key": K, "query": [Q[first]]},
        "first_row": {"key": K, "query": [Q[first]]},
        "all_scores": {"key": K, "query": [Q[last]]},
        "cool_the_scores": {"key": K, "query": [Q[last]]},
        "blend_one": {"value": V, "ink": [Z[first]]},
        "blend_the_rest": {"value": V, "ink": Z},
        "the_reading": {"quiet": X, "ink": Z},
        "the_formula": {"quiet": X, "ink": Z},
    }.get(beat, {})


def test_every_beat_leaves_the_arrows_that_its_numbers_say(played: Performance) -> None:
    for picture in played.ends:
        arrows, wanted = picture.of("arrow"), expected(picture.beat, played)
        if "score" in picture.beat or picture.beat == "first_row":
            # With many words the grid of scores needs the room of the plane.
            wanted = wanted if arrows else {}
        assert len(arrows) == sum(map(len, wanted.values())), picture.beat
        left = list(arrows)
        for role, vectors in wanted.items():
            for vector in vectors:
                fitting = [a for a in left if role in roles_of(a, played) and starts_at_zero_and_is(vector, a, played)]
                assert fitting, f"{picture.beat}: no arrow of {role} to {vector}"
                left.remove(fitting[0])


def starts_at_zero_and_is(vector: Points, arrow: Mark, played: Performance) -> bool:
    tail, tip = vectors_of(arrow, played)
    return is_close(tail, np.zeros(2)) and is_close(tip, vector)


def test_the_scaled_values_laid_tip_to_tail_end_at_the_output(played: Performance) -> None:
    by_hand = played.by_hand
    chains = [chain for picture in played.settled if (chain := chain_in(picture, played))]
    for i, parts in enumerate(by_hand.contributions):
        assert any(is_chain_of(rows(parts), chain, played) for chain in chains), f"no chain for word {i}"


def chain_in(picture: Picture, played: Performance) -> list[Mark]:
    """The arrows of values at full strength, if there is one for each word."""
    if not picture.beat.startswith("blend"):
        return []
    found = [a for a in picture.of("arrow") if a.opacity > 0.99 and "value" in roles_of(a, played)]
    return found if len(found) == len(played.by_hand.V) else []


def is_chain_of(parts: Vectors, chain: list[Mark], played: Performance) -> bool:
    end = np.zeros(2)
    scale = max(1.0, *(float(np.abs(part).max()) for part in parts))
    for part, arrow in zip(parts, chain, strict=True):
        tail, tip = vectors_of(arrow, played)
        if np.abs(tail - end).max() > 1e-9 * scale or np.abs(tip - tail - part).max() > 1e-9 * scale:
            return False
        end = tip
    return True


def test_of_arrows_that_coincide_each_is_seen(played: Performance) -> None:
    wrong = []
    for picture in played.ends:
        for twins in coinciding(picture, played):
            for under, over in pairwise(twins):
                rim, step = (breadth(under) - breadth(over)) / 2, distance(under.colour, over.colour)
                if rim < 0.02 or step < 0.04:
                    tip = vectors_of(over, played)[1].round(3).tolist()
                    wrong.append((picture.beat, tip, f"rim {rim:.3f} units", f"colours {step:.3f} apart"))
    assert wrong == []


def coinciding(picture: Picture, played: Performance) -> list[list[Mark]]:
    """Arrows of one role in one place, from the lowest to the one that lies on top; specks are no arrows."""
    groups: list[list[Mark]] = []
    for arrow in picture.of("arrow"):
        tail, tip = ends(arrow)
        if 0 < np.linalg.norm(tip - tail) < SPECK:
            continue
        for group in groups:
            if same_place(arrow, group[0]) and roles_of(arrow, played) & roles_of(group[0], played):
                group.append(arrow)
                break
        else:
            groups.append([arrow])
    return [group for group in groups if len(group) > 1]


def same_place(a: Mark, b: Mark) -> bool:
    return all(np.allclose(x, y, atol=1e-9) for x, y in zip(ends(a), ends(b), strict=True))


def breadth(arrow: Mark) -> float:
    """How far an arrow's outline reaches to the sides of its line, in units."""
    tail, tip = ends(arrow)
    if np.allclose(tail, tip):
        return float(arrow.size[0])
    along = (tip - tail) / np.linalg.norm(tip - tail)
    across = (corners(arrow) - tail) @ np.array([-along[1], along[0]])
    return float(np.ptp(across))


def test_a_query_on_a_key_in_the_same_direction_leaves_the_key_to_be_seen() -> None:
    # The first word's query and the second word's key are both (1, 1).
    picture = performance("stories/cat_ate_fish.toml").end_of("first_score")
    query, key = pair_at(picture, performance("stories/cat_ate_fish.toml"), np.array([1.0, 1.0]))
    assert query.order > key.order
    assert breadth(key) > breadth(query) + 0.05
    assert distance(query.colour, key.colour) > 0.1


def pair_at(picture: Picture, played: Performance, tip: Points) -> tuple[Mark, Mark]:
    here = [arrow for arrow in picture.of("arrow") if is_close(vectors_of(arrow, played)[1], tip)]
    (query,) = (arrow for arrow in here if "query" in roles_of(arrow, played))
    (key,) = (arrow for arrow in here if "key" in roles_of(arrow, played))
    return query, key


def test_the_pairs_of_the_three_angle_cases_lie_as_they_should() -> None:
    played = performance("stories/cat_ate_fish.toml")
    q, k = rows(played.by_hand.Q), rows(played.by_hand.K)
    for i, j, cosine in ((0, 1, 1.0), (1, 1, 0.0), (2, 2, -1.0)):
        drawn = [tip_of(vector, played) - played.plane.origin[:2] for vector in (q[i], k[j])]
        a, b = drawn
        assert a @ b == pytest.approx(cosine * np.linalg.norm(a) * np.linalg.norm(b), abs=1e-12)


def tip_of(vector: Points, played: Performance) -> Points:
    for picture in played.ends:
        for arrow in picture.of("arrow"):
            if is_close(vectors_of(arrow, played)[1], vector):
                return ends(arrow)[1]
    raise AssertionError(f"no arrow to {vector}")
