"""The recipe for opening leads learns a planted difference, and its file runs in cardplay."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from overtrick.cardplay.leadnet import layers_of
from overtrick.game import Board
from overtrick_lab.training.data import DataError

pytest.importorskip("optax")


def planted(path: Path, boards: int) -> None:
    """Leads against 3NT by South that win a trick more for each honour of partner's there."""
    deals, tricks = [], []
    for i in range(boards):
        deal = [h.bits for h in Board.random(1, seed=i).deal.hands]
        row = np.full(52, -1, np.int8)
        for card in range(52):
            if deal[3] >> card & 1:
                partner = deal[1] >> 13 * (card // 13) & 0x1FFF
                row[card] = 3 + (partner >> 10).bit_count()
        deals.append(deal)
        tricks.append(row)
    rule = [max(c for c in range(52) if d[3] >> c & 1) for d in deals]
    np.savez(
        path, deal=np.array(deals, np.uint64), tricks=np.array(tricks),
        contract=np.tile(np.array([3, 4, 0, 2], np.int8), (boards, 1)),
        facts=np.full((boards, 4, 3, 10), 80, np.uint8), rule=np.array(rule, np.int8),
    )  # fmt: skip


def test_the_planted_difference_is_learned(tmp_path: Path) -> None:
    from overtrick_lab.training.leads import run
    from overtrick_lab.training.predicting_settings import LeadSettings

    planted(tmp_path / "a.npz", 260)
    settings = LeadSettings(
        deals=tmp_path, out=tmp_path / "net" / "x.npz", sees="deal", hidden="16",
        epochs=30, batch=20, held_out=60, learning_rate=0.01, decay=0.001,
    )  # fmt: skip
    found = run(settings)
    assert found["learned"] == 200
    assert found["explained"] > 0.7
    assert found["cost"] < found["cost_by_rules"]
    layers = layers_of(np.load(settings.out))
    assert [w.shape[1] for w, _ in layers] == [16, 1]


def test_wrong_words_and_missing_files_are_said(tmp_path: Path) -> None:
    from overtrick_lab.training.leads import run
    from overtrick_lab.training.predicting_settings import LeadSettings

    with pytest.raises(DataError, match="no solved leads"):
        run(LeadSettings(deals=tmp_path))
    with pytest.raises(DataError, match="info or deal"):
        run(LeadSettings(deals=tmp_path, sees="both"))
