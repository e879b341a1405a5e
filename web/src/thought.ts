// What an engine thought at the table, as it was thought: the hint that was given, or a robot's
// own decision.
// Used by the review; the record is the table's, and nobody reads it before the board is over.
import { h, type Child, type VNode } from "./dom";
import { told } from "./lang";
import { layoutsView } from "./layouts";
import { ask, ticketOf } from "./net";
import { coloured, signed } from "./words";
import type { ListedBoard as Board, ThoughtShown as Thought } from "./wire";

/** The record of one board of one table, by the place of each decision: calls first, then cards. */
export class BoardRecord {
  private found = new Map<number, Thought>();
  private asked = new Set<number>();
  private way: { path: string; token: string } | null = null;

  constructor(private readonly changed: () => void) {}

  clear(): void {
    this.found.clear();
    this.asked.clear();
    this.way = null;
  }

  /** Read the record, if this browser sat at the table and it played this very board. */
  async read(table: string, number: string, board: Board): Promise<void> {
    const ticket = table && number ? ticketOf(table) : undefined;
    if (!ticket) return;
    const way = { path: `/api/tables/${table}/thoughts?board=${number}`, token: ticket.token };
    try {
      const rows = await ask<Thought[]>(way.path, undefined, way.token);
      const made = [...board.calls.map((c) => c.call), ...board.cards];
      if (!rows.every((row) => made[row.at] === row.made)) return;
      this.way = way;
      for (const row of rows) this.found.set(row.at, row);
      this.changed();
    } catch {
      /* a table that is gone has no record; the review works without */
    }
  }

  at(place: number): Thought | undefined {
    return this.found.get(place);
  }

  /** A person's decision that nobody asked the coach about: he says now what he would have said. */
  async want(place: number): Promise<void> {
    if (!this.way || this.found.has(place) || this.asked.has(place)) return;
    this.asked.add(place);
    try {
      const [row] = await ask<Thought[]>(`${this.way.path}&at=${place}`, undefined, this.way.token);
      if (row) this.found.set(place, row);
      this.changed();
    } catch {
      /* the card came by itself, or somebody else has more to ask */
    }
  }
}

/** What was considered, with figures where there are any, and the reasons that were given. */
export function thoughtView(thought: Thought, draw: (action: string) => Child): VNode {
  const same = thought.action === thought.made;
  const head = thought.told
    ? same
      ? "The coach says the same"
      : ["The coach says ", draw(thought.action)]
    : "The robot's own choice";
  const figure = (c: Thought["candidates"][number]): string =>
    c.value === null
      ? ""
      : `${signed(Math.round(100 * c.value) / 100)}${c.error ? ` ± ${c.error.toFixed(2)}` : ""}`;
  const weighed = thought.candidates.length > 1 && thought.candidates.some((c) => c.value !== null);
  return h(
    "details",
    { class: "choices thought-of", key: `thought${thought.at}` },
    h(
      "summary",
      null,
      h(
        "span",
        null,
        head,
        thought.worlds > 1
          ? [", ", h("span", null, `from ${thought.worlds} imagined deals`)]
          : null,
      ),
    ),
    thought.reasons.length
      ? h(
          "ul",
          { class: "reasons" },
          thought.reasons.map((r) => h("li", null, coloured(told(r)))),
        )
      : null,
    weighed
      ? h(
          "div",
          { class: "scroll" },
          h(
            "table",
            { class: "list" },
            h(
              "thead",
              null,
              h(
                "tr",
                null,
                h("th", { scope: "col" }, "Choice"),
                h("th", { scope: "col", class: "number" }, "As the engine valued it"),
              ),
            ),
            h(
              "tbody",
              null,
              thought.candidates
                .slice(0, 8)
                .map((c) =>
                  h(
                    "tr",
                    { key: c.action, class: c.action === thought.made ? "chosen" : null },
                    h("th", { scope: "row" }, draw(c.action)),
                    h("td", { class: "number" }, figure(c)),
                  ),
                ),
            ),
          ),
        )
      : null,
    layoutsView(thought.action, thought.deciding, draw),
    thought.cut ? h("p", { class: "soft" }, "The clock cut this short.") : null,
  );
}
