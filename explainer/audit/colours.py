"""Measuring colours as eyes see them: contrast, distance, and sight without one kind of cone.

Contrast is that of WCAG 2.2 (relative luminance and contrast ratio). Distance is Euclidean in OKLab (Björn Ottosson,
"A perceptual color space for image processing", 2020). Colour-vision deficiency is simulated by the matrices of
Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE
Transactions on Visualization and Computer Graphics 15(6), 2009, at severity 1.0, on linear light.
"""

from __future__ import annotations

from typing import Protocol, TypeAlias

import numpy as np

from explainer.audit.picture import Array


class _HasHex(Protocol):
    def to_hex(self) -> str: ...


Colour: TypeAlias = str | _HasHex
"""``#RRGGBB``, or what can be asked for it."""

DEFICIENCIES: dict[str, list[list[float]]] = {
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}

_TO_LMS = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
]
_TO_LAB = [
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
]


def srgb(colour: Colour) -> Array:
    """Red, green and blue from 0 to 1."""
    digits = (colour if isinstance(colour, str) else colour.to_hex()).removeprefix("#")
    return np.array([int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)])


def linear(rgb: Array) -> Array:
    """Light from sRGB values (IEC 61966-2-1)."""
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def luminance(rgb: Array) -> Array:
    """WCAG's relative luminance, 0 to 1, of sRGB values ``(..., 3)``."""
    return np.asarray(linear(rgb) @ [0.2126, 0.7152, 0.0722])


def ratio(a: Array, b: Array) -> Array:
    """WCAG's contrast ratio, 1 to 21, of two relative luminances."""
    return (np.maximum(a, b) + 0.05) / (np.minimum(a, b) + 0.05)


def contrast(a: Colour, b: Colour) -> float:
    """WCAG's contrast ratio of two colours."""
    return float(ratio(luminance(srgb(a)), luminance(srgb(b))))


def oklab(light: Array) -> Array:
    """Lightness and two opponent axes of linear light."""
    return np.asarray(_TO_LAB @ np.cbrt(_TO_LMS @ light))


def distance(a: Colour, b: Colour, deficiency: str = "") -> float:
    """The distance in OKLab of two colours, for sound eyes or a deficiency."""
    first, second = (oklab(_light_for(colour, deficiency)) for colour in (a, b))
    return float(np.linalg.norm(first - second))


def seen_by(colour: Colour, deficiency: str = "") -> Array:
    """The sRGB values of a colour as an eye with a deficiency sees it."""
    light = _light_for(colour, deficiency)
    return np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)


def _light_for(colour: Colour, deficiency: str) -> Array:
    """The linear light of a colour, without what an eye with a deficiency misses."""
    light = linear(srgb(colour))
    return np.clip(np.array(DEFICIENCIES[deficiency]) @ light, 0, 1) if deficiency else light


def mixed_with(colour: Colour, ground: Colour, seen: Colour) -> bool:
    """Whether ``seen`` is ``colour`` with no more than half of ``ground`` mixed into it."""
    own, under, mixture = srgb(colour), srgb(ground), srgb(seen)
    share = float((mixture - own) @ (under - own) / ((under - own) @ (under - own)))
    nearest = own + np.clip(share, 0, 0.5) * (under - own)
    return bool(np.abs(mixture - nearest).max() < 2 / 255)
