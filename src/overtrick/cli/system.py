"""`overtrick system`: look at, check, test and write out bidding systems."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from overtrick.cli.common import (
    NewFile,
    coloured,
    console,
    echo_json,
    json_option,
    progress,
    words_argument,
)
from overtrick.cli.lazy import TellingGroup
from overtrick.cli.running import backend_of, goes_on, where_option

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from overtrick.arena.findings import Findings
    from overtrick.systems.lint import LintReport
    from overtrick.systems.system import System


@click.group("system", cls=TellingGroup)
def command() -> None:
    """Look at, check and test bidding systems.

    \b
    Examples:
      overtrick system show sayc "1NT P 2C P"
      overtrick system lint two-over-one --deals 2000
      overtrick system audit sayc --against self -n 500
      overtrick system net sayc "1NT P 2C P" --svg net.svg
    """


def _load(name: str, on: str = "", off: str = "") -> System:
    from overtrick.systems import load

    return load(name, tuple(on.replace(",", " ").split()), tuple(off.replace(",", " ").split()))


_on = click.option("--on", default="", help="Conventions to switch on.")
_off = click.option("--off", default="", help="Conventions to switch off.")


@command.command("list")
@json_option
def list_systems(as_json: bool) -> None:
    """The systems that ship with Overtrick.

    Example: overtrick system list
    """
    from overtrick.systems import library_names

    rows = [(n, _load(n)) for n in library_names()]
    if as_json:
        echo_json([{"name": n, "title": s.title, "rules": s.concrete_rules()} for n, s in rows])
        return
    for name, system in rows:
        console().print(f"{name:14} {system.title} ({system.concrete_rules()} rules)")


@command.command("show")
@click.argument("name", default="sayc")
@words_argument("auction", required=False)
@_on
@_off
@json_option
def show(name: str, auction: str | None, on: str, off: str, as_json: bool) -> None:
    """Every call of a system after an auction (default: the openings of SAYC).

    Example: overtrick system show sayc "1NT P"
    """
    from rich.table import Table

    from overtrick.game import Auction, Vulnerability
    from overtrick.systems import Reading
    from overtrick.systems.explain import next_calls

    name, auction = _system_and_auction(name, auction or "")
    reading = Reading(_load(name, on, off))
    rows = next_calls(reading, Auction.parse(auction), Vulnerability.NONE)
    if as_json:
        echo_json([e.to_dict() for e in rows])
        return
    table = Table(title=f"{name}: {auction or 'opening'}", title_justify="left")
    for column in ("call", "words", "shows", "rule"):
        table.add_column(column, overflow="fold")
    for e in rows:
        table.add_row(
            coloured(str(e.call)),
            coloured(e.meaning.words),
            coloured(e.meaning.ranges()),
            e.meaning.rule,
        )
    console().print(table)


@command.command("test")
@click.argument("name")
@_on
@_off
@json_option
def test(name: str, on: str, off: str, as_json: bool) -> None:
    """Bid the example hands beside the rules, and the positions that a standard answers.

    Positions are asked of the shipped cards, unchanged; natural and simple have none.

    Example: overtrick system test sayc
    """
    from overtrick.systems.lint import run_examples
    from overtrick.systems.positions import GOAL, GOAL_OF_A_KIND, answers, by_kind

    system = _load(name, on, off)
    results, found = run_examples(system), answers(system)
    wrong = [r.problem for r in results if not r.passed]
    missed = [f"{one.asked.kind}: {one.words}" for one in found if not one.is_right]
    kinds = by_kind(found)
    if as_json:
        echo_json({
            "examples": len(results), "wrong": wrong,
            "positions": len(found), "missed": missed,
            "kinds": {kind: {"right": m.right, "asked": m.asked} for kind, m in kinds.items()},
        })  # fmt: skip
    else:
        for problem in wrong + missed:
            console().print(coloured(problem))
        console().print(f"{len(results) - len(wrong)} of {len(results)} examples bid as written")
        if found:
            right = len(found) - len(missed)
            console().print(
                f"{right} of {len(found)} positions bid as the standards do "
                f"({right / len(found):.1%}), {len(kinds)} kinds"
            )
    poor = any(marks.share < GOAL_OF_A_KIND for marks in kinds.values())
    if wrong or poor or len(missed) > (1 - GOAL) * len(found):
        raise SystemExit(1)


@command.command("lint")
@click.argument("name")
@click.option("--deals", default=2000, show_default=True, type=click.IntRange(min=0),
              help="Self-bid deals to walk.")  # fmt: skip
@click.option("--seed", default=0, show_default=True)
@click.option(
    "--minutes",
    default=0.0,
    type=click.FloatRange(min=0),
    help="Stop walking after this long (0: no limit).",
)
@click.option("--state", type=NewFile(), help="Keep progress here and go on later.")
@click.option("--report", type=NewFile(), help="Write every finding to a file.")
@click.option("--show", default=12, show_default=True, type=click.IntRange(min=0),
              help="Findings shown of each kind.")  # fmt: skip
@_on
@_off
@json_option
def lint_command(
    name: str, deals: int, seed: int, minutes: float, state: Path | None, report: Path | None,
    show: int, on: str, off: str, as_json: bool,
) -> None:  # fmt: skip
    """Gaps, unreachable rules, ties, impossible meanings, passed forcing calls, wrong examples.

    \b
    Examples:
      overtrick system lint two-over-one
      overtrick system lint sayc --deals 100000 --report sayc-lint.md
    """
    from overtrick.systems.lint import lint

    system = _load(name, on, off)
    with progress("bidding", deals) as step:
        found = lint(
            system, deals, seed, lambda done: step(done, deals), minutes=minutes, state=state
        )
    if report is not None:
        report.write_text(_report_text(found), encoding="utf-8")
    if as_json:
        echo_json(found.to_dict())
        return
    out = console()
    out.print(_summary(found), highlight=False)
    for title, rows in found.sections():
        if rows:
            out.print(f"\n[bold]{title}[/bold] ({len(rows)})")
            for row in rows[:show]:
                out.print(coloured(f"  {row}"))
            if len(rows) > show:
                out.print(f"  … {len(rows) - show} more (--report FILE or --json lists all)")


def _summary(found: LintReport) -> str:
    return (
        f"{found.walked:,} deals, {found.calls:,} calls in {found.seconds:.0f} s: "
        f"{found.named:.2%} from a named rule, {found.consistent:.2%} as shown, "
        f"{sum(f.count for f in found.ties.values()):,} decided between equal priorities"
    )


def _report_text(found: LintReport) -> str:
    """The whole report as Markdown."""
    lines = [f"# Lint of {found.system}", "", _summary(found), ""]
    for title, rows in found.sections():
        lines += [f"## {title} ({len(rows)})", "", *(f"- {row}" for row in rows), ""]
    return "\n".join(lines)


@command.command("audit")
@click.argument("name", required=False)
@click.option("--disclosure", metavar="ENGINE",
              help="Does this bidder hold what its calls are said to show?")  # fmt: skip
@click.option("--against", default="sl", show_default=True,
              help="Opponents: self, silent, doubler, or a policy network.")  # fmt: skip
@click.option("-n", "--boards", default=1000, show_default=True, type=click.IntRange(min=1),
              help="Deals, each in both rooms.")  # fmt: skip
@click.option("--deals", default="random", show_default=True,
              help="'random' (valued by a network) or solved deals (.npz).")  # fmt: skip
@click.option("--offset", default=0, type=click.IntRange(min=0), help="Skip so many deals.")
@click.option("--seed", default=0, show_default=True, help="Which random deals and worlds.")
@click.option("--judge", default="", metavar="NET",
              help="Also try the likely calls of a policy network.")  # fmt: skip
@click.option("--exact", is_flag=True, help="No calls that the hand misses by one thing.")
@click.option("--imagine", default=8, show_default=True, type=click.IntRange(min=-1),
              help="Decisions of each leading finding tried in worlds; -1: all.")  # fmt: skip
@click.option("--worlds", default=24, show_default=True, type=click.IntRange(min=4),
              help="Worlds imagined for a decision.")  # fmt: skip
@click.option("--without", multiple=True, metavar="CONVENTION",
              help="What does it gain? 'all' asks for each that is on.")  # fmt: skip
@click.option("--lint/--no-lint", "with_lint", default=True, help="Also rules that never speak.")
@where_option
@click.option("--db", type=NewFile(), help="Keep the work here, and go on from it later.")
@click.option("--report", type=NewFile(".html"), help="Write an HTML page.")
@click.option("--show", default=12, show_default=True, type=click.IntRange(min=0),
              help="Findings shown of each kind.")  # fmt: skip
@_on
@_off
@json_option
def audit_command(
    name: str | None, disclosure: str | None, against: str, boards: int, deals: str,
    offset: int, seed: int, judge: str,
    exact: bool, imagine: int, worlds: int, without: tuple[str, ...], with_lint: bool,
    workers: str, ray: str | None, db: Path | None, report: Path | None, show: int, on: str,
    off: str, as_json: bool,
) -> None:  # fmt: skip
    """Which rules lose IMPs, to which other call, and with which hands.

    With --disclosure: how often and how far a bidder's hands lie outside what its calls are said to
    show.

    \b
    Examples:
      overtrick system audit --disclosure "partner(system=acol)" -n 200
      overtrick system audit sayc --against self -n 500
      overtrick system audit two-over-one --deals data/solved_deals.npz -n 5000 --db audit.sqlite
      overtrick system audit two-over-one --without bergen --without drury --report audit.html
    """
    if disclosure:
        if name:
            raise click.UsageError("--disclosure names a bidder, which brings its own system")
        _disclosed(disclosure, against, boards, seed, show, as_json)
        return
    if not name:
        raise click.UsageError("name a system (sayc), or a bidder: --disclosure partner")
    from overtrick.arena.audit import AuditFile, AuditJob, bid_deals, findings_in, imagine_worst
    from overtrick.bidding.audit import AuditSettings
    from overtrick.systems.lint import lint

    system = _load(name, on, off)
    if "all" in without:
        without = tuple(sorted(system.playing))
    switches = [tuple(s.replace(",", " ").split()) for s in (on, off)]
    settings = AuditSettings(name, against, switches[0], switches[1], judge, not exact)
    job = AuditJob(settings, boards, seed, deals, offset, without, imagine, worlds)
    backend = backend_of(workers, ray)
    with goes_on(db), AuditFile(db or ":memory:", job) as file:
        with progress("deals", boards) as step:
            bid_deals(job, file, backend, step)
        with progress("imagined decisions", 2 if imagine else 0) as step:
            imagine_worst(job, file, backend, step)
        found = findings_in(job, file)
    unused: dict[str, list[str]] = {}
    if with_lint:
        seen = lint(system, min(boards, 2000), seed)
        unused = {
            "rules that no auction offers": seen.unreachable,
            "rules that no hand satisfies": seen.unsatisfied,
            "rules whose hands other rules always take": seen.beaten,
        }
    if report is not None:
        from overtrick.arena.audit_page import html
        from overtrick.notation.whole import whole_file

        with whole_file(report) as file:
            file.write(html(found, unused).encode())
    if as_json:
        echo_json({**found.to_dict(), "unused": unused})
    else:
        _show_audit(found, unused, show)


def _disclosed(spec: str, against: str, boards: int, seed: int, show: int, as_json: bool) -> None:
    """A bidder's calls beside its hands."""
    from overtrick.bidding import bidder
    from overtrick.bidding.explained import explaining
    from overtrick.bidding.honesty import listen

    others = {"self": None, "silent": "pass"}
    opponents = others.get(against, f"policy(net={against})")
    other = None if opponents is None else bidder(opponents)
    engine = explaining(bidder(spec))
    with progress("bidding", boards) as step:
        found = listen(engine, other, boards, seed, lambda done: step(done, boards))
    if as_json:
        echo_json(found.to_dict())
        return
    out = console()
    out.print(
        f"{found.engine} against {found.against}, {found.boards:,} boards: "
        f"{found.bids.words}; passes: {found.passes.words}",
        highlight=False,
    )
    for kind, kept in sorted(found.kinds.items()):
        out.print(f"  {kind:9} {kept.words}", highlight=False)
    for (call, meaning), kept in found.worst[:show]:
        out.print(coloured(f"\n{call} {meaning}: {kept.words}"))
        for said in kept.examples:
            out.print(coloured(f"  {said}"))


