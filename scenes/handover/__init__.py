"""The pictures that chapters of the walkthrough hand over: the last of one is the first of the next.

One module a picture, named after the chapter that ends with it. No chapter imports another; both ends of a hand-over
make the same picture here, from the same cast.
"""
