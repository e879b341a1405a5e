// Other tables: robots of your choice play the same board; IMPs and matchpoints across all tables.
// Used by the review.
import { h, type Child, type VNode } from "./dom";
import { nameOf, offerChoice } from "./forms";
import { ask } from "./net";
import { notice } from "./shell";
import { signed } from "./words";
import { contractView } from "./words";
import type { BoardAgain, ListedBoard as Board, Offered as Offers } from "./wire";

interface Other {
  name: string;
  board: Board;
  imps: number | null;
}

/** The tables of one board; `open` shows one of them. */
export class OtherTables {
  private tables: Other[] = [];
  private ns = "";
  private ew = "";
  private player = "";
  private busy = false;
  private run = 0;

  constructor(
    private readonly draw: () => void,
    private readonly open: (board: Board) => void,
  ) {}

  clear(): void {
    this.run++;
    this.tables = [];
    this.busy = false;
  }

  private async add(board: Board, offers: Offers): Promise<void> {
    if (this.busy) return;
    const run = this.run;
    this.busy = true;
    this.draw();
    const ns = this.ns || offers.bidders[0]!.spec;
    const ew = this.ew || offers.bidders[0]!.spec;
    const player = this.player || offers.players[0]!.spec;
    const named = (spec: string): string =>
      nameOf([...offers.bidders, ...offers.players].find((o) => o.spec === spec)!);
    try {
      const found = await ask<BoardAgain>("/api/review/table", {
        text: board.source,
        ns,
        ew,
        player,
      });
      if (run !== this.run) return;
      const name = ns === ew ? named(ns) : `${named(ns)} v ${named(ew)}`;
      this.tables.push({ name: `${name}, ${named(player)}`, board: found, imps: found.imps_ns });
    } catch (error) {
      if (run === this.run) notice((error as Error).message);
    }
    if (run === this.run) this.busy = false;
    this.draw();
  }

  /** The usual robots, without being asked: the field that a result is compared with. */
  async usual(board: Board, offers: Offers): Promise<void> {
    if (!this.tables.length) await this.add(board, offers);
  }

  panel(board: Board, offers: Offers | null): Child {
    if (!offers) return h("p", { class: "soft" }, "…");
    return [
      this.tables.length
        ? this.compared(board)
        : h(
            "p",
            { class: "soft" },
            "Let robots bid and play the same cards and compare, as many tables as you like. " +
              "Each takes about ten seconds.",
          ),
      h(
        "div",
        { class: "pair" },
        offerChoice("North–South bid", this.ns, offers.bidders, (v) => (this.ns = v)),
        offerChoice("East–West bid", this.ew, offers.bidders, (v) => (this.ew = v)),
      ),
      h(
        "div",
        { class: "row end" },
        offerChoice("All play by", this.player, offers.players, (v) => (this.player = v)),
        h(
          "button",
          {
            class: "button",
            "aria-disabled": this.busy ? "true" : null,
            onclick: () => void this.add(board, offers),
          },
          this.busy ? "They are playing…" : "Let them play it",
        ),
      ),
    ];
  }

  private compared(board: Board): VNode {
    const mine = board.score_ns;
    const rows = [
      { name: "This table", board, imps: null as number | null, own: true },
      ...this.tables.map((t) => ({ ...t, own: false })),
    ];
    const scores = rows.map((r) => r.board.score_ns);
    const share = (i: number): string => {
      const others = scores.filter((s, j) => j !== i && s !== null) as number[];
      const s = scores[i];
      if (s === null || s === undefined || !others.length) return "–";
      const won = others.reduce((sum, o) => sum + (s > o ? 1 : s === o ? 0.5 : 0), 0);
      return `${Math.round((100 * won) / others.length)} %`;
    };
    const swings = this.tables.map((t) => t.imps).filter((x): x is number => x !== null);
    const mean = swings.reduce((s, x) => s + x, 0) / Math.max(1, swings.length);
    return h(
      "div",
      { class: "stack" },
      h(
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
              ["Table", "Contract", "N–S", "IMPs", "MP"].map((t, i) =>
                h("th", { scope: "col", class: i > 1 ? "number" : null }, t),
              ),
            ),
          ),
          h(
            "tbody",
            null,
            rows.map((r, i) =>
              h(
                "tr",
                { key: i, class: r.own ? "chosen" : null },
                h(
                  "td",
                  null,
                  r.own
                    ? r.name
                    : h("button", { class: "linklike", onclick: () => this.open(r.board) }, r.name),
                ),
                h(
                  "td",
                  null,
                  r.board.contract
                    ? [
                        contractView(r.board.contract),
                        ` ${r.board.declarer}${r.board.result?.replace(/^\S+ [NESW]/, "") ?? ""}`,
                      ]
                    : "passed out",
                ),
                h(
                  "td",
                  { class: "number" },
                  r.board.score_ns === null ? "–" : signed(r.board.score_ns),
                ),
                h("td", { class: "number" }, r.own ? "" : r.imps === null ? "–" : signed(r.imps)),
                h("td", { class: "number" }, share(i)),
              ),
            ),
          ),
        ),
      ),
      mine === null
        ? h(
            "p",
            { class: "soft" },
            "This board was not played to its end, so there is nothing to compare.",
          )
        : h(
            "p",
            { class: "soft" },
            `For North–South of this table: ${mean >= 0 ? "+" : "−"}` +
              `${Math.abs(mean).toFixed(1)} IMPs on average, ${share(0)} of the matchpoints. ` +
              "IMPs are this table's against each other one.",
          ),
    );
  }
}
