"""Matrices in files, by name and on the command line: what is read, what is said, what is refused."""

from __future__ import annotations

import io
import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matrices import matrices
from test_cli import sentence, zermelo
from trees import examples
from zermelo.cli.main import app
from zermelo.cli.matrix_text import show
from zermelo.errors import BadInput, ZermeloError
from zermelo.matrix import (
    Matrix,
    blotto,
    eliminate,
    load_matrix,
    morra,
    parse_matrix,
    read_matrix,
    reading,
    rock_paper_scissors,
    solve_matrix,
    write_matrix,
)
from zermelo.matrix import payoffs as limits
from zermelo.matrix.numerals import fraction_text, payoff_text
from zermelo.matrix.payoffs import LARGEST
from zermelo.matrix.reading import parse_mix

F = Fraction


# CSV.


@pytest.mark.parametrize(
    ("text", "rows", "columns", "payoffs"),
    [
        ("1,2\n3,4\n", ("r1", "r2"), ("c1", "c2"), ((1, 2), (3, 4))),
        ("a,b\n1,2\n", ("r1",), ("a", "b"), ((1, 2),)),
        ("x,1,2\ny,3,4\n", ("x", "y"), ("c1", "c2"), ((1, 2), (3, 4))),
        (",a,b\nx,1,2\n", ("x",), ("a", "b"), ((1, 2),)),
        (",1,2\n3,1/3,-0.25\n", ("3",), ("1", "2"), ((F(1, 3), F(-1, 4)),)),
        ("game,a,b\nx,1,2\n", ("x",), ("a", "b"), ((1, 2),)),
        ("# title\n\n1; 2\r\n3 ;4", ("r1", "r2"), ("c1", "c2"), ((1, 2), (3, 4))),
        ("1\t2\n", ("r1",), ("c1", "c2"), ((1, 2),)),
        ("7", ("r1",), ("c1",), ((7,),)),
        ("a\n7\n8", ("r1", "r2"), ("a",), ((7,), (8,))),
        ('"a, b",1\n"c",2\n', ("a, b", "c"), ("c1",), ((1,), (2,))),
        ("\ufeff1,2\n".lstrip("\ufeff"), ("r1",), ("c1", "c2"), ((1, 2),)),
    ],
)
def test_what_a_file_may_look_like(text: str, rows: tuple[str, ...], columns: tuple[str, ...], payoffs: object) -> None:
    found = parse_matrix(text, "x.csv")
    assert (found.rows, found.columns, found.payoffs) == (rows, columns, payoffs)


def test_the_first_comment_is_the_title() -> None:
    assert parse_matrix("#\n# a game\n# more\n1", "x.csv").title == "a game"
    assert parse_matrix("1", "x.csv", "x").title == "x"


@examples(40)
@given(matrices(st.fractions(-5, 5, max_denominator=9)))
def test_what_is_written_is_read_back(matrix: Matrix) -> None:
    assert parse_matrix(write_matrix(matrix), "x.csv") == matrix


NAMES = st.text(st.sampled_from("ab1 ,;\"'#=|é…"), min_size=1, max_size=4).filter(str.strip)
PAYOFFS = st.fractions(-LARGEST, LARGEST) | st.floats(-1, 1).map(lambda number: F(repr(number)))


@examples(150)
@given(st.lists(NAMES, min_size=2, max_size=2, unique_by=str.strip), NAMES, NAMES, st.lists(PAYOFFS, min_size=2))
def test_any_names_and_payoffs_are_read_back(rows: list[str], column: str, title: str, payoffs: list[Fraction]) -> None:
    matrix = Matrix.of([[payoff] for payoff in payoffs[:2]], rows, [column], title)
    assert parse_matrix(write_matrix(matrix), "x.csv") == matrix
    assert parse_matrix(write_matrix(matrix.turned), "x.csv") == matrix.turned


