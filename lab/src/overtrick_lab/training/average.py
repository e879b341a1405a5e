"""Recipe: one network with the mean of the weights of several, which began as the same one.

Self-play from one policy leads each run a little off in its own direction, mostly by chance; the
mean keeps what they have in common.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp

from overtrick_lab.training import network
from overtrick_lab.training.data import DataError
from overtrick_lab.training.settings import AverageSettings, plain


def run(settings: AverageSettings) -> dict[str, Any]:
    """The mean network, with a card that says whose it is."""
    if len(settings.networks) < 2:
        raise DataError("average wants two networks or more")
    loaded = [network.load(path, settings.kind) for path in settings.networks]
    weights, cards = zip(*loaded, strict=True)
    first = cards[0]
    for path, params, card in zip(settings.networks, weights, cards, strict=True):
        alike = jax.tree.map(jnp.shape, params) == jax.tree.map(jnp.shape, weights[0])
        if not alike or (card.features, card.activation) != (first.features, first.activation):
            raise DataError(f"{path} has another form than {settings.networks[0]}")
    mean = jax.tree.map(lambda *each: jnp.stack(each).mean(axis=0), *weights)
    made_by = {
        "recipe": "average",
        "settings": plain(settings),
        "from": [card.made_by for card in cards],
    }
    network.save(settings.out, mean, replace(first, made_by=made_by))
    width, layers = network.form(mean)
    return {"networks": len(loaded), "width": width, "layers": layers}
