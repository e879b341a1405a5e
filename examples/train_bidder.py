"""From nothing to a bidder that comes near `points`: one network at all four seats of many tables,
which learns from IMPs against par. `python examples/train_bidder.py 3000` writes trained.npz, and
then `overtrick match ./examples/train_bidder.py points -n 1000` shows what it is worth."""

import sys

import numpy as np

from overtrick import Call, Decision, Meaning, View
from overtrick.environments import dataset, legal, observe


class Trained:
    """The likeliest legal call of the network."""

    def __init__(self, weights: str = "trained.npz") -> None:
        kept = list(np.load(weights).values())
        self.layers = list(zip(kept[::2], kept[1::2], strict=True))

    def bid(self, view: View) -> Decision:
        seen = observe(view).astype(np.float32)
        for w, b in self.layers[:-1]:
            seen = np.maximum(seen @ w + b, 0)
        liked = (seen @ self.layers[-1][0] + self.layers[-1][1])[:38]
        return Decision(Call(np.where(legal(view), liked, -np.inf).argmax()), Meaning("learned"))


def train(rounds: int, count: int = 8192, width: int = 512, longest: int = 24) -> None:
    import jax
    import jax.numpy as jnp
    import optax

    from overtrick.environments import vectorised as env

    deals, sizes = env.source(dataset("train")), (480, width, width, width, 39)
    keys = jax.random.split(jax.random.key(0), len(sizes))
    layers = [(jax.random.normal(k, (a, b)) * a**-0.5, jnp.zeros(b))
              for k, a, b in zip(keys, sizes, sizes[1:], strict=False)]  # fmt: skip
    # Passing and low bids at first let it find out what bids are worth; bids at random do not.
    layers[-1] = layers[-1][0] / 10, jnp.array([4.0, -2, -2, *(-i / 5 for i in range(35)), 0])
    adam = optax.adam(optax.linear_schedule(5e-4, 5e-5, rounds))

    def network(layers, seen, may):  # log-probabilities of calls, and what the hand is worth
        for w, b in layers[:-1]:
            seen = jax.nn.relu(seen @ w + b)
        out = seen @ layers[-1][0] + layers[-1][1]
        return jax.nn.log_softmax(jnp.where(may, out[..., :38], -1e9)), out[..., 38]

    def loss(layers, seen, may, call, turn, over, won, free):
        liked, worth = network(layers, seen.astype(jnp.float32), may)
        mine = jnp.where(turn % 2 == 0, won, -won)
        gain = jax.lax.stop_gradient(mine - worth)
        said = jnp.take_along_axis(liked, call[..., None], -1)[..., 0]
        doubt = -(jnp.exp(liked) * jnp.where(may, liked, 0)).sum(-1)
        each = (worth - mine) ** 2 - gain * said - free * doubt
        return jnp.where(over, 0, each).sum() / (~over).sum()

    @jax.jit
    def learn(layers, kept, key, free):
        def turn(state, key):
            seen, may = env.observe(state), env.legal(state)
            liked, _ = network(layers, seen.astype(jnp.float32), may)
            call = jax.random.categorical(key, liked)
            return env.step(state, call), (seen, may, call, state.turn, state.done)

        first, *later = jax.random.split(key, longest + 1)
        end, seats = jax.lax.scan(turn, env.reset(first, deals, count), jnp.stack(later))
        won = env.rewards(end)
        slope = jax.grad(loss)(layers, *seats, won / 10, free)
        change, kept = adam.update(slope, kept)
        return optax.apply_updates(layers, change), kept, jnp.abs(won).mean()

    kept = adam.init(layers)
    for i in range(rounds):
        key, free = jax.random.fold_in(jax.random.key(1), i), 0.03 * (1 - i / rounds) + 0.001
        layers, kept, far = learn(layers, kept, key, free)
        if i % 50 == 49 or i + 1 == rounds:
            print(f"round {i + 1}: {far:.2f} IMPs from par", flush=True)
            np.savez("trained.npz", *map(np.asarray, jax.tree.leaves(layers)))


if __name__ == "__main__":
    train(*map(int, sys.argv[1:]))
