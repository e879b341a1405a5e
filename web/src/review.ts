// The review: one board stepped through, with double dummy, par, what engines would have done,
// what it cost, and exports; or a whole evening with its most costly decisions.
// Used at /review; the board itself is in the address, so the address is the permalink.
import { announce, h, later, render, type Child, type VNode } from "./dom";
import { ask, engines, keep, type MadeCall, type Meaning, type Offers, type Ticket } from "./net";
import { fileButton, percent } from "./forms";
import { auctionView, boardMarker, diagram, meaningView, trickView } from "./parts";
import { OtherTables } from "./others";
import { bar, copy, download, go, link, notice } from "./shell";
import { signed } from "./words";
import { Thoughts, type Focus } from "./worlds";
import {
  callView, callWords, cardWords, coloured, contractView, isVul, pip, plus, points, rankOf,
  SEAT_NAMES, SEATS, shownRank, suitOf, type SeatLetter,
} from "./words";

interface Board {
  number: number; dealer: SeatLetter; vul: string; names: string[];
  hands: Record<SeatLetter, string[]>;
  calls: { call: string; alert: boolean; note: string }[];
  contract: string | null; declarer: SeatLetter | null; leader: SeatLetter | null;
  cards: string[]; tricks: number | null; claimed: boolean; result: string | null;
  score_ns: number | null; lin: string; pbn: string; link: string; text: string;
}
interface SolvedCard { seat: SeatLetter; card: string; tricks: number; cost: number; imps: number; best: string[]; worth: Record<string, number> }
interface Solved {
  table: Record<string, Record<SeatLetter, number>>;
  par: { score_ns: number; contracts: string[] };
  cards: SolvedCard[];
  contract: { tricks: number; score_ns: number; imps_to_par: number } | null;
}
interface CallRow { seat: SeatLetter; call: string; meaning: Meaning; engine: string; engine_meaning: string; why: string; imps: number | null; instead: string }
interface CardRow { index: number; card: string; engine: string; why: string; worlds: number; lost: number | null; chance: number | null; tricks: number | null; candidates: { action: string; value: number | null; note: string }[] }
interface Costly { board: number; at: number; words: Child; imps: number; seat: SeatLetter; lin: string; luck?: "unlucky" | "wrong" }

interface Weighed { index: number; mean: number; error: number; worlds: number }

const STRAIN_ORDER = ["NT", "S", "H", "D", "C"];

/** " +1, +630" behind the contract, when the result is known. */
function made(board: Board): string {
  const over = board.result ? / ?[NESW]([=+-]\d*)$/.exec(board.result)?.[1] : undefined;
  return over ? ` ${over.replace("-", "−")}, ${signed(board.score_ns ?? 0)}` : "";
}

export class ReviewPage {
  private boards: Board[] = [];
  private board: Board | null = null;
  private solved: Solved | null = null;
  private calls: CallRow[] = [];
  private cards = new Map<number, CardRow>();
  private weights = new Map<number, Weighed>();
  private step = 0;
  private looking = -1;
  private offers: Offers | null = null;
  private text = "";
  private problem = "";
  private warnings: string[] = [];
  private readonly thoughts = new Thoughts(() => this.draw());
  private readonly others = new OtherTables<Board>(() => this.draw(), (board) => void this.look(board));
  private ranking: Costly[] = [];
  private done = 0;
  private run = 0;
  private table = "";
  private readonly key = (e: KeyboardEvent): void => this.press(e);

  private readonly draw = later(() => {
    const middle = this.board
      ? [boardMarker(this.board.number, this.board.dealer, this.board.vul),
        h("div", { class: "contract" }, this.board.contract ? contractView(this.board.contract) : "Passed out",
          h("span", { class: "by" }, this.board.declarer ? ` ${SEAT_NAMES[this.board.declarer]}${made(this.board)}` : ""))]
      : null;
    const back = this.table ? link(`/table/${this.table}`, { class: "button small" }, "To the table") : null;
    if (this.board) this.thoughts.want(this.board.lin, this.focus());
    render(this.root, [bar(middle, () => this.draw(), back), this.board ? this.one(this.board) : this.many()]);
  });

  /** The decision that is being looked at: the call pointed at, else the card just shown. */
  private focus(): Focus | null {
    if (this.looking >= 0) return { kind: "call", index: this.looking };
    return this.step > 0 ? { kind: "card", index: this.step - 1 } : null;
  }