def _show_audit(found: Findings, unused: Mapping[str, Sequence[str]], show: int) -> None:
    """An audit for a terminal: the worst first, with a hand or two for each."""
    from itertools import groupby

    from overtrick.arena.audit_page import imagined_words

    out, settings = console(), found.settings
    out.print(
        f"{settings.system} against {settings.against}: {found.result_words}"
        f"{found.decisions:,} decisions, {found.choices:,} with a choice"
    )
    for title, findings in (("rules", found.rules), ("auctions", found.auctions)):
        out.print(f"\n[bold]{title} that lose[/bold], IMPs a deal ({len(findings)})")
        for f in findings[:show]:
            out.print(coloured(
                f"  {f.lost:.4f} ± {f.lost_error:.4f}  {f.calls}  ({f.what}; better {f.instead}): "
                f"{f.times} times, {f.gain:+.1f} ± {f.gain_error:.1f} each; imagined "
                f"{imagined_words(f)}"
            ))  # fmt: skip
            for line in ([f"wanted by {f.wants}"] if f.wants else []) + [str(f.cases[0])]:
                out.print(coloured(f"      {line}"))
    if found.conventions:
        out.print("\n[bold]what conventions gain[/bold], IMPs a deal")
        for c in found.conventions:
            out.print(f"  {c.gain:+.4f} ± {c.error:.4f}  {c.name} ({c.changed} deals changed)")
    out.print("\n[bold]faults[/bold]")
    for kind, count in found.kinds.items():
        out.print(f"  {count:6} ({found.share(kind):.3%}) {kind}")
    for kind, some in groupby(found.faults, key=lambda f: f.kind):
        faults = list(some)
        out.print(f"\n[bold]{kind}[/bold]")
        for fault in faults[:show]:
            out.print(coloured(
                f"  {fault.count}× {fault.auction}: {fault.what} {'; '.join(fault.hands)}"
            ))  # fmt: skip
    for title, lines in unused.items():
        if lines:
            out.print(f"\n[bold]{title}[/bold] ({len(lines)})")
            for line in lines[:show]:
                out.print(coloured(f"  {line}"))


