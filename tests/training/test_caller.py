"""A small caller for a card: from its rules to an engine that plays it."""

from pathlib import Path

import pytest

from overtrick.bidding import bidder
from overtrick.game import Auction, Hand, OptionError, Seat, Systems, View, Vulnerability
from overtrick_lab.training.settings import CallerSettings

pytest.importorskip("jax", reason="training needs the train extra")
pytest.importorskip("onnx", reason="export needs the train extra")


@pytest.mark.slow  # JAX compiles for longer than it learns
def test_a_caller_for_a_card(tmp_path: Path) -> None:
    from overtrick_lab.training.caller import run

    out = tmp_path / "mine.onnx"
    wish = CallerSettings("sayc +dont", "sayc", deals=40, width=16, steps=5, batch=32, out=out)
    found = run(wish)
    assert found["card"] == "sayc -cappelletti +dont"
    assert 0 <= found["same_call"] <= 1
    engine = bidder(found["engine"].replace(")", ", batches=0)"))
    view = View(
        Seat.NORTH, Hand.parse("AKQ432.K32.Q43.2"), Auction(), Vulnerability.NONE,
        systems=Systems(engine.system, "sayc"),
    )  # fmt: skip
    assert engine.bid(view).call.ascii == "1S"


def test_wishes_that_cannot_be_fulfilled(tmp_path: Path) -> None:
    from overtrick_lab.training.caller import run

    with pytest.raises(OptionError, match=r"\.onnx"):
        run(CallerSettings(out=tmp_path / "x.npz"))