  private focusWords(): Child {
    const board = this.board!;
    if (this.looking >= 0) return ["Before calling ", callView(board.calls[this.looking]!.call), "."];
    return this.step ? ["Before playing ", cardText(board.cards[this.step - 1]!), "."] : "";
  }

  constructor(private readonly root: HTMLElement) {
    document.addEventListener("keydown", this.key);
    const hash = new URLSearchParams(location.hash.slice(1));
    this.table = hash.get("table") ?? "";
    const lin = hash.get("lin");
    this.draw();
    if (lin) void this.read(lin, Number(hash.get("step") ?? 0));
  }

  close(): void {
    this.run++;
    document.removeEventListener("keydown", this.key);
  }

  // ------------------------------------------------------------ loading

  private async read(text: string, step = 0): Promise<void> {
    this.problem = "";
    try {
      const found = await ask<{ boards: Board[]; warnings: string[] }>("/api/review/read", { text });
      this.boards = found.boards;
      this.warnings = found.warnings;
      if (!found.boards.length) this.problem = found.warnings[0] ?? "there is no complete board in this text";
      else if (found.boards.length === 1) return await this.look(found.boards[0]!, step);
    } catch (error) {
      this.problem = (error as Error).message;
    }
    this.draw();
  }

  private async look(board: Board, step = 0): Promise<void> {
    const run = ++this.run;
    Object.assign(this, { board, solved: null, calls: [], cards: new Map(), weights: new Map(), step, looking: -1 });
    this.thoughts.clear();
    this.others.clear();
    this.remember();
    this.draw();
    scrollTo(0, 0);
    try {
      this.offers ??= await engines();
      const solved = await ask<Solved>("/api/review/solve", { text: board.lin });
      if (run !== this.run) return;
      this.solved = solved;
      this.draw();
      const spec = this.offers.bidders[0]!.spec;
      const calls = await ask<CallRow[]>("/api/review/calls", { text: board.lin, ns: spec, ew: spec });
      if (run !== this.run) return;
      this.calls = calls;
      this.draw();
      await this.weighCalls(board, run);
      await this.think(board, run);
    } catch (error) {
      if (run === this.run) notice((error as Error).message);
    }
  }

  /** Where the engine calls otherwise: what is that worth over all deals that were possible? */
  private async weighCalls(board: Board, run: number): Promise<void> {
    const differ = this.calls.flatMap((c, i) => (c.engine !== c.call ? [i] : []));
    differ.sort((a, b) => (this.calls[b]!.imps ?? 0) - (this.calls[a]!.imps ?? 0));
    for (const index of differ) {
      const found = await ask<Weighed>("/api/review/weigh", { text: board.lin, index });
      if (run !== this.run) return;
      this.weights.set(index, found);
      this.draw();
    }
  }

  /** Ask the engine about the cards, the costly ones first. */
  private async think(board: Board, run: number): Promise<void> {
    const player = this.offers!.players[0]!.spec;
    const costly = this.solved!.cards.flatMap((c, i) => (c.cost > 0 ? [i] : []));
    const rest = board.cards.map((_, i) => i).filter((i) => !costly.includes(i) && i < 44);
    for (const i of [...costly, ...rest]) {
      if (this.cards.has(i)) continue;
      const found = await ask<CardRow[]>("/api/review/cards", { text: board.lin, player, start: i, count: 1 });
      if (run !== this.run) return;
      for (const row of found) this.cards.set(row.index, row);
      this.draw();
    }
  }

  /** An evening: board after board, what cards and calls gave away; then, for the worst cards,
   * whether they were wrong or only unlucky. */
  private async rank(): Promise<void> {
    const run = ++this.run;
    this.ranking = [];
    this.done = 0;
    this.offers ??= await engines();
    const spec = this.offers.bidders[0]!.spec;
    for (const board of this.boards) {
      try {
        const solved = await ask<Solved>("/api/review/solve", { text: board.lin });
        if (run !== this.run) return;
        this.ranking.push(...costlyCards(board, solved.cards));
        if (board.calls.length) {
          const calls = await ask<CallRow[]>("/api/review/calls", { text: board.lin, ns: spec, ew: spec });
          if (run !== this.run) return;
          this.ranking.push(...costlyCalls(board, calls).slice(0, 1));
        }
        this.ranking.sort((a, b) => b.imps - a.imps);
      } catch (error) {
        this.warnings.push(`board ${board.number}: ${(error as Error).message}`);
      }
      this.done++;
      this.draw();
    }
    announce(`${this.done} boards solved`);
    await this.weigh(run);
  }

