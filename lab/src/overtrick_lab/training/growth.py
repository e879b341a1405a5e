"""Recipe: a larger network that bids as a trained one does, for self-play to go on with.

What is new is silent at the start (network.grow), so nothing is lost and there is more to learn
with. `heat` makes a policy that has grown sure of every call hesitate again, in the same order of
preference: only calls that are tried can be found to be better.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from overtrick_lab.training import network
from overtrick_lab.training.data import DataError
from overtrick_lab.training.network import NetworkCard, Params
from overtrick_lab.training.settings import GrowSettings, plain


def heated(params: Params, heat: float) -> Params:
    """The same preferences, less sharply; more so where `heat` is below 1."""
    weight, bias = params[-1]
    return (*params[:-1], (weight / heat, bias / heat))


def run(settings: GrowSettings) -> dict[str, Any]:
    """A folder that `train selfplay --resume` goes on from."""
    if settings.heat <= 0:
        raise DataError(f"heat must be more than 0, not {settings.heat}")
    small, card = network.load(settings.resume / "policy.npz", "policy")
    critic, critic_card = network.load(settings.resume / "critic.npz", "critic")
    keys = jax.random.split(jax.random.PRNGKey(settings.seed))
    large = network.grow(small, settings.width, settings.layers, keys[0])
    critic = network.grow(critic, settings.critic_width, 0, keys[1])
    made_by = {"recipe": "grow", "settings": plain(settings), "from": card.made_by}
    grown = NetworkCard(card.kind, card.features, card.activation, made_by)
    settings.out.mkdir(parents=True, exist_ok=True)
    network.save(settings.out / "policy.npz", heated(large, settings.heat), grown)
    network.save(settings.out / "critic.npz", critic, critic_card)
    network.save(settings.out / "past_1.npz", small, card)  # the first that it must beat
    width, layers = network.form(large)
    return {
        "width": width,
        "layers": layers,
        "parameters": sum(jnp.size(leaf) for leaf in jax.tree.leaves(large)),
        "critic_width": network.form(critic)[0],
    }