def test_a_title_is_of_characters_that_can_be_printed() -> None:
    assert parse_matrix("# a\x1b[31m\tred\n1", "x.csv").title == "a [31m red"
    assert parse_matrix("1", "x.csv", "a\nb").title == "a b"


@examples(80)
@given(PAYOFFS)
def test_a_payoff_is_written_as_it_is(payoff: Fraction) -> None:
    assert F(payoff_text(payoff)) == F(fraction_text(payoff)) == payoff


def test_payoffs_are_written_as_their_authors_do() -> None:
    for text in ("2.71828", "-0.5", "1/3", "1e-100", "1200", "0.00001", "-22/7", "0"):
        assert payoff_text(F(text)) == text
    assert len(fraction_text(F(1, 7**9000))) > 7000


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"1,2\n3\n", "line 2 has 1 value where line 1 has 2"),
        (b"# c\n\n1,2\n3,4,5\n", "line 4 has 3 values where line 3 has 2"),
        (b"1,x\n3,4\n", "line 1: 'x' is no number"),
        (b"a,b\n1,2\nz,4\n", "line 3: 'z' is no number"),
        (b"1,2\n3,\n", "line 2: '' is no number"),
        (b"1,nan\n2,3\n", "line 1: 'nan' is not finite"),
        (b"1,2\n-inf,3\n", "line 2: '-inf' is not finite"),
        (b"1,1e20\n", "line 1: '1e20' is too large"),
        (b"1,1/0\n", "line 1: '1/0' divides by zero"),
        (b"1;0,5\n", "line 1: '0,5' is no number"),
        (b"a;b\n1,5;2\n", "line 2: '1,5' is no number"),
        (b"1,5;2,5\n3;4\n", "line 1: '1,5' is no number"),
        (b"", "is empty"),
        (b"# nothing\n\n", "is empty"),
        (b"a,b\n", "has no payoffs: below line 1"),
        (b"\xff\xfe", "can't be read: it is not UTF-8 text"),
        (b"1,\x002\n", "can't be read: it is not text"),
        (b'"1,2\n3,4\n', "line 1 is no CSV"),
        (b",a,a\nx,1,2\n", "two columns called 'a'"),
        (b",a,\nx,1,2\n", "column 2 has '' for a name"),
        (b"1," * 60_000 + b"1\n" + b"1," * 60_000 + b"1\n", "is too large: 2 × 60,001 payoffs"),
    ],
)
def test_bad_files_are_one_sentence_with_the_line(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=f"bad.csv.*{re.escape(words)}"):
        load_matrix(str(path))


def test_files_that_are_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInput, match="Is a directory"):
        read_matrix(str(tmp_path))
    with pytest.raises(BadInput, match="No such file"):
        read_matrix(str(tmp_path / "none.csv"))
    with pytest.raises(BadInput, match="can't be read"):
        read_matrix("a\0.csv")
    monkeypatch.setattr(reading, "MOST_BYTES", 5)
    (tmp_path / "long.csv").write_text("1,2,3")
    assert read_matrix(str(tmp_path / "long.csv")).shape == (1, 3)
    (tmp_path / "long.csv").write_text("1,2,3\n")
    with pytest.raises(BadInput, match="is too large: more than"):
        read_matrix(str(tmp_path / "long.csv"))


def test_the_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbf1,2\n")))
    assert load_matrix("-").payoffs == ((1, 2),)


# Names.


