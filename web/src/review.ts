// The review: one board stepped through, with double dummy, par, what engines would have done,
// what it cost, and exports; or a whole evening with its most costly decisions.
// Used at /review; the board itself is in the address, so the address is the permalink.
import { announce, h, later, render, type Child, type VNode } from "./dom";
import { ask, engines, keep, type DrawnCall } from "./net";
import { fileButton } from "./forms";
import { judged } from "./history";
import { auctionView, boardMarker, diagram, meaningView, trickView } from "./parts";
import { OtherTables } from "./others";
import { parView } from "./result";
import { bar, copy, download, go, link, notice } from "./shell";
import { impWords, signed } from "./words";
import {
  betterView,
  cardText,
  fault,
  judgedView,
  legalCalls,
  verdictTag,
  wrongWords,
} from "./verdict";
import { Siblings } from "./siblings";
import { BoardRecord, thoughtView } from "./thought";
import { Thoughts, type Focus } from "./worlds";
import {
  callView,
  callWords,
  cardWords,
  coloured,
  contractView,
  isVul,
  pip,
  plus,
  points,
  rankOf,
  SEAT_NAMES,
  SEATS,
  suitOf,
} from "./words";
import type {
  BiddingLoss as Lost,
  BoardAgain,
  CallBeside as CallRow,
  JudgedDecision as Judged,
  ListedBoard as Board,
  NewEvening,
  Offered as Offers,
  ReadBoards,
  SeatLetter,
  SolvedBoard as Solved,
  Ticket,
} from "./wire";

interface Costly {
  at: number;
  words: Child;
  imps: number;
  word?: Judged["word"] | undefined;
}

/** Seats as auctions are printed: everywhere on this page in one order. */
const PRINTED: SeatLetter[] = ["W", "N", "E", "S"];
const STRAIN_ORDER = ["NT", "S", "H", "D", "C"];

/** " +1, +630" behind the contract, when the result is known. */
function made(board: Board): string {
  const over = board.result ? / ?[NESW]([=+-]\d*)$/.exec(board.result)?.[1] : undefined;
  return over ? ` ${over.replace("-", "−")}, ${signed(board.score_ns ?? 0)}` : "";
}

export class ReviewPage {
  private board: Board | null = null;
  private solved: Solved | null = null;
  private calls: CallRow[] = [];
  private judged = new Map<string, Judged>();
  private other: { name: Child; board: Board & { imps_ns: number | null } } | null = null;
  private trying = "";
  private instead = "";
  private step = 0;
  private looking = -1;
  private offers: Offers | null = null;
  private text = "";
  private problem = "";
  private warnings: string[] = [];
  private readonly thoughts = new Thoughts(() => this.draw());
  private readonly others = new OtherTables(
    () => this.draw(),
    (board) => void this.look(board),
  );
  private readonly siblings = new Siblings(() => this.draw());
  private readonly record = new BoardRecord(() => this.draw());
  private reading = false;
  private run = 0;
  private table = "";
  private tableBoard = ""; // which of the table's boards this is
  private readonly key = (e: KeyboardEvent): void => this.press(e);

  private asked = "";
  private closed = false; // answers that come after the page was left change nothing

  private readonly draw = later(() => {
    if (this.closed) return;
    const middle = this.board
      ? [
          boardMarker(this.board.number, this.board.dealer, this.board.vul),
          h(
            "div",
            { class: "contract" },
            this.board.contract ? contractView(this.board.contract) : "Passed out",
            h(
              "span",
              { class: "by" },
              this.board.declarer ? ` ${SEAT_NAMES[this.board.declarer]}${made(this.board)}` : "",
            ),
          ),
        ]
      : null;
    if (this.siblings.evening) this.siblings.want();
    const back = this.table
      ? link(`/table/${this.table}`, { class: "button small" }, "To the table")
      : null;
    if (this.board) this.thoughts.want(this.board.source, this.focus());
    render(this.root, [
      bar(middle, () => this.draw(), back),
      this.board ? this.one(this.board) : this.many(),
    ]);
  });

  /** The decision that is being looked at: the call pointed at, else the card just shown. */
  private focus(): Focus | null {
    if (this.looking >= 0) return { kind: "call", index: this.looking };
    return this.step > 0 ? { kind: "card", index: this.step - 1 } : null;
  }

  private focusWords(): Child {
    const board = this.board!;
    if (this.looking >= 0)
      return ["Before calling ", callView(board.calls[this.looking]!.call), "."];
    return this.step ? ["Before playing ", cardText(board.cards[this.step - 1]!), "."] : "";
  }

