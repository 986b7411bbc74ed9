"""Which face draws which text, and what to install for the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

from scenes import fonts

FORGETTING = (fonts.film_face, fonts.faces)


@pytest.fixture
def only_the_film_face(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As on a machine where none of the extra packages is installed."""
    real = fonts.folder_of
    monkeypatch.setattr(fonts, "folder_of", lambda package: real(package) if package == fonts.FILM_PACKAGE else None)
    for remembered in FORGETTING:
        remembered.cache_clear()
    yield
    for remembered in FORGETTING:
        remembered.cache_clear()


@pytest.fixture
def install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, only_the_film_face: None
) -> Callable[[str, str, str], None]:
    """Make a package with one font of some characters importable."""
    real = {fonts.FILM_PACKAGE: fonts.folder_of(fonts.FILM_PACKAGE)}

    def add(package: str, family: str, characters: str) -> None:
        folder = tmp_path / package
        folder.mkdir(exist_ok=True)
        _write_font(folder / f"{family.replace(' ', '')}[wght].ttf", family, characters)
        real[package] = folder
        monkeypatch.setattr(fonts, "folder_of", real.get)
        fonts.faces.cache_clear()

    return add


def _write_font(path: Path, family: str, characters: str) -> None:
    pen = TTGlyphPen(None)
    pen.moveTo((0, 0))
    pen.lineTo((500, 0))
    pen.lineTo((0, 700))
    pen.closePath()
    names = [".notdef", *(f"glyph{i}" for i in range(len(characters)))]
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap(dict(zip(map(ord, characters), names[1:], strict=True)))
    glyph = pen.glyph()
    builder.setupGlyf(dict.fromkeys(names, glyph))
    builder.setupHorizontalMetrics(dict.fromkeys(names, (600, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": family, "styleName": "Regular"})
    builder.setupPost()
    builder.save(path)


def test_the_film_face_has_its_files_and_every_sign_that_the_film_writes() -> None:
    face = fonts.film_face()
    assert face.regular.is_file()
    assert face.semibold.is_file()
    assert fonts.face_for("0123456789.,−≈≤√∞→×%°·–…“”cat [pad]") == face


def test_the_two_weights_are_different_files_of_one_family() -> None:
    from fontTools.ttLib import TTFont

    face = fonts.film_face()
    families = set()
    for path in (face.regular, face.semibold):
        with TTFont(path) as font:
            families.add(font["name"].getBestFamilyName())
    assert families == {face.name}
    assert face.regular != face.semibold


def test_figures_of_the_film_face_are_equally_wide() -> None:
    from fontTools.ttLib import TTFont

    for path in (fonts.film_face().regular, fonts.film_face().semibold):
        with TTFont(path) as font:
            cmap = font.getBestCmap()
            assert len({font["hmtx"][cmap[ord(digit)]][0] for digit in "0123456789"}) == 1


@pytest.mark.usefixtures("only_the_film_face")
def test_a_letter_and_its_combining_accent_count_as_the_accented_letter() -> None:
    assert fonts.missing("cafe\u0301 Vie\u0323\u0302t") == ""


@pytest.mark.usefixtures("only_the_film_face")
def test_joiners_variation_selectors_and_spaces_need_no_glyph() -> None:
    assert fonts.missing("a\u200db\u200cc\ufe0f d\u3000e\u00a0f\u00ad") == ""
    assert fonts.missing("a\u034fb\u180bc\U000e0100") == ""


@pytest.mark.parametrize("text", ["a", "\u0301", "\u2801", "\ufe0f☕", "[pad]"])
def test_text_with_one_visible_character_draws_something(text: str) -> None:
    assert not fonts.draws_nothing(text)


@pytest.mark.usefixtures("only_the_film_face")
def test_missing_names_each_character_once_in_order() -> None:
    assert fonts.missing("猫a犬猫") == "猫犬"
    assert fonts.face_for("猫") is None


@pytest.mark.usefixtures("only_the_film_face")
@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("猫", "pip install manimgx-fonts-cjk"),
        ("한국", "pip install manimgx-fonts-cjk"),
        ("カナ", "pip install manimgx-fonts-cjk"),
        ("קטן", "pip install manimgx-fonts"),
        ("नमस्ते", "pip install manimgx-fonts"),
        ("ไทย", "pip install manimgx-fonts"),
        ("🐱", "pip install manimgx-fonts"),
        ("🐱 猫", "pip install manimgx-fonts manimgx-fonts-cjk"),
        ("cat", ""),
        ("\U000f0000", ""),
    ],
)
def test_what_to_install_is_the_package_that_has_the_script(text: str, command: str) -> None:
    assert fonts.what_to_install(text) == command


def test_an_installed_extra_package_adds_its_faces_after_the_film_face(
    install: Callable[[str, str, str], None],
) -> None:
    install("manimgx-fonts", "Noto Sans Hebrew", "קטן")
    install("manimgx-fonts", "Noto Sans", "aқ")
    assert [face.name for face in fonts.faces()] == ["Source Sans Pro", "Noto Sans", "Noto Sans Hebrew"]
    face = fonts.face_for("קטן")
    assert face is not None
    assert face.name == "Noto Sans Hebrew"
    assert face.regular == face.semibold
    assert fonts.face_for("a") == fonts.film_face()


def test_a_package_that_is_there_already_is_not_proposed(install: Callable[[str, str, str], None]) -> None:
    install("manimgx-fonts", "Noto Sans Hebrew", "ק")
    assert fonts.missing("קש") == "ש"
    assert fonts.what_to_install("קש") == ""


def test_faces_of_several_packages_may_share_one_text(install: Callable[[str, str, str], None]) -> None:
    install("manimgx-fonts", "Noto Emoji", "🐱")
    install("manimgx-fonts-cjk", "Noto Sans CJK JP", "猫")
    assert fonts.missing("🐱猫 cat") == ""
    assert fonts.face_for("🐱猫") is None


def test_without_the_film_face_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "folder_of", lambda package: None)
    fonts.film_face.cache_clear()
    with pytest.raises(fonts.FontError, match="pip install font-source-sans-pro"):
        fonts.film_face()
    assert fonts.film_face.cache_info().currsize == 0
