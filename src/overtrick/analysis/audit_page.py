"""An audit in words: lines for the terminal and one HTML page without outside links."""

from __future__ import annotations

from collections.abc import Iterator

from overtrick.analysis.audit import Audit, Finding, by_auction, by_rule, findings
from overtrick.arena.page import page, suits, table, tiles
from overtrick.systems.properties import Silly


def audit_lines(found: Audit, most: int) -> Iterator[str]:
    """What a terminal shows: the losses, surest first, then the silly calls."""
    plan, part, swing = found.plan, found.part, found.swing
    if swing is not None:
        yield (
            f"{plan.system} with {plan.without} against without it: {swing.mean:+.3f} ± "
            f"{swing.error:.3f} IMPs a deal ({part.deals:,} deals, opponents {plan.against})"
        )
        return
    yield (
        f"{plan.system} against {plan.against}: {part.deals:,} deals, {part.calls:,} calls, "
        f"{len(part.rows):,} other calls tried"
    )
    for title, key in (("rules", by_rule), ("auctions", by_auction)):
        yield f"\n{title}: thousandths of an IMP a deal that another call would gain"
        for finding in findings(part, key)[:most]:
            yield _line(finding)
    yield "\nsilly calls"
    for kind in Silly:
        yield f"  {part.kinds[kind]:6} ({found.rate(kind):.3%}) {kind}"
    for what, case in sorted(part.silly.items(), key=lambda pair: -pair[1].count)[:most]:
        yield f"  {case.count}× {what}: {'; '.join(case.cases)}"
    yield f"\n{len(part.generic):,} auctions with generic rules only; the commonest:"
    for auction, count in part.generic.most_common(most):
        yield f"  {count}× {auction}"
    yield f"\n{len(found.unused)} rules were never used (overtrick system lint says why)"


def _line(f: Finding) -> str:
    case = f.examples[0]
    return (
        f"  {1000 * f.a_deal:+6.1f} ± {1000 * f.error:4.1f} {f.what}: {f.instead} instead of "
        f"{f.call}, {f.gain.mean:+.2f} IMPs in {f.cases} cases; wanted by {f.hands}; "
        f"{case.hand} after {case.auction}"
    )


def audit_page(found: Audit) -> str:
    """The whole audit as one HTML page."""
    plan, part, swing = found.plan, found.part, found.swing
    title = f"Audit of {plan.system} against {plan.against}"
    parts = [f"<h1>{title}</h1>"]
    figures = [("deals, bid in both directions", f"{part.deals:,}"), ("calls", f"{part.calls:,}")]
    if swing is not None:
        figures.append(
            (f"IMPs a deal with {plan.without}", f"{swing.mean:+.3f} ± {swing.error:.3f}")
        )
        return page(title, [*parts, tiles(figures)])
    figures.append(("other calls tried", f"{len(part.rows):,}"))
    parts.append(tiles(figures))
    for heading, key in (("Rules", by_rule), ("Auctions", by_auction)):
        parts.append(f"<h2>{heading} that lose</h2>")
        parts.append(
            table(
                ("what", "made", "better", "thousandths of an IMP a deal", "IMPs a case", "cases",
                 "wanted by", "for example"),
                (_cells(f) for f in findings(part, key)[:100]),
            )
        )  # fmt: skip
    parts.append("<h2>Silly calls</h2>")
    rows = [(str(k), f"{part.kinds[k]}", f"{found.rate(k):.3%}") for k in Silly]
    parts.append(table(("kind", "calls", "share"), rows))
    worst = sorted(part.silly.items(), key=lambda pair: -pair[1].count)[:100]
    parts.append(table(("what", "times", "hands"),
                       ((w, f"{f.count}", "; ".join(f.cases)) for w, f in worst)))  # fmt: skip
    parts.append("<h2>Auctions with generic rules only</h2>")
    parts.append(
        table(("auction", "calls"), ((a, f"{n}") for a, n in part.generic.most_common(60)))
    )
    parts.append(f"<h2>Rules never used ({len(found.unused)})</h2><ul>")
    parts += [f"<li>{suits(line)}</li>" for line in found.unused]
    return page(title, [*parts, "</ul>"])


def _cells(f: Finding) -> tuple[str, ...]:
    case = f.examples[0]
    return (
        f.what, f.call, f.instead, f"{1000 * f.a_deal:+.1f} ± {1000 * f.error:.1f}",
        f"{f.gain.mean:+.2f}", f"{f.cases}", f.hands, f"{case.hand} after {case.auction}",
    )  # fmt: skip
