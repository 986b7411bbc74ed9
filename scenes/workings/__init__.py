"""Lines of working that more than one chapter writes: built from the numbers of tables, never from typed ones.

One module a kind of line. They build a ``Working``; when and how it is written is for the chapter.
"""
