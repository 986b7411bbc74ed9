"""The audit: plays chapters without making a film, and tells what on the screen is untrue or cannot be read.

Everything here judges copies of what is drawn (``picture``), in small pure functions; only ``player`` and ``worker``
touch Manim. Nothing here draws a film, and nothing mends what it finds.
"""