  private async weigh(run: number): Promise<void> {
    const player = this.offers!.players[0]!.spec;
    for (const c of this.ranking.slice(0, 16)) {
      try {
        if (c.at < 0) {
          const found = await ask<Weighed>("/api/review/weigh", { text: c.lin, index: -1 - c.at });
          if (run !== this.run) return;
          c.luck = found.mean > 0.3 ? "wrong" : "unlucky";
          this.draw();
          continue;
        }
        const [row] = await ask<CardRow[]>("/api/review/cards", { text: c.lin, player, start: c.at - 1, count: 1 });
        if (run !== this.run) return;
        if (row) c.luck = isWrong(row) ? "wrong" : "unlucky";
      } catch {
        return;
      }
      this.draw();
    }
  }

  // ------------------------------------------------------------ stepping

  private get last(): number {
    return this.board ? this.board.cards.length : 0;
  }

  private go(step: number): void {
    this.step = Math.max(0, Math.min(this.last, step));
    this.looking = -1;
    this.remember();
    const played = this.step ? this.board!.cards[this.step - 1]! : "";
    if (played) announce(`Card ${this.step}: ${cardWords(played)}. ${this.verdictText()}`);
    this.draw();
  }

  /** The address always holds the board and the place in it. */
  private remember(): void {
    const kept = this.table ? `&table=${this.table}` : "";
    const step = this.step ? `&step=${this.step}` : "";
    history.replaceState(null, "", `/review#lin=${encodeURIComponent(this.board!.lin)}${step}${kept}`);
  }

