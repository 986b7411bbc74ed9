"""What every test starts from: no story in the environment, and a folder of its own to run commands in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result


@pytest.fixture(autouse=True)
def _no_story_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EXPLAINER_STORY", raising=False)


@pytest.fixture
def explain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run ``explainer`` with some arguments in an empty folder."""
    from explainer.cli import explainer

    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(explainer, arguments, prog_name="explainer")

    return run