@command.command("coverage")
@click.argument("name")
@click.option("--deals", default=1000, show_default=True, type=click.IntRange(min=1))
@click.option("--seed", default=0, show_default=True)
@json_option
def coverage(name: str, deals: int, seed: int, as_json: bool) -> None:
    """How often each convention and file is used in self-bid deals.

    Example: overtrick system coverage sayc --deals 5000
    """
    from collections import Counter

    from overtrick.systems.lint import lint

    system = _load(name)
    with progress("bidding", deals) as step:
        report = lint(system, deals, seed, lambda done: step(done, deals), surveyed=0)
    used: Counter[str] = Counter()
    fired: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for rule in system.rules():
        key = rule.convention or rule.place.file.removesuffix(".bid")
        total[key] += 1
        fired[key] += bool(report.fired[rule.id])
        used[key] += report.fired[rule.id]
    rows = [(k, used[k], fired[k], total[k]) for k in sorted(total, key=lambda k: -used[k])]
    if as_json:
        echo_json([{"part": k, "calls": u, "rules_used": f, "rules": t} for k, u, f, t in rows])
        return
    for k, u, f, t in rows:
        console().print(f"{k:32} {u:7} calls, {f:4} of {t:4} rules used")


@command.command("net")
@click.argument("name")
@words_argument("auction", required=False)
@click.option("--svg", type=NewFile(), help="Write a drawing instead.")
@click.option("--whole", is_flag=True, help="Also states that earlier calls have ruled out.")
@_on
@_off
@json_option
def net(
    name: str, auction: str | None, svg: Path | None, whole: bool, on: str, off: str, as_json: bool
) -> None:
    """The decision net of an auction, as text or as a drawing; without a system, SAYC.

    \b
    Examples:
      overtrick system net "1N P 2C P"
      overtrick system net two-over-one "1S P" --svg net.svg
    """
    from overtrick.game import Auction, Vulnerability
    from overtrick.systems import Reading
    from overtrick.systems.explain import context_after
    from overtrick.systems.nets import net_data, net_of, net_svg, net_text

    name, auction = _system_and_auction(name, auction or "")
    reading = Reading(_load(name, on, off))
    ctx = context_after(reading, Auction.parse(auction), Vulnerability.NONE)
    found = net_of(reading, ctx, possible=not whole)
    if svg is not None:
        svg.write_text(net_svg(found), encoding="utf-8")
    if as_json:
        echo_json({"system": name, "auction": auction, "nodes": net_data(found)})
    elif svg is not None:
        console().print(f"wrote {svg}")
    else:
        console().print(net_text(found), markup=False, highlight=False)


def _system_and_auction(name: str, auction: str) -> tuple[str, str]:
    """`net 1N P 2C P` leaves the system out: the first word is then a call."""
    from overtrick.game import Auction, BridgeError
    from overtrick.systems import library_names

    if name in library_names() or (Path(name) / "system.bid").is_file():
        return name, auction
    whole = f"{name} {auction}".strip()
    try:
        Auction.parse(whole)
    except BridgeError:
        return name, auction
    return "sayc", whole


@command.command("book")
@click.argument("name")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--depth", default=4, show_default=True, type=click.IntRange(1, 12),
              help="Calls other than passes.")  # fmt: skip
@_on
@_off
@json_option
def book(name: str, folder: Path, depth: int, on: str, off: str, as_json: bool) -> None:
    """Write the system as a static HTML site.

    Example: overtrick system book two-over-one book/
    """
    from overtrick.systems.site import write_book

    written = [str(path) for path in write_book(_load(name, on, off), folder, depth)]
    if as_json:
        echo_json({"system": name, "written": written})
        return
    for path in written:
        console().print(f"wrote {path}", highlight=False)