  private press(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || document.querySelector("dialog[open]")) return;
    const move: Record<string, number> = { ArrowRight: this.step + 1, ArrowLeft: this.step - 1, Home: 0, End: this.last, ArrowDown: this.step + 4, ArrowUp: this.step - 4 };
    if (!this.board || event.ctrlKey || event.metaKey || !(event.key in move)) return;
    event.preventDefault();
    this.go(move[event.key]!);
  }

  // ------------------------------------------------------------ drawing


  private many(): VNode {
    return h("main", { class: "review-start" },
      h("h1", null, "Review"),
      h("p", { class: "lead" }, "Paste a board, a BBO hand viewer link or a whole evening in PBN or LIN, or choose a file."),
      h("form", { class: "fields wide", onsubmit: (e: Event) => {
        e.preventDefault();
        void this.read(this.text);
      } },
        h("label", { class: "field" }, h("span", null, "Boards"),
          h("textarea", { rows: 7, spellcheck: "false", value: this.text, oninput: (e: Event) => (this.text = (e.target as HTMLTextAreaElement).value) })),
        h("div", { class: "row" },
          h("button", { class: "button primary", type: "submit" }, "Look at it"),
          fileButton("Choose a file", ".pbn,.lin,.txt,.rbn", (text) => void this.read(text)))),
      this.problem ? h("p", { class: "problem", role: "alert" }, this.problem) : null,
      this.boards.length > 1 ? this.evening() : null,
      this.warnings.length ? h("details", { class: "warnings" }, h("summary", null, `${this.warnings.length} remarks of the reader`),
        h("ul", null, this.warnings.slice(0, 20).map((w) => h("li", null, w)))) : null);
  }

  private evening(): VNode {
    return h("section", { class: "evening" },
      h("h2", null, `${this.boards.length} boards`),
      h("div", { class: "row" },
        h("button", { class: "button primary", onclick: () => void this.rank() }, "Find the most costly decisions"),
        this.done ? h("progress", { max: this.boards.length, value: this.done, "aria-label": "boards solved" }) : null,
        this.done ? h("span", { class: "soft" }, `${this.done} of ${this.boards.length} solved`) : null),
      this.ranking.length ? h("ol", { class: "costly" }, this.ranking.slice(0, 20).map((c) =>
        h("li", null, h("button", { onclick: () => void this.look(this.boards.find((b) => b.lin === c.lin)!, Math.max(0, c.at)) },
          h("b", { class: "lost" }, `−${c.imps} IMP`), h("span", null, `Board ${c.board}, `, c.words, this.luck(c)))))) : null,
      h("div", { class: "scroll" }, h("table", { class: "list" },
        h("thead", null, h("tr", null, ["Board", "Contract", "Result", "N–S"].map((t) => h("th", { scope: "col" }, t)))),
        h("tbody", null, this.boards.map((b, i) => h("tr", { key: i },
          h("td", null, h("button", { class: "linklike", onclick: () => void this.look(b) }, `Board ${b.number}`)),
          h("td", null, b.contract ? contractView(b.contract) : "–", b.declarer ? ` ${b.declarer}` : ""),
          h("td", null, b.result ? b.result.replace(/^\S+ [NESW]/, "") : "–"),
          h("td", null, b.score_ns === null ? "–" : signed(b.score_ns))))))));
  }

  private one(board: Board): VNode {
    return h("main", { class: "review" },
      h("h1", { class: "sr-only" }, `Review of board ${board.number}`),
      h("section", { class: "stage", "aria-label": "The board" }, this.compass(board), this.stepper(board), this.verdict(board), this.thoughts.panel(this.focusWords())),
      h("section", { class: "notes", "aria-label": "Notes" },
        this.worst(board),
        h("div", { class: "panel" }, h("h2", null, "Auction"), this.auction(board), h("div", { class: "explain" }, this.callNote(board))),
        h("div", { class: "panel" }, h("h2", null, "Double dummy"), this.matrix()),
        board.cards.length ? h("div", { class: "panel" }, h("h2", null, "Play"), this.tricks(board)) : null,
        this.printed(board),
        h("div", { class: "panel screen" }, h("h2", null, "Other tables"), this.others.panel(board, this.offers)),
        h("div", { class: "panel screen" }, h("h2", null, "Take it with you"), this.exports(board))));
  }

  /** For paper only: the result, and what every call meant. */
  private printed(board: Board): VNode {
    const names = board.names.some(Boolean) ? SEATS.map((s, i) => `${s} ${board.names[i] ?? ""}`).join(", ") : "";
    return h("div", { class: "panel print-only" }, h("h2", null, board.result ? `${board.result.replace(/ (?=[NESW])/, " by ")}, ${signed(board.score_ns ?? 0)} for North–South` : "Notes"),
      names ? h("p", { class: "soft" }, names) : null,
      h("ol", { class: "call-notes" }, this.calls.filter((c) => c.call !== "Pass").map((c) =>
        h("li", null, `${c.seat}: `, callView(c.call), " ", coloured(c.meaning.words), c.meaning.ranges ? [" (", coloured(c.meaning.ranges), ")"] : null))));
  }

  private compass(board: Board): VNode {
    const gone = new Set(board.cards.slice(0, this.step));
    const row = this.solved?.cards[this.step];
    const marks = row ? new Map(Object.entries(row.worth).map(([c, w]) => [c, w === 0 ? "=" : String(w).replace("-", "−")])) : undefined;
    const places: [string, SeatLetter][] = [["n", "N"], ["w", "W"], ["e", "E"], ["s", "S"]];
    return h("div", { class: "compass" },
      places.map(([place, seat]) => h("div", { class: `place place-${place}`, key: place },
        h("p", { class: `name${isVul(seat, board.vul) ? " vul" : ""}${this.turn() === seat ? " on" : ""}` }, h("b", null, SEAT_NAMES[seat]),
          h("small", null, ` ${points(board.hands[seat])} hcp`)),
        diagram(board.hands[seat], gone, this.turn() === seat ? marks : undefined))),
      h("div", { class: "centre-area" }, board.cards.length ? trickView(this.trick(), "S", this.step % 4 === 0 && this.step > 0) : boardMarker(board.number, board.dealer, board.vul)));
  }

  private walk(): { seat: SeatLetter; card: string }[][] {
    const out: { seat: SeatLetter; card: string }[][] = [];
    const board = this.board!;
    let leader = board.leader ?? "W";
    const trump = (board.contract ?? "").replace(/[1-7X]/g, "");
    for (let i = 0; i < board.cards.length; i += 4) {
      const trick = board.cards.slice(i, i + 4).map((card, j) => ({ seat: plus(leader, j), card }));
      out.push(trick);
      if (trick.length === 4) leader = winner(trick, trump);
    }
    return out;
  }

  private turn(): SeatLetter | null {
    if (!this.board?.cards.length || this.step >= this.last) return null;
    return this.walk()[Math.floor(this.step / 4)]?.[this.step % 4]?.seat ?? null;
  }

  private trick(): { leader: SeatLetter; cards: { seat: SeatLetter; card: string }[]; winner: SeatLetter } | null {
    if (!this.step) return null;
    const index = Math.floor((this.step - 1) / 4);
    const full = this.walk()[index]!;
    const cards = full.slice(0, this.step - 4 * index);
    return { leader: cards[0]!.seat, cards, winner: winner(cards, (this.board!.contract ?? "").replace(/[1-7X]/g, "")) };
  }

  private stepper(board: Board): VNode {
    const button = (words: string, label: string, step: number): VNode =>
      h("button", { class: "button", "aria-label": label, "aria-disabled": step < 0 || step > this.last || step === this.step ? "true" : null, onclick: () => this.go(step) }, words);
    if (!board.cards.length) return h("p", { class: "soft" }, "No cards were recorded.");
    return h("div", { class: "stepper", role: "group", "aria-label": "Step through the play" },
      button("⇤", "to the start", 0), button("←", "one card back", this.step - 1),
      h("span", null, this.step ? `Card ${this.step} of ${this.last}` : "Before the lead"),
      button("→", "next card", this.step + 1), button("⇥", "to the end", this.last));
  }

  private verdictText(): string {
    const row = this.solved?.cards[this.step - 1];
    if (!row) return "";
    const seen = this.cards.get(this.step - 1);
    if (row.cost === 0) {
      return seen && isWrong(seen) ? "It cost nothing as the cards lay, but it was not the best chance." : "Nothing lost.";
    }
    if (!seen) return "";
    return isWrong(seen) ? "With what could be seen, another card was better." : "With what could be seen it was as good as any: unlucky, not wrong.";
  }

  private verdict(board: Board): VNode {
    const played = board.cards[this.step - 1];
    const row = this.solved?.cards[this.step - 1];
    if (!played) {
      return h("div", { class: "verdict" }, h("p", null, this.solved
        ? this.solved.contract
          ? ["Double dummy the contract takes ", h("b", null, this.solved.contract.tricks), ` tricks: ${signed(this.solved.contract.score_ns)} for North–South, par is ${signed(this.solved.par.score_ns)}.`]
          : `Par is ${signed(this.solved.par.score_ns)} for North–South.`
        : "Solving…"));
    }
    const seen = this.cards.get(this.step - 1);
    const who = row ? SEAT_NAMES[row.seat] : "";
    const bad = row && (row.cost > 0 || (seen && isWrong(seen)));
    return h("div", { class: `verdict${bad ? (seen && !isWrong(seen) ? " luck" : " bad") : ""}` },
      h("p", null, h("b", null, `${who} `), cardText(played), ". ", this.verdictText(),
        row && row.cost ? [" Double dummy best was ", row.best.slice(0, 3).map((c, i) => [i ? ", " : "", cardText(c)]), "."] : null),
      h("dl", { class: "costs" },
        h("dt", null, "Double dummy"), h("dd", null, !row ? "…" : row.cost ? `−${row.cost} ${row.cost === 1 ? "trick" : "tricks"}${row.imps ? `, −${row.imps} IMP` : ""}` : "0"),
        h("dt", null, "Single dummy"), h("dd", null, !seen ? "thinking…" : singleWords(seen))),
      seen ? h("p", { class: "soft" }, "The engine, seeing only that hand and dummy, plays ", cardText(seen.engine),
        seen.why ? [": ", coloured(seen.why)] : null, seen.worlds ? ` (${seen.worlds} deals)` : "") : null);
  }

  private worst(board: Board): Child {
    const list: Costly[] = this.solved ? [...costlyCards(board, this.solved.cards), ...costlyCalls(board, this.calls)] : [];
    list.sort((a, b) => b.imps - a.imps);
    const body = !this.solved ? h("p", { class: "soft" }, "Solving…")
      : list.length ? h("ol", { class: "costly" }, list.slice(0, 6).map((c) =>
        h("li", null, h("button", { onclick: () => (c.at < 0 ? this.lookCall(-1 - c.at) : this.go(c.at)) },
          h("b", { class: "lost" }, `−${c.imps} IMP`), h("span", null, c.words, this.luck(c))))))
        : h("p", { class: "soft" }, "Nothing was given away. Well played.");
    return h("div", { class: "panel" }, h("h2", null, "Where it went wrong"), body);
  }

  /** Beside a costly card: was it wrong, or only unlucky? */
  private luck(c: Costly): Child {
    const seen = c.at > 0 ? this.cards.get(c.at - 1) : undefined;
    const weight = c.at < 0 && this.board ? this.weights.get(-1 - c.at) : undefined;
    const known = seen ? isWrong(seen) : weight ? weight.mean > 0.3 : undefined;
    const luck = c.luck ?? (known === undefined ? undefined : known ? "wrong" : "unlucky");
    return luck ? [" ", h("span", { class: `tag ${luck === "wrong" ? "bad" : "gold"}` }, luck)] : null;
  }

  private lookCall(index: number): void {
    this.looking = index;
    this.draw();
  }

  private auction(board: Board): VNode {
    const calls: MadeCall[] = board.calls.map((c, i) => ({
      seat: plus(board.dealer, i), call: c.call, alert: c.alert,
      meaning: this.calls[i]?.meaning ?? (c.note ? { words: c.note, ranges: "", forcing: "none", alert: c.alert, act: "", convention: "", rule: "" } : null),
    }));
    const marks = board.calls.map((c, i) => {
      const row = this.calls[i];
      return row && row.engine !== c.call ? h("span", { class: "differs", title: `engine: ${callWords(row.engine)}` }, "≠") : null;
    });
    if (!calls.length) return h("p", { class: "soft" }, "No auction was recorded.");
    return auctionView({ calls, dealer: board.dealer, vul: board.vul, turn: null, you: null, chosen: this.looking, marks,
      look: (i) => {
        if (i >= 0) this.lookCall(i);
      } });
  }

  private callNote(board: Board): Child {
    const made = board.calls[this.looking];
    const row = this.calls[this.looking];
    if (!made) return h("p", { class: "soft" }, "Point at a call: what it means, and what the engine would have bid.");
    if (!row) return h("p", { class: "soft" }, made.note || "Asking the engine…");
    const same = row.engine === row.call;
    const weight = this.weights.get(this.looking);
    return [
      meaningView(`${SEAT_NAMES[row.seat]} called`, row.call, row.meaning),
      h("p", { class: "soft" }, same ? "The engine bids the same." : ["The engine bids ", callView(row.engine), `: ${row.engine_meaning}.`,
        row.imps !== null ? [` Bid on by engines that leads to `, coloured(row.instead), `, double dummy `,
          row.imps === 0 ? "no difference" : `${row.imps > 0 ? "better" : "worse"} by ${Math.abs(row.imps)} IMP`, "."] : null]),
      same ? null : h("dl", { class: "costs" },
        h("dt", null, "As the cards lay"), h("dd", null, row.imps === null ? "–" : `${signed(-row.imps)} IMP`),
        h("dt", null, "Over possible deals"), h("dd", null, !weight ? "thinking…" : `${weight.mean > 0 ? "−" : "+"}${Math.abs(weight.mean).toFixed(1)} ± ${weight.error.toFixed(1)} IMP`)),
    ];
  }

  private matrix(): Child {
    if (!this.solved) return h("p", { class: "soft" }, "Solving…");
    const order: SeatLetter[] = ["N", "S", "E", "W"];
    return [
      h("table", { class: "matrix" },
        h("caption", { class: "sr-only" }, "Tricks of each declarer in each strain"),
        h("thead", null, h("tr", null, h("td", null), STRAIN_ORDER.map((s) => h("th", { scope: "col" }, s === "NT" ? "NT" : pip(s), s === "NT" ? null : h("span", { class: "sr-only" }, s))))),
        h("tbody", null, order.map((seat) => h("tr", null, h("th", { scope: "row" }, SEAT_NAMES[seat]),
          STRAIN_ORDER.map((s) => {
            const n = this.solved!.table[s]![seat];
            return h("td", { class: n >= 7 ? "makes" : "" }, n);
          }))))),
      h("p", null, "Par ", h("b", null, signed(this.solved.par.score_ns)), " for North–South",
        this.solved.par.contracts.length ? [": ", coloured(this.solved.par.contracts.slice(0, 3).join(", "))] : null),
    ];
  }

  private tricks(board: Board): VNode {
    const tricks = this.walk();
    return h("div", { class: "scroll" }, h("table", { class: "tricks" },
      h("thead", null, h("tr", null, h("th", { scope: "col" }, "#"), SEATS.map((s) => h("th", { scope: "col" }, SEAT_NAMES[s])))),
      h("tbody", null, tricks.map((trick, t) => h("tr", { key: t }, h("th", { scope: "row" }, t + 1),
        SEATS.map((seat) => {
          const j = trick.findIndex((c) => c.seat === seat);
          if (j < 0) return h("td", null);
          const index = 4 * t + j;
          const cost = this.solved?.cards[index]?.cost ?? 0;
          return h("td", { class: j === 0 ? "led" : "" },
            h("button", { class: `played${this.step === index + 1 ? " now" : ""}${cost ? " bad" : ""}`, onclick: () => this.go(index + 1),
              "aria-label": `${SEAT_NAMES[seat]} ${cardWords(trick[j]!.card)}${cost ? `, cost ${cost}` : ""}` },
              cardText(trick[j]!.card), cost ? h("sup", null, `−${cost}`) : null));
        }))))), void board);
  }

  private exports(board: Board): VNode {
    return h("div", { class: "row wrap" },
      h("button", { class: "button", onclick: () => void copy(location.href, "Link") }, "Copy link"),
      h("button", { class: "button", onclick: () => download(`board-${board.number}.pbn`, board.pbn) }, "PBN"),
      h("button", { class: "button", onclick: () => download(`board-${board.number}.lin`, board.lin) }, "LIN"),
      h("button", { class: "button", onclick: () => void copy(board.link, "BBO link") }, "BBO link"),
      h("button", { class: "button", onclick: () => print() }, "Print"),
      h("button", { class: "button", onclick: () => void this.playIt(board) }, "Play this board"),
      this.boards.length > 1 ? h("button", { class: "button", onclick: () => {
        this.run++;
        this.board = null;
        this.draw();
      } }, "All boards") : h("button", { class: "button", onclick: () => {
        this.board = null;
        this.boards = [];
        history.replaceState(null, "", "/review");
        this.draw();
      } }, "Another board"));
  }

  private async playIt(board: Board): Promise<void> {
    try {
      const ticket = await ask<Ticket>("/api/tables", { source: { type: "text", text: board.lin } });
      keep(ticket);
      go(`/table/${ticket.table}`);
    } catch (error) {
      notice((error as Error).message);
    }
  }
}