  constructor(private readonly root: HTMLElement) {
    document.addEventListener("keydown", this.key);
    const hash = new URLSearchParams(location.hash.slice(1));
    this.table = hash.get("table") ?? "";
    this.tableBoard = hash.get("board") ?? "";
    const lin = hash.get("lin");
    this.asked = lin ?? "";
    this.siblings.open(
      hash.get("evening") ?? "",
      Number(hash.get("at") ?? -1),
      hash.get("player") ?? "",
    );
    this.reading = Boolean(lin);
    this.draw();
    if (lin) void this.read(lin, Number(hash.get("step") ?? 0));
  }

  close(): void {
    this.closed = true;
    this.run++;
    document.removeEventListener("keydown", this.key);
  }

  // ------------------------------------------------------------ loading

  private async read(text: string, step = 0): Promise<void> {
    this.problem = "";
    this.reading = true;
    this.draw();
    try {
      const found = await ask<ReadBoards>("/api/review/read", { text });
      if (this.closed) return;
      this.warnings = [...found.unread, ...found.warnings].map(
        (w) => w.charAt(0).toUpperCase() + w.slice(1),
      );
      if (!found.boards.length)
        this.problem = this.warnings[0] ?? "there is no complete board in this text";
      else if (found.boards.length === 1) {
        this.reading = false;
        return await this.look(found.boards[0]!, step);
      } else return await this.upload(text);
    } catch (error) {
      this.problem = (error as Error).message;
    }
    this.reading = false;
    this.draw();
  }

  /** Several boards are an evening: kept by the server, ranked and judged there. */
  private async upload(text: string): Promise<void> {
    const { evening } = await ask<NewEvening>("/api/evenings", { text });
    go(`/evening/${evening}`);
  }

  private async look(board: Board, step = 0): Promise<void> {
    const run = ++this.run;
    Object.assign(this, {
      board,
      solved: null,
      calls: [],
      judged: new Map(),
      other: null,
      trying: "",
      instead: "",
      step,
      looking: -1,
    });
    this.thoughts.clear();
    this.others.clear();
    this.record.clear();
    this.remember();
    this.draw();
    scrollTo(0, 0);
    try {
      this.offers ??= await engines();
      const solved = await ask<Solved>("/api/review/solve", { text: board.source });
      if (run !== this.run) return;
      this.solved = solved;
      this.draw();
      await this.record.read(this.table, this.tableBoard, board);
      if (run !== this.run) return;
      const spec = this.offers.bidders[0]!.spec;
      const calls = await ask<CallRow[]>("/api/review/calls", {
        text: board.source,
        ns: spec,
        ew: spec,
      });
      if (run !== this.run) return;
      this.calls = calls;
      this.draw();
      for (const i of board.calls.keys()) await this.record.want(i);
      if (run !== this.run) return;
      await this.judgeAll(board, run);
      if (run === this.run && board.score_ns !== null) await this.others.usual(board, this.offers);
    } catch (error) {
      if (run === this.run) notice((error as Error).message);
    }
  }

  /** Every decision that may have cost something; whatever is being looked at goes first. */
  private async judgeAll(board: Board, run: number): Promise<void> {
    const lost = this.solved!.bidding;
    const calls = this.calls.flatMap((c, i) =>
      this.robots(i) !== c.call || lost?.side.includes(c.seat) ? [`call${i}`] : [],
    );
    const cards = this.solved!.cards.flatMap((c, i) => (c.cost > 0 ? [`card${i}`] : []));
    const first =
      (lost?.imps ?? 0) >= Math.max(0, ...this.solved!.cards.map((c) => c.imps))
        ? [...calls, ...cards]
        : [...cards, ...calls];
    const rest = board.cards.slice(0, 44).map((_, i) => `card${i}`);
    const left = [...new Set([...first, ...rest])];
    while (left.length) {
      const seen = this.focus();
      const wanted = seen ? `${seen.kind}${seen.index}` : "";
      const key =
        wanted && !this.judged.has(wanted) && !left.includes(wanted)
          ? wanted
          : left.includes(wanted)
            ? wanted
            : left[0]!;
      if (left.includes(key)) left.splice(left.indexOf(key), 1);
      const kind = key.startsWith("call") ? "call" : "card";
      try {
        const index = Number(key.slice(4));
        const found = await ask<Judged>("/api/review/judge", {
          text: board.source,
          kind,
          index,
          ...(kind === "call" ? { also: this.considered(index) } : {}),
        });
        if (run !== this.run) return;
        this.judged.set(key, found);
      } catch (error) {
        if (run !== this.run) return;
        this.judged.set(key, {
          index: Number(key.slice(4)),
          word: "close",
          done: "",
          better: "",
          loss: 0,
          error: 0,
          worlds: 0,
          how: (error as Error).message,
          choices: [],
        });
      }
      if (first.every((k) => this.judged.has(k))) this.noted(board);
      this.draw();
    }
  }

