"""The shared pictures: they take arrays and theme, and offer verbs that return animations, and readers.

Nothing here knows a story, a chapter or attention; a chapter directs, a mobject draws.
"""
