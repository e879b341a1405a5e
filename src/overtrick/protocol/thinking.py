"""Engines beside an event loop: each thought in a thread of its own, so the loop never waits."""

from __future__ import annotations

import asyncio
import contextlib
from threading import Thread

from overtrick.game import Decision, View
from overtrick.table import Occupant, handed_over


class Thinker:
    """One occupant that thinks in the background, at most one thought at a time."""

    def __init__(self, occupant: Occupant) -> None:
        self.occupant = occupant
        self._busy: asyncio.Future[Decision] | None = None

    async def decide(self, view: View, limit: float | None) -> Decision:
        """The occupant's decision; TimeoutError when it takes longer than `limit` seconds.

        A late thought goes on in its thread; until it ends the next ones are late at once.
        """
        if self._busy is not None and not self._busy.done():
            raise TimeoutError("still thinking about an earlier turn")
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Decision] = loop.create_future()
        # A daemon thread: an engine that never answers must not keep the program alive.
        Thread(target=self._think, args=(loop, answer, view), daemon=True).start()
        self._busy = answer
        done, _ = await asyncio.wait({answer}, timeout=limit)
        if not done:
            raise TimeoutError(f"more than {limit:g} s")
        return answer.result()

    def _think(
        self, loop: asyncio.AbstractEventLoop, answer: asyncio.Future[Decision], view: View
    ) -> None:
        work = self.occupant.bid if view.play is None else self.occupant.play
        decision: Decision | None = None
        failure: BaseException | None = None
        try:
            decision = work(view)
        except BaseException as error:  # handed over to the loop, which rules on it
            failure = error
        with contextlib.suppress(RuntimeError):  # the loop has been closed meanwhile
            loop.call_soon_threadsafe(_hand_over, answer, decision, failure)


def _hand_over(
    answer: asyncio.Future[Decision], decision: Decision | None, failure: BaseException | None
) -> None:
    if answer.cancelled():
        return
    if failure is not None:
        answer.set_exception(handed_over(failure))
    elif decision is not None:
        answer.set_result(decision)
    else:
        answer.set_exception(TypeError("the engine returned nothing"))