  /** What the robot called here: at the table if that is known, else now. */
  private robots(index: number): string | undefined {
    return this.record.at(index)?.action ?? this.calls[index]?.engine;
  }

  /**
   * The calls that were considered at the table, the robot's own first; a verdict values them in
   * more deals.
   */
  private considered(index: number): string[] {
    const thought = this.record.at(index);
    const made = this.board!.calls[index]!.call;
    if (!thought) return this.calls[index] ? [this.calls[index].engine] : [];
    return [...new Set([thought.action, ...thought.candidates.map((c) => c.action)])]
      .filter((c, i) => i === 0 || c !== made)
      .slice(0, 4);
  }

  /** A board of one's own: what was wrong with it is counted on one's page. */
  private noted(board: Board): void {
    const wrong = (key: string): boolean => this.judged.get(key)?.word === "wrong";
    judged([this.asked, board.source, board.lin], (mine) => {
      const ours = (seat: string): boolean => "NS".includes(seat) === "NS".includes(mine.seat);
      const declaring = mine.declarer !== "" && ours(mine.declarer);
      const cards = this.solved!.cards.flatMap((c, i) =>
        wrong(`card${i}`) && (declaring ? ours(c.seat) : c.seat === mine.seat) ? [i] : [],
      );
      return {
        call: board.calls.filter((_, i) => wrong(`call${i}`) && plus(board.dealer, i) === mine.seat)
          .length,
        lead: declaring ? 0 : cards.filter((i) => i === 0).length,
        declarer: declaring ? cards.length : 0,
        defence: declaring ? 0 : cards.filter((i) => i > 0).length,
      };
    });
  }

  /** Another call or card: robots finish the board from there. */
  private async playOn(kind: "call" | "card", index: number, action: string): Promise<void> {
    const board = this.board!;
    const run = this.run;
    this.trying = action;
    this.other = null;
    this.draw();
    try {
      const found = await ask<BoardAgain>("/api/review/play-on", {
        text: board.source,
        kind,
        index,
        action,
      });
      if (run !== this.run) return;
      this.other = { name: kind === "call" ? callView(action) : cardText(action), board: found };
      announce(
        `With ${kind === "call" ? callWords(action) : cardWords(action)}: ` +
          `${found.result ?? "passed out"}`,
      );
    } catch (error) {
      if (run === this.run) notice((error as Error).message);
    }
    this.trying = "";
    this.draw();
  }

  // ------------------------------------------------------------ stepping

  private get last(): number {
    return this.board ? this.board.cards.length : 0;
  }

  private go(step: number): void {
    this.step = Math.max(0, Math.min(this.last, step));
    this.looking = -1;
    this.other = null;
    this.remember();
    const played = this.step ? this.board!.cards[this.step - 1]! : "";
    if (played) announce(`Card ${this.step}: ${cardWords(played)}. ${this.verdictText()}`);
    this.draw();
  }

  /** The address always holds the board and the place in it. */
  private remember(): void {
    const kept =
      (this.table ? `&table=${this.table}` : "") +
      (this.tableBoard ? `&board=${this.tableBoard}` : "");
    const step = this.step ? `&step=${this.step}` : "";
    history.replaceState(
      null,
      "",
      `/review#lin=${encodeURIComponent(this.board!.source)}${step}${kept}` +
        `${this.siblings.address()}`,
    );
  }

