"""The package as others meet it."""

import subprocess
import sys
from pathlib import Path

import math_core


def test_every_public_name_is_there_and_says_what_it_is_for():
    for name in math_core.__all__:
        public = getattr(math_core, name)
        assert public.__doc__, name


def test_the_list_of_public_names_has_an_order_and_no_twins():
    assert len(set(math_core.__all__)) == len(math_core.__all__)


def test_its_types_are_published():
    assert (Path(math_core.__file__).parent / "py.typed").exists()


def test_importing_it_brings_in_nothing_but_numpy_and_scipy():
    code = (
        "import sys, numpy, scipy.special; before = set(sys.modules); import math_core;"
        "print(*sorted({name.partition('.')[0] for name in set(sys.modules) - before}))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(math_core.__file__).parents[1],
    )
    assert set(result.stdout.split()) - sys.stdlib_module_names == {"math_core"}
