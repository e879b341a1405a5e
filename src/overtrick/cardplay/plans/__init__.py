"""Plans from single suits: what each suit can give and what it needs, matched into a whole hand.
Double dummy throughout."""

from overtrick.cardplay.plans.combine import PlanStep, interleave
from overtrick.cardplay.plans.resources import Event, SuitCourse, events
from overtrick.cardplay.plans.suits import Round, SuitSearch
from overtrick.cardplay.plans.whole import Plan, SuitReport, plan, plan_deal

__all__ = [
    "Event",
    "Plan",
    "PlanStep",
    "Round",
    "SuitCourse",
    "SuitReport",
    "SuitSearch",
    "events",
    "interleave",
    "plan",
    "plan_deal",
]  # fmt: skip
