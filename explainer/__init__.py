"""The production: from a story and the chapters that show it to films, tables and files.

The command line, rendering, assembly and captions live here. What is true is computed in ``math_core``, what
is seen is drawn in ``scenes``; neither knows of this package.
"""
