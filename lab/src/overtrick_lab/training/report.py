"""The figures that go with a policy: matches over SL in every system, its openings, its auctions.
Strength and naturalness are always shown together.
"""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Any

import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from overtrick.environments.simulator import Deals
from overtrick.nets.features import PLAIN_WIDTH, SAYC, SYSTEMS, UNKNOWN_SYSTEM
from overtrick_lab.training import data, match, network
from overtrick_lab.training.match import NetworkMargin, Policy
from overtrick_lab.training.network import Params
from overtrick_lab.training.trials_settings import ReportSettings


def won(ours: Policy, theirs: Policy, rounds: list[Deals]) -> NDArray[np.float32]:
    """IMPs on every board of several sets."""
    return np.concatenate([match.won(ours, theirs, boards) for boards in rounds])


def played(ours: Policy, theirs: Policy, rounds: list[Deals], deals: int) -> NetworkMargin:
    """A match over several sets of boards of the same deals."""
    return match.summary(won(ours, theirs, rounds), deals)


def with_flags(boards: Deals, ours: int, theirs: int) -> Deals:
    """The same boards with other declared systems (our own, the opponents')."""
    count = boards.owner.shape[0]
    flags = jnp.broadcast_to(jnp.array([ours, theirs], jnp.int8), (count, 2))
    return boards._replace(systems=flags)


def shown(result: NetworkMargin) -> dict[str, float | int]:
    """For JSON."""
    return {
        "imps": round(result.mean, 4),
        "error": round(result.error, 4),
        "deals": result.deals,
        "boards": result.boards,
    }


def run(settings: ReportSettings) -> dict[str, Any]:
    """Everything there is time for, most important first."""
    until = time.monotonic() + 60 * settings.minutes
    solved = data.read_solved(settings.deals)
    test = solved[max(0, len(solved) - settings.held_out) :]
    sl = network.load(settings.supervised, "policy")
    policy = network.load(settings.policy, "policy")
    boards = [match.boards(test, settings.boards, 100 + seed) for seed in range(settings.rounds)]
    found: dict[str, Any] = {"over_sl": shown(played(policy, sl, boards, len(test)))}
    for name, network_pair in (("policy", policy), ("sl", sl)):
        found[f"openings_{name}"] = asdict(match.opening_report(network_pair, boards[0]))
    if match.network_form(policy[1])[0]:
        found["over_sl_by_system"] = by_system(policy, sl, boards[:2], len(test), until)
    return found


def by_system(
    policy: Policy, sl: Policy, boards: list[Deals], deals: int, until: float
) -> dict[str, dict[str, dict[str, float | int]]]:
    """Against SL bidding each system: when the policy is told, told nothing, told SAYC.

    The flags reach both sides' observations; opponents who play system k must see k as their own,
    so what the policy is told is changed by hiding or replacing only the bits it sees.
    """
    found: dict[str, dict[str, dict[str, float | int]]] = {}
    for number, system in enumerate(SYSTEMS[: match.network_form(sl[1])[0]]):
        flagged = [with_flags(set_, SAYC, number) for set_ in boards]
        found[system] = {"told": shown(played(policy, sl, flagged, deals))}
        for name, told in (("untold", UNKNOWN_SYSTEM), ("told sayc", SAYC)):
            if time.monotonic() > until:
                return found
            deaf = (misled(policy[0], number, told), policy[1])
            found[system][name] = shown(played(deaf, sl, flagged, deals))
    return found


def misled(params: Params, real: int, believed: int) -> Params:
    """The same policy, believing that opponents who declare `real` play `believed`.

    Done in the first layer: the input bit of the real system gets the weights of the believed one,
    or none at all when nothing is believed.
    """
    weight, bias = params[0]
    known = (weight.shape[0] - PLAIN_WIDTH) // 2
    theirs = weight.shape[0] - known
    row = weight[theirs + believed] if believed < known else jnp.zeros(weight.shape[1])
    return ((weight.at[theirs + real].set(row), bias), *params[1:])
