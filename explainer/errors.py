"""What goes wrong while a film is made, said as a fact and the next step."""

from __future__ import annotations


class RenderError(Exception):
    """A film that cannot be made or stored. The message is for the person who asked for it."""


class PlaceError(RenderError):
    """A place where a film cannot be stored, found before anything is rendered."""