def test_games_by_name() -> None:
    assert load_matrix("Rock_Paper_Scissors") == rock_paper_scissors()
    assert load_matrix("morra:fingers=3") == morra(3)
    assert load_matrix("blotto:soldiers=3,fields=2,enemy=2") == blotto(3, 2, 2)
    assert morra(17).shape == (289, 289)
    assert blotto(2, 2).rows == ("2-0", "1-1", "0-2")
    assert blotto(2, 2, 1).payoffs == ((1, 0), (1, 1), (0, 1))
    assert morra().payoffs == ((0, 2, -3, 0), (-2, 0, 0, 3), (3, 0, 0, -4), (0, -3, 4, 0))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rock-paper", "unknown matrix 'rock-paper': did you mean rock-paper-scissors"),
        ("mora", "did you mean morra"),
        ("morra:fingers=two", "needs a whole number for fingers"),
        ("morra:fingers=0", "1 to 17 fingers"),
        ("morra:fingers=18", "1 to 17 fingers, not 18"),
        ("x" * 300, "unknown matrix 'xxx"),
        ("a\0", r"unknown matrix 'a\x00'"),
        ("\ud800", r"unknown matrix '\ud800'"),
        ("x" * 300 + ".csv", "can't be read: File name too long"),
        ("a\0.csv", "can't be read: no file has such a name"),
        ("blotto:armies=2", "has no parameter 'armies'"),
        ("blotto:soldiers=-1", "0 to 1,000 soldiers"),
        ("blotto:soldiers=900,fields=20", "is too large"),
        ("rock-paper-scissors:lizard=1", "it has none"),
    ],
)
def test_bad_names_and_parameters(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=re.escape(words)):
        load_matrix(text)


def test_mixes_as_text() -> None:
    names = ("rock", "paper", "big scissors")
    assert (
        parse_mix("1/2 0.25 1/4", names)
        == parse_mix("big scissors=1/4, rock=1/2,paper=.25", names)
        == (F(1, 2), F(1, 4), F(1, 4))
    )
    for text, words in (
        ("1/2 1/2", "2 values for 3 choices"),
        ("1/2,1/4,1/8", "a sum of 7/8"),
        ("2,-1,0", "has -1 in it"),
        ("lizard=1", "has 'lizard': there are rock, paper, big scissors"),
        ("a b c", "'a' is no number"),
        ("rock=", "'' is no number"),
        (" ", "0 values for 3 choices"),
    ):
        with pytest.raises(BadInput, match=words):
            parse_mix(text, names)


# The command line, in this process but for one.


def told(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    app(["matrix", *words, "--json"], standalone_mode=False)
    return json.loads(capsys.readouterr().out)


def test_a_matrix_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = told(capsys, "rock-paper-scissors", "--exact", "--column-plays", "rock=1/2,paper=1/2")
    third = {"rock": "1/3", "paper": "1/3", "scissors": "1/3"}
    assert (found["value"], found["row"], found["column"], found["other_row"]) == ("0", third, third, None)
    assert (found["saddle_points"], found["dominated"], found["proof"]["holds"]) == ([], [], True)
    assert found["answers_to_column"] == {"payoff": "1/2", "choices": ["paper"]}
    (tmp_path / "two.csv").write_text(",up,down\nleft,2,-1\nright,0,1\nbad,-1,-2\n")
    found = told(capsys, "two.csv", "--svg", "two.svg", "--csv", "copy.csv")
    assert (found["value"], found["exact"]) == (0.5, False)
    assert found["row"] == pytest.approx({"left": 0.25, "right": 0.75, "bad": 0})
    assert [each["choice"] for each in found["dominated"]] == ["bad"]
    assert found["elimination"]["rows"] == ["left", "right"]
    assert (tmp_path / "two.svg").read_text().startswith("<svg")
    assert read_matrix(str(tmp_path / "copy.csv")) == replace_title(read_matrix(str(tmp_path / "two.csv")), "two")


def replace_title(matrix: Matrix, title: str) -> Matrix:
    return Matrix(matrix.payoffs, matrix.rows, matrix.columns, title)


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    app(["matrix", *words], standalone_mode=False)
    return capsys.readouterr().out


def test_a_picture_in_the_output_is_alone_there(capsys: pytest.CaptureFixture[str]) -> None:
    for more in ([], ["--json"]):
        drawn = said(capsys, "matching-pennies", "--svg", "-", *more)
        assert ElementTree.fromstring(drawn).tag.endswith("svg")


def test_small_payoffs_are_not_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "small.csv").write_text("3e-10,1e-10\n1e-10,2e-10\n")
    text = said(capsys, str(tmp_path / "small.csv"))
    assert "\nvalue      1.7e-10 (" in text
    assert "U(s*, t) = 1.7e-10:" in text
    assert "\n1.667e-10 ┤" in text


