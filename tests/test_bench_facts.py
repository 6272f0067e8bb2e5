"""What is published about whole games, found anew: the quick facts are right, and a wrong one is told."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from zermelo.bench import facts as module
from zermelo.bench.facts import FACTS, Fact, facts, leaves, value
from zermelo.cli.main import app
from zermelo.errors import BadInput
from zermelo.registry import load


def test_quick_facts_are_right() -> None:
    findings = list(facts(["tic-tac-toe", "othello"]))
    assert [finding.found for finding in findings] == [0, -10]
    assert all(finding.right and finding.nodes > 0 for finding in findings)


def test_every_fact_is_about_a_game_that_there_is() -> None:
    assert all(load(fact.game).title for fact in FACTS)


def test_leaves_and_values_are_counted_and_not_copied() -> None:
    assert leaves(3)("tic-tac-toe") == (504, 504)
    assert value("nim:stones=5")[0] == 1
    assert value("nim:stones=4")[0] == -1


def test_what_there_is_no_fact_about_is_told() -> None:
    with pytest.raises(BadInput, match="no fact about nim is known here: tic-tac-toe, othello"):
        list(facts(["nim"]))


def test_a_wrong_fact_is_told_and_is_exit_code_1(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FACTS", (Fact("tic-tac-toe", "value", 1, "nobody", value),))
    done = CliRunner().invoke(app, ["bench", "facts"])
    assert done.exit_code == 1
    assert done.stdout.startswith("tic-tac-toe: value 0, not 1 (nobody), ")
