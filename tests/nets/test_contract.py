"""Contract nets: the paper's form, Figure 7, expected scores, and both nets on solved deals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from overtrick.game import Deal, points
from overtrick.nets.contract import (
    ContractModel,
    PaperNets,
    at_least,
    contract_model,
    expected_score,
    imps_of,
    paper_nets,
    score_table,
)
from overtrick.nets.contract_features import INPUTS, suit_columns, suit_order, view_from
from overtrick.nets.inference import NetworkError
from overtrick.notation.solved import SolvedDeals

# The paper prints the seven of spades twice; the missing five takes North's place for it.
FIGURE_7 = Deal.parse("N:QT95.Q874.2.9542 A.AJT962.QJ54.Q3 8642.K3.T87.AKT7 KJ73.5.AK963.J86")
SOLVED = Path(__file__).parents[2] / "data" / "solved_deals.npz"


def hands_of(deal: Deal) -> np.ndarray:
    return np.array([[h.bits for h in deal.hands]], np.uint64)


def models() -> list[str]:
    try:
        import onnxruntime  # noqa: F401
    except ImportError:
        return ["paper"]
    return ["paper", "tricks"]


@pytest.mark.parametrize("name", models())
def test_figure_7_ten_tricks_certain_eleven_fair_slam_out_of_the_question(name: str) -> None:
    chances = contract_model(name).table(hands_of(FIGURE_7))[0, 1, 3]  # diamonds by West
    said = at_least(chances)
    assert said[0] == pytest.approx(1)
    assert (np.diff(said) <= 1e-12).all()
    assert said[10] > 0.85  # the paper's net: 91
    assert said[11] > 0.4  # 78
    assert said[12] < 0.3  # 5


def test_the_papers_form() -> None:
    for layers in paper_nets().weights.values():
        assert [w.shape for w, _ in layers] == [(100, 16), (16, 16), (16, 14)]
    columns = suit_columns(hands_of(FIGURE_7))
    assert view_from(columns, 1, 3).shape == (1, INPUTS)
    assert suit_order(1)[0] == 1


def test_trumps_come_first_and_suits_may_be_turned() -> None:
    """The same deal with hearts and diamonds exchanged is the same contract in the other suit."""
    deal = FIGURE_7
    turned = Deal.parse(
        "N:QT95.2.Q874.9542 A.QJ54.AJT962.Q3 8642.T87.K3.AKT7 KJ73.AK963.5.J86"
    )  # fmt: skip
    one = view_from(suit_columns(hands_of(deal)), 1, 3, (1, 3, 2, 0))
    two = view_from(suit_columns(hands_of(turned)), 2, 3, (2, 3, 1, 0))
    assert np.array_equal(one, two)


@pytest.mark.parametrize("name", models())
@pytest.mark.skipif(not SOLVED.exists(), reason="solved deals are not here")
def test_errors_on_deals_the_nets_never_saw(name: str) -> None:
    from overtrick_lab.training.trick_figures import measured

    solved = SolvedDeals.load(SOLVED)
    last = range(len(solved) - 400, len(solved))
    hands = np.array([[h.bits for h in solved.deal(i).hands] for i in last], np.uint64)
    tricks = solved.tricks[list(last)].astype(np.int8)
    found = measured(contract_model(name).table(hands), tricks)
    limit, loss = {"paper": (0.75, 1.4), "tricks": (0.55, 0.8)}[name]
    assert found["mean_absolute_error"] < limit
    assert found["log_loss"] < loss


def test_one_contract_is_a_row_of_the_table() -> None:
    model = contract_model("paper")
    assert isinstance(model, PaperNets)
    hands = hands_of(FIGURE_7)
    assert np.allclose(model.table(hands)[:, 2, 1], model.tricks(hands, 2, 1))
    assert model.table(hands).sum(axis=-1) == pytest.approx(1)


def test_expected_score_is_the_mean_of_the_results() -> None:
    chances = np.zeros(14)
    chances[[9, 10]] = 0.5
    four_hearts = 3 * 5 + 2
    assert expected_score(chances, four_hearts) == (420 - 50) / 2
    assert expected_score(chances, four_hearts, vulnerable=True) == (620 - 100) / 2
    assert score_table()[four_hearts, 1, 1, 9] == points(4, 2, 1, True, 9)
    assert imps_of(np.array([0.0, 420.0, -500.0])).tolist() == [0, 9, -11]


def test_a_missing_net_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(NetworkError, match="no contract nets"):
        paper_nets(str(tmp_path / "none.npz"))


def test_models_share_one_protocol() -> None:
    model: ContractModel = contract_model("paper")
    assert model.name == "paper"


def test_weights_that_cannot_be_read_are_one_clear_line(tmp_path: Path) -> None:
    path = tmp_path / "nets.npz"
    path.write_bytes(b"PK\x03\x04 cut off")
    with pytest.raises(NetworkError, match="no contract nets in"):
        paper_nets(str(path))
    np.savez(path, features=np.int64(99))
    with pytest.raises(NetworkError, match="of another version"):
        paper_nets(str(path))
