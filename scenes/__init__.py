"""The pictures: stories become parameters, parameters become chapters, chapters become frames.

Here live the story format, the theme, the layout, the shared mobjects and one file a chapter. Nothing here
computes attention (that is ``math_core``) or writes a film (that is ``explainer``).
"""