  private press(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || document.querySelector("dialog[open]"))
      return;
    const move: Record<string, number> = {
      ArrowRight: this.step + 1,
      ArrowLeft: this.step - 1,
      Home: 0,
      End: this.last,
      ArrowDown: this.step + 4,
      ArrowUp: this.step - 4,
    };
    if (!this.board || event.ctrlKey || event.metaKey || !(event.key in move)) return;
    event.preventDefault();
    this.go(move[event.key]!);
  }

  // ------------------------------------------------------------ drawing

  private many(): VNode {
    if (this.reading)
      return h(
        "main",
        { class: "review-start" },
        h("h1", null, "Review"),
        h("p", { class: "soft waiting", role: "status" }, "Reading the board…"),
      );
    return h(
      "main",
      { class: "review-start" },
      h("h1", null, "Review"),
      h(
        "p",
        { class: "lead" },
        "Paste a board, a BBO hand viewer link or a whole evening in PBN or LIN, or choose a " +
          "file. Several tables are compared and ranked; you may close the page meanwhile.",
      ),
      h(
        "form",
        {
          class: "fields wide",
          onsubmit: (e: Event) => {
            e.preventDefault();
            void this.read(this.text);
          },
        },
        h(
          "label",
          { class: "field" },
          h("span", null, "Boards"),
          h("textarea", {
            rows: 7,
            spellcheck: "false",
            value: this.text,
            oninput: (e: Event) => (this.text = (e.target as HTMLTextAreaElement).value),
          }),
        ),
        h(
          "div",
          { class: "row" },
          h("button", { class: "button primary", type: "submit" }, "Look at it"),
          fileButton("Choose a file", ".pbn,.lin,.txt,.rbn", (text) => void this.read(text)),
        ),
      ),
      this.problem ? h("p", { class: "problem", role: "alert" }, this.problem) : null,
      this.warnings.some((w) => w !== this.problem)
        ? h(
            "ul",
            { class: "warnings" },
            this.warnings
              .filter((w) => w !== this.problem) // which is said above
              .slice(0, 20)
              .map((w) => h("li", null, w)),
          )
        : null,
    );
  }

  private one(board: Board): VNode {
    return h(
      "main",
      { class: "review" },
      h("h1", { class: "sr-only" }, `Review of board ${board.number}`),
      this.siblings.bar(),
      h(
        "section",
        { class: "stage", "aria-label": "The board" },
        this.compass(board),
        this.stepper(board),
        this.verdict(board),
        this.tried(board),
        this.worst(board),
        this.thoughts.panel(this.focusWords()),
      ),
      h(
        "section",
        { class: "notes", "aria-label": "Notes" },
        h(
          "div",
          { class: "panel" },
          h("h2", null, "Auction"),
          this.auction(board),
          h("div", { class: "explain" }, this.callNote(board)),
        ),
        h("div", { class: "panel" }, h("h2", null, "Double dummy"), this.matrix()),
        board.cards.length
          ? h("div", { class: "panel" }, h("h2", null, "Play"), this.tricks(board))
          : null,
        this.printed(board),
        h(
          "div",
          { class: "panel screen" },
          h("h2", null, "Other tables"),
          this.others.panel(board, this.offers),
        ),
        h("div", { class: "panel screen" }, h("h2", null, "Take it with you"), this.exports(board)),
      ),
    );
  }

  /** For paper only: the result, and what every call meant. */
  private printed(board: Board): VNode {
    const names = board.names.some(Boolean)
      ? SEATS.map((s, i) => `${s} ${board.names[i] ?? ""}`).join(", ")
      : "";
    return h(
      "div",
      { class: "panel print-only" },
      h(
        "h2",
        null,
        board.result
          ? `${board.result.replace(/ (?=[NESW])/, " by ")}, ${signed(board.score_ns ?? 0)} ` +
              "for North–South"
          : "Notes",
      ),
      names ? h("p", { class: "soft" }, names) : null,
      h(
        "ol",
        { class: "call-notes" },
        this.calls
          .filter((c) => c.call !== "Pass")
          .map((c) =>
            h(
              "li",
              null,
              `${c.seat}: `,
              callView(c.call),
              " ",
              coloured(c.meaning.words),
              c.meaning.ranges ? [" (", coloured(c.meaning.ranges), ")"] : null,
            ),
          ),
      ),
    );
  }

  private compass(board: Board): VNode {
    const gone = new Set(board.cards.slice(0, this.step));
    const row = this.solved?.cards[this.step];
    const marks = row
      ? new Map(
          Object.entries(row.worth).map(([c, w]) => [
            c,
            w === 0 ? "=" : String(w).replace("-", "−"),
          ]),
        )
      : undefined;
    const names = board.names.some(Boolean);
    const places: [string, SeatLetter][] = [
      ["n", "N"],
      ["w", "W"],
      ["e", "E"],
      ["s", "S"],
    ];
    return h(
      "div",
      { class: "compass" },
      places.map(([place, seat]) =>
        h(
          "div",
          { class: `place place-${place}`, key: place },
          h(
            "p",
            {
              class:
                `name${isVul(seat, board.vul) ? " vul" : ""}` +
                `${this.turn() === seat ? " on" : ""}`,
            },
            h("b", null, SEAT_NAMES[seat]),
            names && board.names[SEATS.indexOf(seat)]
              ? h("small", { translate: "no" }, ` ${board.names[SEATS.indexOf(seat)]}`)
              : null,
            h("small", null, ` ${points(board.hands[seat])} hcp`),
          ),
          diagram(
            board.hands[seat],
            gone,
            this.turn() === seat ? marks : undefined,
            this.turn() === seat && marks
              ? (c) => (marks.has(c) ? void this.playOn("card", this.step, c) : undefined)
              : undefined,
          ),
        ),
      ),
      h(
        "div",
        { class: "centre-area" },
        board.cards.length
          ? trickView(this.trick(), "S", this.step % 4 === 0 && this.step > 0)
          : boardMarker(board.number, board.dealer, board.vul),
      ),
    );
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

  private trick(): {
    leader: SeatLetter;
    cards: { seat: SeatLetter; card: string }[];
    winner: SeatLetter;
  } | null {
    if (!this.step) return null;
    const index = Math.floor((this.step - 1) / 4);
    const full = this.walk()[index]!;
    const cards = full.slice(0, this.step - 4 * index);
    return {
      leader: cards[0]!.seat,
      cards,
      winner: winner(cards, (this.board!.contract ?? "").replace(/[1-7X]/g, "")),
    };
  }

  private stepper(board: Board): VNode {
    const button = (words: string, label: string, step: number): VNode =>
      h(
        "button",
        {
          class: "button",
          "aria-label": label,
          "aria-disabled": step < 0 || step > this.last || step === this.step ? "true" : null,
          onclick: () => this.go(step),
        },
        words,
      );
    if (!board.cards.length) return h("p", { class: "soft" }, "No cards were recorded.");
    return h(
      "div",
      { class: "stepper", role: "group", "aria-label": "Step through the play" },
      button("⇤", "to the start", 0),
      button("←", "one card back", this.step - 1),
      h("span", null, this.step ? `Card ${this.step} of ${this.last}` : "Before the lead"),
      button("→", "next card", this.step + 1),
      button("⇥", "to the end", this.last),
    );
  }

  private verdictText(): string {
    const row = this.solved?.cards[this.step - 1];
    const seen = this.judged.get(`card${this.step - 1}`);
    return row ? wrongWords(seen, row.cost) : "";
  }

  private verdict(board: Board): VNode {
    const played = board.cards[this.step - 1];
    const row = this.solved?.cards[this.step - 1];
    if (!played) {
      return h(
        "div",
        { class: "verdict" },
        h(
          "p",
          null,
          this.solved
            ? this.solved.contract
              ? [
                  "With all cards in sight the contract takes ",
                  h("b", null, this.solved.contract.tricks),
                  ` tricks: ${signed(this.solved.contract.score_ns)} for North–South, par is ` +
                    `${signed(this.solved.par.score_ns)}.`,
                ]
              : `Par is ${signed(this.solved.par.score_ns)} for North–South.`
            : "Solving…",
        ),
      );
    }
    const seen = this.judged.get(`card${this.step - 1}`);
    const who = row ? SEAT_NAMES[row.seat] : "";
    const tone = seen?.word === "wrong" ? " bad" : row?.cost ? (seen ? " luck" : " bad") : "";
    return h(
      "div",
      { class: `verdict${tone}` },
      h(
        "p",
        null,
        h("b", null, `${who} `),
        cardText(played),
        ". ",
        this.verdictText(),
        row?.cost
          ? [
              " With all cards in sight the best was ",
              row.best.slice(0, 3).map((c, i) => [i ? ", " : "", cardText(c)]),
              ".",
            ]
          : null,
      ),
      h(
        "dl",
        { class: "costs" },
        h("dt", null, "As the cards lay"),
        h(
          "dd",
          null,
          !row
            ? "…"
            : row.cost
              ? `−${row.cost} ${row.cost === 1 ? "trick" : "tricks"}` +
                `${row.imps ? `, ${impWords(`−${row.imps}`)}` : ""}`
              : "0",
        ),
        h("dt", null, "By what could be seen"),
        h(
          "dd",
          null,
          !seen
            ? "thinking…"
            : seen.word === "forced"
              ? "no choice that matters"
              : seen.loss > 0.05
                ? `−${seen.loss.toFixed(1)}` +
                  `${seen.error < 0.05 ? "" : ` ± ${seen.error.toFixed(1)}`} IMPs`
                : "0",
        ),
      ),
      this.thoughtOf(board, this.step - 1),
      seen?.choices.length
        ? judgedView(seen, cardText, (action) => void this.playOn("card", this.step - 1, action))
        : null,
    );
  }

  /** What was thought of a card at the table; asked now where a person played it without a hint. */
  private thoughtOf(board: Board, card: number): Child {
    const place = board.calls.length + card;
    const thought = this.record.at(place);
    if (!thought) void this.record.want(place);
    return thought && thought.engine !== "table" ? thoughtView(thought, cardText) : null;
  }

  /** What happened when another call or card was tried. */
  private tried(board: Board): Child {
    if (this.trying)
      return h(
        "div",
        { class: "panel tried" },
        h("p", { class: "soft waiting", role: "status" }, "Robots are finishing the board…"),
      );
    if (!this.other) return null;
    const { name, board: found } = this.other;
    const by = found.imps_ns;
    const gain =
      by === null
        ? ""
        : by === 0
          ? "the same as what happened"
          : `${by > 0 ? "North–South" : "East–West"} would have won ${impWords(Math.abs(by))} more`;
    return h(
      "div",
      { class: "panel tried" },
      h("h2", null, "With ", name, " instead"),
      h(
        "p",
        null,
        found.contract
          ? [contractView(found.contract), ` ${SEAT_NAMES[found.declarer!]}${made(found)}`]
          : "Passed out",
        gain ? `: ${gain}.` : ".",
      ),
      h(
        "p",
        { class: "soft" },
        "Robots bid and played on for everybody; at the table it was ",
        board.contract
          ? [contractView(board.contract), ` ${board.declarer}${made(board)}`]
          : "passed out",
        ".",
      ),
      h(
        "div",
        { class: "row" },
        link(
          `/review#lin=${encodeURIComponent(found.source)}`,
          { class: "button small" },
          "Look at it",
        ),
        h(
          "button",
          {
            class: "button small",
            onclick: () => {
              this.other = null;
              this.draw();
            },
          },
          "Close",
        ),
      ),
    );
  }

  private worst(board: Board): Child {
    if (!this.solved)
      return h(
        "div",
        { class: "panel worst" },
        h("h2", null, "Where it went wrong"),
        h("p", { class: "soft" }, "Solving…"),
      );
    const list: Costly[] = this.solved.cards.flatMap((c, i) =>
      c.cost > 0 && c.imps > 0
        ? [
            {
              at: i + 1,
              imps: c.imps,
              word: this.judged.get(`card${i}`)?.word,
              words: [
                `${SEAT_NAMES[c.seat]} played `,
                cardText(c.card),
                " instead of ",
                cardText(c.best[0]!),
              ] as Child,
            },
          ]
        : [],
    );
    const lost = this.solved.bidding;
    if (lost && board.calls.length) list.push(this.auctionFault(board, lost));
    list.sort((a, b) => b.imps - a.imps);
    const body = list.length
      ? h(
          "ol",
          { class: "costly" },
          list
            .slice(0, 6)
            .map((c) =>
              h(
                "li",
                null,
                h(
                  "button",
                  { onclick: () => (c.at < 0 ? this.lookCall(-1 - c.at) : this.go(c.at)) },
                  h("b", { class: "lost" }, impWords(`−${c.imps}`)),
                  h("span", null, c.words, verdictTag(c.word, true)),
                ),
              ),
            ),
        )
      : h(
          "p",
          { class: "soft" },
          board.calls.length || board.cards.length
            ? "Nothing was given away. Well played."
            : "Neither calls nor cards were recorded.",
        );
    return h(
      "div",
      { class: "panel worst" },
      h("h2", null, "Where it went wrong"),
      body,
      list.length
        ? h(
            "p",
            { class: "soft legend" },
            "IMPs as the cards lay: the auction against par, each card against the best one. " +
              "Wrong: another choice was better with what could be seen. Unlucky: it was not.",
          )
        : null,
    );
  }

  /** What the auction cost against par, and whose call it was as far as that is known. */
  private auctionFault(board: Board, lost: Lost): Costly {
    const calls = board.calls
      .map((_, i) => ({ i, found: this.judged.get(`call${i}`), seat: plus(board.dealer, i) }))
      .filter((c) => lost.side.includes(c.seat));
    const wrong = calls
      .filter((c) => c.found?.word === "wrong")
      .sort((a, b) => b.found!.loss - a.found!.loss)[0];
    const known = calls.every((c) => c.found);
    const last = calls.at(-1)?.i ?? 0;
    const whose: Child = wrong
      ? [
          ": ",
          SEAT_NAMES[wrong.seat],
          " called ",
          callView(board.calls[wrong.i]!.call),
          ", better was ",
          betterView(wrong.found!.better),
        ]
      : null;
    return {
      at: -1 - (wrong?.i ?? last),
      imps: lost.imps,
      word: wrong ? "wrong" : known ? "good" : undefined,
      words: [
        fault(lost),
        lost.best && lost.kind !== "too high"
          ? [" ", contractView(lost.best), lost.by ? ` ${SEAT_NAMES[lost.by]}` : null]
          : null,
        whose,
      ],
    };
  }

  private lookCall(index: number): void {
    this.looking = index;
    this.draw();
  }

  private auction(board: Board): VNode {
    const calls: DrawnCall[] = board.calls.map((c, i) => ({
      seat: plus(board.dealer, i),
      call: c.call,
      alert: c.alert,
      meaning:
        this.calls[i]?.meaning ??
        (c.note
          ? { words: c.note, ranges: "", forcing: "none", alert: c.alert, convention: "" }
          : null),
    }));
    const marks = board.calls.map((_, i) => {
      const seen = this.judged.get(`call${i}`);
      return seen?.word === "wrong"
        ? h(
            "span",
            { class: "differs", title: `Better was ${callWords(seen.better.split(" ")[0]!)}` },
            "≠",
          )
        : null;
    });
    if (!calls.length) return h("p", { class: "soft" }, "No auction was recorded.");
    return auctionView({
      calls,
      dealer: board.dealer,
      vul: board.vul,
      turn: null,
      you: null,
      chosen: this.looking,
      marks,
      look: (i) => {
        if (i >= 0) this.lookCall(i);
      },
    });
  }

  private callNote(board: Board): Child {
    const made = board.calls[this.looking];
    const row = this.calls[this.looking];
    if (!made)
      return h(
        "p",
        { class: "soft" },
        "Choose a call: what it means, and what else could have been called. ≠ marks calls " +
          "for which another one was plainly better with what could be seen.",
      );
    const index = this.looking;
    const seen = this.judged.get(`call${index}`);
    if (!row) return h("p", { class: "soft" }, made.note || "Asking the robot…");
    const thought = this.record.at(index);
    const robots = this.robots(index)!;
    const same = robots === row.call;
    const overturned = seen?.word === "wrong" && same;
    const legal = legalCalls(board.calls.slice(0, index).map((c) => c.call)).filter(
      (c) => c !== made.call,
    );
    return [
      meaningView(`${SEAT_NAMES[row.seat]} called`, row.call, row.meaning),
      thought ? thoughtView(thought, callView) : null,
      h(
        "p",
        { class: "soft" },
        same
          ? thought
            ? ""
            : "The robot bids the same."
          : [
              thought
                ? null
                : ["The robot bids ", callView(row.engine), `: ${row.engine_meaning}.`],
              row.imps !== null && row.engine === robots
                ? [
                    " If robots bid on from there, the contract is ",
                    coloured(row.instead.replace(/ (North|East|South|West)/, " by $1")),
                    ": ",
                    row.imps === 0
                      ? "no difference as the cards lay"
                      : `${Math.abs(row.imps)} ${Math.abs(row.imps) === 1 ? "IMP" : "IMPs"} ` +
                        `${row.imps > 0 ? "better" : "worse"} as the cards lay`,
                    ".",
                  ]
                : null,
            ],
      ),
      seen?.choices.length
        ? [
            h(
              "p",
              null,
              overturned
                ? "The robot thought so, too; more deals overturn it."
                : wrongWords(seen, 0, true),
            ),
            judgedView(
              seen,
              betterView,
              (action) => void this.playOn("call", index, action.split(" ")[0]!),
            ),
          ]
        : null,
      h(
        "div",
        { class: "row end" },
        h(
          "label",
          { class: "field" },
          h("span", null, "Another call"),
          h(
            "select",
            {
              value: this.instead || legal[0] || "",
              onchange: (e: Event) => {
                this.instead = (e.target as HTMLSelectElement).value;
                this.draw();
              },
            },
            legal.map((c) => h("option", { value: c }, c)),
          ),
        ),
        h(
          "button",
          {
            class: "button",
            "aria-disabled": this.trying ? "true" : null,
            onclick: () =>
              void this.playOn(
                "call",
                index,
                legal.includes(this.instead) ? this.instead : legal[0]!,
              ),
          },
          "Play on from here",
        ),
      ),
    ];
  }

  private matrix(): Child {
    if (!this.solved) return h("p", { class: "soft" }, "Solving…");
    const order: SeatLetter[] = ["N", "S", "E", "W"];
    return [
      h(
        "table",
        { class: "matrix" },
        h("caption", { class: "sr-only" }, "Tricks of each declarer in each strain"),
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            h("td", null),
            STRAIN_ORDER.map((s) =>
              h(
                "th",
                { scope: "col" },
                s === "NT" ? "NT" : pip(s),
                s === "NT" ? null : h("span", { class: "sr-only" }, s),
              ),
            ),
          ),
        ),
        h(
          "tbody",
          null,
          order.map((seat) =>
            h(
              "tr",
              null,
              h("th", { scope: "row" }, SEAT_NAMES[seat]),
              STRAIN_ORDER.map((s) => {
                const n = this.solved!.table[s]![seat];
                return h("td", { class: n >= 7 ? "makes" : "" }, n);
              }),
            ),
          ),
        ),
      ),
      h(
        "p",
        null,
        "Par ",
        h("b", null, signed(this.solved.par.score_ns)),
        " for North–South",
        this.solved.par.contracts.length
          ? [": ", this.solved.par.contracts.slice(0, 3).map((c, i) => [i ? ", " : "", parView(c)])]
          : null,
      ),
    ];
  }

  private tricks(board: Board): VNode {
    const tricks = this.walk();
    const trump = (board.contract ?? "").replace(/[1-7X]/g, "");
    return h(
      "div",
      { class: "scroll" },
      h(
        "table",
        { class: "tricks" },
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            h("th", { scope: "col" }, "#"),
            PRINTED.map((s) => h("th", { scope: "col" }, SEAT_NAMES[s])),
          ),
        ),
        h(
          "tbody",
          null,
          tricks.map((trick, t) =>
            h(
              "tr",
              { key: t },
              h("th", { scope: "row" }, t + 1),
              PRINTED.map((seat) => {
                const j = trick.findIndex((c) => c.seat === seat);
                if (j < 0) return h("td", null);
                const index = 4 * t + j;
                const cost = this.solved?.cards[index]?.cost ?? 0;
                const won = trick.length === 4 && winner(trick, trump) === seat;
                return h(
                  "td",
                  { class: won ? "won" : "" },
                  h(
                    "button",
                    {
                      class: `played${this.step === index + 1 ? " now" : ""}${cost ? " bad" : ""}`,
                      onclick: () => this.go(index + 1),
                      "aria-label":
                        `${SEAT_NAMES[seat]} ${cardWords(trick[j]!.card)}` +
                        `${won ? ", wins the trick" : ""}${cost ? `, cost ${cost}` : ""}`,
                    },
                    cardText(trick[j]!.card),
                    cost ? h("sup", null, `−${cost}`) : null,
                  ),
                );
              }),
            ),
          ),
        ),
      ),
      h("p", { class: "soft legend" }, "Underlined: the card that won the trick."),
    );
  }

  private exports(board: Board): VNode {
    return h(
      "div",
      { class: "row wrap" },
      h(
        "button",
        { class: "button", onclick: () => void copy(location.href, "Link") },
        "Copy link",
      ),
      h(
        "button",
        { class: "button", onclick: () => download(`board-${board.number}.pbn`, board.pbn) },
        "PBN",
      ),
      h(
        "button",
        { class: "button", onclick: () => download(`board-${board.number}.lin`, board.lin) },
        "LIN",
      ),
      h(
        "button",
        { class: "button", onclick: () => void copy(board.link, "BBO link") },
        "BBO link",
      ),
      h("button", { class: "button", onclick: () => print() }, "Print"),
      h("button", { class: "button", onclick: () => void this.playIt(board) }, "Play this board"),
      h(
        "button",
        {
          class: "button",
          onclick: () => {
            this.run++;
            this.board = null;
            history.pushState(null, "", "/review");
            this.draw();
          },
        },
        "Another board",
      ),
    );
  }

  private async playIt(board: Board): Promise<void> {
    try {
      const ticket = await ask<Ticket>("/api/tables", {
        source: { type: "text", text: board.source },
      });
      keep(ticket);
      go(`/table/${ticket.table}`);
    } catch (error) {
      notice((error as Error).message);
    }
  }
}

function winner(cards: { seat: SeatLetter; card: string }[], trump: string): SeatLetter {
  const order = "23456789TJQKA";
  let best = cards[0]!;
  for (const c of cards.slice(1)) {
    const same = suitOf(c.card) === suitOf(best.card);
    if (
      same
        ? order.indexOf(rankOf(c.card)) > order.indexOf(rankOf(best.card))
        : suitOf(c.card) === trump
    )
      best = c;
  }
  return best.seat;
}