function costlyCalls(board: Board, calls: CallRow[]): Costly[] {
  const found = calls.flatMap((c, i) => (c.imps !== null && c.imps > 0
    ? [{ board: board.number, at: -1 - i, seat: c.seat, lin: board.lin, imps: c.imps,
      words: [`${SEAT_NAMES[c.seat]} called `, callView(c.call), ", the engine ", callView(c.engine), c.instead ? [", leading to ", coloured(c.instead)] : null] as Child }]
    : []));
  return found.sort((a, b) => b.imps - a.imps);
}

/** Single dummy: did the engine, which saw no more than the player, find something better? */
function isWrong(seen: CardRow): boolean {
  return seen.engine !== seen.card && (seen.lost ?? 0) > 0.03;
}

function singleWords(seen: CardRow): string {
  if (seen.lost === null) return "no choice that matters";
  const parts: string[] = [];
  if (seen.chance !== null && seen.chance > 0.005) parts.push(`−${percent(seen.chance)} chance`);
  if (seen.tricks !== null && seen.tricks > 0.02) parts.push(`−${seen.tricks.toFixed(2)} tricks`);
  return parts.join(", ") || "0";
}

function costlyCards(board: Board, cards: SolvedCard[]): Costly[] {
  return cards.flatMap((c, i) => (c.cost > 0 && c.imps > 0
    ? [{ board: board.number, at: i + 1, seat: c.seat, lin: board.lin, imps: c.imps,
      words: [`${SEAT_NAMES[c.seat]} played `, cardText(c.card), " instead of ", cardText(c.best[0]!)] as Child }]
    : []));
}

function cardText(card: string): VNode {
  return h("span", { class: "call" }, pip(suitOf(card)), shownRank(rankOf(card)));
}

function winner(cards: { seat: SeatLetter; card: string }[], trump: string): SeatLetter {
  const order = "23456789TJQKA";
  let best = cards[0]!;
  for (const c of cards.slice(1)) {
    const same = suitOf(c.card) === suitOf(best.card);
    if (same ? order.indexOf(rankOf(c.card)) > order.indexOf(rankOf(best.card)) : suitOf(c.card) === trump) best = c;
  }
  return best.seat;
}

