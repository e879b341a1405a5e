"""The marks of a player: right cards by kind and side, with errors and times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import median
from typing import Any

from overtrick.exam.questions import ExamAnswer


@dataclass(frozen=True, slots=True)
class Mark:
    """So many right of so many."""

    right: int
    asked: int

    @property
    def share(self) -> float:
        return self.right / self.asked

    @property
    def error(self) -> float:
        """Standard error, never nothing: a right and a wrong card are added for it."""
        share = (self.right + 1) / (self.asked + 2)
        return sqrt(share * (1 - share) / (self.asked + 2))

    def __str__(self) -> str:
        return f"{self.right} of {self.asked} ({100 * self.share:.1f} ± {100 * self.error:.1f} %)"


@dataclass(frozen=True, slots=True)
class Report:
    """What a player answered, and what that makes."""

    engine: str
    answers: tuple[ExamAnswer, ...]

    def marks(self) -> dict[str, dict[str, Mark]]:
        """By side, then by kind; "all" is the whole side."""
        out: dict[str, dict[str, list[int]]] = {}
        for answer in self.answers:
            side = out.setdefault(answer.question.side, {"all": [0, 0]})
            for name in ("all", answer.question.kind):
                row = side.setdefault(name, [0, 0])
                row[0] += answer.right
                row[1] += 1
        return {s: {k: Mark(*v) for k, v in kinds.items()} for s, kinds in out.items()}

    def table(self) -> str:
        lines = [self.engine]
        for side, kinds in sorted(self.marks().items()):
            lines.append(f"{side}: {kinds['all']}")
            rest = sorted((k, m) for k, m in kinds.items() if k != "all")
            lines += [f"  {kind:<28} {mark}" for kind, mark in rest]
        cpu = sorted(a.cpu for a in self.answers)
        if cpu:
            lines.append(f"CPU a card: median {median(cpu):.2f} s, most {cpu[-1]:.2f} s")
        return "\n".join(lines)

    def faults(self) -> list[str]:
        """The wrong cards, each with the right one and why it is right."""
        return [
            f"{a.question.id} {a.question.kind}: {a.card}, not {' '.join(a.question.answers)}: "
            f"{a.question.reason}"
            for a in self.answers
            if not a.right
        ]

    def plain(self) -> dict[str, Any]:
        marks = self.marks()
        return {
            "engine": self.engine,
            "totals": {
                side: {k: [m.right, m.asked] for k, m in kinds.items()}
                for side, kinds in sorted(marks.items())
            },
            "questions": [
                {
                    "id": a.question.id, "kind": a.question.kind, "side": a.question.side,
                    "grade": a.question.grade, "half": a.question.half, "card": a.card.ascii,
                    "answers": list(a.question.answers), "right": a.right, "why": a.why,
                    "cpu": round(a.cpu, 3),
                }
                for a in self.answers
            ],
        }  # fmt: skip


def report(engine: str, answers: Sequence[ExamAnswer]) -> Report:
    return Report(engine, tuple(answers))