def test_numbers_are_decimals_unless_the_answer_is_exact(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "e.csv"
    path.write_text("2.71828,1/3\n1.0,0.12345678901234\n")
    plays = "--row-plays", "0.25 0.75"
    text = said(capsys, str(path), *plays)
    assert "\n         c1       c2\nr1  2.71828      1/3\nr2        1  ~0.1235\n" in text
    assert "if row plays r1 0.25, r2 0.75: c2; row then gets 0.1759" in text
    assert "if row plays r1 1/4, r2 3/4: c2; row then gets 1055555…/6000000… ~ 0.1759" in said(
        capsys, str(path), "--exact", *plays
    )


def test_a_long_fraction_is_cut_for_people_and_whole_in_json(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "long.csv"
    path.write_text("3.14159,-2\n-4,3.33333\n")
    text = said(capsys, str(path), "--exact")
    assert "\nvalue      2471956…/1247492… ~ 0.1982 (exact)\nrow        r1 733333/1247492 ~ 0.5878, r2 " in text
    assert told(capsys, str(path), "--exact")["value"] == "24719561947/124749200000"


def test_what_was_not_decided_is_not_claimed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "flat.csv").write_text("0,4,1\n4,0,1\n")
    text = said(capsys, str(tmp_path / "flat.csv"))
    assert "\n           no other mix is optimal\n" in text
    assert re.search(r"not the only one: r1 0.[27]5, r2 0.[27]5 is optimal too\n", text)
    monkeypatch.setattr(limits, "MOST_SMALL", 0)
    text = said(capsys, str(tmp_path / "flat.csv"))
    assert "\n           no other optimal mix was found\n" in text
    assert re.search(r"not the only one: r1 0.[27]5, r2 0.[27]5 does as well, to within 4e-09\n", text)
    assert not told(capsys, str(tmp_path / "flat.csv"))["others_decided"]


def test_a_tree_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "--tree", "nim:stones=4", "--moves", "1", "--exact")
    assert (found["value"], found["tree"]["agrees"], found["tree"]["value"]) == ("1", True, 1)
    assert found["saddle_points"]


def test_text_without_a_terminal() -> None:
    done = zermelo("matrix", "-", text="# small\n1,0\n0,1\n")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("small, 2 × 2: what the row player gets\n\n    c1  c2\nr1   1   0\nr2   0   1\n")
    assert "both are the value, to within" in done.stdout
    assert "small: the value to the row player by the share of r1" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "give a matrix, or --tree"),
        (("morra", "--svg", "x.svg"), "a picture needs two rows or two columns"),
        (("morra", "--full"), "are for --tree"),
        (("--growth", "1"), "2 to 10 actions"),
        (("--growth", "2", "--exact"), "--growth solves no matrix"),
        (("matching-pennies", "--svg", "nowhere/x.svg"), "the picture can't be written to nowhere/x.svg"),
    ],
)
def test_bad_words_on_the_command_line(words: tuple[str, ...], said: str) -> None:
    with pytest.raises(ZermeloError, match=said):
        app(["matrix", *words], standalone_mode=False)


def test_a_bad_file_is_one_sentence() -> None:
    assert "standard input line 2 has 1 value" in sentence(zermelo("matrix", "-", text="1,2\n3\n"))


def test_an_output_that_holds_little_gets_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="latin-1", write_through=True))
    show(solve_matrix(rock_paper_scissors()), eliminate(rock_paper_scissors()), {"row": None, "column": None}, None)
    assert written.getvalue().startswith(b"rock-paper-scissors, 3 x 3: what")


def test_growth_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "--growth", "3")
    assert [level["height"] for level in found] == list(range(1, 8))
    assert found[2]["reduced"] == [81, 27]
    assert all(level["agree"] in (True, None) for level in found)
