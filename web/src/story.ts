// What a board was about: the costliest moment, whether its maker could have known, and a way
// back to it.
// Used by the table's result panel; nothing is asked before the board is over.
import { h, type Child } from "./dom";
import { ask } from "./net";
import { link } from "./shell";
import { betterView, cardText, fault } from "./verdict";
import { contractView, impWords, plus, SEAT_NAMES } from "./words";
import type {
  JudgedDecision,
  ListedBoard,
  ReadBoards,
  SeatLetter,
  SolvedBoard,
  State,
} from "./wire";

/** The costliest decision: its place among calls and cards, who made it, what it cost. */
interface Moment {
  kind: "call" | "card";
  index: number;
  at: number;
  seat: SeatLetter;
  imps: number;
  words: Child;
}

const MOST_CALLS = 2; // of a side whose auction went wrong that are looked into

export class Story {
  private key = "";
  private board: ListedBoard | null = null;
  private moment: Moment | null = null;
  private seen: JudgedDecision | null = null;
  private done = false;
  private busy = false; // the engines had no time; the review can be asked later

  constructor(private readonly changed: () => void) {}

  /** Begin with a board that is over, once. */
  want(now: State): void {
    const lin = now.result?.lin ?? "";
    if (!lin || now.watching || now.result!.judged || !now.contract || lin === this.key) return;
    Object.assign(this, {
      key: lin,
      board: null,
      moment: null,
      seen: null,
      done: false,
      busy: false,
    });
    void this.tell(lin).catch(() => {
      if (this.key !== lin) return;
      this.busy = true;
      this.changed();
    });
  }

  private async tell(lin: string): Promise<void> {
    const read = await ask<ReadBoards>("/api/review/read", { text: lin });
    const board = read.boards[0];
    if (!board || this.key !== lin) return;
    const solved = await ask<SolvedBoard>("/api/review/solve", { text: board.source });
    if (this.key !== lin) return;
    this.board = board;
    const cards = costliestCard(board, solved);
    const lost = solved.bidding;
    if (lost && lost.imps > (cards?.imps ?? 0)) await this.auction(lin, board, solved);
    else {
      this.moment = cards;
      this.changed();
      if (cards) this.seen = await this.judge("card", cards.index, board);
    }
    if (this.key !== lin) return;
    this.done = true;
    this.changed();
  }

  /** Which call of the side it was, as far as one of its last bids was wrong. */
  private async auction(lin: string, board: ListedBoard, solved: SolvedBoard): Promise<void> {
    const lost = solved.bidding!;
    const calls = board.calls
      .map((c, i) => ({ call: c.call, i, seat: plus(board.dealer, i) }))
      .filter((c) => lost.side.includes(c.seat));
    const last = calls.at(-1)!;
    const words: Child = [
      fault(lost),
      lost.best ? [" ", contractView(lost.best), lost.by ? ` ${SEAT_NAMES[lost.by]}` : null] : null,
    ];
    this.moment = {
      kind: "call",
      index: last.i,
      at: last.i,
      seat: last.seat,
      imps: lost.imps,
      words,
    };
    this.changed();
    for (const { i, seat } of [...calls].reverse().slice(0, MOST_CALLS)) {
      const seen = await this.judge("call", i, board);
      if (this.key !== lin) return;
      if (!this.seen || (seen.word === "wrong" && this.seen.word !== "wrong")) {
        this.seen = seen;
        this.moment = { ...this.moment, index: i, at: i, seat };
      }
      if (seen.word === "wrong") return;
    }
  }

  private judge(kind: "call" | "card", index: number, board: ListedBoard): Promise<JudgedDecision> {
    return ask<JudgedDecision>("/api/review/judge", { text: board.source, kind, index });
  }

  /** The story in a few sentences; the place is kept before it is known. */
  view(now: State, table: string, back: (at: number) => void): Child {
    if (!this.key || now.result?.lin !== this.key) return null;
    const moment = this.moment;
    if (!moment && this.busy) return null;
    if (!moment) {
      return h(
        "section",
        { class: "story", key: "story" },
        h("h2", null, "The story of this board"),
        this.done
          ? h("p", null, "Nothing was given away, by calls or by cards.")
          : h("p", { class: "soft waiting" }, "Looking for the moment that decided it…"),
      );
    }
    const mine = now.can_undo && this.mine(now, moment);
    const step = moment.kind === "card" ? `&step=${moment.index + 1}` : "";
    const lin = encodeURIComponent(this.board!.source);
    return h(
      "section",
      { class: "story", key: "story" },
      h("h2", null, "The moment that cost most"),
      h("p", null, h("b", { class: "lost" }, impWords(`−${moment.imps}`)), " ", moment.words, "."),
      h("p", { class: "known" }, this.known(moment)),
      h(
        "div",
        { class: "row" },
        mine
          ? h(
              "button",
              { class: "button small", onclick: () => back(moment.at) },
              "Play on from here",
            )
          : null,
        link(
          `/review#lin=${lin}${step}&table=${table}&board=${now.boards}`,
          { class: "button small" },
          "Look at it",
        ),
      ),
    );
  }

  /** Was it a decision of the reader's, which he can take back alone? */
  private mine(now: State, moment: Moment): boolean {
    const plays = now.contract?.declarer;
    const acts =
      moment.kind === "call"
        ? [now.seat]
        : plays === now.seat ||
            (plays !== undefined && plus(plays, 2) === now.seat && now.humans.length === 1)
          ? [plays, plus(plays, 2)]
          : [now.seat];
    return now.humans.length === 1 && acts.includes(moment.seat);
  }

  private known(moment: Moment): Child {
    const who = SEAT_NAMES[moment.seat];
    const seen = this.seen;
    if (!seen && this.busy) return "The engines are busy now; the review tells more.";
    if (!seen) return h("span", { class: "soft waiting" }, `What could ${who} know?`);
    if (seen.word === "wrong" && seen.better) {
      const better = moment.kind === "call" ? betterView(seen.better) : cardText(seen.better);
      return [
        `${who} could know: with what could be seen `,
        better,
        ` was better by ${seen.loss.toFixed(1)} IMPs.`,
      ];
    }
    if (seen.word === "close") return `Too close to call with what ${who} could see.`;
    return `Nobody could know: with what ${who} could see it was as good as any.`;
  }
}

function costliestCard(board: ListedBoard, solved: SolvedBoard): Moment | null {
  const rows = solved.cards.map((c, i) => ({ ...c, i })).filter((c) => c.cost > 0 && c.imps > 0);
  const worst = rows.sort((a, b) => b.imps - a.imps)[0];
  if (!worst) return null;
  return {
    kind: "card",
    index: worst.i,
    at: board.calls.length + worst.i,
    seat: worst.seat,
    imps: worst.imps,
    words: [
      `${SEAT_NAMES[worst.seat]} played `,
      cardText(worst.card),
      " instead of ",
      cardText(worst.best[0]!),
    ],
  };
}
