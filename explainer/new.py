"""The story that a newcomer starts from: small, true, ready to render, every key explained."""

from __future__ import annotations

import shlex
from pathlib import Path

from scenes.story_reader import StoryError, fault_line, printable

TEMPLATE = """\
# A story: what the film says, computes and looks like.
# Its numbers, as tables:   explainer numbers {name}
# A quick film of it:       explainer render {name} --quality draft
# What can be shown:        explainer chapters
#
# A line such as `# seed = 0` can be used by taking the "#" away.

title = "birds can sing"

[sentence]
tokens = ["birds", "can", "sing"]
# One row a token. Without this key, rows are drawn from the seed: the same token always gets the same row.
embeddings = [[2, 1], [1, 2], [0, 1]]
# dimensions = 2              # numbers a token, where embeddings is left out
# seed = 0                    # another seed draws other numbers for whatever is left out
focus = "birds"               # the word that the film follows: a token, or its position (1 is the first)

[projections]
# A matrix, "identity", or left out: then it is drawn from the seed.
query = [[0, 1], [1, -1]]
key = [[0, -1], [-1, 1]]
value = [[0, 1], [1, 0]]
# output = "identity"         # mixes the outputs of the heads

[attention]
# heads = 1                   # has to divide the columns of the projections
# follow = 1                  # the head that chapters about one head show
# mask = "causal"             # "none", "causal", "padding", a list, or rows of 0 and 1 (1 = may attend)
# padding = 1                 # fillers at the end of the sentence
# divide_scores_by = 1        # left out, it is "sqrt(d_k)"; 1 leaves the scores as they are

# [context]                   # another sentence, to be asked by the first one
# tokens = ["les", "oiseaux"]

[look]
theme = "dark"                # "dark", "light", "high-contrast"
# aspect = "16:9"             # "16:9", "4:3", "1:1", "9:16"
# decimals = 2                # digits behind the point, 0 to 6
# pace = 1.0                  # 0.5 is slower, 2.0 is faster

# [look.colours]              # by meaning: query, key, value, weight, masked, ground, ink, ...
# query = "#F2B84B"

# [film]
# chapters = "worked-example" # a film ("walkthrough" where left out), or a list: ["alignment", "scores"]
"""


def write_new(path: Path) -> None:
    """Write the template to ``path``; raises :class:`StoryError` where there is one or no place for one."""
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(TEMPLATE.replace("{name}", shlex.quote(printable(path.name))))
    except FileExistsError:
        found, allowed = "a file or folder of that name", "a new name; nothing was changed"
    except (FileNotFoundError, NotADirectoryError):
        found, allowed = f"no folder {path.parent}", "a folder that exists; make it first"
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        found, allowed = f"a place that cannot be written ({reason})", "a folder that you may write to"
    else:
        return
    raise StoryError([fault_line(str(path), "", found, allowed)])
